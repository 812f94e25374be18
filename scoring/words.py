"""Words that every game writes in the same way."""

from __future__ import annotations

from collections.abc import Iterable


def listed(items: Iterable[str]) -> str:
    """This function will join words as they are read out: “Aces”, “Aces and Books”, “Aces, Books and Eagles”."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
