"""The sentences of the lines in the games where everybody bids: the bid, the tricks, and what they came to."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.document import print_score


def told(sheet: str, sides: int, *hands: dict[str, Any]) -> list[tuple[int, int, str]]:
    entries = [{"entry": "hand", **hand} for hand in hands]
    printed = print_score({"sheet": sheet, "sides": list("ABCD"[:sides]), "entries": entries})
    assert printed["problems"] == []
    return [(line["side"], line["points"], line["text"]) for one in printed["entries"] for line in one["lines"]]


@pytest.mark.parametrize(
    ("sheet", "sides", "hands", "expected"),
    [
        (
            "spades/standard",
            2,
            [
                {"bids": ["4", "nil", "3", "3"], "tricks": [5, 1, 3, 4]},
                {"bids": ["4", "3", "3", "2"], "tricks": [4, 3, 3, 3]},
            ],
            [
                (0, 71, "7 bid, 8 tricks: made, 1 bag"),
                (1, 31, "3 bid, 4 tricks without the nil’s 1: made, 1 bag"),
                (1, -99, "nil failed: 1 trick, which is 1 bag and does not help the partner’s 3"),
                (0, 70, "7 bid, 7 tricks: made"),
                (1, 51, "5 bid, 6 tricks: made, 1 bag"),
            ],
        ),
        (
            "spades/standard",
            2,
            [{"bids": ["2", "nil", "2", "3"], "tricks": [2, 2, 2, 7]}],
            [
                (0, 40, "4 bid, 4 tricks: made"),
                (1, 34, "3 bid, 7 tricks without the nil’s 2: made, 4 bags"),
                (1, -98, "nil failed: 2 tricks, which are 2 bags and do not help the partner’s 3"),
            ],
        ),
        (
            "spades/new-york",
            2,
            [{"bids": [], "tricks": [6, 7]}, {"bids": ["6", "5"], "tricks": [8, 5]}],
            [
                (0, 60, "first hand, not bid: 6 tricks"),
                (1, 70, "first hand, not bid: 7 tricks"),
                (0, 60, "6 bid, 8 tricks: made, 2 over"),
                (1, 50, "5 bid, 5 tricks: made"),
            ],
        ),
        (
            "back_alley/partnership",
            2,
            [
                {"cards": 13, "bids": ["4", "pass", "2", "3"], "tricks": [4, 1, 3, 5]},
                {"cards": 12, "bids": ["board", "pass", "2", "double-board"], "tricks": [12, 0, 0, 0]},
            ],
            [
                (0, 31, "6 bid, 7 tricks: made, 1 over"),
                (1, 18, "3 bid, 6 tricks: made, 3 over"),
                (0, 120, "board with 12 cards: won"),
                (1, -240, "double board with 12 cards: lost"),
            ],
        ),
        (
            "back_alley/individual",
            4,
            [
                {"cards": 13, "bids": ["4", "pass", "2", "3"], "tricks": [4, 1, 3, 5]},
                {"cards": 12, "bids": ["board", "pass", "2", "3"], "tricks": [11, 1, 0, 0]},
            ],
            [
                (0, 12, "4 bid, 4 tricks: made"),
                (1, 1, "no bid, 1 trick"),
                (2, 7, "2 bid, 3 tricks: made, 1 over"),
                (3, 11, "3 bid, 5 tricks: made, 2 over"),
                (0, -72, "board with 12 cards: lost"),
                (1, 1, "no bid, 1 trick"),
                (2, -6, "2 bid, 0 tricks: set"),
                (3, -9, "3 bid, 0 tricks: set"),
            ],
        ),
    ],
)
def test_lines_say_what_was_bid_and_taken(
    sheet: str, sides: int, hands: list[dict[str, Any]], expected: list[tuple[int, int, str]]
) -> None:
    assert told(sheet, sides, *hands) == expected
