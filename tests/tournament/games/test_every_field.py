"""Every field of a hand, of every rule sheet, has its place in the form, on paper and on the score board."""

from __future__ import annotations

import html
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.document import all_sheets
from tests.tournament.tablet.test_turns import table
from tournament.queries.score_workbooks import blank_boards, board_cells
from tournament.queries.sheet import sheet_now
from tournament.reports.pdf.sheet_table import sheet_table

SHEETS: list[tuple[str, int, dict[str, Any]]] = [("back_alley/partnership", 2, {"first_six": True})]
SHEETS += [(sheet.key, game.seating(sheet.rules).sides, {}) for game, sheet in all_sheets()]


@pytest.mark.parametrize(("key", "sides", "options"), SHEETS)
def test_every_field_has_its_place(dana: User, key: str, sides: int, options: dict[str, Any]) -> None:
    tablet, game = table(dana, key, sides, **options)
    sheet = sheet_now(game)
    seats = {"seat": len(sheet.seats), "side": sides}
    page = html.unescape(tablet.get(reverse("tablet")).content.decode())
    assert sheet.next is not None
    for field in sheet.next.fields:
        name = field.name or field.key
        names = [f"{name}-{place}" for place in range(seats[field.of])] if field.everybody else [name]
        assert all(f'name="{one}"' in page for one in names), field.key
    fields = sheet.rules.columns
    columns = {column.key for column in sheet_table(sheet.rules).columns}
    asked = [field for field in fields if field.layout != "given"]
    assert {field.key for field in asked if not field.everybody} <= columns
    own = {f"{field.key}-{index}" for field in asked if field.everybody for index in range(seats[field.of])}
    assert own <= columns
    boards = blank_boards(game.round.event)
    typed = [cell.field.key for cell in board_cells(boards) if cell.field is not None]
    assert Counter(typed) == Counter(one.key for one in fields for _ in range(boards.places(one) or 1))
    counted = [cell.of for cell in board_cells(boards)]
    counters = sheet.rules.game.counters(sheet.rules.rules)
    assert [counted.count(one.key) for one in counters] == [boards.sides] * len(counters)
