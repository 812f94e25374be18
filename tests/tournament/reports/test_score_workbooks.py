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

import openpyxl
import pytest
from defusedxml import ElementTree
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from openpyxl.utils import get_column_letter
from pypdf import PdfReader

from scoring.document import all_sheets
from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play, play_out
from tests.programs import converted, recalculated_all
from tests.sure import fresh, sure
from tests.tournament.reports.test_boards import WHIST, cells_of, table_of, written
from tournament.access import Actor
from tournament.forms.score_workbook import A_TABLE, keys_of, read_boards
from tournament.forms.uploads import open_workbook, sheet_rows
from tournament.lists.catalog import LISTS
from tournament.models import Event, Game
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rules import ruleset_of
from tournament.queries.score_workbooks import (
    FIRST_ROW,
    GAME_ROW,
    LETTERS,
    UNKNOWN,
    Boards,
    blank_boards,
    board_cells,
    head_places,
    round_boards,
)
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.boards import boards_workbook
from tournament.reports.excel.workbook import HEAD_ROW, event_workbook
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
    books, compared = list(_filled(dana)), []
    for one, path in zip(books, recalculated_all(book.content for book in books), strict=True):
        read = read_boards(one.game.round.event, path.read_bytes())
        key = one.game.round.event.sheet
        assert (key, read.faults, read.new) == (key, [], len(one.hands))
        enter_boards(Actor(dana), one.game.round.event, keys_of(read.boards))
        sheet = sheet_now(one.game)
        assert sheet.scores == read.boards[0].scores
        compared += compare(one, sheet, path)
    # What must be typed: hands that all passed, boards that may be raised.
    assert compared.count(False) < len(compared) / 100


def _filled(dana: User) -> Iterator[Filled]:
    for key, blank in product(KEYS, (False, True)):
        game, hands = played(dana, key, f"{key} {blank}")
        event = game.round.event
        workbook = blank_boards(event) if blank else round_boards(event, game.round)
        # A hand is dealt again: the schedule of the others moves.
        entries = [{"entry": "void"}, *hands]
        cells = written(workbook, map(cells_of, entries))
        if blank:
            cells |= {f"{get_column_letter(at + 1)}{GAME_ROW}": 1 for at in head_places(board_cells(workbook))}
        yield Filled(game, workbook, entries, typed_into(boards_workbook(workbook), cells))


def typed_into(content: bytes, cells: dict[str, Any]) -> bytes:
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


def compare(one: Filled, sheet: GameSheet, path: Path) -> list[bool]:
    """Every line: points, running score and counters as the page has them, wherever the board knows them; the end."""
    priced = []
    book = open_workbook(path.read_bytes(), A_TABLE)
    columns = {cell.key: index for index, cell in enumerate(board_cells(one.boards))}
    head, *rows = (row for row in sheet_rows(book, book.sheetnames[0], A_TABLE)[GAME_ROW - 1 :])
    rows = rows[FIRST_ROW - GAME_ROW - 1 :]
    counters = [counter.key for counter in one.boards.counters if one.boards.counts(counter)]
    counters = [key for key in counters if hasattr(sheet.rows[0], key)]
    is_known = [True] * len(sheet.sides)
    for number, (row, stands) in enumerate(zip(rows, sheet.rows, strict=False)):
        for side in range(len(sheet.sides)):
            change = row[columns[f"change-{side}"]]
            priced.append(change != UNKNOWN)
            is_known[side] = is_known[side] and change != UNKNOWN
            where = (sheet.sheet_key, one.game.round.event.options, number, side, stands.facts)
            assert (where, stands.deltas[side] if change == UNKNOWN else change or 0) == (where, stands.deltas[side])
            if is_known[side]:
                values = [row[columns[f"{key}-{side}"]] for key in ("score", *counters)]
                true = [stands.scores[side], *(getattr(stands, key)[side] for key in counters)]
                assert (where, values) == (where, true)
    if all(is_known):
        told = [row[columns["over"]] or "" for row in rows[: len(sheet.rows)]]
        ends = [""] * (len(sheet.rows) - 1) + [told_end(sheet)]
        assert (sheet.sheet_key, one.game.round.event.options, told) == (
            sheet.sheet_key,
            one.game.round.event.options,
            ends,
        )
        assert (head[columns["over"]] or "") == told_end(sheet)
    return priced


def told_end(sheet: GameSheet) -> str:
    if not sheet.over:
        return ""
    return "Game over: a draw" if sheet.winner is None else f"Game over: {LETTERS[sheet.winner]} won"


