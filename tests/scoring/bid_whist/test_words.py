"""The sentence of every line: what was bid, what was taken, and why it pays what it pays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.bid_whist.rules import HAWAII, RHODE_ISLAND, STANDARD, TOURNAMENT_2021, Rules
from scoring.bid_whist.score import score_entry
from scoring.bid_whist.sheet import Hand, parse_bid
from scoring.game import Ruling
from scoring.ledger import said, start

BOSTON = replace(STANDARD, boston_bid_is_game=True)
TELLING = replace(STANDARD, defenders_score="books-above-six")


def told(rules: Rules, entry: Any) -> list[tuple[int, int, str]]:
    lines, carry = score_entry(rules, start(2), entry)
    ending = [(said(carry.verdict.winner), 0, carry.verdict.text)] if carry.verdict else []
    return [(line.side, line.points, line.text) for line in lines] + ending


def hand(bid: str, books: int) -> Hand:
    return Hand(0, said(parse_bid(bid)), books)


def renege(side: int, books: int) -> Ruling:
    return Ruling("bw.renege", "renege", side=side, bidder=0, bid="4", books=books)


@pytest.mark.parametrize(
    ("rules", "entry", "expected"),
    [
        (TOURNAMENT_2021, hand("3", 9), [(0, 3, "3 bid, 9 books: 3 over six")]),
        (TOURNAMENT_2021, hand("3", 8), [(0, -3, "3 bid, 8 of 9 books: set")]),
        (replace(TOURNAMENT_2021, score_basis="bid"), hand("3", 11), [(0, 3, "3 bid, 11 books: made, the bid counts")]),
        (HAWAII, hand("4", 11), [(0, 1, "4 bid, 11 books: made, one point")]),
        (RHODE_ISLAND, hand("3", 10), [(0, 10, "3 bid and made: a point for each of 10 books")]),
        (
            BOSTON,
            hand("7", 13),
            [
                (0, 28, "7 bid and made: a Boston"),
                (0, 0, "all 13 books: a Boston"),
                (0, 0, "{side 0} made a bid of 7."),
            ],
        ),
        (
            TELLING,
            renege(0, 2),
            [
                (0, 0, "renege: 2 books of {side 0} count as 0"),
                (0, -4, "4 bid, 0 of 10 books: set"),
                (1, 7, "13 books against the bid"),
                (1, 0, "{side 1} reached 7."),
            ],
        ),
        (
            TELLING,
            renege(0, 3),
            [
                (0, 0, "renege: 3 books of {side 0} count as 0"),
                (0, -4, "4 bid, 0 of 10 books: set"),
                (1, 7, "13 books against the bid"),
                (1, 0, "{side 1} reached 7."),
            ],
        ),
        (
            TELLING,
            renege(1, 11),
            [
                (1, 0, "renege: 11 books of {side 0} count as 13"),
                (0, 7, "4 bid, 13 books: 7 over six"),
                (0, 0, "{side 0} reached 7."),
            ],
        ),
        (
            TELLING,
            renege(1, 8),
            [(1, 0, "renege: 8 books of {side 0} count as 11"), (0, 5, "4 bid, 11 books: 5 over six")],
        ),
    ],
)
def test_lines_say_what_was_bid_and_taken(rules: Rules, entry: Any, expected: list[tuple[int, int, str]]) -> None:
    assert told(rules, entry) == expected


def test_a_boston_bid_that_is_set_gives_the_game_away() -> None:
    assert told(BOSTON, hand("7", 12))[-1] == (1, 0, "{side 0} set on a bid of 7.")
