"""The vocabulary that every game shares: one value per side, explained points, and the fold.

A game is the fold of its entries. Each entry yields lines (points with their reason) and a new carry
(what later entries need to know). Nothing is ever subtracted again: a correction is a new fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from scoring.verdict import Verdict

T = TypeVar("T")
EntryT = TypeVar("EntryT")


class BySide(tuple[T, ...]):
    """One value per side, in seat order. This class will stand for every score, set and bag count of a game."""

    __slots__ = ()

    @classmethod
    def each(cls, sides: int, value: T) -> BySide[T]:
        """This function will give every one of `sides` sides the same value."""
        return cls((value,) * sides)

    def put(self, side: int, value: T) -> BySide[T]:
        """This function will return a copy in which `side` has `value`; a side that is not there raises IndexError."""
        self[side]
        return BySide(value if index == side else old for index, old in enumerate(self))


class Line(NamedTuple):
    """Points for one side under one rule. `points` may be 0 where the line explains a change of state."""

    rule: str
    side: int
    points: int
    text: str


class Carry(NamedTuple):
    """What the next entry needs to know, held as facts.

    `scores` is always the sum of all lines (plus the opening of a game carried on from paper). `hands` counts
    scored hands, `deals` counts every time the deal passed on, thrown-in hands included where the game says so.
    """

    scores: BySide[int]
    sets: BySide[int]
    sets_running: BySide[int]
    bags: BySide[int]
    bostons: BySide[int]
    games: BySide[int]
    hands: int = 0
    deals: int = 0
    deciding: bool = False
    verdict: Verdict | None = None


def start(sides: int) -> Carry:
    """This function will give the carry of a game in which nothing has happened yet."""
    nought = BySide.each(sides, 0)
    return Carry(nought, nought, nought, nought, nought, nought)


def earn(carry: Carry, lines: Iterable[Line]) -> Carry:
    """This function will add the points of `lines` to the scores of the carry and change nothing else."""
    scores = list(carry.scores)
    for line in lines:
        scores[line.side] += line.points
    return carry._replace(scores=BySide(scores))


class Step(NamedTuple, Generic[EntryT]):
    """One entry with the lines it earned and the carry after it."""

    entry: EntryT
    lines: tuple[Line, ...]
    carry: Carry


def fold(
    score_entry: Callable[[Carry, EntryT], tuple[tuple[Line, ...], Carry]],
    carry: Carry,
    entries: Iterable[EntryT],
) -> tuple[Step[EntryT], ...]:
    """This function will score the entries one after another, each on the carry that the one before left."""
    steps = []
    for entry in entries:
        lines, carry = score_entry(carry, entry)
        steps.append(Step(entry, lines, carry))
    return tuple(steps)


def said(value: T | None) -> T:
    """This function will return what an entry without problems must have said; None raises ValueError."""
    if value is None:
        raise ValueError("an entry with problems cannot be scored")
    return value
