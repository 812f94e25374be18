"""Spades as the registry shows it."""

from __future__ import annotations

from scoring.game import CardGame, Price, Seating
from scoring.hand import BAGS, BOSTONS, SETS, Counter
from scoring.plain_rulings import PLAIN_RULINGS
from scoring.spades.checks import next_hand, problems
from scoring.spades.headings import HEADINGS
from scoring.spades.rules import SHEETS, Rules
from scoring.spades.score import hand_result, score_entry
from scoring.spades.sheet import SEATS, SIDES, Entry, read_hand
from scoring.spades.tariff import tariff
from scoring.tricks import seen_a_hand


def _counters(rules: Rules) -> tuple[Counter, ...]:
    """List bags where a number of them is charged, and Bostons where all 13 tricks are one."""
    return (SETS, *((BAGS,) if rules.bag_limit else ()), *((BOSTONS,) if rules.counts_bostons else ()))


# High to low: 003 L7, L54 and L69-L70.
RANKS = {
    "no-jokers": "A K Q J 10 down to 2; spades are trumps",
    "jokers-deuce": "Spades, the trumps: big joker, small joker, 2, then A K Q down to 3",
    "jokers-diamond": "Spades, the trumps: big joker, small joker, two of diamonds, 2, then A K Q down to 3",
}
PRICES = (
    Price("A bid that is made scores", "10 points for each trick bid"),
    Price("A bid that is set loses", "10 points for each trick bid"),
)

GAME: CardGame[Rules, Entry] = CardGame(
    key="spades",
    title="Spades",
    word="tricks",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=SEATS, sides=SIDES),
    read_hand=read_hand,
    problems=problems,
    score_entry=score_entry,
    result=hand_result,
    next_hand=next_hand,
    rulings=lambda rules: PLAIN_RULINGS,
    carried_on=seen_a_hand,
    hands_planned=lambda rules: rules.hand_limit,
    prices=lambda rules: PRICES,
    counters=_counters,
    tariff=tariff,
    ranks=lambda rules: RANKS[rules.pack],
    headings=HEADINGS,
)
