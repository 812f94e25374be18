"""What can stand on any game's sheet beside the hands: voids, rulings, awards, adjustments, the clock, a stop.

Who decided, and when, may be written with a ruling, an award and an adjustment; it changes no points.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Void:
    """A hand that does not count. `rule` says why; the game says whether the same player deals again."""

    rule: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A director's ruling. `side` broke the rule; `bidder` and `bid` say what was being played, where it matters."""

    rule: str
    choice: str
    side: int | None = None
    bidder: int | None = None
    bid: str = ""
    books: int | None = None
    reason: str = ""
    director: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Award:
    """The game given to a side under a rule. `to` is None where no side wins; `named` is the field that said it."""

    rule: str
    to: int | None
    reason: str = ""
    director: str = ""
    time: str = ""
    named: str = field(default="to", compare=False)


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points (and sets) given or taken by the director, one number per side, with a written reason."""

    points: tuple[int, ...]
    sets: tuple[int, ...] = ()
    rule: str = ""
    reason: str = ""
    director: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Time:
    """The clock ended the game: the leader wins; tied, one more hand decides and scores nothing."""


@dataclass(frozen=True, slots=True)
class AgreedStop:
    """All players agreed to stop: the leader wins; tied, nobody does."""


Decision = Void | Ruling | Award | Adjustment | Time | AgreedStop
