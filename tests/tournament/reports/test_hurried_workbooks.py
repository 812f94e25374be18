"""Workbooks that were filled in a hurry: every cell that somebody filled is used, or named with what stands in it."""

from __future__ import annotations

import copy
import datetime
import io
import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from openpyxl.styles import Font
from openpyxl.utils.cell import coordinate_from_string, range_boundaries

from tests.factories import make_event, make_round, make_teams
from tests.tournament.reports.test_boards import GAMES, cells_of, letters_of, saved, with_cells, written
from tournament.forms.score_workbook import CROSSED_OUT, read_boards
from tournament.forms.score_workbook_lines import ReadBoards
from tournament.forms.uploads import words
from tournament.models import Event, Game
from tournament.queries.score_workbooks import BEHIND, FIRST_ROW, Boards, board_cells, round_boards
from tournament.reports.excel.boards import boards_workbook

DATE = datetime.datetime(2026, 2, 3)
JUNK = (
    "5 pts", "x", "redeal", "set", "two", "see Ann", "Ⅴ", "?", "2-3", "= 7", 7, 0, -3, 40, 3.5, 99, True, DATE,
    datetime.time(2, 30), "A", "B", "Void", "Pass", 3, "Bo sat in for Cal until the ninth hand and then Dee did again",
)  # fmt: skip


class Hurried:
    """A filled workbook and what somebody did to it: `touched` are the cells of the board that were written over."""

    def __init__(self, content: bytes, boards: Boards, hands: Sequence[dict[str, Any]], chance: Random) -> None:
        self.book = openpyxl.load_workbook(io.BytesIO(content))
        self.page = self.book["Table 1"]
        self.boards, self.hands, self.chance = boards, hands, chance
        self.touched: set[str] = set()
        self.is_shifted = False
        self.struck: set[int] = set()

    def junk_somewhere(self) -> None:
        row = self.chance.choice((self.chance.randint(1, 70), self.chance.randint(FIRST_ROW, FIRST_ROW + 6)))
        column = self.chance.randint(1, len(board_cells(self.boards)) + 4)
        self._write(row, column, self.chance.choice(JUNK))

    def junk_in_a_hand(self) -> None:
        typed = [index for index, cell in enumerate(board_cells(self.boards), start=1) if cell.field or cell.shown]
        self._write(FIRST_ROW + self.chance.randrange(5), self.chance.choice(typed), self.chance.choice(JUNK))

    def cross_out(self) -> None:
        row = FIRST_ROW + self.chance.randrange(4)
        for cell in self.page[row]:
            if cell.value is not None:
                cell.font = Font(strike=True)
        self.struck.add(row)

    def cross_a_cell_out(self) -> None:
        cell = self.page.cell(FIRST_ROW + self.chance.randrange(4), self.chance.randint(2, 5))
        cell.font = Font(strike=True)

    def notes(self) -> None:
        page = self.book.create_sheet(f"Notes {len(self.book.sheetnames)}")
        page.sheet_state = self.chance.choice(("visible", "visible", "hidden"))
        for _ in range(self.chance.choice((1, 3, 40))):
            page.cell(self.chance.randint(1, 50), self.chance.randint(1, 30), self.chance.choice(JUNK))

    def far_away(self) -> None:
        self._write(self.chance.choice((9, 3000)), self.chance.choice((2, 61, 80)), "far away")

    def insert_a_column(self) -> None:
        at = self.chance.randint(1, 6)
        self.page.insert_cols(at)
        self.page.cell(FIRST_ROW + 1, at, "late")
        self.is_shifted = True

    def leave_rows_empty(self) -> None:
        """The last hand was written further down."""
        typed = [cell for cell in board_cells(self.boards) if cell.field and cell.field.layout != "given"]
        letters = letters_of(self.boards)
        down = self.chance.choice((1, 4, 38 - 4))
        last = FIRST_ROW + 2
        for cell in typed:
            old = self.page[f"{letters[cell.key]}{last}"]
            self.page[f"{letters[cell.key]}{last + down}"] = old.value
            self.touched |= {f"{letters[cell.key]}{last + down}", f"{letters[cell.key]}{last}"}
            old.value = None

    def _write(self, row: int, column: int, value: Any) -> None:
        cell = self.page.cell(row, column)
        if cell.__class__.__name__ == "MergedCell":
            return
        cell.value = value
        self.touched.add(cell.coordinate)


ACTS: tuple[Callable[[Hurried], None], ...] = (
    Hurried.junk_somewhere, Hurried.junk_somewhere, Hurried.junk_somewhere, Hurried.junk_in_a_hand,
    Hurried.cross_out, Hurried.cross_a_cell_out, Hurried.notes, Hurried.far_away, Hurried.leave_rows_empty,
)  # fmt: skip


