"""A game as the public may see it: the final sheet with its reasons, never a hand in progress."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.queries.finalsheet import final_sheet
from tournament.queries.visibility import visibility
from tournament.views.pages import find_game


def game_page(request: HttpRequest, event: str, pk: int) -> HttpResponse:
    """The sheet of a final game."""
    game = find_game(request, event, min(pk, 2**62), "see-event")
    found = game.round.event
    facts = final_sheet(game, visibility(found, request.actor))
    return render(request, "public/game.html", {"event": found, "tab": "schedule", "game": facts, "sheet": facts.sheet})
