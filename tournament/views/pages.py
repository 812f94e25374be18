"""What every view needs: the event of the address, the access check, and a page or its part."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST

from tournament import access
from tournament.errors import DomainError, PasswordNeeded
from tournament.forms.fields import show_faults
from tournament.gate.middleware import render
from tournament.models import Event, Game, Team
from tournament.queries.events import PublicState
from tournament.queries.papers import file_state
from tournament.reports.files import download, file_of, making_file
from tournament.request import Request
from tournament.site import sessions
from tournament.site.network import lan_address
from tournament.words.phrases import one_stop

# A placeholder in a part for the fingerprint of what it shows. It is nobody's name, and unchanged in an address.
SHOWN = "shown-7f3a9c51e2b84d06"
# Tells the page whose button was pressed that its file is ready: a page learns nothing of a download.
READY_COOKIE = "uptown_file"
THIS_MACHINE = {"localhost", "127.0.0.1", "::1"}
Page = Callable[..., HttpResponse]
# The act of a valid form, about an event or a team.
Acting = Callable[[Request, Any, Any], HttpResponse]
Wrapping = Callable[[Acting], Page]


def find_event(request: Request, slug: str, action: str) -> Event:
    """The event of an address, if the actor may do this in it."""
    event = get_object_or_404(Event, slug=slug)
    access.require(request.actor, action, event)
    key = request.resolver_match.kwargs.get("number", "") if request.resolver_match else ""
    request.about = event, action, str(key)
    return event


# Who may open a page: the decorator above the view names the action, and `access.py` says who may do it. An act calls
# `access.require` if it learns only later what it is about; what a page offers depends on `may_do`.


def declared(page: Page, action: str) -> Page:
    """Record the action that a page requires: a test reads it from every address of the site."""
    page.action = action  # type: ignore[attr-defined]
    return page


def on_site(action: str) -> Callable[[Page], Page]:
    """A page of the whole site, for those who may do this."""

    def wrap(view: Page) -> Page:
        @functools.wraps(view)
        def page(request: Request, **given: Any) -> HttpResponse:
            access.require(request.actor, action)
            return view(request, **given)

        return declared(page, action)

    return wrap


def in_event(action: str, *, polled: bool = False) -> Callable[[Page], Page]:
    """A page of an event, for those who may do this in it. One that is `polled` answers if there is nothing new."""

    def wrap(view: Page) -> Page:
        @functools.wraps(view)
        def page(request: Request, slug: str, **given: Any) -> HttpResponse:
            event = find_event(request, slug, action)
            if polled and nothing_new(request, event.version):
                return HttpResponse(status=204)
            return view(request, event, **given)

        return declared(page, action)

    return wrap


def or_entry_page(page: Page) -> Page:
    """While an event is hidden, a visitor who may enter it is redirected to its entry page."""

    @functools.wraps(page)
    def view(request: Request, slug: str, **given: Any) -> HttpResponse:
        try:
            return page(request, slug=slug, **given)
        except Http404:
            event = Event.objects.filter(slug=slug).exclude(entries_from=None).first()
            if event is None or not access.is_hidden(event) or not access.may(request.actor, "enter", event):
                raise
            return redirect("enter", slug)

    return view


def on_game(action: str) -> Callable[[Page], Page]:
    """A page of a game, for those who may do this to it."""

    def wrap(view: Page) -> Page:
        @functools.wraps(view)
        def page(request: Request, slug: str, pk: int, **given: Any) -> HttpResponse:
            return view(request, find_game(request, slug, pk, action), **given)

        return declared(page, action)

    return wrap


def at_desk(action: str) -> Callable[[Page], Page]:
    """A page of a game at the desk: a table's tablet has its own pages and may not come in here."""

    def wrap(view: Page) -> Page:
        @functools.wraps(view)
        def page(request: Request, slug: str, pk: int, **given: Any) -> HttpResponse:
            game = find_game(request, slug, pk, "see-desk")
            access.require(request.actor, action, game.round.event)
            return view(request, game, **given)

        return declared(page, action)

    return wrap


def find_game(request: Request, slug: str, pk: int, action: str) -> Game:
    """A game of an event, if the actor may do this to it."""
    games = Game.objects.select_related("round__event", "result")
    game = get_object_or_404(games, pk=pk, round__event__slug=slug)
    access.require(request.actor, action, game.round.event, game)
    request.about = game.round.event, action, str(pk)
    return game


def hall_address(request: Request, path: str) -> str:
    """A page as a device in the hall reaches it: “localhost” would be the device itself."""
    parts = urlsplit(request.build_absolute_uri(path))
    if parts.hostname in THIS_MACHINE:
        port = f":{parts.port}" if parts.port else ""
        parts = parts._replace(netloc=f"{lan_address()}{port}")
    return parts.geturl()


