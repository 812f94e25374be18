"""The vocabulary that every game shares: one value per side, explained points, and the fold.

A game is the fold of its entries. Each entry yields lines (points with their reason) and a new carry
(what later entries need to know). Nothing is ever subtracted again: a correction is a new fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar, get_args

from scoring.verdict import Verdict
from scoring.words import named

T = TypeVar("T")


class BySide(tuple[T, ...]):
    """One value per side, in seat order. This class will stand for every score, set and bag count of a game."""

    __slots__ = ()

    @classmethod
    def each(cls, sides: int, value: T) -> BySide[T]:
        """Give every one of `sides` sides the same value."""
        return cls((value,) * sides)

    def put(self, side: int, value: T) -> BySide[T]:
        """Return a copy in which `side` has `value`; a side that is not there raises IndexError."""
        values = list(self)
        values[side] = value
        return BySide(values)


# What a line is about. Whoever has to know looks at this, and never at the sentence:
# bid: what a bid won or lost · doubled: the same once more, for a No · defenders: books taken against the bid ·
# tricks: tricks of a side that bid nothing · nil, rainbow: what stands beside the bid · bags: the charge for them ·
# bonus: added for winning the game · boston: all the tricks, noted · ruling: the price of a breach ·
# award: the game given · adjustment: points by the director · rubber: the score between two games of one.
Kind = Literal[
    "bid", "doubled", "defenders", "tricks", "nil", "rainbow", "bags", "bonus", "boston", "ruling", "award",
    "adjustment", "rubber",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)


class Line(NamedTuple):
    """Points for one side under one rule. `points` may be 0 where the line explains a change of state.

    `text` is for people; `kind` is for programs. `brief` is the text where the bid and what was taken stand beside it.
    """

    rule: str
    side: int
    points: int
    text: str
    kind: Kind
    short: str = ""

    @property
    def brief(self) -> str:
        """Say why, where the bid and the books can be read beside it."""
        return self.short or self.text

    def name(self, sides: Sequence[str], seats: Sequence[str] = ()) -> Line:
        """Return the line with the names of sides and players in its sentences."""
        return self._replace(text=named(self.text, sides, seats), short=named(self.short, sides, seats))

    @property
    def beside_the_hand(self) -> bool:
        """Whether it comes from more than the hand itself: the end of a game, full bags, a decision."""
        return self.kind in ("bonus", "bags", "rubber", "boston")


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


# What became of a side's bid in a hand: made · set (a set is charged) · lost (what it bid was made, but a nil or a
# rainbow beside it failed, or nothing else was bid) · nothing, where the side bid nothing.
Word = Literal["made", "set", "lost", ""]


class HandResult(NamedTuple):
    """What a hand came to: a word for every side. `note` says what no side's line can say, by the clause `rule`."""

    words: BySide[Word]
    note: str = ""
    rule: str = ""


def start(sides: int) -> Carry:
    """Return the carry of a game in which nothing has happened yet."""
    zero = BySide.each(sides, 0)
    return Carry(zero, zero, zero, zero, zero, zero)


def earn(carry: Carry, lines: Iterable[Line]) -> Carry:
    """Add the points of `lines` to the scores of the carry and change nothing else."""
    scores = list(carry.scores)
    for line in lines:
        scores[line.side] += line.points
    return carry._replace(scores=BySide(scores))


def said(value: T | None) -> T:
    """Return what an entry without problems must have said; None raises ValueError."""
    if value is None:
        raise ValueError("an entry with problems cannot be scored")
    return value