@pytest.mark.office
def test_a_row_without_books_comes_to_nothing_and_all_of_them_are_a_boston(dana: User) -> None:
    """The second row of every board has no number of books; in the third the first side took them all."""
    filled = [_emptied(dana, key) for key in KEYS]
    shown = set()
    for (workbook, _), path in zip(filled, recalculated_all(content for _, content in filled), strict=True):
        book = open_workbook(path.read_bytes(), A_TABLE)
        columns = {cell.key: at for at, cell in enumerate(board_cells(workbook))}
        first, empty, every, *_ = sheet_rows(book, book.sheetnames[0], A_TABLE)[FIRST_ROW - 1 :]
        for side in range(workbook.sides):
            assert empty[columns[f"change-{side}"]] in (None, "", UNKNOWN), workbook.sheet_key
            for key in ("score", *(counter.key for counter in workbook.counters)):
                at = columns[f"{key}-{side}"]
                assert empty[at] == first[at], (workbook.sheet_key, key)
        if any(cell.of == "bostons" and cell.shown for cell in board_cells(workbook)):
            shown.add(workbook.sheet_key)
            assert every[columns["bostons-0"]] == first[columns["bostons-0"]] + 1, workbook.sheet_key
    # Where a Boston must end the game there is no column that would stay at zero.
    assert shown and "bid_whist/no-kitty-2021" not in shown


def _emptied(director: User, key: str) -> tuple[Boards, bytes]:
    game, (hand, *_) = played(director, key, f"{key} emptied")
    workbook = round_boards(game.round.event, game.round)
    tricks, first = {"books", *(f"tricks-{seat}" for seat in range(workbook.seats))}, cells_of(hand)
    without = {column: value for column, value in first.items() if column not in tricks}
    every = without | dict.fromkeys(tricks & set(first), 0)
    every |= {"books": workbook.most, "seat": "A"} if "books" in first else {"tricks-0": workbook.most}
    return workbook, typed_into(boards_workbook(workbook), written(workbook, (first, without, every)))


@pytest.mark.office
def test_a_spreadsheet_refuses_what_cannot_be_written(dana: User) -> None:
    """Seen in LibreOffice’s own file: every validation stops, with its sentence."""
    shapes = [blank_boards(table_of(dana, key).round.event) for key in ("bid_whist/no-kitty-2021", "spades/standard")]
    for path in converted([boards_workbook(shape) for shape in shapes], "fods"):
        messages = sure(ElementTree.parse(path).getroot()).iter(f"{{{OFFICE}}}error-message")
        messages_shown = [(row.get(f"{{{OFFICE}}}display"), row.get(f"{{{OFFICE}}}message-type")) for row in messages]
        assert len(messages_shown) >= 3
        assert set(messages_shown) == {("true", "stop")}


def test_a_workbook_that_was_filled_before_the_columns_changed_is_read(dana: User) -> None:
    """One that the version before wrote, with its column of Bostons, filled in and saved by LibreOffice."""
    game = table_of(dana, "bid_whist/no-kitty-2021")
    read = read_boards(game.round.event, (Path(__file__).parent / "score_workbook_before.xlsx").read_bytes())
    assert ([board.entries for board in read.boards], read.faults, read.remarks) == ([list(WHIST)], [], [])
    assert read.boards[0].says == read.boards[0].scores


# The workbook of an event: a sheet a list, values and sums, one row of heads, sheets that are filtered and sorted.
LINE = 14
SIZES = {"letter": 1, "a4": 9}


def two_rounds(dana: User, **fields: Any) -> Event:
    """Two rounds, in which Aces and Night Owls stay level."""
    event = make_event(director=dana, pot_cents=500, **fields)
    teams = make_teams(event, 4)
    for number, pairs in ((1, ((0, 1), (2, 3))), (2, ((0, 3), (2, 1)))):
        for game in make_round(event, [(teams[a], teams[b]) for a, b in pairs], number).games.all():
            play(dana, game, MADE_FIVE)
        event.rounds.update(state="closed")
    return fresh(event)


def content_of(event: Event) -> bytes:
    return event_workbook(whole_book(event), event_sheets(event), with_money=True)


@pytest.fixture
def workbook(dana: User) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content_of(two_rounds(dana))))


def rows_of(page: Any) -> list[dict[str, Any]]:
    heads, *rows = page.iter_rows(min_row=HEAD_ROW, values_only=True)
    return [dict(zip(heads, row, strict=True)) for row in rows]


