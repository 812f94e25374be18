"""The tablet: how it is paired, its page, the worker that keeps it, and what a table does; it acts as the table."""

from __future__ import annotations

import functools
import hashlib
import json
import uuid
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from tournament import access
from tournament.access import Actor
from tournament.forms.hand import read_hand, read_index, read_key, read_position, typed_values
from tournament.middleware import TABLE_COOKIE
from tournament.models import Device, Game
from tournament.queries.devices import withdrawn_tablet
from tournament.queries.outcomes import coming_key, tablet_state
from tournament.queries.sheet import effect_of_hand, game_sheet, sheet_games, sheet_now
from tournament.queries.tablet import TabletPage, TabletPlace, is_recorded, tablet_page, tablet_place
from tournament.refusals import Changed, Fault, Refusal
from tournament.request import Request
from tournament.services.devices import note_report, pair_device, take_over
from tournament.services.entries import record_entry, undo_entry
from tournament.services.rounds import call_director, choose_first_dealer, end_without_hand, seat_side, withdraw_call
from tournament.services.signatures import sign_sheet, take_signature_back
from tournament.views.pages import nothing_new, page_or_part
from tournament.wire.storage import SOURCES, asked

# What a table does in its game: the words of what was done, or none.
Acting = Callable[[Actor, Game, QueryDict], str | None]
CHANGED = Fault("", "The sheet has changed meanwhile. Look at it, then record if this hand is still right.")
COOKIE_DAYS = 60
PAGE = ("base.html", "tablet/table.html")


@require_GET
def tablet(request: Request) -> HttpResponse:
    """The table's page; a poll that shows the latest already gets 204. What is typed in the form comes along."""
    device = request.actor.device
    if device is None:
        to = reverse("pair")
        return HttpResponseClientRedirect(to) if request.htmx else redirect(to)
    access.require(request.actor, "see-table", device.event)
    note_report(device)
    place = tablet_place(device)
    if nothing_new(request, place.version):
        return HttpResponse(status=204)
    return table_page(request, place, polled=bool(request.GET))


def at_table(action: str, *, scoring: bool = False) -> Callable[[Acting], Callable[[Request, int], HttpResponse]]:
    """A press on the table's page. The page says what was done, or why not.

    `scoring`: only the tablet that keeps score may do it.
    """

    def wrap(act: Acting) -> Callable[[Request, int], HttpResponse]:
        @require_POST
        @functools.wraps(act)
        def view(request: Request, pk: int) -> HttpResponse:
            actor, game = own_game(request, pk, action, scoring=scoring or "dealer" in request.POST)
            return _answer(request, actor, game, act)

        return view

    return wrap


def _answer(request: Request, actor: Actor, game: Game, act: Acting) -> HttpResponse:
    try:
        done = act(actor, game, request.POST)
    except Refusal as refusal:
        return table_page(request, tablet_place(actor.tablet), refusal)
    if done:
        messages.success(request, done)
    return redirect("tablet")


@at_table("record", scoring=True)
def entry_list(actor: Actor, game: Game, said: QueryDict) -> str:
    """Record a hand, or a hand that does not count."""
    posted = read_hand(sheet_now(game), said).checked()
    entry = record_entry(actor, game, posted.facts, position=posted.position, client_key=posted.client_key)
    return "Void hand received" if entry.kind == "void" else "Hand received"


@require_GET
def preview(request: Request, pk: int) -> HttpResponse:
    """What the hand that is being typed would do; nothing is stored."""
    own_game(request, pk, "see-table")
    game = sheet_games().get(pk=pk)
    posted = read_hand(game_sheet(game), request.GET)
    effect = effect_of_hand(game, posted.facts, posted.faults, at_table=True)
    return page_or_part(request, "components/effect.html", "components/effect.html", {"effect": effect})


@at_table("record", scoring=True)
def undo_list(actor: Actor, game: Game, said: QueryDict) -> str:
    """Take the last line off the sheet; it stays on record."""
    position = read_position(said)
    undo_entry(actor, game, position=-1 if position is None else position, client_key=read_key(said))
    return "Undone"


@at_table("seat")
def seat_list(actor: Actor, game: Game, said: QueryDict) -> None:
    """A side is seated, or the first dealer is named."""
    if "dealer" in said:
        choose_first_dealer(actor, game, read_index(said.get("dealer", "")))
    else:
        seat_side(actor, game, read_index(said.get("side", "")))


@at_table("call")
def call_list(actor: Actor, game: Game, said: QueryDict) -> None:
    """Call the director."""
    call_director(actor, game, said.get("kind", ""))


@at_table("call")
def call_return(actor: Actor, game: Game, said: QueryDict) -> None:
    """The table no longer needs the director."""
    withdraw_call(actor, game)


@at_table("record", scoring=True)
def time_list(actor: Actor, game: Game, said: QueryDict) -> str:
    """Time was called and no hand was in play: the game ends as it stands."""
    end_without_hand(actor, game, read_position(said))
    return "Time: received"


@at_table("sign")
def signature_list(actor: Actor, game: Game, said: QueryDict) -> str:
    """A player signs for a side."""
    name = said.get("name", "")
    sign_sheet(actor, game, side=read_index(said.get("side", "")), name=name, code=said.get("code", ""))
    return f"Signed by {name}"


