"""A game at the desk: its sheet, lines typed from paper, seats and totals."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from tournament import access
from tournament.forms.entry import read_hand, typed_values
from tournament.forms.entry.posted import read_index, read_key, read_position
from tournament.forms.paper import read_line, read_totals
from tournament.models import Game
from tournament.queries.deskgame import desk_game
from tournament.queries.history import game_history
from tournament.queries.preview import effect_of_hand
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.entries import open_from_paper, record_entry, undo_entry
from tournament.services.seating import begin_from_paper, seat_side, unseat_side
from tournament.views.pages import find_game, nothing_new, page_or_part


@require_GET
def show(request: Request, event: str, pk: int) -> HttpResponse:
    """The full sheet with its versions, rulings and signatures."""
    game = find_desk_game(request, event, pk, "see-desk")
    if nothing_new(request, game.version):
        return HttpResponse(status=204)
    context = _context(request, game)
    return page_or_part(request, "desk/game.html", "desk/_sheet.html", context)


@require_POST
def enter(request: Request, event: str, pk: int) -> HttpResponse:
    """Write the next line from paper: a hand, a void hand, the end of time, an agreed stop."""
    game = find_desk_game(request, event, pk, "record")
    try:
        sheet = desk_game(request.actor, pk).sheet
        posted = read_line(sheet, request.POST).checked()
        position, key = posted.position, posted.client_key
        entry = record_entry(request.actor, game, posted.facts, position=position, client_key=key, source="paper")
    except Refusal as refusal:
        return refused_at(request, game, refusal, "entry")
    said = {"hand": f"Hand {sheet.hands + 1} saved.", "void": "Void hand saved."}
    messages.success(request, said.get(entry.kind, "Saved."))
    return redirect("desk-game", event, pk)


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


@require_POST
def undo(request: Request, event: str, pk: int) -> HttpResponse:
    """Take the last line off the sheet again; it stays on record."""
    game = find_desk_game(request, event, pk, "record")
    try:
        undo_entry(
            request.actor,
            game,
            position=read_position(request.POST) or 0,
            client_key=read_key(request.POST),
            source="desk",
        )
    except Refusal as refusal:
        return refused_at(request, game, refusal, "sheet")
    messages.success(request, "The last line was undone.")
    return redirect("desk-game", event, pk)


@require_POST
def opening(request: Request, event: str, pk: int) -> HttpResponse:
    """Carry a game on from the totals of a paper sheet."""
    game = find_desk_game(request, event, pk, "record")
    try:
        found = desk_game(request.actor, pk)
        open_from_paper(request.actor, game, read_totals(found.rules, found.sheet, request.POST))
    except Refusal as refusal:
        return refused_at(request, game, refusal, "opening")
    messages.success(request, "The game continues from the totals of the paper sheet.")
    return redirect("desk-game", event, pk)


@require_POST
def seat(request: Request, event: str, pk: int) -> HttpResponse:
    """Note at the desk that a side is seated or is not, or who dealt first, which seats everybody.

    Asked from a table's card, the answer is the round with all its tables.
    """
    game = find_desk_game(request, event, pk, "seat")
    try:
        if "dealer" in request.POST:
            begin_from_paper(request.actor, game, read_index(request.POST["dealer"]))
        else:
            act = unseat_side if "away" in request.POST else seat_side
            seated = act(request.actor, game, read_index(request.POST.get("side", "")))
            messages.success(request, f"{'Seated' if seated.seated_at else 'Not seated'}: {seated.team.name}.")
    except Refusal as refusal:
        return refused_at(request, game, refusal, "seats")
    return back_to(request, game)


def back_to(request: Request, game: Game) -> HttpResponse:
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
