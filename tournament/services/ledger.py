"""Writing the ledger: the lines themselves, and what must be true before one is written.

Here alone is written whether a team counts as paid: it does when its lines cover what it owes.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Max

from tournament.access import Actor
from tournament.models import Event, Ledger, Team
from tournament.models.team import ADJUSTMENT, OWED
from tournament.phrases import money
from tournament.queries.ledger import Account, Said, accounts_of, cash
from tournament.queries.signatures import shown_author
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.transactions import team_numbered

MOST_CENTS = 1_000_000_00


def account_of(event: Event, number: int) -> tuple[Team, Account]:
    """A team by its number with its account; Changed where there is none any more."""
    team = team_numbered(event, number)
    return team, accounts_of(event, [team.pk])[team.pk]


def lines_of(event: Event, key: uuid.UUID | None) -> list[Ledger] | None:
    """The lines that were written with this key already. A key belongs to one act of one event."""
    if key is None:
        return None
    keys = [_key(key, part) for part in range(2)]
    lines = list(Ledger.objects.filter(key__in=keys).order_by("number"))
    if any(line.event_id != event.pk for line in lines):
        raise Changed("This page is too old. Load it again.")
    return lines or None


def write_line(
    actor: Actor,
    event: Event,
    kind: str,
    cents: int,
    team: Team | None,
    said: Said,
    part: int = 0,
    *,
    purpose: str = "",
    reverses: Ledger | None = None,
    witness: str = "",
) -> Ledger:
    """Add a line with the next receipt number; a payout may have a witness. The caller holds the event."""
    if abs(cents) > MOST_CENTS:
        raise Invalid([Fault("cents", f"At most {MOST_CENTS // 100:,} on one receipt.")])
    line = line_of(actor, event, next_number(event), kind, cents, team, said)
    line.purpose, line.reverses = purpose, reverses
    if witness:
        line.by = f"{line.by}, witness {witness}"[:150]
    if said.key:
        line.key = _key(said.key, part)
    line.save()
    return line


def line_of(actor: Actor, event: Event, number: int, kind: str, cents: int, team: Team | None, said: Said) -> Ledger:
    return Ledger(
        event=event,
        number=number,
        kind=kind,
        cents=cents,
        team=team,
        payee=str(team) if team else "",
        person=said.person[:40],
        reason=said.reason.strip()[:200],
        how=said.how,
        made_by=actor.person,
        by=shown_author("", actor.person)[:150],
    )


def next_number(event: Event) -> int:
    return (event.ledger.aggregate(last=Max("number"))["last"] or 0) + 1


def mark_paid(event: Event, teams: Sequence[Team]) -> None:
    """Write whether teams have paid. Where nothing is due, the mark stays as the secretary set it."""
    accounts = accounts_of(event, [team.pk for team in teams])
    for team in teams:
        account = accounts[team.pk]
        if account.fee or account.pot or account.paid:
            team.paid = not account.owes
    Team.objects.bulk_update(teams, ["paid"])


def check_in_hand(event: Event, cents: int) -> None:
    """Nobody gives more money than there is."""
    there = cash(event).in_hand
    if cents > there:
        raise Invalid([Fault("cents", f"Only {money(there, event.currency)} is in hand.")])


def check_pot(event: Event, account: Account, cents: int) -> None:
    """What was paid out of the pot must have been paid into it."""
    from_pot = min(account.paid_pot, max(0, cents - account.over))
    if from_pot and from_pot > cash(event).pot_left:
        raise Invalid([Fault("cents", "The Boston pot is paid out: what was paid into it cannot be given back.")])


def may_reverse(event: Event, line: Ledger) -> None:
    """Refuse to take back a line where an account, the pot or the cash box would fall below zero."""
    if line.kind == ADJUSTMENT and line.purpose == OWED:
        account = accounts_of(event, [line.team_id])[line.team_id] if line.team_id else None
        if account and account.fee + account.adjusted - line.cents < 0:
            raise Invalid([Fault("reason", "The amount to pay cannot be below zero.")])
        return
    if line.cents < 0:
        return
    check_in_hand(event, line.cents)
    if line.team_id:
        account = accounts_of(event, [line.team_id])[line.team_id]
        if account.paid < line.cents:
            raise Invalid([Fault("reason", "Part of this money was given back already.")])
        check_pot(event, account, line.cents)


def _key(key: uuid.UUID, part: int) -> uuid.UUID:
    return uuid.uuid5(key, str(part)) if part else key
