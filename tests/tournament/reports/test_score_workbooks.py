"""The score workbook of every rule sheet, filled in and recalculated by LibreOffice, comes back to the same points."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from defusedxml import ElementTree
from django.contrib.auth.models import User
from openpyxl.utils import get_column_letter

from scoring.document import all_sheets
from tests.factories import make_event, make_round, make_teams, play_out
from tests.programs import converted, recalculated_all
from tests.sure import sure
from tests.tournament.reports.test_boards import WHIST, cells_of, letters_of, table_of
from tournament.access import Actor
from tournament.forms.score_workbook import A_TABLE, keys_of, read_boards
from tournament.forms.uploads import open_workbook, sheet_rows
from tournament.models import Game
from tournament.queries.rules import ruleset_of
from tournament.queries.score_workbooks import (
    FIRST_ROW,
    GAME_ROW,
    Boards,
    blank_boards,
    board_cells,
    head_places,
    round_boards,
)
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.boards import UNKNOWN, boards_workbook
from tournament.services.entries import enter_boards

# Enough for every deal of a schedule, and for a game that somebody wins.
MOST_HANDS = 27
KEYS = [sheet.key for _, sheet in all_sheets()]
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"


class Filled(NamedTuple):
    """A game that was played, its hands, and its board as a spreadsheet gives it back."""

    game: Game
    boards: Boards
    hands: list[dict[str, Any]]
    content: bytes


def played(director: User, key: str, name: str) -> tuple[Game, list[dict[str, Any]]]:
    event = make_event(name.replace("/", " "), director, sheet=key)
    rules = ruleset_of(event)
    game = make_round(event, [tuple(make_teams(event, rules.seating.sides))]).games.get()
    return game, list(islice(play_out(rules, Random(name)), MOST_HANDS))


@pytest.mark.office
def test_every_workbook_comes_back_to_the_same_points(dana: User) -> None:
    books, known = list(_filled(dana)), []
    for one, path in zip(books, recalculated_all(book.content for book in books), strict=True):
        read = read_boards(one.game.round.event, path.read_bytes())
        key = one.game.round.event.sheet
        assert (key, read.faults, read.new) == (key, [], len(one.hands))
        enter_boards(Actor(dana), one.game.round.event, keys_of(read.boards))
        sheet = sheet_now(one.game)
        assert sheet.scores == read.boards[0].scores
        known += _compare(one, sheet, path)
    # What must be typed: hands that all passed, boards that may be raised.
    assert known.count(False) < len(known) / 100


def _filled(dana: User) -> Iterator[Filled]:
    for key, blank in product(KEYS, (False, True)):
        game, hands = played(dana, key, f"{key} {blank}")
        event = game.round.event
        boards = blank_boards(event) if blank else round_boards(event, game.round)
        # A hand is dealt again: the schedule of the others moves.
        written = [{"entry": "void"}, *hands]
        letters = letters_of(boards)
        cells = {
            f"{letters[column]}{row}": value
            for row, hand in enumerate(written, start=FIRST_ROW)
            for column, value in cells_of(hand).items()
            if column in letters
        }
        if blank:
            cells |= {f"{get_column_letter(at + 1)}{GAME_ROW}": 1 for at in head_places(board_cells(boards))}
        yield Filled(game, boards, written, _typed(boards_workbook(boards), cells))


def _typed(content: bytes, cells: dict[str, Any]) -> bytes:
    """The workbook with cells typed on its first sheet: reading and writing it all again takes ten times as long."""

    def cell(found: re.Match[str]) -> str:
        name, style = found.groups()
        if name not in cells:
            return found[0]
        value = cells[name]
        if isinstance(value, int):
            return f'<c r="{name}"{style}><v>{value}</v></c>'
        return f'<c r="{name}"{style} t="inlineStr"><is><t>{value}</t></is></c>'

    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                text = re.sub(r'<c r="(\w+)"((?: s="\d+")?)(?: t="n")? ?/>', cell, text.decode()).encode()
            new.writestr(name, text)
    return file.getvalue()


def _compare(one: Filled, sheet: GameSheet, path: Path) -> list[bool]:
    """Every line: points, running score and counters as the page has them, wherever the board knows them."""
    priced = []
    book = open_workbook(path.read_bytes(), A_TABLE)
    columns = {cell.key: at for at, cell in enumerate(board_cells(one.boards))}
    rows = sheet_rows(book, book.sheetnames[0], A_TABLE)[FIRST_ROW - 1 :]
    counters = [counter.key for counter in one.boards.counters if hasattr(sheet.rows[0], counter.key)]
    known = [True] * len(sheet.sides)
    # What the last hand brings beside its points, for winning, is not on the board.
    for number, (row, stands) in enumerate(zip(rows, sheet.rows[:-1], strict=False)):
        for side in range(len(sheet.sides)):
            change = row[columns[f"change-{side}"]]
            priced.append(change != UNKNOWN)
            known[side] = known[side] and change != UNKNOWN
            where = (sheet.sheet_key, number, side, stands.facts)
            assert (where, stands.deltas[side] if change == UNKNOWN else change or 0) == (where, stands.deltas[side])
            if known[side]:
                said = [row[columns[f"{key}-{side}"]] for key in ("score", *counters)]
                true = [stands.scores[side], *(getattr(stands, key)[side] for key in counters)]
                assert (where, said) == (where, true)
    return priced


@pytest.mark.office
def test_a_row_without_books_comes_to_nothing_and_all_of_them_are_a_boston(dana: User) -> None:
    """The second row of every board has no number of books; in the third the first side took them all."""
    filled = [_emptied(dana, key) for key in KEYS]
    shown = set()
    for (boards, _), path in zip(filled, recalculated_all(content for _, content in filled), strict=True):
        book = open_workbook(path.read_bytes(), A_TABLE)
        columns = {cell.key: at for at, cell in enumerate(board_cells(boards))}
        first, empty, every, *_ = sheet_rows(book, book.sheetnames[0], A_TABLE)[FIRST_ROW - 1 :]
        for side in range(boards.sides):
            assert empty[columns[f"change-{side}"]] in (None, "", UNKNOWN), boards.sheet_key
            for key in ("score", *(counter.key for counter in boards.counters)):
                at = columns[f"{key}-{side}"]
                assert empty[at] == first[at], (boards.sheet_key, key)
        if any(cell.of == "bostons" and cell.shown for cell in board_cells(boards)):
            shown.add(boards.sheet_key)
            assert every[columns["bostons-0"]] == first[columns["bostons-0"]] + 1, boards.sheet_key
    # Where a Boston must end the game there is no column that would stay at zero.
    assert shown and "bid_whist/no-kitty-2021" not in shown


def _emptied(director: User, key: str) -> tuple[Boards, bytes]:
    game, (hand, *_) = played(director, key, f"{key} emptied")
    boards = round_boards(game.round.event, game.round)
    letters, taken = letters_of(boards), {"books", *(f"tricks-{at}" for at in range(boards.seats))}
    written = cells_of(hand)
    without = {column: value for column, value in written.items() if column not in taken}
    every = without | dict.fromkeys(taken & set(written), 0)
    every |= {"books": boards.most, "seat": "A"} if "books" in written else {"tricks-0": boards.most}
    rows = enumerate((written, without, every), start=FIRST_ROW)
    cells = {
        f"{letters[column]}{row}": value for row, line in rows for column, value in line.items() if column in letters
    }
    return boards, _typed(boards_workbook(boards), cells)


@pytest.mark.office
def test_a_spreadsheet_refuses_what_cannot_be_written(dana: User) -> None:
    """Seen in LibreOffice’s own file: every validation stops, with its sentence."""
    shapes = [blank_boards(table_of(dana, key).round.event) for key in ("bid_whist/no-kitty-2021", "spades/standard")]
    for path in converted([boards_workbook(shape) for shape in shapes], "fods"):
        found = sure(ElementTree.parse(path).getroot()).iter(f"{{{OFFICE}}}error-message")
        said = [(one.get(f"{{{OFFICE}}}display"), one.get(f"{{{OFFICE}}}message-type")) for one in found]
        assert len(said) >= 3
        assert set(said) == {("true", "stop")}


def test_a_workbook_that_was_filled_before_the_columns_changed_is_read(dana: User) -> None:
    """One that the version before wrote, with its column of Bostons, filled in and saved by LibreOffice."""
    game = table_of(dana, "bid_whist/no-kitty-2021")
    read = read_boards(game.round.event, (Path(__file__).parent / "score_workbook_before.xlsx").read_bytes())
    assert ([board.entries for board in read.boards], read.faults, read.remarks) == ([list(WHIST)], [], [])
    assert read.boards[0].says == read.boards[0].scores
