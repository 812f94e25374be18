"""Spades as the registry shows it."""

from __future__ import annotations

from scoring.game import Game, Price, Seating
from scoring.hand import BAGS, BOSTONS, SETS, Counter
from scoring.ledger import Carry
from scoring.plain_rulings import PLAIN_RULINGS
from scoring.spades.checks import next_hand, problems
from scoring.spades.headings import HEADINGS
from scoring.spades.rules import SHEETS, Rules
from scoring.spades.score import hand_result, score_entry
from scoring.spades.sheet import SEATS, SIDES, Entry, read_hand


def _carried_on(rules: Rules, carry: Carry) -> Carry:
    """A paper sheet with anything on it has seen a hand, so that the next is no first hand."""
    seen = any((*carry.scores, *carry.sets, *carry.bags, *carry.bostons))
    hands = max(carry.hands, int(seen))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))


def _counters(rules: Rules) -> tuple[Counter, ...]:
    """Bags are counted where a number of them is charged."""
    return (SETS, *((BAGS,) if rules.bag_limit else ()), BOSTONS)


PRICES = (
    Price("A bid that is made scores", "10 points for each trick bid"),
    Price("A bid that is set loses", "10 points for each trick bid"),
)

GAME: Game[Rules, Entry] = Game(
    key="spades",
    title="Spades",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    for_sides=lambda rules, sides: rules,
    read_hand=read_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    carried_on=_carried_on,
    hands_planned=lambda rules: rules.hand_limit,
    prices=lambda rules: PRICES,
    counters=_counters,
    headings=HEADINGS,
)
