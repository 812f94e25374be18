"""Who makes a request, and the answer to a refused one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from typing import Any, cast

from django import shortcuts
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions import middleware
from django.contrib.sessions.exceptions import SessionInterrupted
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.urls import resolve

from tournament.access import Actor, may
from tournament.errors import Conflict, DomainError, Fault, PasswordNeeded, Unavailable, ValidationFailed
from tournament.gate.signing_in import PASSWORD, ask_again, lacks_factor, take_password
from tournament.queries.devices import device_of, polling_device
from tournament.queries.history import last_act, what_changed
from tournament.queries.laptops import other_laptop
from tournament.queries.tablet import place_version
from tournament.request import Request
from tournament.services.copies import note_act
from tournament.services.devices import note_report
from tournament.site import sessions
from tournament.site.database import why_not_written
from tournament.site.network import is_in
from tournament.words.phrases import clock_time

TABLE_COOKIE = "uptown_table"
TABLE_PAGE = "/t/table/"
NUL = "\0"
TEXT = ("text/", "application/json", "image/svg+xml")
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO")
WATCHED = ("/alive/", "/ready/")
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
READS = ("GET", "HEAD", "OPTIONS")
# While another laptop goes on, a director can sign in here and say that this one does; nothing else is accepted.
OPEN_ASIDE = frozenset({"sign-in", "sign-in-code", "sign-out", "this-laptop"})
STANDS_ASIDE = (
    "Another laptop took these events over, so nothing is saved here. "
    "A director must say on the desk which one goes on."
)
# Text that somebody types next to a button and that no form of the page keeps.
TYPED = ("minutes", "name", "reason", "witness")
# What a button sends, a checkbox, and what a page has sent along: nobody typed it.
PRESSED = frozenset(
    "accept added again alone archived asked away back beside check choice chosen client_key confirm confirmed"
    " csrfmiddlewaretoken directs draw drawn dealer entry from here into key kind last late leaves leaves_asked level"
    " mend method numbers on out over pair part person played position refuse revision round row rule save seat seating"
    " seed seen set-up show shown shows side source sure take undo until version weigh what where winners".split()
)


class EdgeMiddleware:
    """The first to see a request, and the last to see its answer.

    `REMOTE_ADDR` is the client's address, behind any number of the site's own proxies: each of them appends the address
    that connected to it, and everything further left may be forged; so is everything that comes from any other address.
    The site's configured address replaces its name with any port. An answer that does not say how long it may be kept
    is requested again each time, because pages differ by user.

    Monitoring programs are answered here: they have no cookie, and use any host name they like.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in WATCHED:
            return cast("HttpResponse", resolve(request.path_info).func(request))
        if not is_in(request.META.get("REMOTE_ADDR", ""), settings.PROXY_NETWORKS):
            for name in FORWARDED:
                request.META.pop(name, None)
        if split_domain_port(request.META.get("HTTP_HOST", ""))[0] == (settings.ADDRESS.hostname or None):
            request.META["HTTP_HOST"] = settings.ADDRESS.netloc
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
        if 0 < settings.PROXIES <= len(forwarded):
            with suppress(ValueError):
                request.META["REMOTE_ADDR"] = str(ip_address(forwarded[-settings.PROXIES].strip()))
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


class TabletPollMiddleware:
    """Answers tablets that already show the current state, before session and user are looked up.

    Every tablet of a hall asks every few seconds: this takes one row, and what was found for the same version before.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asks = request.path_info == TABLE_PAGE and "HX-Request" in request.headers and "check" not in request.GET
        with suppress(OperationalError):
            # An inner layer reports that the database is busy.
            if asks and self._shows(request.COOKIES.get(TABLE_COOKIE, ""), request.GET.get("version")):
                return HttpResponse(status=204)
        return self.get_response(request)

    def _shows(self, token: str, version: str | None) -> bool:
        device = polling_device(token) if version else None
        if device is None or place_version(device) != version:
            return False
        note_report(device)
        return True


class TextMiddleware(GZipMiddleware):
    """Compresses pages and other text; papers and workbooks are compressed already.

    The sizes of compressed pages reveal nothing to an eavesdropper: another site cannot make a browser send requests
    here with its cookies (they are all SameSite), the token of the forms is masked differently in every answer, and
    Django varies the length at random.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not response.get("Content-Type", "").startswith(TEXT):
            return response
        return super().process_response(request, response)


class SessionMiddleware(middleware.SessionMiddleware):
    """Sessions as Django keeps them. If the database cannot record a visit, the page is served anyway."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store what changed in the session, if it can be stored."""
        try:
            return super().process_response(request, response)
        except SessionInterrupted as fault:
            # Django says the same if the session is gone: then somebody has signed out since.
            reason = fault.__context__ and fault.__context__.__context__
            if not isinstance(reason, OperationalError):
                raise
        return response