@at_table("sign")
def signature_return(actor: Actor, game: Game, said: QueryDict) -> None:
    """A side takes its signature back before every side has signed."""
    take_signature_back(actor, game, read_index(said.get("side", "")))


def own_game(request: Request, pk: int, action: str, *, scoring: bool = False) -> tuple[Actor, Game]:
    """The table as the actor, whoever else is signed in on this browser, and its game: never another table's.

    `scoring`: only the tablet that keeps score may do it.
    """
    actor = request.actor._replace(user=None)
    event = actor.tablet.event
    game = get_object_or_404(Game.objects.select_related("round"), pk=pk, round__event=event)
    game.round.event = event
    if game.table == actor.tablet.table and game.round.state != "running":
        raise Changed(f"{game.round} is not in play: nothing can be recorded at table {game.table}.")
    access.require(actor, action, event, game)
    if scoring and not actor.tablet.writes:
        raise Changed("Another tablet is keeping score at this table. Take over on this one first.")
    return actor, game


def table_page(
    request: Request,
    place: TabletPlace,
    refusal: Refusal | None = None,
    polled: bool = False,
) -> HttpResponse:
    """The table's page with what was typed; typed values are dropped once their hand stands on the sheet."""
    mine = refusal is not None or polled
    context = _context(tablet_page(place), request.POST or request.GET, mine)
    if refusal is not None:
        context["faults"] = refusal.faults
    status = refusal.status if refusal else 200
    response = page_or_part(request, "tablet/table.html", "tablet/_table.html", context, status)
    # By this the tablet's own worker knows a page of ours from that of a hotel's network.
    response["X-App"] = "uptown"
    return response


def table_part(device: Device, ahead: str) -> str:
    """The same beside another answer. Its forms have no token: the script puts in that of the page on screen.

    It has no form of the next hand where the tablet was sent that already: `ahead` is the key of what it has.
    """
    page = tablet_page(tablet_place(device))
    sent = bool(ahead) and ahead == coming_key(page)
    return render_to_string("tablet/_table.html", _context(page, {}, False) | {"sent": sent})


def _context(page: TabletPage, typed: Any, mine: bool) -> dict[str, Any]:
    context: dict[str, Any] = {"page": page, "sheet": page.sheet, "state": json.dumps(tablet_state(page))}
    context |= {"values": {}, "faults": (), "client_key": uuid.uuid4(), "undo_key": uuid.uuid4()}
    if page.sheet is not None:
        context |= _kept_values(typed, page.sheet.next_position) if mine else {}
        context["position"] = page.sheet.next_position
    return context


def _kept_values(typed: Any, position: int) -> dict[str, Any]:
    key = read_key(typed)
    if key is not None and is_recorded(key):
        return {}
    values = typed_values(typed)
    same = read_position(typed) in (None, position)
    kept: dict[str, Any] = {"values": values}
    if same and key is not None:
        kept["client_key"] = key
    elif not same and values:
        kept["faults"] = (CHANGED,)
    return kept


@require_http_methods(["GET", "HEAD", "POST"])
def pair(request: Request) -> HttpResponse:
    """A field for the code; only pressing the button binds the tablet, since a link may be opened by anybody."""
    code, withdrawn = request.POST.get("code", "")[:40], withdrawn_tablet(request.COOKIES.get(TABLE_COOKIE, ""))
    context = {"device": request.actor.device, "code": code, "withdrawn": withdrawn, "faults": ()}
    if request.method != "POST":
        return render(request, "tablet/pair.html", context)
    try:
        token = pair_device(request.actor, code)
    except Refusal as refusal:
        return render(request, "tablet/pair.html", {**context, "faults": refusal.faults}, status=refusal.status)
    response = redirect("tablet")
    keep_key(request, response, token)
    return response


def keep_key(request: Request, response: HttpResponse, token: str) -> None:
    """Give the tablet its key, which no script can read."""
    age = COOKIE_DAYS * 24 * 3600
    response.set_cookie(TABLE_COOKIE, token, max_age=age, httponly=True, samesite="Strict", secure=request.is_secure())


@require_POST
def key(request: Request) -> HttpResponse:
    """The tablet's own key, for its script: the cookie that holds it cannot be read by scripts."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    response = JsonResponse({"app": "uptown", "token": request.COOKIES[TABLE_COOKIE]})
    response["Cache-Control"] = "no-store"
    return response


@require_POST
def writer(request: Request) -> HttpResponse:
    """Let this tablet write at its table from now on."""
    if request.actor.device is None:
        raise PermissionDenied("This tablet does not belong to a table")
    take_over(request.actor._replace(user=None), request.actor.device)
    return redirect("tablet")


@require_safe
def worker(request: Request) -> HttpResponse:
    """The worker of the tablet's page; another version of any file makes another worker."""
    files, version = shell(settings.DEBUG)
    context = {"version": version, "files": json.dumps(files), "page": reverse("tablet")}
    response = render(request, "tablet/sw.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@lru_cache(maxsize=2)
def shell(fresh: bool) -> tuple[list[str], str]:
    """The address of every file of the tablet's page, and a version of all of them together."""
    names = asked(*PAGE)
    addresses = [static(name) for name in names]
    content = b"".join((SOURCES / name).read_bytes() for name in names)
    return addresses, hashlib.sha256(content + "".join(addresses).encode()).hexdigest()[:12]
