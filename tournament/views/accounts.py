"""Signing in, passwords, accounts, the second factor and invitations."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth import views as auth
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import LoginView
from django.core.mail import send_mail
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils.encoding import force_bytes
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_encode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_otp import DEVICE_ID_SESSION_KEY

from tournament.errors import ValidationFailed
from tournament.forms.accounts import ForgottenForm, NewPasswordForm, PasswordForm, SignInForm
from tournament.gate.signing_in import lacks_factor
from tournament.models import Official
from tournament.queries.accounts import accounts, has_factor, sign_ins_of
from tournament.reports.pdf.lettering import qr_path
from tournament.request import Request
from tournament.services.accounts import (
    app_with,
    change_password,
    check_factor,
    close_account,
    confirm_factor,
    end_sign_ins,
    new_key,
    open_account,
    reset_second_factor,
)
from tournament.site.limits import MANY, limited
from tournament.views.pages import done, need_password, on_site, sent

# The second factor at sign-in: its code, setting up an app, and codes for the day the phone is lost.


View = Callable[[Request, User], HttpResponse]
# The session key for what this browser's app is set up with.
KEY = "second_factor_key"


def at_sign_in(*, with_app: bool) -> Callable[[View], Callable[[Request], HttpResponse]]:
    """A page for a user who typed the password and not the code, with or without an app set up."""

    def wrap(view: View) -> Callable[[Request], HttpResponse]:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def asked(request: Request) -> HttpResponse:
            if request.half is None:
                return redirect("sign-in")
            if has_factor(request.half) != with_app:
                return to_code(request, "second-factor" if with_app else "sign-in-code")
            return view(request, request.half)

        return asked

    return wrap


def to_code(request: Request, page: str = "sign-in-code") -> HttpResponseRedirect:
    """Redirect to the code, and from there to the destination of the sign-in."""
    return HttpResponseRedirect(code_address(_next(request), page))


def code_address(after: str, page: str = "sign-in-code") -> str:
    return f"{reverse(page)}?{urlencode({'next': after})}"


@at_sign_in(with_app=True)
def code(request: Request, user: User) -> HttpResponse:
    """The code of the app, or a recovery code."""
    context = {"wrong": "", "next": _next(request)}
    if request.method == "POST":
        try:
            _pass(request, user, check_factor(user, request.POST.get("code", ""), request.actor.address))
            return HttpResponseRedirect(context["next"])
        except ValidationFailed as fault:
            context["wrong"] = str(fault)
    return render(request, "sign_in_code.html", context, status=422 if context["wrong"] else 200)


@at_sign_in(with_app=False)
def set_up(request: Request, user: User) -> HttpResponse:
    """Set up an app; the recovery codes are shown once it shows a right code."""
    context: dict[str, Any] = {"wrong": "", "next": _next(request)}
    key = str(request.session.setdefault(KEY, new_key()))
    if request.method == "POST":
        try:
            device, codes = confirm_factor(user, key, request.POST.get("code", ""))
            _pass(request, user, device.persistent_id)
            del request.session[KEY]
            return render(request, "recovery_codes.html", context | {"codes": codes})
        except ValidationFailed as fault:
            context["wrong"] = str(fault)
    # What the app is set up with: a picture to scan, and a key to type.
    app = app_with(user, key)
    letters = b32encode(app.bin_key).decode()
    groups = " ".join(letters[start : start + 4] for start in range(0, len(letters), 4))
    context |= {"qr": qr_path(app.config_url), "key": groups}
    return render(request, "second_factor.html", context, status=422 if context["wrong"] else 200)


def _pass(request: Request, user: User, device: str) -> None:
    """Record that this browser has shown its second factor, until the sign-in ends."""
    request.user = user
    request.actor = request.actor._replace(user=user)
    request.session.cycle_key()
    request.session[DEVICE_ID_SESSION_KEY] = device


def _next(request: Request) -> str:
    """The destination of the sign-in; only on this site."""
    asked = request.POST.get("next", request.GET.get("next", ""))
    is_here = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if is_here else reverse(settings.LOGIN_REDIRECT_URL)


# Signing in as an official, where an account is signed in, and its password.

FIRST = 'You signed in with the password that was given to you. <a href="{}">Choose a password of your own</a>'


class SignIn(LoginView):
    """Signing in. At an account's first sign-in it is offered to choose a password."""

    request: Request
    form_class = SignInForm
    template_name = "sign_in.html"
    redirect_authenticated_user = True

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Ask for the code if the password was already typed."""
        if request.half is not None and request.method != "POST":
            return to_code(request)
        return super().dispatch(request, *args, **kwargs)

    def get_success_url(self) -> str:
        """The destination of the sign-in: the code first if the account needs one."""
        url = super().get_success_url()
        user = self.request.user
        is_asked = isinstance(user, User) and lacks_factor(self.request, user)
        return code_address(url) if is_asked else url

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign in. Until then the account has the time of its previous use."""
        is_first = form.get_user().last_login is None
        answer = super().form_valid(form)
        if is_first:
            messages.info(self.request, format_html(FIRST, reverse("password")))
        return answer


