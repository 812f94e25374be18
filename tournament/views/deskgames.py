"""A game at the desk: its sheet, lines typed from paper, seats, totals, and signatures that stand on paper."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament import access
from tournament.forms.hand import read_hand, read_index, read_key, read_line, read_position, read_totals, typed_values
from tournament.models import Game
from tournament.queries.deskgame import desk_game
from tournament.queries.history import game_history
from tournament.queries.sheet import effect_of_hand
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.rounds import begin_from_paper, seat_side, unseat_side
from tournament.services.signatures import (
    note_paper_signatures,
    sign_sheet,
    take_paper_signatures_back,
    take_signature_back,
)
from tournament.views.pages import find_game, nothing_new, page_or_part

# What somebody does to a game: the words of what was done, or none.
Acting = Callable[[Request, Game], str | None]


@require_GET
def show(request: Request, event: str, pk: int) -> HttpResponse:
    """The full sheet with its versions, rulings and signatures."""
    game = find_desk_game(request, event, pk, "see-desk")
    if nothing_new(request, game.version):
        return HttpResponse(status=204)
    context = _context(request, game)
    return page_or_part(request, "desk/game.html", "desk/_sheet.html", context)


def on_sheet(action: str, form: str) -> Callable[[Acting], Callable[[Request, str, int], HttpResponse]]:
    """A press on the page of a game, or on its table's card. What is refused stands at its `form`."""

    def wrap(act: Acting) -> Callable[[Request, str, int], HttpResponse]:
        @require_POST
        @functools.wraps(act)
        def view(request: Request, event: str, pk: int) -> HttpResponse:
            return _answer(request, find_desk_game(request, event, pk, action), act, form)

        return view

    return wrap


def _answer(request: Request, game: Game, act: Acting, form: str) -> HttpResponse:
    try:
        done = act(request, game)
    except Refusal as refusal:
        return refused_at(request, game, refusal, form)
    if done:
        messages.success(request, done)
    return _back_to(request, game)


@on_sheet("record", "entry")
def enter(request: Request, game: Game) -> str:
    """Write the next line from paper: a hand, a void hand, the end of time, an agreed stop."""
    sheet = desk_game(request.actor, game.pk).sheet
    posted = read_line(sheet, request.POST).checked()
    position, key = posted.position, posted.client_key
    entry = record_entry(request.actor, game, posted.facts, position=position, client_key=key, source="paper")
    said = {"hand": f"Hand {sheet.hands + 1} saved.", "void": "Void hand saved."}
    return said.get(entry.kind, "Saved.")


@require_http_methods(["GET", "POST"])
def preview(request: Request, event: str, pk: int) -> HttpResponse:
    """What a hand would do, before it is written."""
    game = find_desk_game(request, event, pk, "record")
    found = desk_game(request.actor, pk)
    typed = request.POST or request.GET
    posted = read_hand(found.sheet, typed)
    effect = effect_of_hand(found.game, posted.facts, posted.faults)
    if request.htmx:
        return render(request, "components/effect.html", {"effect": effect})
    return render(
        request, "desk/game.html", _context(request, game) | {"values": typed_values(typed), "effect": effect}
    )


@on_sheet("record", "sheet")
def undo(request: Request, game: Game) -> str:
    """Take the last line off the sheet again; it stays on record."""
    position, key = read_position(request.POST) or 0, read_key(request.POST)
    undo_entry(request.actor, game, position=position, client_key=key, source="desk")
    return "The last line was undone."


@on_sheet("record", "opening")
def opening(request: Request, game: Game) -> str:
    """Carry a game on from the totals of a paper sheet."""
    found = desk_game(request.actor, game.pk)
    open_from_paper(request.actor, game, read_totals(found.rules, found.sheet, request.POST))
    return "The game continues from the totals of the paper sheet."


@on_sheet("seat", "seats")
def seat(request: Request, game: Game) -> str | None:
    """Note at the desk that a side is seated or is not, or who dealt first, which seats everybody.

    Asked from a table's card, the answer is the round with all its tables.
    """
    if "dealer" in request.POST:
        begin_from_paper(request.actor, game, read_index(request.POST["dealer"]))
        return None
    act = unseat_side if "away" in request.POST else seat_side
    seated = act(request.actor, game, read_index(request.POST.get("side", "")))
    return f"{'Seated' if seated.seated_at else 'Not seated'}: {seated.team.name}."


@on_sheet("paper-signatures", "witness")
def on_paper(request: Request, game: Game) -> str:
    """All sides signed the paper sheet, as whoever sends this has seen."""
    note_paper_signatures(request.actor, game, request.POST.get("code", ""))
    return f"Table {game.table} is signed on paper. You can take that back until the round is closed."


@on_sheet("paper-signatures", "witness")
def back(request: Request, game: Game) -> str:
    """The signatures on paper are taken back, or the signature of one side until the last has signed."""
    if "side" in request.POST:
        take_signature_back(request.actor, game, read_index(request.POST["side"]))
    else:
        take_paper_signatures_back(request.actor, game, request.POST.get("code", ""))
    return "Taken back: the game waits to be signed."


@on_sheet("witness", "witness")
def witness(request: Request, game: Game) -> str:
    """Sign for a side as a witness, with the reason."""
    name, said = request.actor.account.get_username(), request.POST
    side, code, reason = read_index(said.get("side", "")), said.get("code", ""), said.get("reason", "")
    sign_sheet(request.actor, game, side=side, name=name, code=code, reason=reason)
    return "Signed."


def _back_to(request: Request, game: Game) -> HttpResponse:
    """The page that was acted on: the game's own, or the round where its table has a card."""
    slug = game.round.event.slug
    if "card" in request.POST:
        return redirect(f"{reverse('desk', args=[slug])}?round={game.round.number}#table-{game.table}")
    return redirect("desk-game", slug, game.pk)


def find_desk_game(request: Request, event: str, pk: int, action: str) -> Game:
    """A game that an official acts on: a table's tablet has its own pages and may not come in here."""
    game = find_game(request, event, pk, "see-desk")
    access.require(request.actor, action, game.round.event)
    return game


def _context(request: Request, game: Game) -> dict[str, Any]:
    found = desk_game(request.actor, game.pk)
    return {
        "event": found.game.round.event,
        "tab": "round",
        "found": found,
        "sheet": found.sheet,
        "history": game_history(found.game),
        "client_key": uuid.uuid4(),
        "position": found.sheet.next_position,
        "values": {},
        "faults": (),
    }


def refused_at(request: Request, game: Game, refusal: Refusal, where: str) -> HttpResponse:
    """The page again with what was typed and what is wrong, at the form it belongs to."""
    context = _context(request, game) | {"values": typed_values(request.POST), "wrong": where, "refusal": refusal}
    if where == "entry":
        context["faults"] = refusal.faults
    return render(request, "desk/game.html", context, status=refusal.status)
