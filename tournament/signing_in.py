"""Signing in again, or the password before what is costly: what was typed goes on from there."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth import SESSION_KEY, authenticate, login
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import render
from django_otp import DEVICE_ID_SESSION_KEY

from tournament import sessions
from tournament.access import second_officials
from tournament.models import Event
from tournament.queries.factors import confirms_with_code, needs_factor
from tournament.refusals import Invalid, PasswordNeeded
from tournament.request import Request
from tournament.services.factors import check_factor

# The fields of the page that asks for a sign-in or a password; whatever else was typed goes through it unchanged.
NAME, PASSWORD, CODE = "again_name", "again_password", "again_code"
# The same of a second official, who confirms what somebody else does and is not signed in by it.
SECOND_NAME, SECOND_PASSWORD, SECOND_CODE = "second_name", "second_password", "second_code"
SIGNED_OUT = "You are no longer signed in."


def ask_again(
    request: Request, why: str, *, wrong: bool = False, password: bool = True, seconds: Sequence[str] = ()
) -> HttpResponse:
    """The page that asks for the password, or for a sign-in, and sends on what was typed to where it was going.

    With `seconds` it is one of these officials who types the password.
    """
    again = (NAME, CODE, SECOND_NAME, SECOND_CODE)
    typed = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken" and "password" not in name and name not in again
    ]
    person = request.actor.person
    context = {
        "title": _title(seconds, password, person is not None),
        "why": why,
        "wrong": wrong,
        "typed": typed,
        "here": request.get_full_path(),
        "asks_password": password,
        "name": person.get_username() if person else request.POST.get(NAME, ""),
        "signed_in": person is not None,
        "asks_code": confirms_with_code(*seconds) if seconds else settings.SECOND_FACTOR and person is None,
        "files": list(request.FILES),
        "with_new_account": bool(request.POST.get("password")),
        "seconds": seconds,
        "second": request.POST.get(SECOND_NAME, ""),
    }
    response = render(request, "sign_in_again.html", context, status=422 if person or request.htmx else 403)
    if request.htmx:
        # The form was to swap a part of the page: this page takes the place of all of it.
        response["HX-Retarget"], response["HX-Reswap"] = "body", "innerHTML"
    return response


def _title(seconds: Sequence[str], password: bool, signed_in: bool) -> str:
    if seconds:
        return "A second official confirms"
    if not password:
        return "Send it again"
    return "Confirm with your password" if signed_in else "Sign in again"


def prove(request: Request, name: str, password: str, code: str = "") -> bool:
    """Check a name with its password, and with the code that this browser has yet to show.

    Then it is signed in with it.
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


def need_second(request: Request, event: Event, what: str) -> User | None:
    """The official who confirms this beside whoever asks, by name and password; nobody where there is no other one.

    On the internet whoever has a second factor shows its code, too: a password alone signs that account in nowhere.
    """
    names = second_officials(request.actor, event)
    if not names:
        return None
    if SECOND_PASSWORD not in request.POST:
        raise PasswordNeeded(what, names)
    name, password = request.POST.get(SECOND_NAME, ""), request.POST[SECOND_PASSWORD]
    second = authenticate(request, username=name, password=password)
    if second is None or second.get_username() not in names:
        raise PasswordNeeded(what, names, wrong=True)
    if confirms_with_code(second.get_username()) and not _shown(request, second, request.POST.get(SECOND_CODE, "")):
        raise PasswordNeeded(what, names, wrong=True)
    return second


def _shown(request: Request, user: User, code: str) -> str:
    """The name of what showed this code; empty where it is not right. Raises TooMany."""
    try:
        return check_factor(user, code, request.actor.address)
    except Invalid:
        return ""


def lacks_factor(request: Request, user: User) -> bool:
    """Whether this browser has yet to show the second factor that the account needs."""
    is_shown = request.session.get(SESSION_KEY) == str(user.pk) and DEVICE_ID_SESSION_KEY in request.session
    return settings.SECOND_FACTOR and not is_shown and needs_factor(user)


def take_password(request: Request) -> HttpResponse | None:
    """Check the password that came with a form; with it, the form goes on its way."""
    person = request.actor.person
    name = person.get_username() if person else request.POST.get(NAME, "")
    if not prove(request, name, request.POST.get(PASSWORD, ""), request.POST.get(CODE, "")):
        return ask_again(request, "Wrong name or password.", wrong=True)
    posted = request.POST.copy()
    for field in (NAME, PASSWORD, CODE):
        posted.pop(field, None)
    # Django's own middlewares may replace what was posted, too; the stub only knows what a request begins with.
    request.POST = posted  # type: ignore[assignment]
    return None
