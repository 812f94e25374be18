"""Okinawa as the registry shows it."""

from __future__ import annotations

from scoring.game import CardGame, Seating
from scoring.ledger import Carry
from scoring.okinawa.checks import next_hand, problems
from scoring.okinawa.headings import HEADINGS
from scoring.okinawa.rules import HANDS, SHEETS, Rules
from scoring.okinawa.score import hand_result, score_entry
from scoring.okinawa.sheet import SEATS, SIDES, Entry
from scoring.okinawa.tariff import tariff
from scoring.okinawa.voids import void_choices
from scoring.plain_rulings import PLAIN_RULINGS
from scoring.tricks import read_trick_hand


def _carried_on(rules: Rules, carry: Carry) -> Carry:
    """A paper sheet with anything on it has seen a hand; how many, only the sheet can say."""
    hands = max(carry.hands, int(any((*carry.scores, *carry.sets))))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))


GAME: CardGame[Rules, Entry] = CardGame(
    key="okinawa",
    title="Okinawa",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    for_sides=lambda rules, sides: rules,
    read_hand=read_trick_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    carried_on=_carried_on,
    hands_planned=lambda rules: HANDS,
    void_choices=void_choices,
    tariff=tariff,
    ranks=lambda rules: "A K Q J 10 down to 2",  # 001 L7
    headings=HEADINGS,
)
