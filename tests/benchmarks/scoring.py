"""How fast a game is scored: `python -m tests.benchmarks scoring`.

Two figures: one fold of a 12-hand game with its explanations (goal: 0.5 ms or less), and hands a minute through the
document reader, from JSON text to printed score (goal: 100,000 on one core). Each is the median of seven runs.
"""

from __future__ import annotations

import json
from typing import Any

from scoring.document import Document, print_score, read_document, score_document
from scoring.fields import parse_json
from scoring.ledger import Carry
from tests.benchmarks.hall import machine, seconds

RUNS = 7
# Twelve hands that do not end a game: made, set and doubled by turns.
HANDS = (("3", 9), ("2", 7), ("1-no", 8), ("2", 8)) * 3
DOCUMENT: dict[str, Any] = {
    "sheet": "bid_whist/no-kitty-2021",
    "options": {"win_at": 100, "set_limit": "none", "lose_at": -100},
    "sides": ["Aces", "Books"],
    "entries": [
        {"entry": "hand", "bidder": turn % 2, "bid": bid, "books": books} for turn, (bid, books) in enumerate(HANDS)
    ],
}


def main() -> int:
    document = read_document(DOCUMENT)
    text = json.dumps(DOCUMENT)
    assert print_score(DOCUMENT)["problems"] == []
    assert score_document(document).carry.hands == len(HANDS)
    fold = seconds(lambda: fold_of(document), RUNS, 200)
    checked = seconds(lambda: score_document(document), RUNS, 200)
    whole = seconds(lambda: json.dumps(print_score(parse_json(text))), RUNS, 200)
    print(f"machine: {machine()}; median of {RUNS}")
    print(f"fold of {len(HANDS)} hands with explanations: {fold * 1000:.3f} ms (goal 0.5)")
    print(f"the same with every entry checked first: {checked * 1000:.3f} ms")
    print(f"hands a minute through the document reader: {60 / whole * len(HANDS):,.0f} (goal 100,000)")
    return 0 if fold <= 0.0005 and 60 / whole * len(HANDS) >= 100_000 else 1


def fold_of(document: Document) -> Carry:
    carry = document.carry
    for entry in document.entries:
        _, carry = document.game.score_entry(document.rules, carry, entry)
    return carry
