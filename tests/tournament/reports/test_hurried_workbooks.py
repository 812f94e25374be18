"""Workbooks that were filled in a hurry: every cell that somebody filled is used, or named with its content."""

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
from tests.sure import sure
from tests.tournament.reports.test_boards import GAMES, cells_of, filled, letters_of, saved, with_cells, written
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
        row = FIRST_ROW + self.chance.randrange(len(self.hands))
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
            self.page[f"{letters[cell.key]}{last + down}"].font = copy.copy(old.font)
        self.struck = {row + down if row == last else row for row in self.struck}

    def _write(self, row: int, column: int, value: Any) -> None:
        cell = self.page.cell(row, column)
        if cell.__class__.__name__ == "MergedCell":
            return
        cell.value = value
        self.touched.add(cell.coordinate)


# In this order: what is moved was crossed out before, and written over after.
ACTS: tuple[Callable[[Hurried], None], ...] = (
    Hurried.cross_out, Hurried.cross_a_cell_out, Hurried.leave_rows_empty, Hurried.notes, Hurried.far_away,
    Hurried.junk_somewhere, Hurried.junk_somewhere, Hurried.junk_somewhere, Hurried.junk_in_a_hand,
)  # fmt: skip


def hurry(content: bytes, boards: Boards, hands: Sequence[dict[str, Any]], chance: Random) -> Hurried:
    one = Hurried(content, boards, hands, chance)
    for act in sorted(chance.sample(ACTS, chance.randint(1, 4)), key=ACTS.index):
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
            left, top, right, bottom = map(sure, range_boundaries(place))
            if left <= column <= right and top <= row <= bottom:
                return True
    return False


def outcome(read: ReadBoards) -> Any:
    return [board.entries for board in read.boards], read.faults


def is_used(event: Event, book: Any, title: str, name: str, read: ReadBoards) -> bool:
    """Whether the hands, or what is said of them, are others without this cell; or it is right and was compared."""
    value = book[title][name].value
    book[title][name].value = None
    without = read_boards(event, saved(book))
    book[title][name].value = 777
    otherwise = read_boards(event, saved(book))
    book[title][name].value = value
    return outcome(without) != outcome(read) or (isinstance(value, int) and is_named(otherwise, title, name))


def losses(game: Game, one: Hurried, fresh: bytes) -> list[str]:
    """The cells that somebody filled and that are neither used nor named."""
    event, content = game.round.event, saved(one.book)
    read = read_boards(event, content)
    if one.is_shifted:
        # What is moved far out with it is more than a file may have.
        said = [fault for fault in read.faults if "inserted here" in fault.text or fault.field == "file"]
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
    lost = {}
    for number in range(count):
        game, boards, hands, fresh, content = tables[number % len(tables)]
        one = hurry(content, boards, hands, Random(f"{seed} {number}"))
        lost[number] = losses(game, one, fresh)
    assert {number: cells for number, cells in lost.items() if cells} == {}


def test_every_cell_of_hurried_workbooks_is_used_or_named(dana: User) -> None:
    look_at(dana, 12, "hurried")


@pytest.mark.nightly
def test_every_cell_of_300_hurried_workbooks_is_used_or_named(dana: User) -> None:
    look_at(dana, 300, "300 hurried")


# What is said of one cell.


@pytest.fixture
def whist(dana: User) -> Game:
    return table_of(dana, "bid_whist/no-kitty-2021")


def said_of(game: Game, change: Callable[[Any], None]) -> list[tuple[str, str]]:
    """The faults and remarks of a filled workbook that somebody changed."""
    book = openpyxl.load_workbook(io.BytesIO(filled(game, GAMES["bid_whist/no-kitty-2021"][:2])))
    change(book)
    read = read_boards(game.round.event, saved(book))
    return [(fault.field, fault.text) for fault in (*read.faults, *read.remarks)]


