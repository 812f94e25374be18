"""Bid Whist as the registry shows it."""

from __future__ import annotations

from scoring.bid_whist.checks import next_hand, problems
from scoring.bid_whist.headings import HEADINGS
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.rulings import complete, rulings
from scoring.bid_whist.score import hand_result, score_entry
from scoring.bid_whist.sheet import Entry, read_hand
from scoring.bid_whist.sheets import SHEETS
from scoring.bid_whist.voids import void_choices
from scoring.game import Game, Seating
from scoring.hand import BOSTONS, SETS
from scoring.ledger import Carry


def _seating(rules: Rules) -> Seating:  # two partnerships, whatever the options
    return Seating(seats=4, sides=2)


def _for_sides(rules: Rules, sides: int) -> Rules:
    return rules


def _carried_on(rules: Rules, carry: Carry) -> Carry:
    """A paper sheet with points or sets on it has seen a hand, so that the next is no first hand (rule 9)."""
    hands = max(sum(carry.sets), int(any(carry.scores)))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))


GAME: Game[Rules, Entry] = Game(
    key="bid_whist",
    title="Bid Whist",
    word="books",
    sheets=SHEETS,
    seating=_seating,
    for_sides=_for_sides,
    read_hand=read_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=rulings,
    carried_on=_carried_on,
    void_choices=void_choices,
    bidder_of=lambda rules, ruling: complete(rules, ruling).bidder,
    counters=lambda rules: (SETS, BOSTONS),
    headings=HEADINGS,
)
