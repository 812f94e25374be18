"""Which teams have a PIN to sign with; the PINs themselves nobody can read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.models import Event, Team


@dataclass(frozen=True, slots=True)
class PinRow:
    """A team and when it got its PIN; None where it has none."""

    number: int
    team: str
    given_at: datetime | None


def pin_rows(event: Event) -> tuple[PinRow, ...]:
    """Every team that plays, in order of number."""
    teams = Team.objects.filter(event=event, status="playing").select_related("pin").order_by("number")
    return tuple(PinRow(team.number, team.name, team.pin.given_at if hasattr(team, "pin") else None) for team in teams)
