"""The hall's projector."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tournament.access import NOBODY
from tournament.queries.board import board
from tournament.queries.standings import shown_standings
from tournament.queries.visibility import visibility
from tournament.views.pages import find_event, page_or_part


def board_page(request: HttpRequest, event: str) -> HttpResponse:
    """What the whole hall may see, whoever opened it: an official's laptop shows no more than a stranger's."""
    found = find_event(request, event, "see-event")
    facts = board(found, shown_standings(found, NOBODY), visibility(found, NOBODY))
    return page_or_part(request, "board/board.html", "board/_board.html", {"event": found, "board": facts})
