"""Signing in as an official, where one is signed in, and the account's password."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from tournament import access
from tournament.forms.accounts import PasswordForm
from tournament.queries.accounts import sign_ins_of
from tournament.request import Request
from tournament.services.accounts import change_password, end_sign_ins
from tournament.signing_in import lacks_factor
from tournament.views.factor import code_address, to_code
from tournament.views.pages import done, sent

FIRST = 'You signed in with the password that was given to you. <a href="{}">Choose a password of your own</a>'


class SignIn(LoginView):
    """Signing in; whoever does it for the first time is offered a password of their own."""

    request: Request
    template_name = "sign_in.html"
    redirect_authenticated_user = True

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Whoever typed the password already is asked for the code."""
        if request.half is not None and request.method != "POST":
            return to_code(request)
        return super().dispatch(request, *args, **kwargs)

    def get_success_url(self) -> str:
        """Where the sign-in leads: to the code first where the account needs one."""
        url = super().get_success_url()
        user = self.request.user
        is_asked = isinstance(user, User) and lacks_factor(self.request, user)
        return code_address(url) if is_asked else url

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in. The account knows when it was last used, until now."""
        is_first = form.get_user().last_login is None
        answer = super().form_valid(form)
        if is_first:
            messages.info(self.request, format_html(FIRST, reverse("password")))
        return answer


sign_in = SignIn.as_view()


@require_http_methods(["GET", "HEAD", "POST"])
def sign_ins(request: Request) -> HttpResponse:
    """Every browser that is signed in with this account; one of them is signed out, or all others."""
    access.require(request.actor, "see-sign-ins")
    current = request.session.session_key
    if request.method == "POST":
        ended = end_sign_ins(request.actor, current, request.POST.get("key", ""))
        words = f"{ended} browser{'' if ended == 1 else 's'} signed out." if ended else "It was signed out already."
        return done(request, words, "sign-ins")
    context = {"sign_ins": sign_ins_of(request.actor.account, current)}
    return render(request, "sign_ins.html", context | {"may_manage": access.may(request.actor, "manage-accounts")})


@require_http_methods(["GET", "HEAD", "POST"])
def password(request: Request) -> HttpResponse:
    """A password of one's own. Whoever is signed in elsewhere with the old one is signed out there."""
    access.require(request.actor, "see-sign-ins")
    form = PasswordForm(request.actor.account, sent(request))
    if not form.is_valid():
        return render(request, "password.html", {"form": form}, status=422 if form.is_bound else 200)
    said, key = form.cleaned_data, request.session.session_key
    ended = change_password(request.actor, key, said["new_password1"], said.get("email", request.actor.account.email))
    update_session_auth_hash(request, request.actor.account)
    elsewhere = f" {ended} other browser{'' if ended == 1 else 's'} signed out." if ended else ""
    return done(request, f"Your password is changed.{elsewhere}", "events")
