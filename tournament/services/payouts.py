"""Taking and giving money, and paying out prizes: every act is a line of the ledger.

A mistake is reversed by a line of its own.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Ledger, Team
from tournament.models.team import ADJUSTMENT, CASH, DUES, FEE, OWED, PAYOUT, POT, REFUND
from tournament.queries.ledger import Payee, Payouts, Wording, accounts_of, cash, payouts
from tournament.queries.rules import ruleset_of
from tournament.services.dues import note_dues, reverse_dues
from tournament.services.ledger import (
    account_of,
    check_in_hand,
    check_pot,
    lines_of,
    mark_paid,
    may_reverse,
    write_line,
)
from tournament.services.people import link_teams
from tournament.services.transactions import announce, hold_seasons, writing
from tournament.words.phrases import money

NOTHING_SAID = Wording()
NO_REFUND = {"left": ("46", "left without a substitute"), "disqualified": ("47", "was disqualified")}


def pay(
    actor: Actor, event: Event, number: int, cents: int | None = None, said: Wording = NOTHING_SAID
) -> list[Ledger]:
    """Take money from a team: all that it owes, or part of it. It covers the entry fee first, then the pot.

    Sending the same key again writes nothing. Raises ValidationFailed for more than the team owes.
    """
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done
        team, account = account_of(event, number)
        before = standing_of(event, team)
        cents = account.owes if cents is None else cents
        if cents <= 0 or cents > account.owes:
            owed = f"Only {money(account.owes, event.currency)} is owed" if account.owes else "Nothing is owed"
            raise ValidationFailed([Fault("cents", f"{owed} by {team.full_name}. Nothing was taken.")])
        fee = min(cents, account.owes_fee)
        parts = [(FEE, fee), (POT, cents - fee)]
        lines = [write_line(actor, event, kind, part, team, said, at) for at, (kind, part) in enumerate(parts) if part]
        mark_paid(event, [team])
        note_money(actor, event, "pay", "paid", team, cents, lines, before)
        link_teams(event, [team.pk])
    return lines


def charge(actor: Actor, event: Event, number: int, cents: int, said: Wording) -> Ledger:
    """Change what a team has to pay, up or down, with a reason; no money changes hands."""
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        team, account = account_of(event, number)
        _need_reason(said)
        if account.absent:
            raise Conflict(f"{team.full_name} never played and owes nothing.")
        if not cents or account.due_fee + cents < 0:
            text = (
                f"{team.full_name} must pay {money(account.due_fee, event.currency)}: the amount cannot go below zero."
            )
            raise ValidationFailed([Fault("cents", text)])
        before = standing_of(event, team)
        line = write_line(actor, event, ADJUSTMENT, cents, team, said, purpose=OWED)
        mark_paid(event, [team])
        note_money(actor, event, "charge", "more" if cents > 0 else "less", team, abs(cents), [line], before)
    return line


def refund(actor: Actor, event: Event, number: int, cents: int, said: Wording, *, override: bool = False) -> Ledger:
    """Give money back to a team, with a reason.

    A team that left without a substitute or was sent away gets nothing back (rules 46 and 47), except what it paid
    above what was due, unless the director overrides the rule. Never more than was paid or is on hand.
    """
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        team, account = account_of(event, number)
        _need_reason(said)
        if not 0 < cents <= account.paid:
            most = money(account.paid, event.currency)
            raise ValidationFailed(
                [Fault("cents", f"Only {most} was paid by {team.full_name}: give back at most that.")]
            )
        if team.status in NO_REFUND and cents > account.over and not override:
            rule, why = NO_REFUND[team.status]
            raise ValidationFailed([Fault("override", f"{team.full_name} {why}: no refund.", rule)])
        check_in_hand(event, cents)
        check_pot(event, account, cents)
        before = standing_of(event, team)
        line = write_line(actor, event, REFUND, -cents, team, said)
        mark_paid(event, [team])
        against = {"rule": NO_REFUND[team.status][0]} if team.status in NO_REFUND and override else {}
        note_money(actor, event, "refund", "back", team, cents, [line], before, **against)
    return line


def move_cash(actor: Actor, event: Event, cents: int, said: Wording) -> Ledger:
    """Record cash put in or taken out that belongs to no team: change for the box, the hall, a sponsor."""
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        _need_reason(said)
        if not cents:
            raise ValidationFailed([Fault("cents", "How much?")])
        if cents < 0:
            check_in_hand(event, -cents)
        before = standing_of(event, None)
        line = write_line(actor, event, ADJUSTMENT, cents, None, said, purpose=CASH)
        note_money(actor, event, "cash", "in" if cents > 0 else "out", None, abs(cents), [line], before)
    return line


def reverse(actor: Actor, event: Event, receipt: int, said: Wording) -> Ledger:
    """Reverse a line by a new one that names it. Raises Conflict if it was reversed already."""
    with writing(event) as event:
        if (done := lines_of(event, said.key)) is not None:
            return done[0]
        line = event.ledger.select_related("team", "season", "member").filter(number=receipt).first()
        if line is not None and line.season is not None:
            hold_seasons()
        if line is None or line.reverses_id or Ledger.objects.filter(reverses=line).exists():
            raise Conflict(f"Receipt {receipt} was already taken back, or cannot be taken back.")
        _need_reason(said)
        if line.kind == DUES:
            back = reverse_dues(actor, line, said, event)
            note_dues(actor, back, "back")
            return back
        may_reverse(event, line)
        before = standing_of(event, line.team)
        back = write_line(actor, event, line.kind, -line.cents, line.team, said, purpose=line.purpose, reverses=line)
        if line.team:
            mark_paid(event, [line.team])
        note_money(actor, event, "reverse", "receipt", line.team, line.cents, [back], before, number=receipt)
    return back


def pay_share(
    actor: Actor, event: Event, team: Team, purpose: str, cents: int, said: Wording, witness: str = ""
) -> Ledger:
    """Pay a prize or a share of the pot. The caller holds the event and has computed the share."""
    check_in_hand(event, cents)
    before = standing_of(event, team)
    line = write_line(actor, event, PAYOUT, -cents, team, said, purpose=purpose, witness=witness)
    code = "pot" if purpose == POT else "prize"
    note_money(actor, event, "pay-out", code, team, cents, [line], before, witness=witness)
    return line


def _need_reason(said: Wording) -> None:
    if not said.reason.strip():
        raise ValidationFailed([Fault("reason", "Write down why.")])


def standing_of(event: Event, team: Team | None) -> dict[str, Any]:
    """A team's account with the club, or the content of the cash box, as the journal keeps it before and after."""
    if team is None:
        return {"in_hand": [cash(event).in_hand, event.currency]}
    account = accounts_of(event, [team.pk])[team.pk]
    sums = {"paid": account.paid, "owes": account.owes} | ({"got": account.payouts} if account.payouts else {})
    return {name: [cents, event.currency] for name, cents in sums.items()}


