"""When an event will be done, told from how its rounds have gone so far.

A module of its own beside `clocks.py`: that one is about the round in play, and nothing in it depends on other rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from math import ceil, floor
from statistics import median
from typing import NamedTuple

# The forecast itself: plain facts in, times out. Nothing here asks the database.

NO_TIME = timedelta()
STEP = timedelta(minutes=5)
# What is assumed before anything was seen: the break between two rounds, and the time of a hand.
USUAL_GAP, USUAL_HAND = timedelta(minutes=5), timedelta(minutes=3)
# A table that had to wait for the director is no slower than this, and one that types from paper no faster.
SHORTEST_HAND, LONGEST_HAND = timedelta(minutes=1), timedelta(minutes=10)
# A longer break is a meal or a night; it will not come again before every round.
LONGEST_GAP = timedelta(hours=1)
# A shorter round was typed in afterwards, a longer one was left open. Neither shows how fast the hall plays.
SHORTEST_ROUND, LONGEST_ROUND = timedelta(minutes=5), timedelta(hours=3)
# One or two rounds seldom show how short and how long a round can be: what they show is widened by this part of it.
FEW_ROUNDS = {1: 1 / 3, 2: 1 / 4}
# Nothing is told further ahead: there is a night in between, and a clock shows the same time twice.
FURTHEST = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that has started; `closed` is None while it is in play, `paused` is how long its clock was stopped.

    `pace` is how long its games are beside those of the qualifying rounds: 1.17 where they go to 350 points instead of
    300. A round that does not `count` is no measure for others, as one in which a single table breaks a tie.
    """

    started: datetime
    closed: datetime | None = None
    paused: timedelta = NO_TIME
    pace: float = 1
    counts: bool = True


class ToCome(NamedTuple):
    """Rounds of one kind that have not started: at least and at most so many, each with this pace."""

    least: int
    most: int
    pace: float = 1


@dataclass(frozen=True, slots=True)
class ForecastFacts:
    """What a forecast is made from. `rounds` are those that have started, in that order.

    `hand` is how long the slowest table that still plays takes for a hand, None if every table is done. `sheet_length`
    is the length of a round by a sheet that sets a time: its minutes and a hand. Of the round in play, `added` is what
    the director added to that time, `up_at` when the time is up that was set for this round alone.
    """

    now: datetime
    rounds: tuple[RoundFacts, ...]
    to_come: tuple[ToCome, ...]
    hand: timedelta | None = USUAL_HAND
    sheet_length: timedelta | None = None
    added: timedelta = NO_TIME
    up_at: datetime | None = None

    @property
    def in_play(self) -> RoundFacts | None:
        return next((round_ for round_ in reversed(self.rounds) if round_.closed is None), None)


@dataclass(frozen=True, slots=True)
class Forecast:
    """When it will be over, in steps of five minutes: `early` and `late` at the shortest and longest pace seen.

    `told` is the end at the usual pace. While the number of rounds is open, it is that of the fewest of them, and
    `told_latest` that of the most.
    """

    early: datetime
    told: datetime
    told_latest: datetime
    late: datetime


class _Pace(NamedTuple):
    """The length of a round, and of the break before it."""

    length: timedelta
    gap: timedelta


def forecast(facts: ForecastFacts) -> Forecast | None:
    """When the last round will be over; None where nothing can be told.

    Nothing is told before a round has been closed (unless the sheet sets a time), and where the evening stands still:
    a round in play that was left open, a break that became a night. So a time that is told is never a wild guess.
    """
    lengths, gaps = list(_lengths(facts.rounds)), list(_gaps(facts.rounds)) or [USUAL_GAP]
    few = FEW_ROUNDS.get(len(lengths), 0)
    if facts.sheet_length is not None:
        # The clock, and not the cards, says how long a round is.
        lengths, few = lengths or [facts.sheet_length], 0
    if not lengths or not facts.rounds or _stands_still(facts):
        return None
    fewest = [(part.least, part.pace) for part in facts.to_come]
    most = [(part.most, part.pace) for part in facts.to_come]
    usual = _Pace(_median(lengths), _median(gaps))
    told, told_latest = _end(facts, usual, fewest), _end(facts, usual, most)
    if told_latest - facts.now > FURTHEST:
        return None
    early = _end(facts, _Pace(min(lengths) * (1 - few), min(gaps) * (1 - few)), fewest)
    late = _end(facts, _Pace(max(lengths) * (1 + few), max(gaps) * (1 + few)), most)
    return Forecast(
        early=_in_steps(early, _down, facts.now),
        told=_in_steps(told, _nearest, facts.now),
        told_latest=_in_steps(told_latest, _nearest, facts.now),
        late=_in_steps(late, _up, facts.now),
    )


