"""The ranks of the cards: what a sheet prints of them stands in the RULES.md of its game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import scoring.game
from scoring.bid_whist.rules import CARDS_52, STANDARD, TOURNAMENT_2021
from scoring.bid_whist.score import GAME as BID_WHIST
from scoring.document import all_sheets, find_sheet
from scoring.game import CardGame, Sheet

ROOT = Path(scoring.__file__).parent


@pytest.mark.parametrize(("game", "sheet"), [pytest.param(*one, id=one[1].key) for one in all_sheets()])
def test_a_sheet_prints_the_ranks_that_its_rules_name(game: CardGame[Any, Any], sheet: Sheet[Any]) -> None:
    text = (ROOT / game.key / "RULES.md").read_text(encoding="utf-8")
    named = game.ranks(sheet.rules)
    assert (f"| `{sheet.key}` | {named} |" in text) == bool(named)


def test_jokers_and_the_deuce_begin_the_trumps() -> None:
    straight = "Straight: A K Q J 10 down to 2. Special: A 2 3 up to 10 J Q K"
    two = f"{straight}. Trumps begin with the big joker and the little joker"
    assert BID_WHIST.ranks(STANDARD) == two
    assert BID_WHIST.ranks(replace(STANDARD, deuce_of_spades=True)) == f"{two}, then the two of spades"
    one = replace(STANDARD, jokers=1)
    assert BID_WHIST.ranks(one) == f"{straight}. Trumps begin with the joker"
    assert BID_WHIST.ranks(replace(CARDS_52, deuce_of_spades=True)).endswith("Aces bad: 2 3 up to K A")
    assert BID_WHIST.ranks(TOURNAMENT_2021) == ""


def test_a_side_far_behind_may_answer_more() -> None:
    game = next(game for game, sheet in all_sheets() if sheet.key == "spades/standard")
    words = [one.words for one in game.answers(find_sheet("spades/standard").rules, "bids")]
    assert words == ["Nil", *map(str, range(1, 14)), "Blind nil"]