def test_every_sheet_is_one_list_under_one_row_of_heads(workbook: Any) -> None:
    for page in workbook:
        heads = [cell.value for cell in page[HEAD_ROW]]
        assert len(set(heads)) == len(heads) and all(heads), page.title
        # What a spreadsheet takes for the list begins with the heads and ends before a sum.
        assert [cell.value for cell in page[HEAD_ROW - 1]] == [None] * len(heads)
        last = int(page.auto_filter.ref.rpartition(":")[2].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        assert all(cell.value is None for row in page.iter_rows(min_row=last + 1, max_row=last + 1) for cell in row)
        assert page.freeze_panes.endswith(str(HEAD_ROW + 1))
        assert page.sheet_state == "visible"
        assert all(area.max_row < HEAD_ROW for area in page.merged_cells.ranges)


def test_the_only_formulas_are_the_sums_of_the_money(workbook: Any) -> None:
    cells = [(page.title, cell) for page in workbook for row in page.iter_rows() for cell in row]
    formulas = [(title, cell.value) for title, cell in cells if cell.data_type == "f"]
    assert {title for title, _ in formulas} == {"Money"}
    assert all(formula.startswith("=SUM(") for _, formula in formulas)
    assert [name for name in workbook.defined_names if not name.startswith("_")] == []


def test_hands_name_round_table_and_both_sides_in_every_row(workbook: Any) -> None:
    rows = rows_of(workbook["Hands"])
    assert [[row[head] for head in ("Game", "Table", "Side", "Name", "Against", "Points")] for row in rows[:3]] == [
        ["Game 1", 1, "A", "Aces", "Books", 5],
        ["Game 1", 1, "B", "Books", "Aces", 0],
        ["Game 1", 2, "A", "Night Owls", "Eagles", 5],
    ]
    assert all(row["Against"] for row in rows_of(workbook["Games"]))


def test_the_cross_table_says_whom_each_team_met_and_how_it_ended(dana: User) -> None:
    event = two_rounds(dana)
    assert [[row[head] for head in ("Place", "No.", "Team", "Game 1", "Game 2")] for row in
            rows_of(openpyxl.load_workbook(io.BytesIO(content_of(event)))["Cross table"])] == [
        [1, 1, "Aces", "W 2, 5 to 0", "W 4, 5 to 0"],
        [1, 3, "Night Owls", "W 4, 5 to 0", "W 2, 5 to 0"],
        [3, 2, "Books", "L 1, 0 to 5", "L 3, 0 to 5"],
        [3, 4, "Eagles", "L 3, 0 to 5", "L 1, 0 to 5"],
    ]  # fmt: skip
    page = Client().get(reverse("cross-table", args=[event.slug])).content.decode()
    assert '<span class="tight muted">Game 2:</span> L 3, 0 to 5' in page
    assert reverse("cross-table", args=[event.slug]) in Client().get(f"/e/{event.slug}/").content.decode()
    assert LISTS["cross-table"](make_event("Nothing yet", dana)).rows == ()


def test_a_bye_and_a_table_of_several_stand_in_the_cross_table(dana: User) -> None:
    event = make_event(director=dana, sheet="back_alley/individual", options={"deals": 1})
    teams = make_teams(event, 4)
    round_ = make_round(event, [tuple(teams[:3])])
    round_.byes.create(team=teams[3])
    play(dana, round_.games.get(), {"entry": "hand", "bids": ["1", "2", "3"], "tricks": [1, 2, 10]})
    event.rounds.update(state="closed")
    listing = LISTS["cross-table"](event)
    values = {line.number: str(listing.columns[-1].value(line)) for line in listing.rows}
    assert values[4].startswith("B, ")
    assert values[1].startswith(("W 2/3, ", "L 2/3, "))


def test_shared_places_are_numbers_that_show_their_mark(workbook: Any) -> None:
    places = [page[HEAD_ROW + 1][0] for page in (workbook["Standings"], workbook["Cross table"])]
    assert [(cell.value, cell.number_format) for cell in places] == [(1, '0"="')] * 2


def test_heads_stand_over_their_columns(workbook: Any) -> None:
    for page in workbook:
        for head, cell in zip(page[HEAD_ROW], page[HEAD_ROW + 1], strict=True):
            assert cell.value is None or head.alignment.horizontal == cell.alignment.horizontal, page.title


def test_ties_have_a_sheet_of_their_own_and_go_on_in_the_next_line(workbook: Any) -> None:
    assert "Ties" not in [cell.value for cell in workbook["Standings"][HEAD_ROW]]
    told = workbook["Ties"].cell(HEAD_ROW + 1, 2)
    assert told.value.startswith("Aces and Night Owls both won 2 games")
    assert told.alignment.wrap_text
    page = workbook["Ties"]
    high = page.row_dimensions[HEAD_ROW + 1].height or LINE
    assert page.column_dimensions["B"].width * high / LINE >= len(told.value)


@pytest.mark.office
def test_a_table_is_one_page_on_every_sheet_and_paper(dana: User) -> None:
    books = []
    for number, (key, paper) in enumerate(product(KEYS, SIZES)):
        event = make_event(f"Paper {number}", dana, sheet=key, paper=paper)
        books.append(boards_workbook(blank_boards(event)))
    pages = [len(PdfReader(path).pages) for path in converted(books, "pdf")]
    assert pages == [1] * len(books)


@pytest.mark.parametrize("paper", SIZES)
def test_the_paper_of_the_event_is_that_of_the_workbook(dana: User, paper: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content_of(two_rounds(dana, paper=paper))))
    assert {page.page_setup.paperSize for page in book} == {SIZES[paper]}


def test_an_event_without_games_has_its_sheets(dana: User) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content_of(make_event("Nothing yet", dana))))
    assert book.sheetnames == ["Standings", "Games", "Hands", "Teams", "Money", "Receipts", "Rules", "Event"]
    assert book["Hands"].cell(HEAD_ROW + 1, 1).value == "No hand is written yet."
