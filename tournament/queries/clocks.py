"""Clocks of rounds, and the seats of a table before its game begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from django.utils import timezone

from scoring.ledger import listed
from scoring.options import EventRules
from tournament.models import Device, Event, Round, Side
from tournament.queries.rules import Ruleset, ruleset_of

# Clocks and ages: how long ago, how much is left, in the words and figures that the screens show.


AT_TIME = (
    "Finish the hand in play and record it. Then the leader wins. If tied, one more hand decides and scores no points."
)
TIME_IS_OVER = "Time for this game is up. Play on until the director calls time."
STOPPED = "The clock is stopped."
HALFWAY = "Half the time is gone."
LAST_HAND = "The hand in play may be the last."
LAST_HAND_SECONDS = 300


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of a round in play. `left` is None if the round has no end; both are in seconds.

    `called` means that the director has told all tables that time is up; `added` are the minutes added to the round.
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
        """Whether time is up and the tables have not been told."""
        return self.up and not self.called

    @property
    def last_hand(self) -> bool:
        """Whether the round is so near its end that the hand in play may be the last."""
        return self.left is not None and 0 < self.left <= LAST_HAND_SECONDS

    @property
    def notice(self) -> str:
        """What the hall is told about the time now; empty if there is nothing to say."""
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
        """Notices that do not depend on the minute: time was called, or the clock is stopped."""
        return f"Time is up. {AT_TIME}" if self.called else STOPPED if self.paused else ""


def minutes_of(round_: Round, rules: EventRules) -> int | None:
    """The minutes that the sheet gives a game; 0 if only the director set a time for this round, None without any."""
    minutes = rules.round_minutes
    return 0 if minutes is None and round_.extra_seconds > 0 else minutes


def round_clock(round_: Round, minutes: int | None, now: datetime) -> RoundClock | None:
    """The clock of a round that has started; `minutes` is its length, None if games end it.

    It depends only on what is stored of the round, so that a restart of the site changes nothing.
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
    """When half the time is over, the last hand begins, and the round ends."""
    paused, called = round_.paused_at is not None, round_.time_called_at is not None
    end = rings_at(round_, minutes)
    if end is None or minutes is None:
        return RoundTimes(None, None, None, paused, called)
    length = minutes * 60 + round_.extra_seconds
    return RoundTimes(
        end - timedelta(seconds=length / 2), end - timedelta(seconds=LAST_HAND_SECONDS), end, paused, called
    )


def rings_at(round_: Round, minutes: int | None, *, extended: bool = True) -> datetime | None:
    """When this many minutes of a round are over; None before its start, while it is paused, and without a length."""
    if round_.started_at is None or minutes is None or round_.paused_at is not None:
        return None
    more = round_.paused_seconds + (round_.extra_seconds if extended else 0)
    return round_.started_at + timedelta(minutes=minutes, seconds=more)


def played_seconds(round_: Round, now: datetime) -> int | None:
    """The seconds a round has been played, not counting the time while its clock was stopped."""
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


# Who is waited for in a round, who is certainly late, and whose seats one press recorded.


class Sits(Protocol):
    """Anything with the moment at which a side was seated."""

    @property
    def seated_at(self) -> datetime | None: ...


SitsT = TypeVar("SitsT", bound=Sits)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The sides of a round that are not seated: `here` are the ones one press seats, `late` the ones it leaves out."""

    here: tuple[Side, ...]
    late: tuple[Side, ...]

    @property
    def words(self) -> str:
        """“Night Owls (table 2) and Eagles (table 5)”."""
        return listed(f"{side.team.full_name} (table {side.game.table})" for side in self.late)


def waiting_sides(event: Event, number: int) -> Waiting:
    """The sides that are waited for in a round in play, by table."""
    round_ = Round.objects.filter(event=event, number=number, state="running").first()
    if round_ is None:
        return Waiting((), ())
    sides = Side.objects.filter(round=round_, game__state="playing", game__last_entry_at=None)
    waiting = list(sides.filter(seated_at=None).select_related("team", "game").order_by("game__table", "leg", "index"))
    seated = set(sides.exclude(seated_at=None).values_list("game_id", flat=True))
    up = not seconds_of_grace(round_, ruleset_of(event, round_))
    tablets = tables_with_tablets(event)
    late = [side for side in waiting if is_left_out(side.game_id in seated, up, side.game.table in tablets)]
    gone = {side.pk for side in late}
    return Waiting(tuple(side for side in waiting if side.pk not in gone), tuple(late))


def seconds_of_grace(round_: Round, rules: Ruleset) -> int:
    """How long a team may be missing in a round before it is late."""
    return max(rules.rules.grace_minutes * 60 - (played_seconds(round_, timezone.now()) or 0), 0)


def is_left_out(other_sits: bool, time_is_up: bool, has_tablet: bool) -> bool:
    """Whether an unseated side is missing: somebody could have seated it and did not.

    The other side of its table is seated, or its time is up and the table has a tablet.
    """
    return other_sits or (time_is_up and has_tablet)


def tables_with_tablets(event: Event) -> set[int]:
    """The tables that a tablet is bound to."""
    bound = Device.objects.filter(event=event, revoked_at=None).exclude(paired_at=None)
    return set(bound.values_list("table", flat=True))


def seated_together(event: Event, number: int) -> tuple[Side, ...]:
    """The sides that the last press seated in one moment, as long as none of their tables has written anything.

    A side that sits down by itself has its own moment.
    """
    sides = Side.objects.filter(round__event=event, round__number=number, round__state="running")
    seated = together(
        sides.exclude(seated_at=None).select_related("game").order_by("game__table", "game__leg", "index")
    )
    return seated if not any(side.game.last_entry_at for side in seated) else ()


def together(sides: Iterable[SitsT]) -> tuple[SitsT, ...]:
    """The sides that share the latest moment of being seated, if several do."""
    seated = [(side.seated_at, side) for side in sides if side.seated_at is not None]
    shared = [moment for moment, count in Counter(moment for moment, _ in seated).items() if count > 1]
    return tuple(side for moment, side in seated if moment == max(shared)) if shared else ()
