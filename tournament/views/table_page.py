"""The page of a table, and the game that a tablet may act on: its own, and no other."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404

from tournament import access
from tournament.access import Actor
from tournament.forms.entry import read_key, read_position, typed_values
from tournament.models import Game
from tournament.queries.preview import Effect
from tournament.queries.tablet import TabletPage, TabletPlace, is_recorded, tablet_page
from tournament.queries.tabletstate import tablet_state
from tournament.refusals import Changed, Fault, Refusal
from tournament.request import Request
from tournament.views.pages import page_or_part

CHANGED = Fault("", "The sheet has changed meanwhile. Look at it, then record if this hand is still right.")


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
    effect: Effect | None = None,
    polled: bool = False,
) -> HttpResponse:
    """The table's page with what was typed; typed values are dropped once their hand stands on the sheet."""
    mine = refusal is not None or polled or effect is not None
    context = _context(tablet_page(place), request.POST or request.GET, mine)
    context["effect"] = effect
    if refusal is not None:
        context["faults"] = refusal.faults
    status = refusal.status if refusal else 200
    response = page_or_part(request, "tablet/table.html", "tablet/_table.html", context, status)
    # By this the tablet's own worker knows a page of ours from that of a hotel's network.
    response["X-App"] = "uptown"
    return response


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
