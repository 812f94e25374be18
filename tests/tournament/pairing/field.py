"""Entrants and what the tests ask of any draw."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.pairing.draw import Draw, Entrant, History
from tournament.pairing.plan import pairs_of


def entrants(size: int) -> list[Entrant]:
    return [Entrant(number) for number in range(1, size + 1)]


def history(draws: Sequence[Draw]) -> History:
    past = History()
    for draw in draws:
        past = past.after(draw)
    return past


def seated(draw: Draw) -> list[int]:
    return sorted([*(team for table in draw.tables for team in table), *draw.byes])


def rematches(draws: Sequence[Draw], before: History = History()) -> int:  # noqa: B008 - a frozen value
    met = set(before.meetings())
    again = 0
    for draw in draws:
        pairs = {pair for table in draw.tables for pair in pairs_of(table)}
        again += len(pairs & met)
        met |= pairs
    return again


def most_byes(draws: Sequence[Draw]) -> int:
    byes = [team for draw in draws for team in draw.byes]
    return max((byes.count(team) for team in byes), default=0)


def said(draw: Draw) -> tuple[str, ...]:
    """What the director reads of it."""
    return tuple(map(str, draw.notes))
