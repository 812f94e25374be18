"""Hands of Bid Whist that are dealt again beside misdeals: all passed, or a hand without face cards."""

from __future__ import annotations

from scoring.bid_whist.citations import CITES
from scoring.bid_whist.rules import Rules
from scoring.entries import Void
from scoring.game import VoidChoice
from scoring.problem import Problem

THROWN_IN = "all-pass"
NO_FACE_CARD = "bw52.auction"


def void_choices(rules: Rules) -> tuple[VoidChoice, ...]:
    """List the hands that this sheet has dealt again; the same player deals."""
    choices = []
    if rules.dealer_bids_at_least is None:
        choices.append(VoidChoice(THROWN_IN, "All passed: the same player deals again"))
    if rules.redeal_without_faces:
        text = "A player without a face card called for a redeal: the same player deals again"
        choices.append(VoidChoice(NO_FACE_CARD, text))
    return tuple(choices)


def void_problems(rules: Rules, void: Void) -> tuple[Problem, ...]:
    """Refuse a redeal that this sheet does not grant."""
    forced = rules.dealer_bids_at_least
    if void.rule == THROWN_IN and forced is not None:
        text = f"Not everyone can pass on this sheet: the dealer must bid at least {forced}."
        return (Problem("rule", CITES[rules.book]["dealer"], text),)
    if void.rule == NO_FACE_CARD and not rules.redeal_without_faces:
        return (Problem("rule", NO_FACE_CARD, "A hand without a face card is played on this sheet."),)
    return ()
