"""The ledger and the decisions about the bracket of an event file, written as they are in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from tournament.access import Actor
from tournament.archive.money import FileLine
from tournament.archive.reading import EventFile
from tournament.models import Event, Ledger, Placing, Team
from tournament.models.money import BEFORE
from tournament.services.paid import book_paid


def write_money(actor: Actor, event: Event, file: EventFile, teams: Mapping[int, Team]) -> None:
    """Write the ledger with its receipt numbers. A file without one gets lines for the teams that it says have paid."""
    Placing.objects.bulk_create(Placing(event=event, **dated(actor, one)) for one in file.placings)
    if file.ledger is None:
        book_paid(actor, event, list(teams.values()), "Paid as the event file says", BEFORE)
        return
    first = Ledger.objects.bulk_create(_row(actor, event, one, teams) for one in file.ledger if one.reverses is None)
    written = {row.number: row for row in first}
    Ledger.objects.bulk_create(
        _row(actor, event, one, teams, written[one.reverses]) for one in file.ledger if one.reverses is not None
    )


def dated(actor: Actor, said: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says of an act; whoever imports a file that does not say when, does it now."""
    told = said["made_at"] is not None
    by = {"made_by": None if told else actor.person, "made_at": said["made_at"] or timezone.now()}
    return dict(said) | by


def _row(
    actor: Actor, event: Event, one: FileLine, teams: Mapping[int, Team], reverses: Ledger | None = None
) -> Ledger:
    return Ledger(
        event=event,
        number=one.receipt,
        kind=one.kind,
        purpose=one.purpose,
        cents=one.cents,
        team=teams[one.team] if one.team is not None else None,
        payee=one.payee,
        person=one.person,
        reason=one.reason,
        how=one.how,
        by=one.by,
        made_by=actor.person if one.at is None else None,
        made_at=one.at or timezone.now(),
        reverses=reverses,
    )
