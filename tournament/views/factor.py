"""The second factor at the sign-in: its code, an app that is set up for it, and codes for the day the phone is lost."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.queries.accounts import has_factor
from tournament.refusals import Invalid
from tournament.reports.pictures import qr_path
from tournament.request import Request
from tournament.services.accounts import app_with, check_factor, confirm_factor, new_key

View = Callable[[Request, User], HttpResponse]
# Where the session has what the app of this browser is set up with.
KEY = "second_factor_key"


def at_sign_in(*, with_app: bool) -> Callable[[View], Callable[[Request], HttpResponse]]:
    """A page for whoever typed the password and not the code, with an app that is set up or without one."""

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
    """Lead on to the code, and from there to where the sign-in was to lead."""
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
        except Invalid as fault:
            context["wrong"] = str(fault)
    return render(request, "sign_in_code.html", context, status=422 if context["wrong"] else 200)


@at_sign_in(with_app=False)
def set_up(request: Request, user: User) -> HttpResponse:
    """An app is set up; the recovery codes are shown once it shows a right code."""
    context = {"wrong": "", "next": _next(request)}
    key = str(request.session.setdefault(KEY, new_key()))
    if request.method == "POST":
        try:
            device, codes = confirm_factor(user, key, request.POST.get("code", ""))
            _pass(request, user, device.persistent_id)
            del request.session[KEY]
            return render(request, "recovery_codes.html", context | {"codes": codes})
        except Invalid as fault:
            context["wrong"] = str(fault)
    return render(
        request, "second_factor.html", context | _shown(app_with(user, key)), status=422 if context["wrong"] else 200
    )


def _pass(request: Request, user: User, device: str) -> None:
    """Note that this browser has shown its second factor, until the sign-in ends."""
    request.user = user
    request.actor = request.actor._replace(user=user)
    request.session.cycle_key()
    request.session[DEVICE_ID_SESSION_KEY] = device


def _shown(device: TOTPDevice) -> dict[str, object]:
    """What the app is set up with: a picture to scan, and a key to type."""
    key = b32encode(device.bin_key).decode()
    return {"qr": qr_path(device.config_url), "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4))}


def _next(request: Request) -> str:
    """Where the sign-in leads; on this site and nowhere else."""
    asked = request.POST.get("next", request.GET.get("next", ""))
    is_here = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if is_here else reverse(settings.LOGIN_REDIRECT_URL)
