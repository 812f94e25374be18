"""What may be written on an Okinawa sheet, and what the table is asked next."""

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
    "more, fault",
    [
        ({"trump": "no-trump"}, ("trump", "ok.contract")),
        ({"first_six": False}, ("first_six", "ok.contract")),
        ({"dealer": 4}, ("dealer", "ok.contract")),
        ({"cards": 4, "tricks": [3, 2]}, ("cards", "ok.contract")),
        ({"cards": 6}, ("tricks", "ok.contract")),
        ({"tricks": [3, 3]}, ("tricks", "ok.contract")),
        ({"bids": ["2", "1", "pass"]}, ("bids", "ok.contract")),
        ({"bids": ["6", "1", "okinawa", "pass"]}, ("bids", "ok.contract")),
        ({"bids": ["11", "1"]}, ("bids", "ok.contract")),
        ({"bids": ["blind-2", "1", "1", "pass"]}, ("bids", "ok.contract")),
        ({"bids": ["02", "1", "1", "pass"]}, ("bids", "ok.contract")),
        ({"auction": ["1", "2", "2", "pass"]}, ("auction", "ok.contract")),
        ({"auction": ["okinawa", "5"]}, ("auction", "ok.contract")),
        ({"auction": ["1", "2", "pass", "pass", "3"]}, ("auction", "ok.contract")),
        ({"auction": ["1", "6"]}, ("auction", "ok.contract")),
        ({"auction": ["1", "spades"]}, ("auction", "ok.contract")),
        ({"auction": ["pass", "pass", "pass", "pass"]}, ("auction", "ok.contract")),
        ({"auction": ["1", "3", "pass", "pass"]}, ("bids", "ok.contract")),
        ({"auction": ["1", "2", "pass", "pass"], "dealer": 3}, ("bids", "ok.contract")),
    ],
)
def test_hand_with_one_fault_names_it(more: dict[str, Any], fault: tuple[str, str]) -> None:
    assert faults(print_score(document(SAID | more))) == [fault]


def test_every_fault_of_a_hand_is_named_at_once() -> None:
    entry = {"entry": "hand", "cards": 14, "bids": ["7", "x", "pass", "1"], "tricks": [9, -4], "trump": "stars"}
    assert faults(print_score(document(entry))) == [
        ("cards", "ok.contract"),
        ("tricks", "ok.contract"),
        ("bids", "ok.contract"),
        ("bids", "ok.contract"),
        ("trump", "ok.contract"),
    ]


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
    assert faults(print_score(document(void, opening={"hands": 4}))) == [("rule", "ok.throw_up")]
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


def test_next_hand_deals_five_cards_first() -> None:
    assert told(GAME.next_hand(RULES, carry(0, 0))) == (1, 0, 5, "seat", (FIVE,) * 4, "side", "")


def test_next_hand_may_be_thrown_up_from_the_sixth() -> None:
    note = "No ace, no face card and two tens at most: if the partner agrees, the hand may be thrown up."
    found = GAME.next_hand(RULES, carry(10, 20, hands=5, deals=6))
    assert told(found) == (6, 2, 6, "seat", ((*FIVE[:-1], "6", "okinawa"),) * 4, "side", note)
    assert GAME.next_hand(RULES, carry(10, 20, hands=4, deals=5)).note == ""
    one = choose(RULES, {"throw_up": "one-ten"})[0]
    assert GAME.next_hand(RULES, carry(10, 20, hands=8, deals=9)).note == note
    assert GAME.next_hand(one, carry(10, 20, hands=5)).note == note.replace("two tens", "one ten")
    none = choose(RULES, {"throw_up": "none"})[0]
    assert GAME.next_hand(none, carry(10, 20, hands=12)).note == ""


def test_next_hand_that_decides_is_dealt_with_thirteen_cards() -> None:
    rules = choose(RULES, {"level_at_end": "one-more", "throw_up": "none"})[0]
    found = GAME.next_hand(rules, GAME.closed(rules, carry(60, 60, hands=13)))
    assert (found.cards, found.note) == (13, "The totals are tied: this hand decides the game and scores nothing.")