def hand_time(state: str, begun_at: datetime | None, last_entry_at: datetime | None, hands: int) -> timedelta | None:
    """How long a hand takes at a table, None if it plays no more."""
    if state not in ("planned", "playing"):
        return None
    if begun_at is None or last_entry_at is None or not hands:
        return USUAL_HAND
    return min(max((last_entry_at - begun_at) / hands, SHORTEST_HAND), LONGEST_HAND)


def slowest(hands: Iterable[timedelta | None]) -> timedelta | None:
    """The longest of the hands that are still played."""
    return max([hand for hand in hands if hand is not None], default=None)


def _lengths(rounds: Sequence[RoundFacts]) -> Iterator[timedelta]:
    """How long the closed rounds took, as if each had been a qualifying round."""
    for round_ in rounds:
        if round_.closed is None or not round_.counts:
            continue
        length = round_.closed - round_.started - round_.paused
        if SHORTEST_ROUND <= length <= LONGEST_ROUND:
            yield length / round_.pace


def _gaps(rounds: Sequence[RoundFacts]) -> Iterator[timedelta]:
    """How long the breaks between two rounds were."""
    for before, after in pairwise(rounds):
        if before.closed is not None and NO_TIME <= after.started - before.closed <= LONGEST_GAP:
            yield after.started - before.closed


def _stands_still(facts: ForecastFacts) -> bool:
    """Whether nobody can know when it goes on, or whether there is nothing left to wait for."""
    if (round_ := facts.in_play) is not None:
        return facts.now - round_.started - round_.paused > LONGEST_ROUND
    last = max(round_.closed for round_ in facts.rounds if round_.closed is not None)
    return facts.now - last > LONGEST_ROUND or not any(part.most for part in facts.to_come)


def _end(facts: ForecastFacts, pace: _Pace, to_come: Sequence[tuple[int, float]]) -> datetime:
    """When the last round is over at one pace."""
    left = NO_TIME
    for count, factor in to_come:
        left += count * (pace.gap + pace.length * factor)
    if facts.in_play is not None:
        return _end_of_round(facts, facts.in_play, pace.length) + left
    last = max(round_.closed for round_ in facts.rounds if round_.closed is not None)
    next_start = max(last + pace.gap, facts.now)
    return next_start + max(left - pace.gap, NO_TIME)


def _end_of_round(facts: ForecastFacts, round_: RoundFacts, length: timedelta) -> datetime:
    """When the round in play is over: not before every table that still plays has played another hand."""
    if facts.hand is None:
        return facts.now
    end = round_.started + round_.paused + length * round_.pace + facts.added
    if facts.up_at is not None:
        end = min(end, facts.up_at + facts.hand)
    return max(end, facts.now + facts.hand)


def _median(times: Sequence[timedelta]) -> timedelta:
    return timedelta(seconds=median(time.total_seconds() for time in times))


def _in_steps(moment: datetime, to_step: Callable[[float], float], now: datetime) -> datetime:
    """The moment in whole steps, but never a time that has passed."""
    in_steps = _stepped(moment, to_step)
    return in_steps if in_steps >= now else _stepped(moment, _up)


def _stepped(moment: datetime, to_step: Callable[[float], float]) -> datetime:
    step = STEP.total_seconds()
    return datetime.fromtimestamp(to_step(moment.timestamp() / step) * step, UTC)


def _down(steps: float) -> float:
    return floor(steps)


def _nearest(steps: float) -> float:
    return floor(steps + 0.5)


def _up(steps: float) -> float:
    return ceil(steps)
