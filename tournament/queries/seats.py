"""Who is waited for in a round, who of them is late beyond doubt, and whose seats one press noted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from django.utils import timezone

from scoring.ledger import listed
from tournament.models import Device, Event, Round, Side
from tournament.queries.clocks import played_seconds
from tournament.queries.rules import ruleset_of


class Sits(Protocol):
    """Whatever has the moment at which a side was seated."""

    @property
    def seated_at(self) -> datetime | None: ...


SitsT = TypeVar("SitsT", bound=Sits)


@dataclass(frozen=True, slots=True)
class Waiting:
    """The sides of a round that nobody has seated: `here` whom one press seats, `late` whom it leaves out."""

    here: tuple[Side, ...]
    late: tuple[Side, ...]

    @property
    def words(self) -> str:
        """“Night Owls (table 2) and Eagles (table 5)”."""
        return listed(f"{side.team.name} (table {side.game.table})" for side in self.late)


def waiting_sides(event: Event, number: int) -> Waiting:
    """The sides that are waited for in a round in play, by table."""
    round_ = Round.objects.filter(event=event, number=number, state="running").first()
    if round_ is None:
        return Waiting((), ())
    sides = Side.objects.filter(round=round_, game__state="playing", game__last_entry_at=None)
    waiting = list(sides.filter(seated_at=None).select_related("team", "game").order_by("game__table", "leg", "index"))
    seated = set(sides.exclude(seated_at=None).values_list("game_id", flat=True))
    up = (played_seconds(round_, timezone.now()) or 0) >= ruleset_of(event).rules.grace_minutes * 60
    tablets = tables_with_tablets(event)
    late = [side for side in waiting if is_left_out(side.game_id in seated, up, side.game.table in tablets)]
    gone = {side.pk for side in late}
    return Waiting(tuple(side for side in waiting if side.pk not in gone), tuple(late))


def is_left_out(other_sits: bool, time_is_up: bool, has_tablet: bool) -> bool:
    """Whether a side that nobody has seated is missing: somebody could have seated it and did not.

    The other side of its table sits, or its time is up and the table has a tablet.
    """
    return other_sits or (time_is_up and has_tablet)


def tables_with_tablets(event: Event) -> set[int]:
    """The tables that a tablet is bound to."""
    bound = Device.objects.filter(event=event, revoked_at=None).exclude(paired_at=None)
    return set(bound.values_list("table", flat=True))


def seated_together(event: Event, number: int) -> tuple[Side, ...]:
    """The sides that the last press seated in one moment, as long as none of their tables has written anything.

    Who sits down by himself has a moment of his own.
    """
    sides = Side.objects.filter(round__event=event, round__number=number, round__state="running")
    seated = together(sides.exclude(seated_at=None).select_related("game").order_by("game__table"))
    return seated if not any(side.game.last_entry_at for side in seated) else ()


def together(sides: Iterable[SitsT]) -> tuple[SitsT, ...]:
    """Those of some sides that were seated at the latest moment which several of them share."""
    seated = [(side.seated_at, side) for side in sides if side.seated_at is not None]
    shared = [moment for moment, count in Counter(moment for moment, _ in seated).items() if count > 1]
    return tuple(side for moment, side in seated if moment == max(shared)) if shared else ()
