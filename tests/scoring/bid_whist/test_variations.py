"""The variations of the page are set by the names it gives them, as well as by the options they stand for."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.bid_whist.sheets import BOSTON_PARR, STANDARD, TOURNAMENT_2021
from scoring.bid_whist.variations import VARIATIONS
from scoring.options import choose
from tests.scoring.test_systems import SYSTEMS

MEANT: dict[str, dict[str, Any]] = {
    "bw.var.nt_jokers_out": {"jokers_at_no": "out"},
    "bw.var.nt_jokers_any": {"jokers_at_no": "any-time"},
    "bw.var.min4": {"lowest_bid": 4},
    "bw.var.low_over_high": {"special_over_straight": "special-outranks"},
    "bw.var.all_equal": {"no_over_same": False},
    "bw.var.sport": {"kitty_sported": True},
    "bw.var.one_joker": {"jokers": 1},
    "bw.var.one_joker_deuce": {"jokers": 1, "deuce_of_spades": True},
    "bw.var.two_jokers_deuce": {"deuce_of_spades": True},
    "bw.var.opponents_score": {"defenders_score": "books-above-six"},
    "bw.var.boston28": {"boston_bid_is_game": True},
    "bw.var.two_sets": {"set_limit": 3},
    "bw.boston_parr.rubber": {"rubber_games": 2},
}


@pytest.mark.parametrize("system", MEANT)
def test_variation_stands_for_options(system: str) -> None:
    sheet = BOSTON_PARR if "parr" in system else STANDARD
    by_options = choose(sheet, MEANT[system])
    assert by_options[0] != sheet
    assert choose(sheet, {system: True}) == choose(sheet, {system.rpartition(".")[2]: "yes"}) == by_options
    assert choose(sheet, {system: False}) == (sheet, ())


def test_every_variation_of_the_list_has_its_name() -> None:
    assert {system for system in SYSTEMS if system.startswith("bw.var.")} | {"bw.boston_parr.rubber"} == set(MEANT)
    assert {system.rpartition(".")[2] for system in MEANT} == set(VARIATIONS)


def test_two_variations_are_chosen_together() -> None:
    chosen, problems = choose(STANDARD, {"bw.var.opponents_score": True, "bw.var.min4": True})
    assert (chosen.defenders_score, chosen.lowest_bid, problems) == ("books-above-six", 4, ())


def test_tournament_sheet_does_not_take_the_two_sets_of_the_page_for_its_own() -> None:
    chosen, problems = choose(TOURNAMENT_2021, {"two_sets": True})
    assert (chosen, [problem.field for problem in problems]) == (TOURNAMENT_2021, ["options.two_sets"])
