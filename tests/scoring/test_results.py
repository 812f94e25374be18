"""Made, set or lost: one word a side and hand, said by scoring for every game."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import read_document, score_document
from scoring.ledger import KINDS


def results(
    sheet: str, *entries: dict[str, Any], sides: int = 2, opening: Any = None, options: Any = None
) -> tuple[tuple[str, ...], str, str]:
    """The result of the last of some entries."""
    document = read_document(
        {
            "sheet": sheet,
            "sides": list("ABCD"[:sides]),
            "options": options or {},
            "opening": opening,
            "entries": list(entries),
        }
    )
    card = score_document(document)
    carry = card.steps[-2].carry if len(card.steps) > 1 else document.carry
    found = document.game.result(document.rules, carry, card.steps[-1].entry)
    assert {line.kind for step in card.steps for line in step.lines} <= set(KINDS)
    return tuple(found.words), found.note, found.rule


def hand(**facts: Any) -> dict[str, Any]:
    return {"entry": "hand", **facts}


@pytest.mark.parametrize(
    ("sheet", "entry", "words"),
    [
        ("bid_whist/no-kitty-2021", hand(bidder=1, bid="3", books=9), ("", "made")),
        ("bid_whist/no-kitty-2021", hand(bidder=0, bid="3-no", books=8), ("set", "")),
        ("bid_whist/52-card", hand(bidder=0, bid="5", books=6), ("set", "")),
        (
            "bid_whist/no-kitty-2021",
            {"entry": "ruling", "rule": "32", "side": 0, "choice": "set", "bidder": 1, "bid": "2"},
            ("set", ""),
        ),
        (
            "bid_whist/no-kitty-2021",
            {"entry": "ruling", "rule": "35", "side": 1, "choice": "take-points", "bidder": 0, "bid": "2"},
            ("made", ""),
        ),
        (
            "bid_whist/standard",
            {
                "entry": "ruling",
                "rule": "bw.renege",
                "choice": "renege",
                "side": 0,
                "bidder": 0,
                "bid": "4",
                "books": 10,
            },
            ("set", ""),
        ),
        (
            "bid_whist/standard",
            {
                "entry": "ruling",
                "rule": "bw.renege",
                "choice": "renege",
                "side": 1,
                "bidder": 0,
                "bid": "4",
                "books": 8,
            },
            ("made", ""),
        ),
        ("bid_whist/no-kitty-2021", {"entry": "ruling", "rule": "41", "side": 1, "choice": "game"}, ("", "")),
        ("bid_whist/no-kitty-2021", {"entry": "void", "rule": "17"}, ("", "")),
        ("spades/standard", hand(bids=["4", "3", "3", "2"], tricks=[4, 3, 2, 4]), ("set", "made")),
        ("spades/standard", hand(bids=["nil", "4", "4", "3"], tricks=[0, 4, 5, 4]), ("made", "made")),
        ("spades/standard", hand(bids=["nil", "4", "4", "3"], tricks=[2, 4, 4, 3]), ("lost", "made")),
        ("spades/standard", hand(bids=["nil", "4", "4", "3"], tricks=[2, 4, 3, 4]), ("set", "made")),
        ("spades/standard", hand(bids=["nil", "4", "nil", "3"], tricks=[1, 4, 0, 8]), ("lost", "made")),
        ("spades/standard", {"entry": "void", "rule": "misdeal"}, ("", "")),
        ("spades/new-york", hand(bids=[], tricks=[6, 7]), ("", "")),
        ("okinawa/standard", hand(bids=["2", "pass", "1", "pass"], tricks=[3, 2]), ("made", "")),
        ("okinawa/standard", hand(bids=["okinawa", "1", "pass", "2"], tricks=[4, 1]), ("set", "set")),
        ("okinawa/standard", {"entry": "void", "rule": "misdeal"}, ("", "")),
        ("back_alley/partnership", hand(cards=13, bids=["4", "pass", "2", "pass"], tricks=[7, 6]), ("made", "")),
        ("back_alley/partnership", hand(cards=13, bids=["4", "board", "2", "pass"], tricks=[7, 6]), ("made", "set")),
        (
            "back_alley/high-two",
            hand(cards=1, bids=["1", "board", "pass", "pass"], tricks=[0, 0, 1, 0]),
            ("set", "set"),
        ),
        ("back_alley/partnership", {"entry": "void", "rule": "misdeal"}, ("", "")),
    ],
)
def test_a_side_made_or_set_its_bid_or_bid_nothing(sheet: str, entry: dict[str, Any], words: tuple[str, ...]) -> None:
    assert results(sheet, entry) == (words, "", "")


def test_a_side_that_pays_for_its_bags_made_its_bid() -> None:
    entry = hand(bids=["1", "4", "1", "3"], tricks=[4, 4, 2, 3])
    opening = {"scores": [100, 100], "bags": [8, 0], "hands": 3}
    assert results("spades/standard", entry, opening=opening) == (("made", "made"), "", "")


def test_a_rainbow_that_fails_is_lost_and_no_set() -> None:
    entry = hand(cards=4, bids=["rainbow", "1", "pass", "pass"], tricks=[0, 1, 2, 1])
    given: dict[str, Any] = {"options": {"rainbow4": True}, "opening": {"scores": [1, 0], "hands": 9}}
    assert results("back_alley/partnership", entry, **given) == (("lost", "made"), "", "")


def test_a_side_that_passed_blind_bid_nothing() -> None:
    entry = hand(cards=7, bids=["pass", "2", "pass", "2"], tricks=[3, 4])
    given: dict[str, Any] = {"options": {"blind": True}, "opening": {"scores": [1, 0], "hands": 6}}
    assert results("back_alley/partnership", entry, **given) == (("", "made"), "", "")


@pytest.mark.parametrize(
    ("sheet", "sides", "cards", "note", "rule"),
    [
        (
            "back_alley/partnership",
            2,
            13,
            "all passed: thrown in, the next player deals 13 cards",
            "ba.partnership.allpass",
        ),
        (
            "back_alley/individual",
            4,
            13,
            "all passed: thrown in, the same player deals again: 13 cards",
            "ba.individual",
        ),
        ("okinawa/standard", 2, 5, "all passed: thrown in, the next player deals 5 cards", "all-pass"),
    ],
)
def test_a_hand_that_all_passed_says_who_deals_again(sheet: str, sides: int, cards: int, note: str, rule: str) -> None:
    entry = hand(cards=cards, bids=["pass"] * 4)
    assert results(sheet, entry, sides=sides) == (("",) * sides, note, rule)
