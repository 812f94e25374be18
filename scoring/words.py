"""Words that every game writes in the same way, and the names that a sentence leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# A sentence names sides and players by marks: who they are, only the reader knows.
MARK = re.compile(r"\{(side|seat) (\d+)\}")
UNKNOWN = {"side": "side", "seat": "player"}


def listed(items: Iterable[str]) -> str:
    """Join words as they are read out: “Aces”, “Aces and Books”, “Aces, Books and Eagles”."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def side_name(side: int) -> str:
    """Return the mark for the name of a side."""
    return f"{{side {side}}}"


def seat_name(seat: int) -> str:
    """Return the mark for the name of the player in a seat."""
    return f"{{seat {seat}}}"


def named(text: str, sides: Sequence[str], seats: Sequence[str] = ()) -> str:
    """Put names where a sentence has marks; without a name it says “player 2”."""
    known = {"side": sides, "seat": seats}

    def name(mark: re.Match[str]) -> str:
        names, at = known[mark[1]], int(mark[2])
        return names[at] if at < len(names) else f"{UNKNOWN[mark[1]]} {at + 1}"

    return MARK.sub(name, text)


def signed(points: int) -> str:
    """Say points with their sign: “+3”, “−2”."""
    return f"+{points}" if points > 0 else number(points)


def number(value: int) -> str:
    """Write a number with a real minus sign."""
    return f"−{-value}" if value < 0 else str(value)


def bid_words(bid: str) -> str:
    """Say a bid as the table says it: 3-No, Double board, Rainbow + 1."""
    level, _, kind = bid.partition("-")
    if level.isdigit():
        return f"{level}-{kind.capitalize()}" if kind and kind != "straight" else level
    return bid.replace("-", " ").replace("+", " + ").capitalize()


def counted(value: int, noun: str) -> str:
    """Write a number with its noun: “1 game”, “4 games”."""
    return f"{number(value)} {noun}" if value in (1, -1) else f"{number(value)} {noun}s"