def site_of(request: Request) -> str:
    """The address of the site in the hall: where printed QR codes lead."""
    return hall_address(request, "/")


def send_file(
    request: Request, event: Event, make: Callable[[], bytes], name: str, kind: str, *, inline: bool = False
) -> HttpResponse:
    """Answer with a file of an event; only one is made at a time. Raises Unavailable.

    Users with the same rights get the same bytes from the same address until the event changes: what is in a file
    depends only on their rights. Files that a form asks for may hold codes, and are not cached.
    """

    def make_now() -> bytes:
        # It may have changed while other files were made.
        event.refresh_from_db()
        return make()

    if request.method == "POST":
        with making_file():
            content = make_now()
    else:
        rights = access.rights_in(request.actor, event)
        content = file_of((file_state(event), rights, site_of(request), request.get_full_path()), make_now)
    response = download(content, name, kind, inline=inline)
    response.set_cookie(READY_COOKIE, "yes", max_age=60, samesite="Lax", secure=request.is_secure())
    return response


def need_password(request: Request, what: str) -> None:
    """Ask for the password again before a costly act, unless it was typed in the last ten minutes.

    Costly acts are paying out money, changing officials, and correcting a signed sheet.
    """
    if not sessions.is_fresh(request.session):
        raise PasswordNeeded(what)


def sent(request: Request) -> Any:
    """The values that a form was sent with; None if the page is only viewed (an empty form can be sent, too)."""
    return request.POST if request.method == "POST" else None


def on_form(action: str, name: str, form: Callable[..., Form], page: Page, *, of_team: bool = False) -> Wrapping:
    """A form on the page of an event, or of a team if the address has its number.

    A refused form is shown on the page as `name`, with every fault at its field. A form `of_team` gets the team.
    """

    def wrap(act: Acting) -> Page:
        @require_POST
        @in_event(action)
        @functools.wraps(act)
        def view(request: Request, event: Event, number: int | None = None) -> HttpResponse:
            about = event if number is None else get_object_or_404(Team, event=event, number=number)
            typed = form(about, request.POST) if of_team else form(request.POST)
            return _posted(request, about, act, typed, lambda status: page(request, about, status, **{name: typed}))

        return view

    return wrap


def _posted(
    request: Request, about: Event | Team, act: Acting, form: Form, again: Callable[[int], HttpResponse]
) -> HttpResponse:
    if not form.is_valid():
        return again(422)
    try:
        return act(request, about, form)
    except DomainError as refusal:
        return again(show_faults(form, refusal))


def done(request: Request, words: str, to: str, *args: str | int) -> HttpResponse:
    """Redirect to a page, which shows what was done."""
    messages.success(request, one_stop(words))
    return redirect(to, *args)


def page_or_part(request: Request, page: str, part: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """The part for an htmx swap, the page for everybody else; a history restore gets the page."""
    response = render(request, part if _part_is_asked(request) else page, context, status)
    response["Vary"] = "HX-Request, Cookie"
    return response


def public_page(
    request: Request,
    page: str,
    part: str,
    context: dict[str, Any],
    *,
    headed: bool = True,
    state: PublicState | None = None,
) -> HttpResponse:
    """The part of a public page for a browser that shows it already, or the page with it.

    It asks for news by the public version and the fingerprint of what it shows: if the version has risen and this part
    is the same, `PublicPagesMiddleware` answers that there is nothing new. A `headed` page shows the event's state at
    the top. A page that also shows part of the season passes the `state` that it shows.
    """
    text = render_to_string(part, context | {"shown": SHOWN}, request)
    code = hashlib.sha256(f"{text}{context['event'].stage}".encode()).hexdigest()[:12]
    if not _part_is_asked(request):
        text = render_to_string(page, context | {"part": text}, request)
    elif headed:
        # The header of an open page follows the event.
        text += render_to_string("components/stage.html", context | {"oob": True}, request)
    number = state.number if state else context["event"].public_version
    response = HttpResponse(text.replace(SHOWN, f"{number}-{code}"))
    response["Vary"] = "HX-Request, Cookie"
    response.code = code  # type: ignore[attr-defined]
    return response


def _part_is_asked(request: Request) -> bool:
    """A part is asked for by an htmx swap; a history restore gets the page."""
    return bool(request.htmx) and not request.htmx.history_restore_request and not request.htmx.boosted


def nothing_new(request: Request, version: object) -> bool:
    """Whether a poll already shows this version: then answer 204, and htmx swaps nothing."""
    return bool(request.htmx) and request.GET.get("version") == str(version)
