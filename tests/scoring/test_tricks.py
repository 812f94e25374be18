"""The hand of the bid-and-make games: read strictly, written back, counted by side."""

from __future__ import annotations

import pytest

from scoring.ledger import BySide, Problem, start
from scoring.tricks import TrickHand, by_side, charge_sets, contract, read_trick_hand, shape_problems

FULL = TrickHand(("blind-nil", "3"), (4, 9), 13, False, 0, ("pass", "3"), "no-trump")
FACTS = {
    "entry": "hand",
    "cards": 13,
    "bids": ["Blind Nil", 3],
    "tricks": [4, 9],
    "first_six": False,
    "dealer": 0,
    "auction": [" Pass", "3"],
    "trump": "No_Trump",
}


def test_hand_is_read_in_any_spelling() -> None:
    assert read_trick_hand(FACTS) == (FULL, ())


@pytest.mark.parametrize(
    "facts, fields",
    [
        ({}, ["bids", "tricks"]),
        ({"bids": "3", "tricks": 4}, ["bids", "tricks"]),
        ({"bids": ["3", True], "tricks": [4, 9.5]}, ["bids", "tricks"]),
        ({"bids": ["3"], "tricks": [4], "cards": "x", "first_six": 1, "books": 3}, ["books", "cards", "first_six"]),
    ],
)
def test_hand_with_faults_of_form_names_each_field(facts: dict[str, object], fields: list[str]) -> None:
    hand, problems = read_trick_hand({"entry": "hand"} | facts)
    assert (hand, [problem.field for problem in problems]) == (None, fields)


def test_values_are_added_up_by_side() -> None:
    assert by_side((1, 2, 3, 4), 2) == BySide((4, 6))
    assert by_side((1, 2, 3, 4, 5, 6), 3) == BySide((5, 7, 9))
    assert by_side((7, 6), 2) == BySide((7, 6))


@pytest.mark.parametrize(
    "hand, by_team, own, expected",
    [
        (TrickHand(("1",) * 4, (3, 3, 4, 3), 13), False, True, []),
        (TrickHand(("1",) * 4, (7, 6)), False, False, []),
        (TrickHand(("1",) * 2, (7, 6)), True, False, []),
        (TrickHand(("1",) * 4, (7, 6)), False, True, ["4 numbers of tricks are needed; there are 2."]),
        (TrickHand(("1",) * 2, (7, 6)), False, False, ["4 bids are needed, one per seat; there are 2."]),
        (TrickHand(("1",) * 4, (7, 6)), True, False, ["2 bids are needed, one per side; there are 4."]),
        (TrickHand(("1",) * 4, (13, 0, 0)), False, False, ["2 or 4 numbers of tricks are needed; there are 3."]),
        (TrickHand(("1",) * 4, (7, 6), 12), False, False, ["This deal has 13 cards each, not 12."]),
        (TrickHand(("1",) * 4, (14, -1)), False, False, ["Tricks are counted from 0."]),
        (TrickHand(("1",) * 4, (7, 5)), False, False, ["13 tricks were played, but 12 are written down."]),
    ],
)
def test_shape_of_a_hand(hand: TrickHand, by_team: bool, own: bool, expected: list[str]) -> None:
    found = shape_problems(
        hand, seats=4, sides=2, cards=13, rule="sp.contract", bids_by_side=by_team, tricks_by_seat=own
    )
    assert [problem.text for problem in found] == expected
    assert all(isinstance(problem, Problem) and problem.rule == "sp.contract" for problem in found)


def test_contract_is_paid_or_lost() -> None:
    assert contract(5, 7, per_trick=10) == 52
    assert contract(5, 5, per_trick=10, per_over=0) == 50
    assert contract(5, 4, per_trick=10) == -50
    assert contract(0, 3, per_trick=5) == 3


def test_sets_are_charged_and_rows_end() -> None:
    once = charge_sets(start(2), (True, False))
    assert (once.sets, once.sets_running) == (BySide((1, 0)), BySide((1, 0)))
    twice = charge_sets(once, (False, True))
    assert (twice.sets, twice.sets_running) == (BySide((1, 1)), BySide((0, 1)))
