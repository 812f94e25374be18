"""Where a printed score sheet is written on: the same places for every game of a rule sheet, with room for a pencil."""

from __future__ import annotations

import hashlib
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from scoring.registry import all_sheets
from tournament.queries.rules import Ruleset, ruleset
from tournament.queries.sheetcells import (
    CORNER,
    HEIGHT,
    LEFT,
    QR,
    QR_LEFT,
    RIGHT,
    ROW,
    ROWS,
    TABLE,
    VERSION,
    WIDTH,
    Layout,
    SheetCell,
    sheet_layout,
)

KEPT = Path(__file__).with_name("sheet_cells.json")


def every_layout() -> dict[str, Layout]:
    """The layout of every rule sheet at every size of table, and of its simple sheet."""
    found = {}
    for game, sheet in all_sheets():
        for sides in (2, 3, 4, 5, 6):
            rules = game.for_sides(sheet.rules, sides)
            if game.seating(rules).sides == sides:
                one = Ruleset(game, sheet, rules)
                found[f"{sheet.key} {sides}"] = sheet_layout(one)
                found[f"{sheet.key} {sides} simple"] = sheet_layout(one, simple=True)
    return found


LAYOUTS = every_layout()


def written(layout: Layout) -> str:
    cells = [[row, *cell[:2], *(round(one, 2) for one in cell[2:6]), cell.words] for row, cell in layout.placed()]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:16]


def test_a_cell_that_moves_raises_the_version() -> None:
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    assert max(int(version) for version in kept) == VERSION
    new = LAYOUTS.keys() - kept[str(VERSION)].keys()
    assert new == set(), "a new rule sheet: run python -m tests.tournament.reports.cells"
    assert {name: written(layout) for name, layout in LAYOUTS.items()} == kept[str(VERSION)]


@pytest.mark.parametrize("name", LAYOUTS)
def test_cells_have_room_and_leave_the_rest_free(name: str) -> None:
    layout = LAYOUTS[name]
    for row, cell in layout.placed():
        if row:
            assert cell.x >= LEFT and cell.x + cell.width <= RIGHT + 0.01
            assert TABLE + (row - 1) * ROW <= cell.y and cell.y + cell.height <= TABLE + row * ROW + 0.01
            circle = (13, 11) if cell.is_circle else (12, 25) if cell.value == "sign" else (17, 25)
            assert (cell.width, cell.height) >= circle and cell.height >= circle[1]
        else:
            assert cell.x >= 0 and cell.x + cell.width <= WIDTH + 0.01 and cell.y >= TABLE + ROWS * ROW + 12
            assert not any(overlap(cell, corner) for corner in corners())
        assert cell.y + cell.height <= HEIGHT
    assert QR_LEFT + QR <= WIDTH - CORNER


@pytest.mark.parametrize("name", LAYOUTS)
def test_no_two_cells_touch(name: str) -> None:
    for one, other in combinations(LAYOUTS[name].row, 2):
        if "sign" in (one.value, other.value) or (one.group == other.group and not one.is_circle):
            continue
        assert not overlap(one, other), (one, other)
        if one.is_circle and other.is_circle and abs(one.y - other.y) < 11:
            assert abs(one.x - other.x) >= 17, (one, other)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_answer_has_its_cell(name: str) -> None:
    key, sides = name.split()[:2]
    game = next(game for game, sheet in all_sheets() if sheet.key == key)
    rules = ruleset(key)
    rules = rules._replace(rules=game.for_sides(rules.rules, int(sides)))
    layout, simple = LAYOUTS[name], name.endswith("simple")
    groups = {cell.group for cell in layout.row}
    counters = {one.key for one in game.counters(rules.rules)} - {"sets", "bostons"}
    assert {f"score-{side}" for side in range(int(sides))} <= groups
    assert simple or {f"{key}-{side}" for key in counters for side in range(int(sides))} <= groups
    below = {cell.group for cell in layout.below}
    assert {"first-dealer", "winner", "how", "remarks", "verified", "time", "points-0", "sets-1", "signed-0"} <= below
    bostons = any(one.key == "bostons" for one in game.counters(rules.rules))
    assert ("bostons-0" in below) == bostons


def test_parts_of_a_row_stand_apart() -> None:
    """Somebody who typed sheets written by pencil took a book for a bid, and one side's box for the other's."""
    whist = LAYOUTS["bid_whist/no-kitty-2021 2"]
    bid, books = whist.column("bid"), whist.column("books")
    assert bid is not None and books is not None
    assert books.head == "Books of the bidders"
    assert books.x - bid.x - bid.width >= 14
    spades = LAYOUTS["spades/standard 2"]
    (_, end), (start, _) = (spades.span([f"bid-{side}", f"bags-{side}"]) for side in (0, 1))
    assert start - end >= 14
    score, bags = spades.column("score-0"), spades.column("bags-0")
    assert score is not None and bags is not None
    assert bags.x - score.x - score.width >= 12


def overlap(one: SheetCell, other: SheetCell) -> bool:
    across = one.x < other.x + other.width - 0.01 and other.x < one.x + one.width - 0.01
    return across and one.y < other.y + other.height - 0.01 and other.y < one.y + one.height - 0.01


def corners() -> list[SheetCell]:
    places = [(x, y) for x in (0, WIDTH - CORNER) for y in (0, HEIGHT - CORNER)]
    return [SheetCell("corner", "", x, y, CORNER, CORNER) for x, y in places]
