"""The vocabulary that all games share: sides, lines with a rule and a sentence, problems, verdicts, and the fold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple, TypeVar, cast, get_args

# How and why a game ended, and by which rule.


class Verdict(NamedTuple):
    """The end of a game. `winner` is a side, or None if nobody won; `how` is one word of the game's RULES.md."""

    winner: int | None
    how: str
    rule: str
    text: str


# Words that all games write alike, and the marks that stand for names in their sentences.

# Sentences have marks instead of names, because only the page that shows them knows the names.
MARK = re.compile(r"\{(side|seat) (\d+)\}")
UNKNOWN = {"side": "side", "seat": "player"}
# A sentence that ends with a name like “Deb W.” has a period of its own.
TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")


def listed(items: Iterable[str]) -> str:
    """Join words as a list: “Aces”, “Aces and Books”, “Aces, Books and Eagles”."""
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last


def side_name(side: int) -> str:
    """Return the mark for the name of a side."""
    return f"{{side {side}}}"


def seat_name(seat: int) -> str:
    """Return the mark for the name of the player in a seat."""
    return f"{{seat {seat}}}"


def named(text: str, sides: Sequence[str], seats: Sequence[str] = ()) -> str:
    """Replace the marks of a sentence with names; a mark without a name becomes “player 2”."""
    everybody = {"side": sides, "seat": seats}

    def name(mark: re.Match[str]) -> str:
        names, index = everybody[mark[1]], int(mark[2])
        return names[index] if index < len(names) else f"{UNKNOWN[mark[1]]} {index + 1}"

    return one_stop(MARK.sub(name, text))


def one_stop(text: str) -> str:
    """Leave one period if a sentence ends with a name that has its own."""
    return TWO_STOPS.sub(".", text)


def hyphenated(words: str) -> str:
    """Write words as keys are written: “Blind Nil”, “blind_nil” and “blind-nil” become the same."""
    return words.strip().lower().replace(" ", "-").replace("_", "-")


def signed(points: int) -> str:
    """Write points with their sign: “+3”, “−2”."""
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


# The vocabulary that every game shares: one value per side, explained points, and the fold.
#
# A game is the fold of its entries. Each entry yields lines (points with their reason) and a new carry (what later
# entries need to know). Nothing is subtracted afterwards: a correction is a new fold.

T = TypeVar("T")
Work = TypeVar("Work", bound=Callable[..., Any])


class BySide(tuple[T, ...]):
    """One value per side, in seat order: scores, sets, bags and other counts of a game."""

    __slots__ = ()

    @classmethod
    def each(cls, sides: int, value: T) -> BySide[T]:
        """Give each of `sides` sides the same value."""
        return cls((value,) * sides)

    def put(self, side: int, value: T) -> BySide[T]:
        """Return a copy in which `side` has `value`; raise IndexError if there is no such side."""
        values = list(self)
        values[side] = value
        return BySide(values)


# What a line is about. Programs look at this and never at the sentence:
# bid: what a bid won or lost · doubled: the same amount again, for a No · defenders: books taken against the bid ·
# tricks: tricks of a side that bid nothing · nil, rainbow: what is scored besides the bid · bags: the charge for bags ·
# bonus: points for winning the game · boston: all the tricks, noted · ruling: the penalty for a broken rule ·
# award: the game was awarded · adjustment: points by the director · rubber: the score between two games of a rubber.
Kind = Literal[
    "bid", "doubled", "defenders", "tricks", "nil", "rainbow", "bags", "bonus", "boston", "ruling", "award",
    "adjustment", "rubber",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)


class Line(NamedTuple):
    """Points for one side under one rule. `points` may be 0 if the line only explains a change.

    `text` is for people; `kind` is for programs. `short` is a shorter text for places that already show bid and tricks.
    """

    rule: str
    side: int
    points: int
    text: str
    kind: Kind
    short: str = ""

    @property
    def brief(self) -> str:
        """Return the short text if there is one: enough if bid and books are shown beside it."""
        return self.short or self.text

    def name(self, sides: Sequence[str], seats: Sequence[str] = ()) -> Line:
        """Return the line with names instead of marks in its sentences."""
        return self._replace(text=named(self.text, sides, seats), short=named(self.short, sides, seats))


class Carry(NamedTuple):
    """The facts that the next entry needs.

    `scores` is always the sum of all lines (plus the opening of a game continued from paper). `hands` counts scored
    hands; `deals` counts how often the deal passed on, which some games also do after a thrown-in hand. `reneges`
    counts the reneges that were ruled on.
    """

    scores: BySide[int]
    sets: BySide[int]
    sets_running: BySide[int]
    bags: BySide[int]
    bostons: BySide[int]
    games: BySide[int]
    reneges: BySide[int]
    hands: int = 0
    deals: int = 0
    deciding: bool = False
    verdict: Verdict | None = None


# What became of a side’s bid in a hand: made · set (a set is charged) · lost (a nil or a rainbow failed, and the side
# made the rest of its bid or had no other) · empty if the side bid nothing.
Word = Literal["made", "set", "lost", ""]


class HandResult(NamedTuple):
    """The result of a hand: a word for each side. `note` is a remark about the whole hand; it cites `rule`."""

    words: BySide[Word]
    note: str = ""
    rule: str = ""


def start(sides: int) -> Carry:
    """Return the carry of a game that has not started."""
    zero = BySide.each(sides, 0)
    return Carry(zero, zero, zero, zero, zero, zero, zero)


def earn(carry: Carry, lines: Iterable[Line]) -> Carry:
    """Add the points of `lines` to the scores of the carry, and change nothing else."""
    scores = list(carry.scores)
    for line in lines:
        scores[line.side] += line.points
    return carry._replace(scores=BySide(scores))


def required(value: T | None) -> T:
    """Return a value that every entry without problems has; raise ValueError for None."""
    if value is None:
        raise ValueError("an entry with problems cannot be scored")
    return value


# A fault in an entry: the field, the rule, and a sentence for the person who typed it.

LONGEST = 40


class Problem(NamedTuple):
    """Why something cannot be scored. `entry` counts from 0 and is None for a fault of the document itself."""

    field: str
    rule: str
    text: str
    entry: int | None = None

    def of(self, entry: int) -> Problem:
        """Return the problem with this entry, unless it already names one, as a ruling about a hand does."""
        return self if self.entry is not None else self._replace(entry=entry)


def quoted(value: Any) -> str:
    """Quote a value that cannot be read, as the document has it: “text”, 3, null, [1, 2]."""
    if isinstance(value, str):
        return f"“{value}”"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


class CannotScore(ValueError):
    """A document cannot be scored; `problems` says why."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        """Take the problems; the error’s own text lists them all."""
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


def cached_on_rules(work_out: Work) -> Work:
    """Cache a function that depends on the rules alone. The answers are kept on the rules object, as long as it lives.

    Equal rules that are different objects do not share answers.
    """
    name = f"_{work_out.__module__}.{work_out.__name__}"

    @wraps(work_out)
    def answer(rules: Any, *details: Any) -> Any:
        answers: dict[Any, Any] = rules.__dict__.setdefault(name, {})
        if details not in answers:
            answers[details] = work_out(rules, *details)
        return answers[details]

    return cast("Work", answer)
