"""Taking and giving money: every act is a line of the ledger, and what was wrong is taken back by a line of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournament.access import Actor
from tournament.models import Event, Ledger, Team
from tournament.models.team import ADJUSTMENT, CASH, FEE, OWED, PAYOUT, POT, REFUND
from tournament.phrases import money
from tournament.queries.ledger import Said, accounts_of, cash
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.ledger import (
    account_of,
    check_in_hand,
    check_pot,
    lines_of,
    mark_paid,
    may_reverse,
    write_line,
)
from tournament.services.transactions import writing

NOTHING_SAID = Said()
NO_REFUND = {"left": ("46", "left without a substitute"), "disqualified": ("47", "was disqualified")}


def pay(actor: Actor, event: Event, number: int, cents: int | None = None, said: Said = NOTHING_SAID) -> list[Ledger]:
    """Take money from a team: all that it owes, or a part of it. The entry fee is covered first, then the pot.

    The same key again writes nothing. Raises Invalid for more than the team owes.
    """
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done
        team, account = account_of(event, number)
        before = _standing(event, team)
        cents = account.owes if cents is None else cents
        if cents <= 0 or cents > account.owes:
            owed = f"{money(account.owes, event.currency)} owed" if account.owes else "nothing owed"
            raise Invalid([Fault("cents", f"{team.name}: {owed}.")])
        fee = min(cents, account.owes_fee)
        parts = [(FEE, fee), (POT, cents - fee)]
        lines = [write_line(actor, event, kind, part, team, said, at) for at, (kind, part) in enumerate(parts) if part]
        mark_paid(event, [team])
        _note(actor, event, "pay", "paid", team, cents, lines, before)
    return lines


def charge(actor: Actor, event: Event, number: int, cents: int, said: Said) -> Ledger:
    """Change what a team has to pay, up or down, with a reason; no money changes hands."""
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        team, account = account_of(event, number)
        _need_reason(said)
        if not cents or account.due_fee + cents < 0:
            text = f"{team.name} must pay {money(account.due_fee, event.currency)}: the amount cannot go below zero."
            raise Invalid([Fault("cents", text)])
        before = _standing(event, team)
        line = write_line(actor, event, ADJUSTMENT, cents, team, said, purpose=OWED)
        mark_paid(event, [team])
        _note(actor, event, "charge", "more" if cents > 0 else "less", team, abs(cents), [line], before)
    return line


def refund(actor: Actor, event: Event, number: int, cents: int, said: Said, *, override: bool = False) -> Ledger:
    """Give money back to a team, with a reason.

    Who left without a substitute or was sent away gets nothing back (rules 46 and 47), except what was paid above
    what was due, and unless the director overrides the rule. Never more than was paid, nor than is there.
    """
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        team, account = account_of(event, number)
        _need_reason(said)
        if not 0 < cents <= account.paid:
            raise Invalid(
                [
                    Fault(
                        "cents",
                        f"Only {money(account.paid, event.currency)} was paid by {team.name}: give back at most that.",
                    )
                ]
            )
        if team.status in NO_REFUND and cents > account.over and not override:
            rule, why = NO_REFUND[team.status]
            raise Invalid([Fault("override", f"{team.name} {why}: no refund.", rule)])
        check_in_hand(event, cents)
        check_pot(event, account, cents)
        before = _standing(event, team)
        line = write_line(actor, event, REFUND, -cents, team, said)
        mark_paid(event, [team])
        against = {"rule": NO_REFUND[team.status][0]} if team.status in NO_REFUND and override else {}
        _note(actor, event, "refund", "back", team, cents, [line], before, **against)
    return line


def move_cash(actor: Actor, event: Event, cents: int, said: Said) -> Ledger:
    """Put cash in or take it out that is no team's: change for the box, the hall, a sponsor."""
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        _need_reason(said)
        if not cents:
            raise Invalid([Fault("cents", "How much?")])
        if cents < 0:
            check_in_hand(event, -cents)
        before = _standing(event, None)
        line = write_line(actor, event, ADJUSTMENT, cents, None, said, purpose=CASH)
        _note(actor, event, "cash", "in" if cents > 0 else "out", None, abs(cents), [line], before)
    return line


def reverse(actor: Actor, event: Event, receipt: int, said: Said) -> Ledger:
    """Take a line back by a new one that names it. Raises Changed where it was taken back already."""
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        line = event.ledger.select_related("team").filter(number=receipt).first()
        if line is None or line.reverses_id or Ledger.objects.filter(reverses=line).exists():
            raise Changed(f"Receipt {receipt} was already taken back, or cannot be taken back.")
        _need_reason(said)
        may_reverse(event, line)
        before = _standing(event, line.team)
        back = write_line(actor, event, line.kind, -line.cents, line.team, said, purpose=line.purpose, reverses=line)
        if line.team:
            mark_paid(event, [line.team])
        _note(actor, event, "reverse", "receipt", line.team, line.cents, [back], before, number=receipt)
    return back


def pay_share(
    actor: Actor, event: Event, team: Team, purpose: str, cents: int, said: Said, witness: str = ""
) -> Ledger:
    """Pay a prize or a share of the pot. Whoever calls it holds the event and has computed the share."""
    check_in_hand(event, cents)
    before = _standing(event, team)
    line = write_line(actor, event, PAYOUT, -cents, team, said, purpose=purpose, witness=witness)
    _note(actor, event, "pay-out", "pot" if purpose == POT else "prize", team, cents, [line], before, witness=witness)
    return line


def _need_reason(said: Said) -> None:
    if not said.reason.strip():
        raise Invalid([Fault("reason", "Write down why.")])


def _standing(event: Event, team: Team | None) -> dict[str, Any]:
    """How a team stands with the club, or what is in the cash box, as the journal keeps it before and after."""
    if team is None:
        return {"in_hand": [cash(event).in_hand, event.currency]}
    account = accounts_of(event, [team.pk])[team.pk]
    sums = {"paid": account.paid, "owes": account.owes} | ({"got": account.payouts} if account.payouts else {})
    return {name: [cents, event.currency] for name, cents in sums.items()}


def _note(
    actor: Actor,
    event: Event,
    action: str,
    code: str,
    team: Team | None,
    cents: int,
    lines: Sequence[Ledger],
    before: dict[str, Any],
    **facts: Any,
) -> None:
    facts |= {
        "team": str(team) if team else "",
        "sum": [cents, event.currency],
        "receipts": [line.number for line in lines],
        "reason": next((line.reason for line in lines if line.reason), ""),
        "was": before,
        "now": _standing(event, team),
    }
    note(actor, event, action, "money", team.number if team else "", code, facts)
