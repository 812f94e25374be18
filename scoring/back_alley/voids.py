"""Hands that do not count: all passed, a redeal that the sheet grants, a misdeal."""

from __future__ import annotations

from scoring.back_alley.citations import CITES, REDEAL_DEMAND, THROWN_IN, TIGHT_REDEAL
from scoring.back_alley.deals import next_cards
from scoring.back_alley.rules import Rules
from scoring.entries import Void
from scoring.game import VoidChoice
from scoring.ledger import Carry
from scoring.problem import Problem

ALL_PASS_WORDS = {THROWN_IN, "allpass", "all-pass"}
DEMAND_WORDS = {REDEAL_DEMAND, "redeal-demand"}
TIGHT_WORDS = {TIGHT_REDEAL, "no-trumps-in-hand"}
DEMAND_CARDS, TIGHT_CARDS = 6, 7


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that this sheet has dealt again."""
    choices = [VoidChoice(thrown_in_rule(rules), f"All passed: {_who_deals(rules)}")]
    if rules.redeal_demand:
        text = "A player without ace, face card and trump demanded a new deal: the same player deals again"
        choices.append(VoidChoice(REDEAL_DEMAND, text))
    if rules.tight_redeal:
        choices.append(VoidChoice(TIGHT_REDEAL, "A player had no trumps: the same player deals again"))
    return tuple(choices)


def passes_deal_on(rules: Rules, void: Void) -> bool:
    """Return whether the next player deals: where all passed and the sheet says so."""
    return _says(void, ALL_PASS_WORDS | {thrown_in_rule(rules)}) and rules.thrown_in_dealer == "next"


def void_problems(rules: Rules, carry: Carry, void: Void) -> tuple[Problem, ...]:
    """Refuse a redeal that this sheet does not grant on this deal."""
    cards = next_cards(rules, carry)
    if _says(void, DEMAND_WORDS):
        if not rules.redeal_demand:
            return (Problem("rule", REDEAL_DEMAND, "No player may demand a new deal on this sheet."),)
        return _too_few(REDEAL_DEMAND, cards, DEMAND_CARDS)
    if _says(void, TIGHT_WORDS):
        if not rules.tight_redeal:
            return (Problem("rule", TIGHT_REDEAL, "A hand without trumps is played on this sheet."),)
        return _too_few(TIGHT_REDEAL, cards, TIGHT_CARDS)
    return ()


def thrown_in_rule(rules: Rules) -> str:
    """Name the clause by which a hand that all passed is thrown in."""
    return CITES[rules.book]["thrown_in"]


def _who_deals(rules: Rules) -> str:
    return "the same player deals again" if rules.thrown_in_dealer == "same" else "the next player deals"


def _says(void: Void, words: set[str]) -> bool:
    said = void.rule.strip().lower()
    return said in words or said.replace("_", "-").replace(" ", "-") in words


def _too_few(rule: str, cards: int, needed: int) -> tuple[Problem, ...]:
    if cards >= needed:
        return ()
    return (Problem("rule", rule, f"This redeal needs {needed} cards or more; this deal has {cards}."),)
