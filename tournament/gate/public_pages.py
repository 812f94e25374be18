"""Public pages are built once for everybody, and an open page that is current gets its answer at once.

Hundreds of phones ask every few seconds. So this comes before the session and the user: it takes one row of the
database, and what was built for the same public version before.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Hashable
from typing import NamedTuple

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.functional import cached_property

from tournament.access import NOBODY, may
from tournament.gate.middleware import TABLE_COOKIE, unavailable
from tournament.queries.events import DESK_STATE, PublicState, public_state
from tournament.queries.people import person_state
from tournament.queries.season_events import season_state
from tournament.site.cache import answers

PAGE = re.compile(r"/e/(?P<event>[-\w]+)/")
# Pages of the site that are the same for all strangers.
SEASON_PAGE = re.compile(r"/seasons/(?P<slug>[-\w]+)/")
PERSON_PAGE = re.compile(r"/people/(?P<pk>\d{1,9})/")
DESK = re.compile(r"/desk/(?P<event>[-\w]+)/")
# For this many seconds a desk without news is not checked for who asks; and the number of desk pages remembered.
CHECK_AGAIN, MOST_DESKS = 5, 1000
# How long a proxy in front may answer by itself; a browser asks each time.
FOR_PROXIES = "public, max-age=0, s-maxage=2"
# Which part of a page is requested, or all of it.
WANTED = ("HX-Request", "HX-History-Restore-Request", "HX-Boosted")
VARIES = (*WANTED, "Cookie")
# What changes the answer besides the address: the requested part, the encoding, and the host name.
DECIDES = (*WANTED, "Host")


class PublicPage(URLPattern):
    """A page of an event that strangers read: a row of `PUBLIC` in `urls.py`, which says what holds for the page.

    - `shared`: strangers all read the same, so it is made once for all of them. A page that names accounts is not:
      no event's version follows them.
    - `follows`: an open page asks for news by itself.
    - `shows_season`: it shows something of the event's season, and follows that, too.
    - `asks`: it needs something typed, a code or a private link; the others are read by their address alone.

    For all of them holds: names are shown as everybody reads them, and a hidden event has none (`is_hidden` in
    `access.py`), except the entry page where players enter themselves.
    """

    def __init__(
        self,
        route: str,
        view: Callable[..., HttpResponse],
        name: str,
        *,
        shared: bool = False,
        follows: bool = False,
        asks: bool = False,
        shows_season: bool = False,
    ) -> None:
        super().__init__(RoutePattern(route, name, is_endpoint=True), view, name=name)
        self.shared = shared
        self.follows = follows
        self.asks = asks
        self.shows_season = shows_season


def public_pages() -> list[PublicPage]:
    """The rows of `PUBLIC`, found among the addresses of the site: `urls.py` is above this module."""
    parts = [part for part in get_resolver().url_patterns if isinstance(part, URLResolver)]
    return [page for part in parts for page in part.url_patterns if isinstance(page, PublicPage)]


class NotForAll(Exception):
    """An answer that is not for everybody."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self.response = response


class Answer(NamedTuple):
    """A cached answer. `code` is the fingerprint of what the page shows."""

    content: bytes
    headers: dict[str, str]
    code: str
    tag: str

    @classmethod
    def of(cls, response: HttpResponse) -> Answer:
        if response.status_code != 200 or response.streaming or response.cookies:
            raise NotForAll(response)
        for_strangers(response)
        tag = response.get("ETag") or f'W/"{hashlib.sha256(response.content).hexdigest()[:16]}"'
        return cls(response.content, dict(response.items()) | {"ETag": tag}, code_of(response), tag)

    def to(self, request: HttpRequest) -> HttpResponse:
        response = HttpResponse(self.content, headers=self.headers)
        return get_conditional_response(request, etag=self.tag, response=response) or response


def _desk_poll(request: HttpRequest) -> str | None:
    """The slug of the event whose desk asks what is new; None for any other request."""
    if request.method != "GET" or "HX-Request" not in request.headers:
        return None
    page = DESK.match(request.path_info)
    return page["event"] if page else None