def hurry(content: bytes, boards: Boards, hands: Sequence[dict[str, Any]], chance: Random) -> Hurried:
    one = Hurried(content, boards, hands, chance)
    for act in chance.sample(ACTS, chance.randint(1, 4)):
        act(one)
    if chance.random() < 0.08:
        one.insert_a_column()
    return one


def is_named(read: ReadBoards, title: str, name: str) -> bool:
    """Whether a cell is named, alone, in a list or as a part of an area."""
    letter, row = coordinate_from_string(name)
    column = openpyxl.utils.column_index_from_string(letter)
    for fault in (*read.faults, *read.remarks):
        sheet, _, place = fault.field.rpartition(", ")
        if sheet != title:
            continue
        if place == name or re.search(rf"\b{name}\b", fault.text):
            return True
        if ":" in place:
            left, top, right, bottom = range_boundaries(place)
            if left <= column <= right and top <= row <= bottom:
                return True
    return False


def outcome(read: ReadBoards) -> Any:
    return [board.entries for board in read.boards], read.faults


def is_used(event: Event, book: Any, title: str, name: str, read: ReadBoards) -> bool:
    """Whether the hands, or what is said of them, are others without this cell."""
    emptied = copy.copy(book[title][name].value)
    book[title][name].value = None
    without = read_boards(event, saved(book))
    book[title][name].value = emptied
    return outcome(without) != outcome(read)


def losses(game: Game, one: Hurried, fresh: bytes) -> list[str]:
    """The cells that somebody filled and that are neither used nor named."""
    event, content = game.round.event, saved(one.book)
    read = read_boards(event, content)
    if one.is_shifted:
        said = [fault for fault in read.faults if "inserted here" in fault.text or "this head must say" in fault.text]
        return [] if said else ["a column was inserted"]
    lost = [f"row {row} is crossed out" for row in one.struck if not _asked(read, row)]
    lost += [] if read.boards or read.faults else ["nothing was read"]
    lost += _lost_hands(one, read)
    book, before = openpyxl.load_workbook(io.BytesIO(content)), openpyxl.load_workbook(io.BytesIO(fresh))
    for title, name in _filled_cells(book, before):
        # The hands that nobody touched were compared as a whole.
        is_hand = title == "Table 1" and name not in one.touched
        if not is_hand and not is_named(read, title, name) and not is_used(event, book, title, name, read):
            lost.append(f"{title}!{name}: {book[title][name].value}")
    return lost


def _lost_hands(one: Hurried, read: ReadBoards) -> list[str]:
    """The hands in whose rows nothing was touched and that were not read, where nothing is wrong."""
    if read.faults:
        return []
    rows = {coordinate_from_string(name)[1] for name in one.touched}
    kept = [hand for row, hand in enumerate(one.hands, start=FIRST_ROW) if row not in rows]
    return [f"{hand} was not read" for hand in kept if hand not in read.boards[0].entries]


def _filled_cells(book: Any, before: Any) -> Iterator[tuple[str, str]]:
    """The cells that hold something else than in a fresh workbook, and no formula."""
    for title in book.sheetnames:
        fresh = before[title] if title in before.sheetnames else None
        for cell in (cell for row in book[title].iter_rows() for cell in row if title not in BEHIND):
            old = fresh[cell.coordinate].value if fresh else None
            if words(cell.value) and cell.data_type != "f" and cell.value != old:
                yield title, cell.coordinate


def _asked(read: ReadBoards, row: int) -> bool:
    return any(fault.field == f"Table 1, A{row}" and fault.text == CROSSED_OUT for fault in read.faults)


def table_of(director: User, sheet: str) -> Game:
    event = make_event(f"Hurried {sheet[:3]}", director, sheet=sheet)
    return make_round(event, [tuple(make_teams(event, 2))]).games.get()


def look_at(director: User, count: int, seed: str) -> None:
    tables = []
    for sheet, hands in GAMES.items():
        game = table_of(director, sheet)
        boards = round_boards(game.round.event, game.round)
        fresh = boards_workbook(boards)
        tables.append((game, boards, hands, fresh, with_cells(fresh, written(boards, map(cells_of, hands)))))
    for number in range(count):
        game, boards, hands, fresh, content = tables[number % len(tables)]
        chance = Random(f"{seed} {number}")
        one = hurry(content, boards, hands, chance)
        assert (number, losses(game, one, fresh)) == (number, [])


def test_every_cell_of_hurried_workbooks_is_used_or_named(dana: User) -> None:
    look_at(dana, 12, "hurried")


@pytest.mark.nightly
def test_every_cell_of_300_hurried_workbooks_is_used_or_named(dana: User) -> None:
    look_at(dana, 300, "300 hurried")
