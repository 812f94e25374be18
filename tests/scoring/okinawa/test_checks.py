"""What an Okinawa sheet refuses, and what it asks for next."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.decisions import Void
from scoring.document import find_sheet, print_score
from scoring.ledger import BySide, Carry
from scoring.okinawa.score import GAME
from scoring.options import choose
from tests.scoring.examples import faults, told

SHEET = "okinawa/standard"
RULES = find_sheet(SHEET).rules
SAID = {"entry": "hand", "bids": ["2", "1", "pass", "2"], "tricks": [3, 2]}
FIVE = ("pass", "1", "2", "3", "4", "5", "okinawa")


def document(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"sheet": SHEET, "sides": ["Aces", "Books"], "entries": list(entries)} | more


def carry(*scores: int, **more: Any) -> Carry:
    return GAME.begin(RULES)._replace(scores=BySide(scores), **more)


@pytest.mark.parametrize(
    "more, fields",
    [
        ({"trump": "no-trump"}, ["trump"]),
        ({"first_six": False}, ["first_six"]),
        ({"dealer": 4}, ["dealer"]),
        ({"cards": 4, "tricks": [3, 2]}, ["cards"]),
        ({"cards": 6}, ["tricks"]),
        ({"tricks": [3, 3]}, ["tricks"]),
        ({"bids": ["2", "1", "pass"]}, ["bids"]),
        ({"bids": ["6", "1", "okinawa", "pass"]}, ["bids"]),
        ({"bids": ["11", "1"]}, ["bids"]),
        ({"bids": ["blind-2", "1", "1", "pass"]}, ["bids"]),
        ({"bids": ["02", "1", "1", "pass"]}, ["bids"]),
        ({"auction": ["1", "2", "2", "pass"]}, ["auction"]),
        ({"auction": ["okinawa", "5"]}, ["auction"]),
        ({"auction": ["1", "2", "pass", "pass", "3"]}, ["auction"]),
        ({"auction": ["1", "6"]}, ["auction"]),
        ({"auction": ["1", "spades"]}, ["auction"]),
        ({"auction": ["pass", "pass", "pass", "pass"]}, ["auction"]),
        ({"auction": ["1", "3", "pass", "pass"]}, ["bids"]),
        ({"auction": ["1", "2", "pass", "pass"], "dealer": 3}, ["bids"]),
        (
            {"cards": 14, "bids": ["7", "x", "pass", "1"], "tricks": [9, -4], "trump": "stars"},
            ["cards", "tricks", "bids", "bids", "trump"],
        ),
    ],
)
def test_hand_names_all_its_faults(more: dict[str, Any], fields: list[str]) -> None:
    assert faults(print_score(document(SAID | more))) == [(field, "ok.contract") for field in fields]
    assert faults(print_score(document({"entry": "hand", "bids": SAID["bids"]}))) == [("tricks", "")]


@pytest.mark.parametrize(
    "more",
    [
        {"trump": "Hearts"},
        {"trump": "spade"},
        {"cards": 5},
        {"bids": [2, 1, 0, 2]},
        {"bids": ["2", "3"]},
        {"auction": ["1", "2", "pass", "pass"]},
        {"auction": ["1", "2", "pass", "pass"], "dealer": 2},
        {"auction": ["2"], "dealer": 1},
        {"bids": ["2", "3"], "auction": ["1", "2", "pass", "pass"], "dealer": 3},
        {"bids": ["2", "3"], "auction": ["1", "2", "pass", "pass"], "dealer": 2},
    ],
)
def test_what_the_table_may_add_changes_no_score(more: dict[str, Any]) -> None:
    assert print_score(document(SAID | more)).get("points") == [11, -15]


def test_partners_who_say_together_more_than_there_is_are_set() -> None:
    assert print_score(document(SAID | {"bids": ["6", "1"]}))["points"] == [-30, 6]


def test_first_round_that_all_passed_fits_a_hand_that_nobody_bid() -> None:
    passed = {"entry": "hand", "bids": ["pass"] * 4, "tricks": [], "auction": ["pass"] * 4}
    assert print_score(document(passed))["points"] == [0, 0]


@pytest.mark.parametrize(
    "choice, tricks, faulty, points, dealer",
    [
        ("as-written", [], [], [0, 0], 1),
        ("as-written", [3, 2], [], [3, 2], 1),
        ("next-dealer", [0, 0], [], [0, 0], 1),
        ("next-dealer", [3, 2], [("tricks", "all-pass")], None, None),
        ("same-dealer", [], [], [0, 0], 0),
        ("played", [3, 2], [], [3, 2], 1),
        ("played", [], [("tricks", "ok.contract"), ("tricks", "ok.contract")], None, None),
    ],
)
def test_hand_that_nobody_bid(choice: str, tricks: list[int], faulty: Any, points: Any, dealer: Any) -> None:
    entry = {"entry": "hand", "bids": ["pass"] * 4, "tricks": tricks}
    printed = print_score(document(entry, options={"nobody_bids": choice}))
    assert (faults(printed), printed.get("points")) == (faulty, points)
    if points is not None:
        rules = choose(RULES, {"nobody_bids": choice})[0]
        hand = GAME.read_hand(entry)[0]
        assert hand is not None
        assert GAME.score_entry(rules, GAME.begin(rules), hand)[1].deals == dealer


def test_void_that_all_passed_passes_the_deal_on() -> None:
    cases = {"as-written": 1, "next-dealer": 1, "same-dealer": 0}
    for choice, dealer in cases.items():
        rules = choose(RULES, {"nobody_bids": choice})[0]
        assert GAME.problems(rules, GAME.begin(rules), Void("all-pass")) == ()
        assert GAME.score_entry(rules, GAME.begin(rules), Void("all pass"))[1].deals == dealer
    played = print_score(document({"entry": "void", "rule": "all-pass"}, options={"nobody_bids": "played"}))
    assert faults(played) == [("rule", "all-pass")]


@pytest.mark.parametrize("rule", ["ok.throw_up", "throw-up", "throw up", "Throw_up"])
def test_throw_up_from_the_hand_the_sheet_says(rule: str) -> None:
    void = {"entry": "void", "rule": rule}
    (early,) = print_score(document(void, opening={"hands": 3}))["problems"]
    assert early["text"] == "A hand may be thrown up from hand 6 on; this is hand 4."
    assert (early["field"], early["rule"]) == ("rule", "ok.throw_up")
    assert faults(print_score(document(void, opening={"hands": 5}))) == []
    assert faults(print_score(document(void, options={"throw_up_from": 1}))) == []
    assert faults(print_score(document(void, opening={"hands": 9}, options={"throw_up": "none"}))) == [
        ("rule", "ok.var.no_throw_up")
    ]


def test_number_for_every_trick_is_refused_where_the_sheet_says_so() -> None:
    options = {"number_for_all": "refused"}
    assert faults(print_score(document(SAID | {"bids": ["5", "pass", "pass", "pass"]}, options=options))) == [
        ("bids", "ok.okinawa")
    ]
    assert print_score(document(SAID | {"bids": ["5", "pass"], "tricks": [5, 0]}, options=options))["points"] == [25, 0]
    assert told(GAME.next_hand(choose(RULES, options)[0], carry(0, 0)))[4] == ((*FIVE[:-2], "okinawa"),) * 4


THROW_UP = "No ace, no face card and two tens at most: if the partner agrees, the hand may be thrown up."
DECIDES = "The totals are tied: this hand decides the game and scores nothing."


@pytest.mark.parametrize(
    ("options", "before", "due"),
    [
        ({}, carry(0, 0), (1, 0, 5, "")),
        ({}, carry(10, 20, hands=4, deals=5), (5, 1, 5, "")),
        ({}, carry(10, 20, hands=5, deals=6), (6, 2, 6, THROW_UP)),
        ({}, carry(10, 20, hands=8, deals=9), (9, 1, 9, THROW_UP)),
        ({"throw_up": "one-ten"}, carry(10, 20, hands=5), (6, 0, 6, THROW_UP.replace("two tens", "one ten"))),
        ({"throw_up": "none"}, carry(10, 20, hands=12), (13, 0, 13, "")),
        ({"throw_up": "none", "level_at_end": "one-more"}, carry(60, 60, hands=13), (14, 0, 13, DECIDES)),
    ],
)
def test_next_hand_tells_number_dealer_cards_bids_and_whether_it_may_be_thrown_up(
    options: dict[str, Any], before: Carry, due: tuple[int, int, int, str]
) -> None:
    rules, _ = choose(RULES, options)
    number, dealer, cards, note = due
    bids = ("pass", *map(str, range(1, cards + 1)), "okinawa")
    expected = (number, dealer, cards, "seat", (bids,) * 4, "side", note)
    assert told(GAME.next_hand(rules, GAME.closed(rules, before))) == expected


@pytest.mark.parametrize(
    ("nobody_bids", "sentences"),
    [
        ("as-written", []),
        ("played", []),
        ("next-dealer", ["All passed: the hand is thrown in, and no tricks are played."]),
        ("same-dealer", ["All passed: the hand is thrown in, and no tricks are played."]),
    ],
)
def test_a_hand_that_all_passed_is_not_played_unless_the_sheet_has_it_played(
    nobody_bids: str, sentences: list[str]
) -> None:
    rules = choose(RULES, {"nobody_bids": nobody_bids})[0]
    problems = GAME.bid_problems(rules, carry(0, 0), {"entry": "hand", "bids": ["pass"] * 4})
    assert [problem.text for problem in problems] == sentences


def test_bids_of_a_hand_are_judged_one_by_one() -> None:
    problems = GAME.bid_problems(RULES, carry(0, 0), {"entry": "hand", "bids": ["6", "nil", "1", "2"]})
    assert [problem.text for problem in problems] == [
        "There are 5 tricks in this hand: 6 cannot be bid.",
        "“nil” is not a bid: say pass, a number of tricks or okinawa.",
    ]
    assert GAME.bid_problems(RULES, carry(0, 0), {"entry": "hand", "bids": 3})[0].field == "bids"
