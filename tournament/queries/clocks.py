"""Clocks and ages: how long ago, how much is left, in the words and figures that the screens show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournament.models import Round

AT_TIME = (
    "Finish the hand in play and record it. Then the leader wins. If tied, one more hand decides and scores no points."
)
TIME_IS_OVER = "Time for this round is up. Play on until the director calls time."
STOPPED = "The clock is stopped."
HALFWAY = "Half the time is gone."
LAST_HAND = "The hand in play may be the last."
LAST_HAND_SECONDS = 300


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of a round in play. `left` is None where the round has no end; both are in seconds.

    `called` says that the director has told all tables that time is up; `added` are the minutes by which the round was
    made longer.
    """

    played: int
    left: int | None
    halfway: bool
    paused: bool = False
    called: bool = False
    added: int = 0

    @property
    def up(self) -> bool:
        return self.left is not None and self.left <= 0

    @property
    def to_call(self) -> bool:
        """Whether the time is up and the tables have not been told."""
        return self.up and not self.called

    @property
    def last_hand(self) -> bool:
        """Whether the round is so near its end that the hand in play may be the last."""
        return self.left is not None and 0 < self.left <= LAST_HAND_SECONDS

    @property
    def notice(self) -> str:
        """What the hall is told about the time now; nothing while there is nothing to say."""
        if self.called:
            return f"Time is up. {AT_TIME}"
        if self.paused:
            return STOPPED
        if self.up:
            return TIME_IS_OVER
        if self.last_hand:
            return LAST_HAND
        return HALFWAY if self.halfway else ""


@dataclass(frozen=True, slots=True)
class RoundTimes:
    """When a round's notices are due, for screens that count by themselves; all None while the clock is stopped."""

    halfway: datetime | None
    last_hand: datetime | None
    end: datetime | None
    paused: bool
    called: bool

    @property
    def notice(self) -> str:
        """What holds at any time: that time was called, or that the clock is stopped."""
        return f"Time is up. {AT_TIME}" if self.called else STOPPED if self.paused else ""


def round_clock(round_: Round, minutes: int | None, now: datetime) -> RoundClock | None:
    """The clock of a round that has started; `minutes` is its length, None where games end it.

    It comes from what is stored of the round alone, so that a restart of the site changes nothing.
    """
    played = played_seconds(round_, now)
    if played is None:
        return None
    paused, called = round_.paused_at is not None, round_.time_called_at is not None
    if minutes is None:
        return RoundClock(played, None, False, paused, called)
    length = minutes * 60 + round_.extra_seconds
    return RoundClock(played, length - played, played * 2 >= length, paused, called, round_.extra_seconds // 60)


def round_times(round_: Round, minutes: int | None) -> RoundTimes:
    """When half of the time is over, the last hand begins, and the round ends."""
    paused, called = round_.paused_at is not None, round_.time_called_at is not None
    end = rings_at(round_, minutes)
    if end is None or minutes is None:
        return RoundTimes(None, None, None, paused, called)
    length = minutes * 60 + round_.extra_seconds
    return RoundTimes(
        end - timedelta(seconds=length / 2), end - timedelta(seconds=LAST_HAND_SECONDS), end, paused, called
    )


def rings_at(round_: Round, minutes: int | None, *, extended: bool = True) -> datetime | None:
    """When so many minutes of a round are over; None before its start, while it is paused, and without a length."""
    if round_.started_at is None or minutes is None or round_.paused_at is not None:
        return None
    more = round_.paused_seconds + (round_.extra_seconds if extended else 0)
    return round_.started_at + timedelta(minutes=minutes, seconds=more)


def played_seconds(round_: Round, now: datetime) -> int | None:
    """The seconds that a round has been played, without the time in which its clock stood still."""
    if round_.started_at is None:
        return None
    return max(0, seconds_since(round_.started_at, round_.paused_at or now) - round_.paused_seconds)


def seconds_since(moment: datetime, now: datetime) -> int:
    """Whole seconds since a moment, never below zero."""
    return max(0, int((now - moment).total_seconds()))


def age_words(moment: datetime, now: datetime) -> str:
    """“just now”, “2 min ago”, “1 h 5 min ago”."""
    minutes = seconds_since(moment, now) // 60
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    hours, rest = divmod(minutes, 60)
    if hours >= 24:
        return f"{hours // 24} day{'s' if hours >= 48 else ''} ago"
    return f"{hours} h {rest} min ago" if rest else f"{hours} h ago"
