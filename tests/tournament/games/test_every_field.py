"""Every field of a hand, of every rule sheet, has its place in the form, on paper and on the score board."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.registry import all_sheets
from tests.tournament.games.test_voids import sheet_of
from tests.tournament.tablet.test_turns import table
from tournament.queries.boards import blank_boards, board_cells
from tournament.reports.pdf.columns import columns_of

SHEETS = [(sheet.key, game.seating(sheet.rules).sides, {}) for game, sheet in all_sheets()]
SHEETS.append(("back_alley/partnership", 2, {"first_six": True}))


@pytest.mark.parametrize(("key", "sides", "options"), SHEETS)
def test_every_field_has_its_place(dana: User, key: str, sides: int, options: dict[str, Any]) -> None:
    tablet, game = table(dana, key, sides, **options)
    sheet = sheet_of(game)
    seats = {"seat": len(sheet.seats), "side": sides}
    page = html.unescape(tablet.get(reverse("tablet")).content.decode())
    assert sheet.next is not None
    for field in sheet.next.fields:
        name = field.name or field.key
        names = [f"{name}-{place}" for place in range(seats[field.of])] if field.everybody else [name]
        assert all(f'name="{one}"' in page for one in names), field.key
    fields = sheet.rules.columns
    heads = [column.title for column in columns_of(sheet, 760.0)]
    assert [one.heading for one in fields if one.layout != "given" and one.heading not in heads] == []
    boards = blank_boards(game.round.event)
    typed = [cell.field.key for cell in board_cells(boards) if cell.field is not None]
    assert typed == [one.key for one in fields for _ in range(boards.places(one) or 1)]
