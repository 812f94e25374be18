"""One hand with its reasons, for whoever sees the site for the first time: scored by the program like every other."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tournament.phrases import signed
from tournament.queries.practice import Practice, practice_game
from tournament.queries.preview import effect_of_hand
from tournament.queries.sheet import game_sheet

# Two hands and a misdeal; then Cal, who sits second, bids.
BEFORE = (
    {"entry": "hand", "seat": 1, "bid": "2-special", "books": 8},
    {"entry": "hand", "seat": 0, "bid": "3", "books": 9},
    {"entry": "void", "rule": "17"},
)
HAND = {"entry": "hand", "seat": 1, "bid": "3-no", "books": 9}


class Example(NamedTuple):
    """A hand: its line on the sheet, what it gave to whom, and why."""

    title: str
    side: str
    points: str
    why: tuple[str, ...]


@cache
def example() -> Example:
    """The last hand of a game."""
    practice = Practice(dealer=0, entries=BEFORE)
    effect = effect_of_hand(practice_game(practice), HAND)
    sheet = game_sheet(practice_game(practice.with_entry(HAND)))
    row = sheet.rows[-1]
    told = row.written
    title = f"Hand {row.number} · {told.who_name} bid {told.bid} and took {told.took} {sheet.word}"
    return Example(title, sheet.sides[told.who].name, signed(row.deltas[told.who]), effect.lines)
