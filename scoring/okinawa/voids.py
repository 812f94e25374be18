"""Hands that do not count: thrown up, passed by all, misdealt."""

from __future__ import annotations

from scoring.entries import Void
from scoring.game import VoidChoice
from scoring.ledger import Carry
from scoring.okinawa.rules import Rules
from scoring.problem import Problem

THROW_UP = "ok.throw_up"
ONE_TEN = "ok.var.one_ten"
THROW_UP_WORDS = {"ok.throw-up", "throw-up", "thrown-up", "ok.var.one-ten"}
THROWN_IN = "all-pass"


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that this sheet has dealt again."""
    choices = []
    if rules.throw_up != "none":
        rule, tens = (THROW_UP, "two tens") if rules.throw_up == "two-tens" else (ONE_TEN, "one ten")
        text = f"Thrown up: no ace, no face card, {tens} at most, and the partner agrees"
        choices.append(VoidChoice(rule, text))
    if rules.nobody_bids != "played":
        who = "the same player deals again" if rules.nobody_bids == "same-dealer" else "the next player deals"
        choices.append(VoidChoice(THROWN_IN, f"All passed: {who}"))
    return tuple(choices)


def passes_deal_on(rules: Rules, void: Void) -> bool:
    """Return whether the next player deals: only where all passed, unless the sheet says otherwise."""
    return _word(void) == THROWN_IN and rules.nobody_bids != "same-dealer"


def void_problems(rules: Rules, carry: Carry, void: Void) -> tuple[Problem, ...]:
    """Refuse a hand thrown up too early, or where the sheet has it played."""
    said = _word(void)
    if said == THROWN_IN and rules.nobody_bids == "played":
        return (Problem("rule", THROWN_IN, "A hand that all passed is played on this sheet."),)
    if said not in THROW_UP_WORDS:
        return ()
    if rules.throw_up == "none":
        return (Problem("rule", "ok.var.no_throw_up", "No hand may be thrown up on this sheet."),)
    if carry.hands + 1 < rules.throw_up_from:
        text = f"A hand may be thrown up from hand {rules.throw_up_from} on; this is hand {carry.hands + 1}."
        return (Problem("rule", THROW_UP, text),)
    return ()


def _word(void: Void) -> str:
    return void.rule.strip().lower().replace("_", "-").replace(" ", "-")
