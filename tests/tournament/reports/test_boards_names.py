"""Whom a score workbook names, and titles that could be formulas."""

from __future__ import annotations

import io

import openpyxl
from django.contrib.auth.models import User

from tests.factories import make_event, make_round, make_teams
from tests.tournament.reports.test_boards import WHIST, filled, letters_of, saved, table_of
from tournament.forms.score_workbook import read_boards
from tournament.queries.score_workbooks import FIRST_ROW, round_boards
from tournament.reports.excel.boards import boards_workbook


def test_a_letter_names_a_side_before_any_name_does_and_no_name_two_sides(dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    event = game.round.event
    one, other = (side.team for side in game.sides.order_by("index"))
    for team, name in ((one, "B"), (other, "A")):
        team.players.filter(position=0).update(name=name, key=name)
        team.players.filter(position=1).update(name="Pat", key="pat")
    content = filled(game, WHIST[:2])
    assert [board.entries for board in read_boards(event, content).boards] == [[*WHIST[:2]]]
    book = openpyxl.load_workbook(io.BytesIO(content))
    place = f"{letters_of(round_boards(event, game.round))['seat']}{FIRST_ROW}"
    book["Table 1"][place] = "Pat"
    text = "“Pat” is not a side of this table: write A or B."
    assert [(one.field, one.text) for one in read_boards(event, saved(book)).faults] == [(f"Table 1, {place}", text)]


def test_what_is_written_for_a_side_that_nobody_is_on_is_remarked(dana: User) -> None:
    event = make_event("Singles", dana, sheet="back_alley/individual")
    game = make_round(event, [tuple(make_teams(event, 3))]).games.get()
    hand = {"entry": "hand", "cards": 13, "bids": ["3", "pass", "4", "2"], "tricks": [3, 6, 4]}
    read = read_boards(event, filled(game, [hand]))
    place = f"{letters_of(round_boards(event, game.round))['bid-3']}{FIRST_ROW}"
    assert [(one.field, one.text) for one in read.remarks] == [(f"Table 1, {place}", "“2” is not read.")]


def test_the_title_of_a_round_is_no_formula(dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    game.round.title = '=HYPERLINK("http://a.example")\x0b'
    game.round.save()
    shape = round_boards(game.round.event, game.round)
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(shape)))
    found = [cell for page in book for row in page.iter_rows() for cell in row if "a.example" in str(cell.value)]
    assert len(found) == 3 and {cell.data_type for cell in found} == {"s"}


def test_the_name_of_an_event_becomes_no_formula_when_its_cell_is_edited(dana: User) -> None:
    game = table_of(dana, "bid_whist/no-kitty-2021")
    game.round.event.name = "=1+1"
    game.round.event.save()
    book = openpyxl.load_workbook(io.BytesIO(boards_workbook(round_boards(game.round.event, game.round))))
    found = [cell for page in book for row in page.iter_rows() for cell in row if str(cell.value).startswith("=1+1")]
    assert found and {(cell.data_type, cell.quotePrefix) for cell in found} == {("s", True)}
