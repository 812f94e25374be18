"""What a Bid Whist sheet refuses, and what it asks for next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.bid_whist.checks import directions, next_hand
from scoring.bid_whist.rules import (
    BOSTON_PARR,
    CARDS_52,
    CINCINNATI,
    HAWAII,
    RHODE_ISLAND,
    STANDARD,
    TOURNAMENT_2021,
    Rules,
)
from scoring.bid_whist.score import GAME
from scoring.bid_whist.sheet import Hand, ladder, parse_bid
from scoring.decisions import Adjustment, AgreedStop, Award, Decision, Ruling, Time, Void
from scoring.ledger import BySide, Verdict, required, start
from tests.scoring.examples import values

NOTHING_YET = start(2)
Entry = Hand | Decision
problems, score_entry = GAME.problems, GAME.score_entry


PASSES = ("pass",) * 3


def hand(bid: str, books: int = 9, **more: Any) -> Hand:
    return Hand(more.pop("bidder", 0), required(parse_bid(bid)), books, **more)


def refused(rules: Rules, entry: Entry) -> list[tuple[str, str]]:
    return [(problem.field, problem.rule) for problem in problems(rules, NOTHING_YET, entry)]


@pytest.mark.parametrize(
    ("rules", "entry", "expected"),
    [
        (TOURNAMENT_2021, hand("3"), []),
        (TOURNAMENT_2021, hand("3", 14), [("books", "4")]),
        (TOURNAMENT_2021, hand("3", -1), [("books", "4")]),
        (TOURNAMENT_2021, hand("0"), [("bid", "24")]),
        (TOURNAMENT_2021, hand("8", 14), [("bid", "24"), ("books", "4")]),
        (TOURNAMENT_2021, hand("3", 0), []),
        (STANDARD, hand("3", 0), [("books", "bw.hand")]),
        (RHODE_ISLAND, hand("3-special"), [("bid", "bw.rhode_island")]),
        (TOURNAMENT_2021, hand("3-no", trump="spades"), [("trump", "5")]),
        (TOURNAMENT_2021, hand("3-no", trump="no-trump"), []),
        (TOURNAMENT_2021, hand("3", trump="no-trump"), [("trump", "5")]),
        (CARDS_52, hand("3-special", trump="no-trump"), [("trump", "bw.no_trump")]),
        (CARDS_52, hand("3", trump="no-trump"), []),
        (CARDS_52, hand("3", direction="downtown-aces-bad"), []),
        (STANDARD, hand("3", direction="downtown-aces-bad"), [("direction", "bw.ladder")]),
        (HAWAII, hand("3", direction="downtown"), [("direction", "bw.hawaii")]),
        (HAWAII, hand("3", direction="uptown"), []),
        (STANDARD, hand("3", direction="downtown"), [("direction", "bw.ladder")]),
        (STANDARD, hand("3-special", direction="uptown"), [("direction", "bw.ladder")]),
        (STANDARD, hand("3-no", direction="downtown"), []),
        (TOURNAMENT_2021, Void("17"), []),
        (TOURNAMENT_2021, Void("48"), [("rule", "")]),
        (STANDARD, Void("misdeal"), []),
        (TOURNAMENT_2021, Award("", 2), [("to", ""), ("rule", "")]),
        (TOURNAMENT_2021, Award("07", 1), [("rule", "")]),
        (
            TOURNAMENT_2021,
            Adjustment((1,), (0,), "99"),
            [("points", "99"), ("sets", "99"), ("reason", "99"), ("rule", "")],
        ),
        (TOURNAMENT_2021, Adjustment((0, 0), (-1, 0), "", "by mistake"), [("sets", "")]),
        (TOURNAMENT_2021, Adjustment((0, 0), (2, 2), "", "both"), [("sets", "8")]),
        (replace(TOURNAMENT_2021, sets_consecutive=True), Adjustment((0, 0), (2, 2), "", "both"), [("sets", "8")]),
        (STANDARD, Adjustment((0, 0), (2, 2), "", "both"), []),
        (TOURNAMENT_2021, Time(), []),
        (TOURNAMENT_2021, AgreedStop(), []),
    ],
)
def test_entry_is_refused_with_every_fault(rules: Rules, entry: Entry, expected: list[tuple[str, str]]) -> None:
    assert refused(rules, entry) == expected


@pytest.mark.parametrize(
    ("rules", "entry", "expected"),
    [
        (TOURNAMENT_2021, hand("3", auction=("1", "2", "3")), []),
        (TOURNAMENT_2021, hand("3", auction=("1", "3-uptown")), [("auction", "27")]),
        (TOURNAMENT_2021, hand("3", auction=("1", "9")), [("auction", "24")]),
        (TOURNAMENT_2021, hand("3", auction=("3", "2")), [("auction", "27")]),
        (TOURNAMENT_2021, hand("3", auction=("pass",) * 4 + ("3",)), [("auction", "27")]),
        (TOURNAMENT_2021, hand("3", auction=("pass", "pass")), [("auction", "28")]),
        (TOURNAMENT_2021, hand("2-no", auction=("1", "3")), [("bid", "27")]),
        (TOURNAMENT_2021, hand("3", dealer=1, auction=("1", "3", "pass", "pass")), [("bidder", "27")]),
        (TOURNAMENT_2021, hand("3", dealer=0, auction=("1", "3", "pass", "pass"), seat=0), [("seat", "27")]),
        (TOURNAMENT_2021, hand("3", dealer=0, auction=("1", "3", "pass", "pass"), seat=2), []),
        (TOURNAMENT_2021, hand("3", dealer=1, auction=("1", "3")), []),
        (TOURNAMENT_2021, hand("3", dealer=1, auction=("1", "3"), seat=0), []),
        (TOURNAMENT_2021, hand("3", dealer=1, auction=("1", "3"), seat=2), [("seat", "27")]),
        (TOURNAMENT_2021, hand("3", dealer=2, auction=("1", "2", "3"), seat=0), [("seat", "27")]),
        (TOURNAMENT_2021, hand("3", dealer=3, auction=("pass", "3", "pass"), seat=2), []),
        (TOURNAMENT_2021, hand("3", dealer=2, auction=("pass", "3", "pass"), seat=2), [("seat", "27")]),
        (TOURNAMENT_2021, hand("1", dealer=0, auction=("1",), seat=0), [("auction", "28")]),
        (TOURNAMENT_2021, hand("2", dealer=0, auction=("2",), seat=0), []),
        (TOURNAMENT_2021, hand("1", dealer=2, auction=("1",), seat=0), []),
        (CARDS_52, hand("3", auction=("1", "3", "3")), []),
        (CARDS_52, hand("3", auction=("3", "pass", "3")), [("auction", "bw52.auction")]),
        (CARDS_52, hand("3", auction=("3", "2")), [("auction", "bw52.auction")]),
        (CARDS_52, hand("3", auction=("pass",) * 4), [("auction", "bw52.auction")]),
        (CARDS_52, hand("1", auction=("pass", "pass", "pass", "1")), []),
        (CARDS_52, hand("4-no", auction=("1", "4")), []),
        (CARDS_52, hand("4-no", auction=("1", "3")), [("bid", "bw52.auction")]),
        (BOSTON_PARR, hand("4", dealer=1, auction=("1", "2", "pass", "3", "4", "pass")), []),
        (BOSTON_PARR, hand("5", auction=("1", "2", "3", "4", *PASSES, "5")), [("auction", "bw.boston_parr")]),
        (BOSTON_PARR, hand("2", auction=("1", *PASSES, "2")), [("auction", "bw.boston_parr")]),
        (BOSTON_PARR, hand("3", auction=("1", "2", *PASSES, "3")), [("auction", "bw.boston_parr")]),
        (BOSTON_PARR, hand("1", dealer=3, auction=("1", *PASSES), seat=0), []),
        (BOSTON_PARR, hand("4", dealer=3, auction=("1", "pass", "2", "3", "pass", "4", "pass"), seat=2), []),
        (
            BOSTON_PARR,
            hand("4", dealer=3, auction=("1", "pass", "2", "3", "pass", "4", "pass"), seat=0),
            [("seat", "bw.boston_parr")],
        ),
        (BOSTON_PARR, hand("1", dealer=0, auction=(*PASSES, "1"), seat=0), []),
        (replace(TOURNAMENT_2021, lowest_bid=4), hand("4", auction=("pass", "pass", "pass", "4")), []),
        (replace(TOURNAMENT_2021, no_over_same=False), hand("4-no", auction=("4", "4-no")), [("auction", "27")]),
        (CINCINNATI, hand("1-no", auction=("1", "1-special", "1-no")), []),
    ],
)
def test_auction_is_checked_call_by_call(rules: Rules, entry: Entry, expected: list[tuple[str, str]]) -> None:
    assert refused(rules, entry) == expected


def test_bad_aces_are_offered_where_they_are_played() -> None:
    offered = {rules.book: len(directions(rules)) for rules in (TOURNAMENT_2021, STANDARD, BOSTON_PARR, CARDS_52)}
    assert list(offered.values()) == [2, 2, 0, 3]


def test_ladder_goes_from_the_lowest_bid_to_the_highest() -> None:
    assert [str(bid) for bid in ladder(CINCINNATI)][:7] == ["1", "1-special", "1-no", "2", "2-special", "2-no", "3"]
    assert [str(bid) for bid in ladder(STANDARD)][-3:] == ["7", "7-special", "7-no"]


def test_next_hand_of_a_new_game() -> None:
    bids = tuple(str(bid) for bid in ladder(TOURNAMENT_2021))
    due = next_hand(TOURNAMENT_2021, NOTHING_YET)
    assert (due.number, due.dealer, due.cards, due.note) == (1, 0, 13, "")
    assert [(field.key, field.of) for field in due.fields[:3]] == [(key, "bidder") for key in ("seat", "bid", "books")]
    assert values(due.fields[1]) == bids and values(due.fields[2]) == tuple(str(books) for books in range(14))
    assert [choice.made_from for choice in due.fields[1].offered()] == [bid.needs for bid in ladder(TOURNAMENT_2021)]


def test_the_deal_passes_to_the_left_with_every_hand_that_counts() -> None:
    carry, dealers = NOTHING_YET, []
    written = (hand("2", 8), Void("17"), hand("2", 8, bidder=1), Ruling("32", "play-on"), set_by_ruling(), Void("36"))
    for entry in written:
        dealers.append(next_hand(TOURNAMENT_2021, carry).dealer)
        carry = score_entry(TOURNAMENT_2021, carry, entry)[1]
    assert [*dealers, next_hand(TOURNAMENT_2021, carry).dealer] == [0, 1, 1, 2, 2, 3, 3]


def test_the_next_hand_is_one_more_than_those_that_count() -> None:
    assert [next_hand(TOURNAMENT_2021, NOTHING_YET._replace(hands=hands)).number for hands in range(4)] == [1, 2, 3, 4]


def set_by_ruling() -> Ruling:
    return Ruling("32", "set", side=1, bidder=0, bid="2")


def test_next_hand_with_a_kitty_and_a_level_clock() -> None:
    carry = NOTHING_YET._replace(hands=6, deals=6, deciding=True)
    asked = next_hand(replace(STANDARD, jokers=1), carry)
    assert (asked.number, asked.dealer, asked.cards) == (7, 2, 12)
    assert asked.note == "Tied when time ran out: this hand decides the game and scores nothing."


def test_level_at_the_losing_and_the_winning_score_after_an_adjustment_goes_on() -> None:
    for points in ((-5, -5), (6, 6)):
        _, carry = score_entry(TOURNAMENT_2021, NOTHING_YET, Adjustment(points, (), "", "both"))
        assert carry.verdict is None


@pytest.mark.parametrize(
    ("limit", "how", "words"),
    [(1, "sets", "One set"), (2, "two-sets", "Two sets"), (3, "sets", "Three sets"), (4, "sets", "4 sets")],
)
def test_sets_that_lose_the_game_are_counted_in_words(limit: int, how: str, words: str) -> None:
    rules, before = replace(TOURNAMENT_2021, set_limit=limit), BySide((limit - 1, 0))
    _, after = score_entry(rules, NOTHING_YET._replace(sets=before, sets_running=before, hands=3), hand("2", 7))
    assert after.verdict == Verdict(1, how, "8", f"{words} for {{side 0}}.")
