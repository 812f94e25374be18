"""Which teams have a PIN to sign with; the PINs themselves nobody can read."""

from __future__ import annotations

from datetime import datetime

from tournament.models import Event, Pin, Team


def pin_teams(event: Event) -> list[Team]:
    """Every team that plays, with its PIN, in order of number."""
    return list(Team.objects.filter(event=event, status="playing").select_related("pin").order_by("number"))


def given_at(team: Team) -> datetime | None:
    """When a team got its PIN; None where it has none."""
    pin: Pin | None = getattr(team, "pin", None)
    return pin.given_at if pin else None
