"""Who is still there: a sign-in falls asleep when nobody uses it, and the password wakes it with all that was typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import SESSION_KEY, authenticate, login
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpResponse
from django.shortcuts import render
from django_otp import DEVICE_ID_SESSION_KEY

from tournament import sitting
from tournament.access import second_officials
from tournament.middleware import is_form, refused
from tournament.models import Event
from tournament.queries.factors import confirms_with_code, needs_factor
from tournament.refusals import Invalid, PasswordNeeded, Refusal
from tournament.request import Request
from tournament.services.factors import check_factor

# The fields of the page that asks for a sign-in or a password; whatever else was typed goes through it unchanged.
NAME, PASSWORD, CODE = "again_name", "again_password", "again_code"
# The same of a second official, who confirms what somebody else does and is not signed in by it.
SECOND_NAME, SECOND_PASSWORD, SECOND_CODE = "second_name", "second_password", "second_code"
IDLE = "Nobody was at this page for half an hour, so it asks for your password."
TOO_OLD = "You signed in twelve hours ago, so it is time to sign in again."
SIGNED_OUT = "You are no longer signed in."
# What a page names of itself when it asks for news, and what changes from one time to the next.
VERSION, CHANGING = "version", ("version", "code")
ASLEEP = "Sitting"


class SittingMiddleware:
    """Sees to it that nothing but the news of open pages is answered while nobody is there.

    A sign-in that is asleep counts as nobody's, and is not ended: the password wakes it, from a page or a box over it.
    The password is taken in `process_view`, because that is after the check that the form is one of this site.
    """

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        request.sleeper, request.why, request.proven, request.half = None, "", False, None
        if request.user.is_authenticated:
            _look(request)
        if request.actor.person is not None and lacks_factor(request, request.actor.person):
            request.half = request.actor.person
            _count_as_nobody(request)
        response = self.get_response(request)
        if request.sleeper is not None:
            # The script of the page that asks for news knows by this that the next act needs the password.
            response[ASLEEP] = "asleep"
        return response

    def process_view(self, request: Request, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if not is_form(request) or PASSWORD not in request.POST:
            return None
        try:
            return _take_password(request)
        except Refusal as refusal:
            return refused(request, refusal)

    def process_exception(self, request: Request, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, PasswordNeeded):
            return None
        return ask_again(request, str(fault), wrong=fault.wrong, seconds=fault.seconds)


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
    is_signed_out = person is None and request.sleeper is None
    context = {
        "title": _title(seconds, password, person is not None),
        "why": why,
        "wrong": wrong,
        "typed": typed,
        "here": request.get_full_path(),
        "asks_password": password,
        "name": person.get_username() if person else request.POST.get(NAME) or last_name(request),
        "signed_in": person is not None,
        "asks_code": confirms_with_code(*seconds) if seconds else settings.SECOND_FACTOR and is_signed_out,
        "lost_files": bool(request.FILES),
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

    Then it is signed in with it, and awake.
    """
    person, sleeper = request.actor.person, request.sleeper
    user = authenticate(request, username=name, password=password)
    device = ""
    if not isinstance(user, User):
        return False
    if lacks_factor(request, user) and not (device := _shown(request, user, code)):
        return False
    if user in (person, sleeper) and not sitting.is_too_old(request.session):
        sitting.confirm(request.session)
    else:
        login(request, user)
    if device:
        request.session[DEVICE_ID_SESSION_KEY] = device
    request.user, request.sleeper, request.why, request.proven = user, None, "", True
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


def last_name(request: Request) -> str:
    """Who was signed in here until nobody was there."""
    return request.sleeper.get_username() if request.sleeper else ""


def _look(request: Request) -> None:
    """Whether somebody is there; if not, whether this is the news of a page that was open before."""
    session = request.session
    asks, page = _asks_for_news(request), _page(request)
    if sitting.is_asleep(session) or sitting.is_too_old(session):
        request.sleeper = request.actor.person
        if not asks or not sitting.may_watch(session, page):
            _put_to_sleep(request)
    elif asks:
        sitting.watch(session, page)
    else:
        sitting.touch(session)


def _asks_for_news(request: Request) -> bool:
    return request.method == "GET" and bool(request.htmx) and VERSION in request.GET


def _page(request: Request) -> str:
    """What a page that asks for news shows: its address and what it was asked for, without how new it is."""
    asked = sorted((name, value) for name, value in request.GET.items() if name not in CHANGING)
    return f"{request.path_info}?{urlencode(asked)}"[:300]


def _put_to_sleep(request: Request) -> None:
    request.why = TOO_OLD if sitting.is_too_old(request.session) else IDLE
    _count_as_nobody(request)


def _count_as_nobody(request: Request) -> None:
    request.user = AnonymousUser()
    request.actor = request.actor._replace(user=request.user)


def _take_password(request: Request) -> HttpResponse | None:
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