class ActorMiddleware:
    """Sets `request.actor`, the signed-in user and the tablet, and answers what no view does.

    A sign-in that lacks its second factor does not count; `request.half` says whose it is. Activity is recorded in the
    session. A refusal becomes a page that says what is wrong, never a 500. A form with the character NUL is refused: no
    keyboard has it, and not every database can store it. A password that came with a form is checked here, after the
    check that the form comes from this site.
    """

    def __init__(self, get_response: Callable[[Request], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Request) -> HttpResponse:
        request.half = request.about = None
        try:
            self._identify(request)
        except OperationalError as fault:
            # Nobody can be looked up; asking again for the page that says so would take just as long.
            request.user = AnonymousUser()
            request.actor = Actor(address=request.META.get("REMOTE_ADDR", ""))
            return unavailable(request, fault)
        response = self.get_response(request)
        if request.method not in READS and not _is_message(request):
            # A tablet sends again what it sent; anything else would be lost.
            note_act()
        if response.status_code == 405 and request.method == "GET" and not response.content:
            response = _form_only(request, response["Allow"])
        if request.actor.person is not None or request.actor.device is not None:
            response.headers.setdefault("Cache-Control", "no-store")
        is_waiting = response.status_code == Unavailable.status
        if request.actor.person is not None and not asks_for_news(request) and not is_waiting:
            sessions.note_activity(request.session)
        return response

    def _identify(self, request: Request) -> None:
        if isinstance(request.user, User) and lacks_factor(request, request.user):
            request.half, request.user = request.user, AnonymousUser()
        token = request.COOKIES.get(TABLE_COOKIE)
        device = device_of(token) if token else None
        request.actor = Actor(request.user, device, request.META.get("REMOTE_ADDR", ""), {})

    def process_view(self, request: Request, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.method not in READS and not _is_message(request) and other_laptop() is not None:
            match = request.resolver_match
            if match is None or match.url_name not in OPEN_ASIDE:
                return refused(request, Conflict(STANDS_ASIDE))
        if not is_form(request):
            return None
        for name, values in request.POST.lists():
            if any(NUL in text for text in (name, *values)):
                field = name.replace(NUL, "")
                return refused(
                    request, ValidationFailed([Fault(field, f"“{field}” holds a character that cannot be stored.")])
                )
        try:
            return take_password(request) if PASSWORD in request.POST else None
        except DomainError as refusal:
            return refused(request, refusal)

    def process_exception(self, request: Request, fault: Exception) -> HttpResponse | None:
        if isinstance(fault, PasswordNeeded):
            return ask_again(request, str(fault))
        if isinstance(fault, OperationalError):
            return unavailable(request, fault)
        return refused(request, fault) if isinstance(fault, DomainError) else None


def is_form(request: HttpRequest) -> bool:
    """Whether a form of the site was sent: requests exempt from the form check are read only by the view."""
    return request.method == "POST" and request.content_type in FORMS and not _is_message(request)


def asks_for_news(request: Request) -> bool:
    """Whether a page asks by itself, and nobody pressed anything: a part with its version, or a tablet's script."""
    return _is_message(request) or (request.method == "GET" and bool(request.htmx) and "version" in request.GET)


def _is_message(request: HttpRequest) -> bool:
    return request.resolver_match is not None and getattr(request.resolver_match.func, "csrf_exempt", False)


def unavailable(request: HttpRequest, reason: OperationalError) -> HttpResponse:
    """Say why the database accepts nothing; a form that was typed can be sent again from the page that says so."""
    fault = Unavailable(why_not_written(reason))
    if not hasattr(request, "actor") or not is_form(request) or getattr(request, "htmx", False):
        return refused(request, fault)
    response = ask_again(cast("Request", request), str(fault), password=False, status=fault.status)
    response["Retry-After"] = str(fault.seconds)
    return response


def refused(request: HttpRequest, fault: DomainError) -> HttpResponse:
    """The page that says what was refused."""
    again = request.get_full_path() if fault.status == Unavailable.status and request.method == "GET" else ""
    typed = request.method == "POST" and any(request.POST[name].strip() for name in request.POST if name not in PRESSED)
    context = {"faults": fault.faults, "status": fault.status, "again": again, "typed": typed}
    response = render(request, "refused.html", context, fault.status)
    if fault.seconds:
        response["Retry-After"] = str(fault.seconds)
    return response


def render(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """Django's `render`. If something else was changed first, the page says who did what, and what was typed."""
    if status == Conflict.status and "meanwhile" not in context:
        context = context | {"meanwhile": _meanwhile(cast("Request", request), context)}
    return shortcuts.render(request, template, context, status=status)


def _meanwhile(request: Request, context: dict[str, Any]) -> dict[str, str]:
    """The last act on what the address names, and what was typed next to the pressed button."""
    # The log has names as officials wrote them; nobody else reads in a refusal who did what.
    about, actor = request.about, request.actor
    act = last_act(*about, actor) if about and may(actor, "see-log", about[0]) else None
    typed = {} if "values" in context else {name: request.POST.get(name, "").strip() for name in TYPED}
    words = ", ".join(f"{name.capitalize()}: {value}" for name, value in typed.items() if value)
    if act is None:
        return {"typed": words} if words else {}
    who, when = f", by {act.who}" if act.who else "", clock_time(act.at, act.event.time_zone)
    return {"head": f"The last change here{who}, at {when}:", "stands": what_changed(act), "typed": words}


def _form_only(request: HttpRequest, allowed: str) -> HttpResponse:
    """Somebody reloads the address of a form: a page instead of the browser's own error."""
    fault = Fault("", "This address only takes what a page sends. Open the page itself again.")
    response = render(request, "refused.html", {"faults": [fault], "status": 405}, status=405)
    response["Allow"] = allowed
    return response
