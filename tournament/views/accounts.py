"""Accounts: an owner closes one, opens it again, resets its second factor; a forgotten password comes by mail."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse_lazy
from django.views.decorators.http import require_POST, require_safe

from tournament import access
from tournament.forms.accounts import ForgottenForm, NewPasswordForm
from tournament.limits import MANY, limited
from tournament.queries.accounts import accounts
from tournament.request import Request
from tournament.services.accounts import close_account, open_account, reset_second_factor
from tournament.views.pages import done, need_password

Act = Callable[[Request, int], str]
MAILS_A_MINUTE = 5
WHO_APPOINTS = "The site’s first owner can add one, on the page Setup."


@require_safe
def account_list(request: Request) -> HttpResponse:
    """Every account of the site."""
    access.require(request.actor, "manage-accounts")
    context = {"accounts": accounts(request.actor.account), "asks_code": settings.SECOND_FACTOR}
    return render(request, "accounts.html", context)


def on_account(act: Act) -> Callable[..., HttpResponse]:
    """An act of an owner on one account; what it says stands on the list."""

    @require_POST
    @wraps(act)
    def view(request: Request, user: int) -> HttpResponse:
        access.require(request.actor, "manage-accounts")
        need_password(request, "You are about to change somebody’s account.")
        return done(request, act(request, user), "accounts")

    return view


@on_account
def closing(request: Request, user: int) -> str:
    """Close an account: its sign-ins end at once, its name stays in log and rulings."""
    name, alone = close_account(request.actor, user)
    left = f" No director is left for {', '.join(alone)}. {WHO_APPOINTS}" if alone else ""
    return f"The account {name} is closed and signed out everywhere.{left}"


@on_account
def opening(request: Request, user: int) -> str:
    """Open a closed account again."""
    return f"The account {open_account(request.actor, user)} is open again, with its old password."


@on_account
def factor_reset(request: Request, user: int) -> str:
    """Take the second factor back, for whoever lost phone and recovery codes."""
    return f"{reset_second_factor(request.actor, user)} sets up a new second factor at the next sign-in."


class Forgotten(auth.PasswordResetView):
    """A link to a new password is sent by mail. The answer is the same whether there is such an account or not."""

    form_class = ForgottenForm
    template_name, success_url = "password_forgotten.html", reverse_lazy("password-sent")
    subject_template_name, email_template_name = "mail/password_subject.txt", "mail/password.txt"
    extra_context = {"mails": True}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Where the site sends no mail, the page says what works instead."""
        if not settings.MAIL:
            return render(request, self.template_name, {"mails": False}, status=200 if request.method == "GET" else 409)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the link, so many times a minute from one address."""
        with limited("mail", self.request.META.get("REMOTE_ADDR", ""), MAILS_A_MINUTE, MANY.format("links were sent")):
            return super().form_valid(form)


class NewPassword(auth.PasswordResetConfirmView):
    """A password of one's own, by the link of a mail; whoever is signed in with the old one is signed out."""

    form_class = NewPasswordForm
    template_name, success_url = "password_new.html", reverse_lazy("sign-in")

    def get_user(self, uidb64: str) -> User | None:
        """Find whose link it is: nobody's while the account is closed."""
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and user.is_active else None


sent = auth.PasswordResetDoneView.as_view(template_name="password_sent.html")
