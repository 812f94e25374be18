"""Whether a team has paid and is in the pot: the marks on the list of teams, each with its lines in the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Sum

from tournament.access import Actor
from tournament.models import Event, Ledger, Team
from tournament.models.team import ADJUSTMENT, FEE, INCOME, OWED, PAYOUT, POT, REFUND
from tournament.phrases import money
from tournament.queries.ledger import Said, accounts_of, cash
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.ledger import account_of, line_of, mark_paid, may_reverse, next_number, write_line
from tournament.services.transactions import writing


def set_paid(actor: Actor, event: Event, number: int, paid: bool, reason: str = "") -> Team:
    """Note that a team has paid all that it owes, or that it has not paid.

    Once games are played, taking it back needs a reason: receipts that were given out are reversed.
    """
    with writing(event) as event:
        team, _ = account_of(event, number)
        if team.paid != paid:
            if not paid:
                _need_reason(event, reason)
            if paid:
                Team.objects.filter(pk=team.pk).update(paid=True)
                team.paid = True
                book_paid(actor, event, [team], "")
            else:
                mark_unpaid(actor, event, [team], reason.strip() or "Marked as not paid")
            code, said = "marked" if paid else "unmarked", {"team": str(team), "reason": reason.strip()}
            note(actor, event, "pay", "team", number, code, said, before={"paid": not paid}, after={"paid": paid})
            team.refresh_from_db()
    return team


def set_pot(actor: Actor, event: Event, number: int, in_pot: bool, reason: str = "") -> Team:
    """Take a team into the Boston pot, or out of it; what it paid for it can then be given back.

    Once games are played it needs a reason: Bostons may have been made.
    """
    with writing(event) as event:
        team, _ = account_of(event, number)
        if team.in_pot != in_pot:
            _need_reason(event, reason)
            put_in_pot(event, team, in_pot)
            said = {"team": str(team), "reason": reason.strip()}
            note(actor, event, "pot", "team", number, "in" if in_pot else "out", said)
    return team


def _need_reason(event: Event, reason: str) -> None:
    if event.frozen_at is not None and not reason.strip():
        raise Invalid([Fault("reason", "Write down why: games have been played.")])


def book_paid(actor: Actor, event: Event, teams: Sequence[Team], reason: str, how: str = "") -> None:
    """Teams that a list says have paid: lines for all that they owe. The caller holds the event."""
    accounts = accounts_of(event, [team.pk for team in teams if team.paid])
    parts = [
        (team, kind, cents)
        for team in teams
        if (account := accounts.get(team.pk)) is not None
        for kind, cents in ((FEE, account.owes_fee), (POT, account.owes_pot))
        if cents
    ]
    first, said = next_number(event), Said(reason=reason, how=how)
    Ledger.objects.bulk_create(
        line_of(actor, event, first + at, kind, cents, team, said) for at, (team, kind, cents) in enumerate(parts)
    )
    mark_paid(event, teams)


def mark_unpaid(actor: Actor, event: Event, teams: Sequence[Team], reason: str) -> None:
    """Take back every payment of some teams. Raises Changed where money was given back already."""
    keys = [team.pk for team in teams]
    given = event.ledger.filter(team__in=keys, kind__in=[REFUND, PAYOUT]).aggregate(sum=Sum("cents"))["sum"]
    if given:
        raise Changed("Money was already given out: take back individual receipts under Money.")
    lines = event.ledger.select_related("team").filter(team__in=keys, kind__in=INCOME, reverses=None)
    for line in lines.filter(reversed_by=None):
        may_reverse(event, line)
        write_line(actor, event, line.kind, -line.cents, line.team, Said(reason=reason), reverses=line)
    Team.objects.filter(pk__in=keys).update(paid=False)
    for team in teams:
        team.paid = False


def put_in_pot(event: Event, team: Team, in_pot: bool) -> None:
    """The same for whoever holds the event. Refused once the pot is paid out."""
    if event.pot_cents and cash(event).paid_out(POT):
        raise Changed("The Boston pot is paid out, so nobody can join or leave it.")
    team.in_pot = in_pot
    team.save(update_fields=["in_pot"])
    mark_paid(event, [team])


def reprice(actor: Actor, event: Event) -> None:
    """Count anew who has paid, after the fee or the pot was changed. The caller holds the event.

    Teams that were marked as paid while there was nothing to pay are taken at their word.
    """
    teams = list(event.teams.all())
    known = set(event.ledger.exclude(team=None).values_list("team", flat=True))
    book_paid(actor, event, [team for team in teams if team.pk not in known], "Marked as paid before the fee was set")
    mark_paid(event, teams)


def check_no_money(event: Event, team: Team) -> None:
    """Refuse to take a team off the list whose money the club still has."""
    account = accounts_of(event, [team.pk])[team.pk]
    if account.paid or account.payouts:
        raise Changed(
            f"{money(account.paid, event.currency)} was paid by {team.name}: give it back first, under Money."
        )


def carry_over(actor: Actor, event: Event, old: Team, new: Team) -> None:
    """Two entries become one team: what the one paid, less what it got back, is the other's, and it leaves the pot.

    The caller holds the event.
    """
    if old.in_pot:
        put_in_pot(event, old, False)
    kinds = {*INCOME, REFUND}
    # Where every team is in the pot, one that has played stays in it, and so does what it paid for that.
    if event.frozen_at is not None and accounts_of(event, [old.pk])[old.pk].paid_pot:
        kinds -= {POT}
    lines = list(event.ledger.filter(team=old, kind__in=kinds, reverses=None, reversed_by=None))
    for line in lines:
        write_line(actor, event, line.kind, -line.cents, old, Said(reason=f"Moved to {new}"), reverses=line)
        write_line(actor, event, line.kind, line.cents, new, Said(reason=f"Moved from {old}"))
    mark_paid(event, [old, new])


def waive_fee(actor: Actor, event: Event, team: Team, reason: str) -> None:
    """A team has no fee to pay any more. The caller holds the event."""
    if due := accounts_of(event, [team.pk])[team.pk].due_fee:
        write_line(actor, event, ADJUSTMENT, -due, team, Said(reason=reason), purpose=OWED)
        mark_paid(event, [team])