class PublicPagesMiddleware:
    """Answers polls that are current with 204, and strangers with what was built for the first of them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.checked: dict[tuple[str, str], tuple[float, PublicState]] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            desk_poll = _desk_poll(request)
            if desk_poll is not None:
                return self._desk(request, desk_poll)
            event_state = self._state(request)
            site_state = _site_state(request) if event_state is None and _is_stranger(request) else None
        except OperationalError as fault:
            # The page itself would wait as long again.
            return unavailable(request, fault)
        if event_state is not None:
            return self._event_page(request, event_state)
        if site_state is None:
            return self.get_response(request)
        answer = self._kept(request, site_state)
        return answer.to(request) if isinstance(answer, Answer) else answer

    def _event_page(self, request: HttpRequest, state: PublicState) -> HttpResponse:
        """A public page of an event, or 204 to a poll that shows this state already."""
        shown = request.GET.get("version", "") if "HX-Request" in request.headers else ""
        number, _, code = shown.partition("-")
        if number == state.number and may(NOBODY, "see-event"):
            return _nothing_new()
        if not _is_stranger(request) or not self._is_shared(request.path_info):
            response = self.get_response(request)
            return _nothing_new(response) if code and code == code_of(response) else response
        answer = self._kept(request, state)
        if not isinstance(answer, Answer):
            return answer
        return _nothing_new() if code and code == answer.code else answer.to(request)

    def _kept(self, request: HttpRequest, state: Hashable) -> Answer | HttpResponse:
        """What was built for this state for the first request; or the answer itself, if it is not for everybody."""

        def make() -> Answer:
            return Answer.of(self.get_response(request))

        try:
            answer: Answer = answers.get(_key(request, state), make)
        except NotForAll as other:
            return other.response
        return answer

    @cached_property
    def shared(self) -> list[PublicPage]:
        return [page for page in public_pages() if page.shared]

    @cached_property
    def of_season(self) -> list[PublicPage]:
        return [page for page in public_pages() if page.shows_season]

    def _state(self, request: HttpRequest) -> PublicState | None:
        """What decides a public page of an event."""
        if request.method != "GET" or (page := PAGE.match(request.path_info)) is None:
            return None
        state = public_state(page["event"])
        within_event = request.path_info[page.end() :]
        if state is None or any(page.pattern.match(within_event) for page in self.of_season):
            return state
        return state._replace(season=0)

    def _is_shared(self, path: str) -> bool:
        within_event = PAGE.sub("", path, count=1)
        return any(page.pattern.match(within_event) for page in self.shared)

    def _desk(self, request: HttpRequest, slug: str) -> HttpResponse:
        """A poll of the desk. If it got “nothing new” just now, only the event's row is queried.

        The user is checked again after `CHECK_AGAIN` seconds, and whenever there is something to show.
        """
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
        key, now = (session, request.get_full_path()), time.monotonic()
        state = None if connection.in_atomic_block else public_state(slug, DESK_STATE)
        until, before = self.checked.get(key, (0.0, None))
        if state is not None and now < until and state == before:
            return HttpResponse(status=204, headers={"Cache-Control": "no-store"})
        response = self.get_response(request)
        if response.status_code == 204 and state is not None:
            if len(self.checked) > MOST_DESKS:
                self.checked.clear()
            self.checked[key] = now + CHECK_AGAIN, state
        return response


def for_strangers(response: HttpResponse) -> None:
    """Let proxies reuse it for as long as nobody notices."""
    response.headers.setdefault("Cache-Control", FOR_PROXIES)
    patch_vary_headers(response, VARIES)


def code_of(response: HttpResponse) -> str:
    return str(getattr(response, "code", ""))


def _site_state(request: HttpRequest) -> Hashable | None:
    """What decides the page of a season or of a person; None for any other page."""
    if request.method != "GET":
        return None
    if season := SEASON_PAGE.fullmatch(request.path_info):
        return season_state(season["slug"])
    if person := PERSON_PAGE.fullmatch(request.path_info):
        return person_state(int(person["pk"]))
    return None


def _is_stranger(request: HttpRequest) -> bool:
    personal = {settings.SESSION_COOKIE_NAME, TABLE_COOKIE, CookieStorage.cookie_name}
    return not personal & request.COOKIES.keys()


def _key(request: HttpRequest, state: Hashable) -> Hashable:
    asked = request.GET.copy()
    asked.pop("version", None)
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    how = (request.is_secure(), packed, *(request.headers.get(name) for name in DECIDES))
    return (state, request.path_info, asked.urlencode(), how)


def _nothing_new(instead_of: HttpResponse | None = None) -> HttpResponse:
    response = HttpResponse(status=204)
    if instead_of is not None:
        response.cookies = instead_of.cookies
    else:
        for_strangers(response)
    return response
