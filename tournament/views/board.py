"""The hall's projector, and what the desk chooses for it to show."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from tournament.access import NOBODY
from tournament.forms.playoffs import BoardForm
from tournament.queries.board import board
from tournament.queries.standings import shown_standings
from tournament.queries.visibility import visibility
from tournament.refusals import Invalid
from tournament.request import Request
from tournament.services.events import show_on_board
from tournament.views.pages import done, find_event, page_or_part


def board_page(request: Request, event: str) -> HttpResponse:
    """What the whole hall may see, whoever opened it: an official's laptop shows no more than a stranger's."""
    found = find_event(request, event, "see-event")
    facts = board(found, shown_standings(found, NOBODY), visibility(found, NOBODY))
    return page_or_part(request, "board/board.html", "board/_board.html", {"event": found, "board": facts})


@require_POST
def board_section(request: Request, event: str) -> HttpResponse:
    """What the board shows from now on; it asks by itself every few seconds."""
    found = find_event(request, event, "run-rounds")
    form = BoardForm(request.POST)
    if not form.is_valid():
        raise Invalid("Choose what the projector shows.")
    shown = show_on_board(request.actor, found, form.cleaned_data["shows"])
    return done(request, f"On the projector: {shown.get_board_shows_display().lower()}.", "desk-standings", found.slug)
