"""The second factor at the sign-in: its code, an app that is set up for it, and codes for the day the phone is lost."""

from __future__ import annotations

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_otp import DEVICE_ID_SESSION_KEY

from tournament.queries.factors import has_factor
from tournament.refusals import Invalid
from tournament.reports.qr import qr_path
from tournament.request import Request
from tournament.services.factors import begin_factor, check_factor, confirm_factor

View = Callable[[Request], HttpResponse]


def at_sign_in(*, with_app: bool) -> Callable[[View], View]:
    """A page for whoever typed the password and not the code, with an app that is set up or without one."""

    def wrap(view: View) -> View:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def asked(request: Request) -> HttpResponse:
            if request.half is None:
                return redirect("sign-in")
            if has_factor(request.half) != with_app:
                return to_code(request, "second-factor" if with_app else "sign-in-code")
            return view(request)

        return asked

    return wrap


def to_code(request: Request, page: str = "sign-in-code") -> HttpResponseRedirect:
    """Lead on to the code, and from there to where the sign-in was to lead."""
    return HttpResponseRedirect(f"{reverse(page)}?{urlencode({'next': _next(request)})}")


@at_sign_in(with_app=True)
def code(request: Request) -> HttpResponse:
    """The code of the app, or a recovery code."""
    assert request.half is not None
    refused = ""
    if request.method == "POST":
        try:
            passed(request, check_factor(request.half, request.POST.get("code", ""), request.actor.address))
            return HttpResponseRedirect(_next(request))
        except Invalid as fault:
            refused = str(fault)
    return render(
        request, "sign_in_code.html", {"wrong": refused, "next": _next(request)}, status=422 if refused else 200
    )


@at_sign_in(with_app=False)
def set_up(request: Request) -> HttpResponse:
    """An app is set up; the recovery codes are shown once it shows a right code."""
    assert request.half is not None
    refused = ""
    if request.method == "POST":
        try:
            device, codes = confirm_factor(request.half, request.POST.get("code", ""))
            passed(request, device.persistent_id)
            return render(request, "recovery_codes.html", {"codes": codes, "next": _next(request)})
        except Invalid as fault:
            refused = str(fault)
    return _set_up_page(request, refused)


def passed(request: Request, device: str) -> None:
    """Note that this browser has shown its second factor, until the sign-in ends."""
    assert request.half is not None
    request.user = request.half
    request.actor = request.actor._replace(user=request.half)
    request.session.cycle_key()
    request.session[DEVICE_ID_SESSION_KEY] = device


def _set_up_page(request: Request, refused: str) -> HttpResponse:
    assert request.half is not None
    device = begin_factor(request.half)
    key = b32encode(device.bin_key).decode()
    context = {
        "wrong": refused,
        "next": _next(request),
        "qr": qr_path(device.config_url),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    }
    return render(request, "second_factor.html", context, status=422 if refused else 200)


def _next(request: Request) -> str:
    """Where the sign-in leads; on this site and nowhere else."""
    asked = request.POST.get("next", request.GET.get("next", ""))
    is_here = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if is_here else reverse(settings.LOGIN_REDIRECT_URL)
