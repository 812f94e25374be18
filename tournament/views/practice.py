"""The practice table: the tablet's page on which nothing is kept. The game travels in the form."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe

from tournament.forms import messages as forms
from tournament.forms.hand import read_hand, typed_values
from tournament.queries.rules import sheet_choices
from tournament.queries.sheet import effect_of_hand
from tournament.queries.tablet import Practice, practice_game, practice_page
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.views.pages import page_or_part


@require_safe
def practice(request: Request) -> HttpResponse:
    """A new practice game, by the sheet of one's choice."""
    return _page(request, forms.read_sheet(request.GET))


@require_POST
def preview(request: Request) -> HttpResponse:
    """What the hand that is being typed would do."""
    game = forms.read_practice(request.POST)
    posted = read_hand(forms.sheet_of(game), request.POST)
    effect = effect_of_hand(practice_game(game), posted.facts, posted.faults)
    if request.htmx:
        return page_or_part(request, "components/effect.html", "components/effect.html", {"effect": effect})
    return _page(request, game, {"values": typed_values(request.POST), "effect": effect})


@require_POST
def step(request: Request, act: Callable[[Practice, Mapping[str, str]], Practice]) -> HttpResponse:
    """Do something to the game that came with the form; what is refused leaves it, and what was typed, as it was."""
    game = forms.read_practice(request.POST)
    try:
        return _page(request, act(game, request.POST))
    except Refusal as refusal:
        typed = {"values": typed_values(request.POST), "faults": refusal.faults}
        return _page(request, game, typed, refusal.status)


def _page(request: Request, game: Practice, more: Mapping[str, Any] | None = None, status: int = 200) -> HttpResponse:
    page = practice_page(game)
    sheet = page.sheet
    assert sheet is not None
    context: dict[str, Any] = {"page": page, "sheet": sheet, "practice": True}
    context |= {
        "document": game.document(),
        "position": sheet.next_position,
        "client_key": uuid.uuid4(),
        "undo_key": "",
    }
    context |= {"values": {}, "faults": (), "effect": None, "sheets": sheet_choices(), **(more or {})}
    return page_or_part(request, "practice/practice.html", "practice/_table.html", context, status)
