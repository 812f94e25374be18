"""The player's hands: every rule sheet of every game is played by what it declares."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from scoring.document import all_sheets
from tests.factories import play_out
from tournament.demo.player import Incidents, choose_hand, incidents
from tournament.queries.rules import ruleset

# The game of the marathon goes on until time is called.
HANDS = 40
TABLES = [(sheet.key, size) for _, sheet in all_sheets() for size in ruleset(sheet.key).table_sizes]


@pytest.mark.parametrize(("sheet", "sides"), TABLES)
def test_a_game_of_any_sheet_is_played_by_chance_and_again_the_same(sheet: str, sides: int) -> None:
    rules = ruleset(sheet).at_table(sides)
    hands = list(islice(play_out(rules, Random(sheet)), HANDS))
    assert hands == list(islice(play_out(rules, Random(sheet)), HANDS))
    assert len(hands) < HANDS or sheet == "bid_whist/marathon"


def test_a_boston_takes_all_the_books() -> None:
    rules = ruleset("bid_whist/no-kitty-2021")
    carry = rules.game.begin(rules.rules)
    taken = {choose_hand(rules, carry, Random(seed), boston=True)["books"] for seed in range(20)}
    others = {choose_hand(rules, carry, Random(seed))["books"] for seed in range(20)}
    assert taken == {13} and 13 not in others


def test_what_happens_in_a_round_happens_at_different_tables_and_always_there() -> None:
    drawn = incidents("autumn-evening/5", range(1, 13))
    assert drawn == incidents("autumn-evening/5", range(1, 13))
    assert len(set(drawn)) == 4 and set(drawn) <= set(range(1, 13))
    assert incidents("autumn-evening/5", (1, 2, 3)) == Incidents()