def note_money(
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
        "now": standing_of(event, team),
    }
    announce(actor, event, action, "money", team.number if team else "", code, facts)


# Paying out: the table of prizes, and a line of the ledger for every share that is handed over.

MOST_PLACES = 64
NOTHING_LEFT = "There is nothing left to pay out here."
ALL_PAID = "Everything that is due has been paid out."


def set_prizes(actor: Actor, event: Event, said: dict[str, Any]) -> Event:
    """Set the payout table: prizes by place in cents, or percentages of a sum (0: of the entry fees taken)."""
    with writing(event) as event:
        by_percent = said["by"] == "percent"
        values = said["percent"] if by_percent else said["prizes"]
        _check_prizes(values, by_percent)
        if payouts(event).books.paid_out("prize"):
            raise Conflict("Prizes were paid out already. Take those receipts back first.")
        before = event.prizes
        if not values:
            event.prizes = {}
        elif by_percent:
            event.prizes = {"by": "percent", "percent": [str(one) for one in values], "purse": said.get("purse") or 0}
        else:
            event.prizes = {"by": "place", "prizes": list(values)}
        event.save(update_fields=["prizes"])
        announce(
            actor,
            event,
            "prizes",
            "money",
            "",
            "places" if values else "none",
            {"count": len(values)},
            before=_prizes(event, before),
            after=_prizes(event, event.prizes),
        )
    return event


def pay_out_share(
    actor: Actor, event: Event, number: int, purpose: str, key: uuid.UUID | None = None, witness: str = ""
) -> Ledger:
    """Hand over what one team still has to get from the pot or the prizes. Sending the same key again pays nothing."""
    with writing(event) as event:
        if (done := lines_of(event, key)) is not None:
            return done[0]
        facts = payouts(event)
        payee = facts.payee(number, purpose)
        if payee is None or payee.left <= 0:
            raise Conflict(NOTHING_LEFT)
        _check(facts, [payee])
        return _pay(actor, event, payee, key, witness)


def pay_out_all(actor: Actor, event: Event, witness: str = "") -> list[Ledger]:
    with writing(event) as event:
        facts = payouts(event)
        if not facts.due:
            raise Conflict(ALL_PAID)
        _check(facts, facts.due)
        return [_pay(actor, event, payee, None, witness) for payee in facts.due]


def pay_out(
    actor: Actor, event: Event, number: int | None, purpose: str, key: uuid.UUID | None, witness: str = ""
) -> list[Ledger]:
    """Hand over one share, or all of them if no team is named."""
    if number:
        return [pay_out_share(actor, event, number, purpose, key, witness)]
    return pay_out_all(actor, event, witness)


def check_payout(event: Event, number: int | None, purpose: str, key: uuid.UUID | None) -> str:
    """What would be handed over, as a sentence to confirm before a password is asked for. Raises as the payout does.

    Empty if the same key has paid already: then nothing is paid again.
    """
    if lines_of(event, key) is not None:
        return ""
    facts = payouts(event)
    due = [one for one in facts.due if not number or (one.number, one.purpose) == (number, purpose)]
    if not due:
        raise Conflict(NOTHING_LEFT if number else ALL_PAID)
    _check(facts, due)
    who = due[0].team if len(due) == 1 else f"{len({one.number for one in due})} {ruleset_of(event).unit}s"
    return f"Pay out {money(sum(one.left for one in due), event.currency)} to {who}."


def _pay(actor: Actor, event: Event, payee: Payee, key: uuid.UUID | None, witness: str) -> Ledger:
    team = event.teams.get(number=payee.number)
    return pay_share(actor, event, team, payee.purpose, payee.left, Wording(key), witness)


def _check(facts: Payouts, due: Sequence[Payee]) -> None:
    text, rule = facts.refusal(due)
    if text:
        raise ValidationFailed([Fault("", text, rule)])


def _check_prizes(values: list[Any], by_percent: bool) -> None:
    if len(values) > MOST_PLACES:
        raise ValidationFailed([Fault("values", f"At most {MOST_PLACES} places.")])
    if by_percent and sum((Fraction(one) for one in values), Fraction(0)) > 100:
        raise ValidationFailed([Fault("values", "The percentages are more than 100 together.")])


def _prizes(event: Event, said: dict[str, Any]) -> dict[str, Any]:
    """A payout table as the journal keeps it: sums with their currency."""
    sums = {key: [money(one, event.currency) for one in said[key]] for key in ("prizes",) if key in said}
    return said | sums | ({"purse": money(said["purse"], event.currency)} if said.get("purse") else {})