sign_in = SignIn.as_view()


@require_http_methods(["GET", "HEAD", "POST"])
@on_site("see-sign-ins")
def sign_ins(request: Request) -> HttpResponse:
    """Every browser that is signed in with this account; sign out one of them, or all others."""
    current = request.session.session_key
    if request.method == "POST":
        ended = end_sign_ins(request.actor, current, request.POST.get("key", ""))
        words = f"{ended} browser{'' if ended == 1 else 's'} signed out." if ended else "It was signed out already."
        return done(request, words, "sign-ins")
    context = {"sign_ins": sign_ins_of(request.actor.account, current)}
    return render(request, "sign_ins.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@on_site("see-sign-ins")
def password(request: Request) -> HttpResponse:
    """Choose a password. Other browsers signed in with the old one are signed out."""
    form = PasswordForm(request.actor.account, sent(request))
    if not form.is_valid():
        return render(request, "password.html", {"form": form}, status=422 if form.is_bound else 200)
    typed, key = form.cleaned_data, request.session.session_key
    ended = change_password(request.actor, key, typed["new_password1"], typed.get("email", request.actor.account.email))
    update_session_auth_hash(request, request.actor.account)
    elsewhere = f" {ended} other browser{'' if ended == 1 else 's'} signed out." if ended else ""
    return done(request, f"Your password is changed.{elsewhere}", "events")


# Accounts: an owner closes one, opens it again, resets its second factor; a forgotten password comes by mail.

Act = Callable[[Request, int], str]
MAILS_A_MINUTE = 5
WHO_APPOINTS = "The site’s first owner can add one, on the page Setup."


@require_safe
@on_site("manage-accounts")
def account_list(request: Request) -> HttpResponse:
    """Every account of the site."""
    context = {"accounts": accounts(), "own": request.actor.account, "asks_code": settings.SECOND_FACTOR}
    return render(request, "accounts.html", context)


def on_account(act: Act) -> Callable[..., HttpResponse]:
    """An owner's act on one account; its message is shown on the list."""

    @require_POST
    @on_site("manage-accounts")
    @wraps(act)
    def view(request: Request, user: int) -> HttpResponse:
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
    """Remove the second factor, for a user who lost phone and recovery codes."""
    return f"{reset_second_factor(request.actor, user)} sets up a new second factor at the next sign-in."


class Forgotten(auth.PasswordResetView):
    """Mail a link for a new password. The answer is the same whether there is such an account or not."""

    form_class = ForgottenForm
    template_name, success_url = "password_forgotten.html", reverse_lazy("password-sent")
    subject_template_name, email_template_name = "mail/password_subject.txt", "mail/password.txt"
    extra_context = {"mails": True}

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """If the site sends no mail, the page says what works instead."""
        if not settings.MAIL:
            return render(request, self.template_name, {"mails": False}, status=200 if request.method == "GET" else 409)
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        """Send the link; an address may ask for MAILS_A_MINUTE links a minute."""
        with limited("mail", self.request.META.get("REMOTE_ADDR", ""), MAILS_A_MINUTE, MANY.format("links were sent")):
            return super().form_valid(form)


class NewPassword(auth.PasswordResetConfirmView):
    """Choose a password, by the link of a mail. Browsers signed in with the old one are signed out."""

    form_class = NewPasswordForm
    template_name, success_url = "password_new.html", reverse_lazy("sign-in")

    def get_user(self, uidb64: str) -> User | None:
        """Find whose link it is; nobody's while the account is closed."""
        user = super().get_user(uidb64)
        return user if isinstance(user, User) and user.is_active else None


reset_mail_sent = auth.PasswordResetDoneView.as_view(template_name="password_sent.html")


# The mail by which a new official chooses a password of their own.


def invite(request: Request, office: Official) -> str:
    """Send the invitation. Returns the message for the page."""
    user, role = office.user, office.get_role_display().lower()
    facts = {
        "by": request.actor.account.get_username(),
        "event": office.event.name,
        "uid": urlsafe_base64_encode(force_bytes(user.pk)),
        "token": default_token_generator.make_token(user),
        "domain": request.get_host(),
        "protocol": str(request.scheme),
        "user": user,
        "role": role,
    }
    text = render_to_string("mail/invitation.txt", facts)
    try:
        send_mail(f"{office.event.name}: you are {role}", text, None, [user.email])
    except (OSError, SMTPException):
        return f"{user} is {role}, but the email could not be sent. “Forgot your password?” sends a link later."
    return f"{user} is {role}. The invitation is on its way to {user.email}."