def cells(**values: Any) -> Callable[[Any], None]:
    def write(book: Any) -> None:
        for name, value in values.items():
            book["Table 1"][name] = value

    return write


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"E14": "5 pts"}, [("Table 1, E14", "“5 pts” was not read.")]),
        ({"E14": "x"}, [("Table 1, E14", "“x” was not read.")]),
        ({"A10": "redeal"}, [("Table 1, A10", "“redeal” was not read.")]),
        ({"G8": "set"}, [("Table 1, G8", "“set” was not read.")]),
        ({"F8": "lost"}, [("Table 1, F8", "“lost” was not read.")]),
        ({"E2": "Ann kept score"}, [("Table 1, E2", "“Ann kept score” was not read.")]),
        ({"A2": "Rain"}, [("Table 1, A2", "“Rain” was not read.")]),
        ({"Z9": "late", "A70": "5 to 3"}, [
            ("Table 1, Z9", "“late” was not read."),
            ("Table 1, A70", "“5 to 3” was not read."),
        ]),
        ({"B10": "A", "C10": "Void", "D10": 7}, [
            ("Table 1, B10", "“A” was not read: this line is void."),
            ("Table 1, D10", "“7” was not read: this line is void."),
        ]),
        ({"D9": DATE}, [("Table 1, D9", "this is a date: type 2-3 as text.")]),
        ({"C9": datetime.time(2, 30)}, [("Table 1, C9", "this is a time: type 2:30 as text.")]),
        ({"B47": "A", "C47": 3, "D47": 9}, [
            ("Table 1, A10", "rows 10 to 46 are empty: the hands below them follow on."),
        ]),
    ],
)  # fmt: skip
def test_what_is_not_read_is_said_with_its_cell(
    whist: Game, values: dict[str, Any], said: list[tuple[str, str]]
) -> None:
    assert said_of(whist, cells(**values)) == said


def test_an_inserted_column_and_row_are_named(whist: Game) -> None:
    inserted = [("Table 1, C7", "a column was inserted here. Take it out; notes go into the column “Ruling”.")]
    assert said_of(whist, lambda book: book["Table 1"].insert_cols(3)) == inserted
    assert said_of(whist, lambda book: book["Table 1"].insert_rows(2, 2))[0] == (
        "Table 1, A9",
        "2 rows were added above the heads. They must be in row 7.",
    )
    taken = [("Table 1, D7", "the column “Books” was taken out here. Copy the hands to a new board.")]
    assert said_of(whist, lambda book: book["Table 1"].delete_cols(4)) == taken
    renamed = [("Table 1, D7", "this head must say “Books”, not “Tricks”.")]
    assert said_of(whist, cells(D7="Tricks")) == renamed


def test_a_hand_that_is_crossed_out_is_asked_about(whist: Game) -> None:
    def cross(book: Any) -> None:
        book["Table 1"]["C9"].font = Font(strike=True)

    assert said_of(whist, cross) == [("Table 1, A9", CROSSED_OUT)]


def test_a_board_of_a_game_that_has_not_started_says_which(whist: Game) -> None:
    whist.round.state = "planned"
    whist.round.save()
    said = said_of(whist, lambda book: None)
    assert said == [("Table 1", "Game 1 has not started. Start it, then read this workbook again.")]


def test_a_number_that_a_cell_shows_as_a_date_is_that_number(whist: Game) -> None:
    """A cell that once held 2-3 shows the 9 that was typed later as January 9, 1900."""

    def reformat(book: Any) -> None:
        book["Table 1"]["D9"] = 9
        book["Table 1"]["D9"].number_format = "d-mmm"

    assert said_of(whist, reformat) == []


def test_a_hidden_board_is_read_and_another_sheet_is_named_cell_by_cell(whist: Game) -> None:
    def hide(book: Any) -> None:
        notes = book.create_sheet("Notes")
        notes["B2"], notes["C3"] = "Bring change", 7
        book["Table 1"].sheet_state = "hidden"

    assert said_of(whist, hide) == [
        ("Notes", "this sheet is not a board. It was not read."),
        ("Notes, B2", "“Bring change” was not read."),
        ("Notes, C3", "“7” was not read."),
    ]
