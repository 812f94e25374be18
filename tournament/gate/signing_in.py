"""Signing in again, or entering the password before a costly act: what was typed continues from there."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import SESSION_KEY, authenticate, login
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import render
from django_otp import DEVICE_ID_SESSION_KEY

from tournament.errors import ValidationFailed
from tournament.queries.accounts import needs_factor
from tournament.request import Request
from tournament.services.accounts import check_factor
from tournament.site import sessions

# The fields of the page that asks for a sign-in or a password; everything else passes through it unchanged.
NAME, PASSWORD, CODE = "again_name", "again_password", "again_code"
SIGNED_OUT = "You are no longer signed in."


def ask_again(
    request: Request, why: str, *, wrong: bool = False, password: bool = True, status: int = 0
) -> HttpResponse:
    """The page that asks for the password, or for a sign-in, and then sends what was typed to its original address."""
    typed = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken" and "password" not in name and name not in (NAME, CODE)
    ]
    person = request.actor.person
    title = "Send it again"
    if password:
        title = "Confirm with your password" if person else "Sign in again"
    context = {
        "title": title,
        "why": why,
        "wrong": wrong,
        "typed": typed,
        "here": request.get_full_path(),
        "asks_password": password,
        "name": person.get_username() if person else request.POST.get(NAME, ""),
        "signed_in": person is not None,
        "asks_code": settings.SECOND_FACTOR and person is None,
        "files": list(request.FILES),
        "with_new_account": bool(request.POST.get("password")),
    }
    response = render(request, "sign_in_again.html", context, status=status or (422 if person or request.htmx else 403))
    if request.htmx:
        # The form was to swap a part of the page: this page replaces all of it.
        response["HX-Retarget"], response["HX-Reswap"] = "body", "innerHTML"
    return response


def prove(request: Request, name: str, password: str, code: str = "") -> bool:
    """Check a name with its password, and with the code that this browser still has to show.

    If both are right, the browser is signed in.
    """
    user = authenticate(request, username=name, password=password)
    device = ""
    if not isinstance(user, User):
        return False
    if lacks_factor(request, user) and not (device := _shown(request, user, code)):
        return False
    if user == request.actor.person:
        sessions.note_password(request.session)
    else:
        login(request, user)
    if device:
        request.session[DEVICE_ID_SESSION_KEY] = device
    request.user = user
    request.actor = request.actor._replace(user=user)
    return True


def _shown(request: Request, user: User, code: str) -> str:
    """The name of the device that showed this code; empty if it is wrong. Raises TooMany."""
    try:
        return check_factor(user, code, request.actor.address)
    except ValidationFailed:
        return ""


def lacks_factor(request: Request, user: User) -> bool:
    """Whether this browser still has to show the second factor that the account needs."""
    is_shown = request.session.get(SESSION_KEY) == str(user.pk) and DEVICE_ID_SESSION_KEY in request.session
    return settings.SECOND_FACTOR and not is_shown and needs_factor(user)


def take_password(request: Request) -> HttpResponse | None:
    """Check the password that came with a form; if it is right, the form is processed."""
    person = request.actor.person
    name = person.get_username() if person else request.POST.get(NAME, "")
    if not prove(request, name, request.POST.get(PASSWORD, ""), request.POST.get(CODE, "")):
        return ask_again(request, "Wrong name or password.", wrong=True)
    posted = request.POST.copy()
    for field in (NAME, PASSWORD, CODE):
        posted.pop(field, None)
    # Django's own middlewares may replace what was posted, too; the stub knows only the initial request.
    request.POST = posted  # type: ignore[assignment]
    return None
