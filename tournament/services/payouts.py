"""Paying out: the table of prizes, and one line of the ledger for every share that is handed over."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tournament.access import Actor
from tournament.models import Event, Ledger
from tournament.phrases import money
from tournament.queries.ledger import Payee, Payouts, Said, payouts
from tournament.queries.rules import ruleset_of
from tournament.refusals import Changed, Fault, Invalid
from tournament.services.journal import note
from tournament.services.ledger import lines_of
from tournament.services.money import pay_share
from tournament.services.transactions import writing

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
            raise Changed("Prizes were paid out already. Take those receipts back first.")
        before = event.prizes
        if not values:
            event.prizes = {}
        elif by_percent:
            event.prizes = {"by": "percent", "percent": [str(one) for one in values], "purse": said.get("purse") or 0}
        else:
            event.prizes = {"by": "place", "prizes": list(values)}
        event.save(update_fields=["prizes"])
        note(
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
    """Hand over what one team still has to get from the pot or the prizes. The same key again pays nothing."""
    with writing(event) as event:
        if (done := lines_of(event, key)) is not None:
            return done[0]
        facts = payouts(event)
        payee = facts.payee(number, purpose)
        if payee is None or payee.left <= 0:
            raise Changed(NOTHING_LEFT)
        _check(facts, [payee])
        return _pay(actor, event, payee, key, witness)


def pay_out_all(actor: Actor, event: Event, witness: str = "") -> list[Ledger]:
    with writing(event) as event:
        facts = payouts(event)
        if not facts.due:
            raise Changed(ALL_PAID)
        _check(facts, facts.due)
        return [_pay(actor, event, payee, None, witness) for payee in facts.due]


def pay_out(
    actor: Actor, event: Event, number: int | None, purpose: str, key: uuid.UUID | None, witness: str = ""
) -> list[Ledger]:
    """Hand over one share, or with no team named all of them."""
    if number:
        return [pay_out_share(actor, event, number, purpose, key, witness)]
    return pay_out_all(actor, event, witness)


def check_payout(event: Event, number: int | None, purpose: str, key: uuid.UUID | None) -> str:
    """What would be handed over, as a sentence to confirm; asked before a password is. Raises as the payout does.

    Nothing where the same key has paid already: then nothing is paid again.
    """
    if lines_of(event, key) is not None:
        return ""
    facts = payouts(event)
    due = [one for one in facts.due if not number or (one.number, one.purpose) == (number, purpose)]
    if not due:
        raise Changed(NOTHING_LEFT if number else ALL_PAID)
    _check(facts, due)
    who = due[0].team if len(due) == 1 else f"{len({one.number for one in due})} {ruleset_of(event).unit}s"
    return f"Pay out {money(sum(one.left for one in due), event.currency)} to {who}."


def _pay(actor: Actor, event: Event, payee: Payee, key: uuid.UUID | None, witness: str) -> Ledger:
    team = event.teams.get(number=payee.number)
    return pay_share(actor, event, team, payee.purpose, payee.left, Said(key), witness)


def _check(facts: Payouts, due: Sequence[Payee]) -> None:
    text, rule = facts.refusal(due)
    if text:
        raise Invalid([Fault("", text, rule)])


def _check_prizes(values: list[Any], by_percent: bool) -> None:
    if len(values) > MOST_PLACES:
        raise Invalid([Fault("values", f"At most {MOST_PLACES} places.")])
    if by_percent and sum((Fraction(one) for one in values), Fraction(0)) > 100:
        raise Invalid([Fault("values", "The percentages are more than 100 together.")])


def _prizes(event: Event, said: dict[str, Any]) -> dict[str, Any]:
    """A payout table as the journal keeps it: sums with their currency."""
    sums = {key: [money(one, event.currency) for one in said[key]] for key in ("prizes",) if key in said}
    return said | sums | ({"purse": money(said["purse"], event.currency)} if said.get("purse") else {})
