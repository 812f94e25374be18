"""Writing the ledger: the lines themselves, and whether a team has paid and is in the pot.

Only this module writes whether a team counts as paid: it does when its lines cover what it owes.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db.models import Max, Sum

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Ledger, Season, Team
from tournament.models.stored import shown_author
from tournament.models.team import ADJUSTMENT, FEE, INCOME, OWED, PAYOUT, POT, REFUND
from tournament.queries.game_results import have_played
from tournament.queries.ledger import Account, Wording, accounts_of, cash
from tournament.queries.rules import everybody_in_pot
from tournament.services.people import link_teams
from tournament.services.transactions import announce, team_numbered, writing
from tournament.words.phrases import money

MOST_CENTS = 1_000_000_00
# The most lines that one act writes for a team: fee, pot, and the dues of its players.
MOST_PARTS = 40
FOR_EVERYBODY = "Everybody is in the Boston pot. To let each one choose, change that under Setup, Money."


def account_of(event: Event, number: int) -> tuple[Team, Account]:
    """A team by its number, with its account. Raises Conflict if it no longer exists."""
    team = team_numbered(event, number)
    return team, accounts_of(event, [team.pk])[team.pk]


def lines_of(event: Event, key: uuid.UUID | None) -> list[Ledger] | None:
    """The lines that were already written with this key. A key belongs to one act of one event."""
    if key is None:
        return None
    keys = [part_key(key, part) for part in range(MOST_PARTS)]
    lines = list(Ledger.objects.filter(key__in=keys).order_by("number"))
    if any(line.event_id != event.pk for line in lines):
        raise Conflict("This page is too old. Load it again.")
    return lines or None


def write_line(
    actor: Actor,
    event: Event,
    kind: str,
    cents: int,
    team: Team | None,
    said: Wording,
    part: int = 0,
    *,
    purpose: str = "",
    reverses: Ledger | None = None,
    witness: str = "",
) -> Ledger:
    """Add a line with the next receipt number; a payout may have a witness. The caller holds the event."""
    if abs(cents) > MOST_CENTS:
        raise ValidationFailed([Fault("cents", f"At most {MOST_CENTS // 100:,} on one receipt.")])
    line = line_of(actor, event, next_number(event), kind, cents, team, said)
    line.purpose, line.reverses = purpose, reverses
    if witness:
        line.by = f"{line.by}, witness {witness}"[:150]
    if said.key:
        line.key = part_key(said.key, part)
    line.save()
    return line


def line_of(
    actor: Actor, event: Event | None, number: int, kind: str, cents: int, team: Team | None, said: Wording
) -> Ledger:
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
    last = event.ledger.aggregate(last=Max("number"))["last"] or 0
    return max(last + 1, event.receipts_from)


def next_season_number(season: Season) -> int:
    """The next receipt number for dues that no desk takes. It skips numbers of existing lines without an event."""
    last = season.dues.filter(event=None).aggregate(last=Max("number"))["last"] or 0
    return max(last + 1, season.receipts_from)


def mark_paid(event: Event, teams: Sequence[Team]) -> None:
    """Store whether teams have paid. If nothing is due, the mark stays as the secretary set it.

    A team that never played owes nothing. It counts as paid as long as the club has money from it.
    """
    accounts = accounts_of(event, [team.pk for team in teams])
    for team in teams:
        account = accounts[team.pk]
        if account.absent:
            team.paid = account.paid > 0
        elif account.fee or account.pot or account.paid:
            team.paid = not account.owes
    for is_paid in (True, False):
        keys = [team.pk for team in teams if team.paid == is_paid]
        Team.objects.filter(pk__in=keys).update(paid=is_paid)


def check_in_hand(event: Event, cents: int) -> None:
    """Refuse to give out more money than there is."""
    there = cash(event).in_hand
    if cents > there:
        raise ValidationFailed([Fault("cents", f"Only {money(there, event.currency)} is on hand.")])


def check_pot(event: Event, account: Account, cents: int) -> None:
    """Refuse to give back pot money that was already paid out."""
    from_pot = min(account.paid_pot, max(0, cents - account.over))
    if from_pot and from_pot > cash(event).pot_left:
        raise ValidationFailed(
            [Fault("cents", "The Boston pot is paid out: what was paid into it cannot be given back.")]
        )


def may_reverse(event: Event, line: Ledger) -> None:
    """Refuse to reverse a line if an account, the pot, or the cash box would fall below zero."""
    if line.kind == ADJUSTMENT and line.purpose == OWED:
        account = accounts_of(event, [line.team_id])[line.team_id] if line.team_id else None
        if account and account.fee + account.adjusted - line.cents < 0:
            raise ValidationFailed([Fault("reason", "The amount to pay cannot be below zero.")])
        return
    if line.cents < 0:
        return
    check_in_hand(event, line.cents)
    if line.team_id:
        account = accounts_of(event, [line.team_id])[line.team_id]
        if account.paid < line.cents:
            raise ValidationFailed([Fault("reason", "Part of this money was given back already.")])
        check_pot(event, account, line.cents)


def part_key(key: uuid.UUID, part: int) -> uuid.UUID:
    """The key of one line of an act that writes several."""
    return uuid.uuid5(key, str(part)) if part else key


# Whether a team has paid and is in the pot: the marks on the list of teams, each with its lines in the ledger.


def set_paid(actor: Actor, event: Event, number: int, paid: bool, reason: str = "") -> Team:
    """Record that a team has paid all that it owes, or that it has not paid.

    Once games are played, undoing this needs a reason: it reverses receipts that were given out.
    """
    with writing(event) as event:
        team, account = account_of(event, number)
        if team.paid != paid:
            if paid and account.absent:
                raise Conflict(f"{team.full_name} never played and owes nothing.")
            if not paid:
                _need_reason(event, reason)
            if paid:
                Team.objects.filter(pk=team.pk).update(paid=True)
                team.paid = True
                book_paid(actor, event, [team], "")
                link_teams(event, [team.pk])
            else:
                mark_unpaid(actor, event, [team], reason.strip() or "Marked as not paid")
            code, said = "marked" if paid else "unmarked", {"team": str(team), "reason": reason.strip()}
            announce(actor, event, "pay", "team", number, code, said, before={"paid": not paid}, after={"paid": paid})
            team.refresh_from_db()
    return team


def set_pot(actor: Actor, event: Event, number: int, in_pot: bool, reason: str = "") -> Team:
    """Take a team into the Boston pot, or out of it; what it paid for the pot can then be given back.

    Once games are played it needs a reason: Bostons may have been made. Raises Conflict if the pot is for everybody.
    """
    with writing(event) as event:
        team, _ = account_of(event, number)
        if everybody_in_pot(event):
            raise Conflict(FOR_EVERYBODY)
        if team.in_pot != in_pot:
            _need_reason(event, reason)
            put_in_pot(event, team, in_pot)
            said = {"team": str(team), "reason": reason.strip()}
            announce(actor, event, "pot", "team", number, "in" if in_pot else "out", said)
    return team


def _need_reason(event: Event, reason: str) -> None:
    if event.frozen_at is not None and not reason.strip():
        raise ValidationFailed([Fault("reason", "Write down why: games have been played.")])


def book_paid(actor: Actor, event: Event, teams: Sequence[Team], reason: str, how: str = "") -> None:
    """Write ledger lines for everything owed by teams that a list marks as paid. The caller has locked the event."""
    accounts = accounts_of(event, [team.pk for team in teams if team.paid])
    parts = [
        (team, kind, cents)
        for team in teams
        if (account := accounts.get(team.pk)) is not None
        for kind, cents in ((FEE, account.owes_fee), (POT, account.owes_pot))
        if cents
    ]
    first, said = next_number(event), Wording(reason=reason, how=how)
    Ledger.objects.bulk_create(
        line_of(actor, event, first + at, kind, cents, team, said) for at, (team, kind, cents) in enumerate(parts)
    )
    mark_paid(event, teams)


def mark_unpaid(actor: Actor, event: Event, teams: Sequence[Team], reason: str) -> None:
    """Reverse every payment of some teams. Raises Conflict if money was given back already."""
    keys = [team.pk for team in teams]
    given = event.ledger.filter(team__in=keys, kind__in=[REFUND, PAYOUT]).aggregate(sum=Sum("cents"))["sum"]
    if given:
        raise Conflict("Money was already paid out: take back individual receipts under Money.")
    lines = event.ledger.select_related("team").filter(team__in=keys, kind__in=INCOME, reverses=None)
    for line in lines.filter(reversed_by=None):
        may_reverse(event, line)
        write_line(actor, event, line.kind, -line.cents, line.team, Wording(reason=reason), reverses=line)
    for team in teams:
        team.paid = False
    # A team whose fee was waived has nothing left to pay.
    mark_paid(event, teams)


def put_in_pot(event: Event, team: Team, in_pot: bool) -> None:
    """Do the same for a caller that holds the event. Refused once the pot is paid out."""
    check_pot_is_open(event)
    team.in_pot = in_pot
    team.save(update_fields=["in_pot"])
    mark_paid(event, [team])


def check_pot_is_open(event: Event) -> None:
    if event.pot_cents and cash(event).paid_out(POT):
        raise Conflict("The Boston pot is paid out, so nobody can join or leave it.")


def reprice(actor: Actor, event: Event) -> None:
    """Recompute who has paid after a change to the fee, the pot, or who is in it. The caller holds the event.

    Teams that were marked as paid while nothing was due count as having paid.
    """
    teams = list(event.teams.all())
    known = set(event.ledger.exclude(team=None).values_list("team", flat=True))
    book_paid(actor, event, [team for team in teams if team.pk not in known], "Marked as paid before the fee was set")
    mark_paid(event, teams)


def check_no_money(event: Event, team: Team) -> None:
    """Refuse to take a team off the list while the club still has its money."""
    account = accounts_of(event, [team.pk])[team.pk]
    if account.paid or account.payouts:
        raise Conflict(
            f"{money(account.paid, event.currency)} was paid by {team.full_name}: give it back first, under Money."
        )


def carry_over(actor: Actor, event: Event, old: Team, new: Team) -> None:
    """Merge two accounts: what one team paid, less its refunds, moves to the other, and it leaves the pot.

    The caller holds the event.
    """
    for_all = everybody_in_pot(event)
    if old.in_pot and not for_all:
        put_in_pot(event, old, False)
    kinds = {*INCOME, REFUND}
    # If everybody is in the pot, a team that has played stays in it, and so does its money for the pot.
    if for_all and have_played([old]) and accounts_of(event, [old.pk])[old.pk].paid_pot:
        kinds -= {POT}
    lines = list(event.ledger.filter(team=old, kind__in=kinds, reverses=None, reversed_by=None))
    for line in lines:
        write_line(actor, event, line.kind, -line.cents, old, Wording(reason=f"Moved to {new}"), reverses=line)
        write_line(actor, event, line.kind, line.cents, new, Wording(reason=f"Moved from {old}"))
    mark_paid(event, [old, new])


def waive_fee(actor: Actor, event: Event, team: Team, reason: str) -> None:
    """Set a team's remaining fee to nothing. The caller holds the event."""
    if due := accounts_of(event, [team.pk])[team.pk].due_fee:
        write_line(actor, event, ADJUSTMENT, -due, team, Wording(reason=reason), purpose=OWED)
        mark_paid(event, [team])
