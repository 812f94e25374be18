"""The table of the printed score sheet: room for every answer at every size of table, trumps, and who deals."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.contrib.auth.models import User

from scoring.document import all_sheets
from tests.factories import play
from tournament.models import Game
from tournament.queries.rules import Ruleset, ruleset
from tournament.queries.score_workbooks import blank_sheet
from tournament.queries.sheet import sheet_now
from tournament.reports.pdf.paper import SHEET_WIDTH
from tournament.reports.pdf.sheet_table import Table, coming_items, items_of, sheet_table

HAND = {"entry": "hand", "seat": 2, "bid": "3", "books": 9, "trump": "hearts", "direction": "uptown"}


def every_table() -> dict[str, Table]:
    """The table of every rule sheet for every number of sides, and of its simple sheet."""
    tables = {}
    for game, sheet in all_sheets():
        for sides in (2, 3, 4, 5, 6):
            rules = Ruleset(game, sheet, game.for_sides(sheet.rules, sides))
            if rules.seating.sides == sides:
                tables[f"{sheet.key} {sides}"] = sheet_table(rules)
                tables[f"{sheet.key} {sides} simple"] = sheet_table(rules, simple=True)
    return tables


TABLES = every_table()


@pytest.mark.parametrize("name", TABLES)
def test_columns_stand_apart_and_within_the_paper(name: str) -> None:
    table = TABLES[name]
    for column, following in pairwise(table.columns):
        assert column.x + column.width + 2 <= following.x + 0.01
        if column.side != following.side and not table.by_bidder:
            assert column.x + column.width + 8 <= following.x + 0.01
    assert table.columns[-1].x + table.columns[-1].width <= SHEET_WIDTH + 0.01
    assert all(column.width >= column.natural - 0.01 for column in table.columns)


def test_sides_stand_further_apart_than_columns() -> None:
    """Somebody who typed sheets written by pencil took one side's box for the other's."""
    table = TABLES["spades/standard 2"]
    gaps = {column.key: following.x - column.x - column.width for column, following in pairwise(table.columns)}
    assert gaps["bags-0"] >= 14 and gaps["bags-0"] > gaps["score-0"] + 7
    books = TABLES["bid_whist/no-kitty-2021 2"].columns
    assert [column.head for column in books if column.key == "books"] == ["Books of the bidders"]
    assert min(following.x - column.x - column.width for column, following in pairwise(books)) >= 10


@pytest.mark.parametrize("name", TABLES)
def test_every_score_and_counter_has_its_column(name: str) -> None:
    key, sides, *_ = name.split()
    rules = ruleset(key)
    keys = {column.key for column in TABLES[name].columns}
    counters = {counter.key for counter in rules.game.counters(rules.rules)} - {"sets", "bostons"}
    counted = set() if name.endswith("simple") else counters
    assert {f"{counter}-{side}" for counter in {"score", *counted} for side in range(int(sides))} <= keys


@pytest.mark.parametrize("name", [name for name in TABLES if name.startswith("bid_whist/")])
def test_players_read_trumps_and_dealer_of_every_hand_from_a_bid_whist_sheet(name: str) -> None:
    """Rule 42 sends players to the score sheet for both."""
    circles = {column.key: column.circles for column in TABLES[name].columns}
    assert circles["trump"] == (("♠", "♥"), ("♦", "♣"))
    assert circles["dealer"] == (("A1", "A2"), ("B1", "B2"))


def test_who_deals_is_circled_once_it_is_known_who_dealt_first(game: Game, dana: User) -> None:
    sheet = blank_sheet(game.round.event)
    assert {item.dealer for item in coming_items(sheet, sheet_table(sheet.rules))} == {""}
    sheet = sheet_now(play(dana, game, HAND, sign=False))
    coming = [item.dealer for item in coming_items(sheet, sheet_table(sheet.rules))]
    assert coming[:5] == ["B1", "A2", "B2", "A1", "B1"]


def test_a_hand_that_was_played_has_its_values_in_the_same_columns(game: Game, dana: User) -> None:
    sheet = sheet_now(play(dana, game, HAND, sign=False))
    table = sheet_table(sheet.rules)
    (item,) = items_of(sheet, table)
    written = {piece.x + 3: piece.text for piece in item.pieces if piece.line == 0 and piece.text}
    values = {column.key: written[column.x] for column in table.columns if column.x in written}
    assert values == {"seat": "A2", "bid": "3", "books": "9 of 9: made", "trump": "♥", "dealer": "A1"}
    assert [piece.text for piece in item.pieces if piece.line == 1][:1] == ["uptown. A +3: 3 over six (rule 4)"]


def test_words_are_circled_where_there_is_room_and_short_where_there_is_none() -> None:
    wide, narrow = TABLES["back_alley/individual 4"], TABLES["back_alley/partnership 5"]
    circles = [{column.circles for column in table.columns if column.key == "bids-0"} for table in (wide, narrow)]
    assert circles == [{(("Pass",), ("Board",))}, {((), ())}]
    assert (wide.short, narrow.short[:2]) == ((), (("P", "Pass"), ("B", "Board")))
