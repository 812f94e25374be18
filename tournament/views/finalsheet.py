"""A game as the public may see it: the final sheet with its reasons, never a hand in progress; and its paper's code."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from tournament import access
from tournament.models import Game
from tournament.queries.sheet import final_sheet
from tournament.queries.sheetcode import found_by_code
from tournament.queries.visibility import visibility
from tournament.request import Request
from tournament.views.pages import find_game


def game_page(request: Request, event: str, pk: int) -> HttpResponse:
    """The sheet of a final game."""
    game = find_game(request, event, min(pk, 2**62), "see-event")
    found = game.round.event
    facts = final_sheet(game, visibility(found, request.actor))
    return render(request, "public/game.html", {"event": found, "tab": "schedule", "game": facts, "sheet": facts.sheet})


@require_safe
def by_code(request: Request, code: str) -> HttpResponse:
    """Lead from a printed sheet to its game: an official to the form at the desk, everybody else to the public page."""
    found = found_by_code(code)
    event = found.round.event if isinstance(found, Game) else found
    access.require(request.actor, "see-event", event)
    official = access.may(request.actor, "see-desk", event)
    if isinstance(found, Game):
        return redirect("desk-game" if official else "public-game", event.slug, found.pk)
    return redirect("desk" if official else "standings", event.slug)
