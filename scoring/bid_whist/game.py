"""Bid Whist as the registry shows it."""

from __future__ import annotations

from scoring.bid_whist.checks import next_hand, problems
from scoring.bid_whist.headings import HEADINGS
from scoring.bid_whist.rules import Rules
from scoring.bid_whist.rulings import complete, rulings
from scoring.bid_whist.score import hand_result, score_entry
from scoring.bid_whist.sheet import Entry, read_hand
from scoring.bid_whist.sheets import SHEETS
from scoring.bid_whist.tariff import tariff
from scoring.bid_whist.voids import void_choices
from scoring.game import CardGame, Seating
from scoring.hand import BOSTONS, SETS
from scoring.ledger import Carry


def _carried_on(rules: Rules, carry: Carry) -> Carry:
    """A paper sheet with points or sets on it has seen a hand, so that the next is no first hand (rule 9)."""
    hands = max(sum(carry.sets), int(any(carry.scores)))
    return carry._replace(hands=hands, deals=max(carry.deals, hands))


# High to low, for each bid, as the page on Bid Whist has them (004 L47-L52, L102-L104).
RANKS = {
    "base": "Straight: A K Q J 10 down to 2. Special: A 2 3 up to 10 J Q K",
    "52": "Uptown: A K Q J 10 down to 2. Downtown, aces good: A 2 3 up to K. Aces bad: 2 3 up to K A",
}
JOKERS = ("", ". Trumps begin with the joker", ". Trumps begin with the big joker and the little joker")


def _ranks(rules: Rules) -> str:
    """Name the ranks for each kind of bid; the other books leave them to the table."""
    if rules.book not in RANKS:
        return ""
    deuce = ", then the two of spades" if rules.jokers and rules.deuce_of_spades else ""
    return RANKS[rules.book] + JOKERS[rules.jokers] + deuce


GAME: CardGame[Rules, Entry] = CardGame(
    key="bid_whist",
    title="Bid Whist",
    word="books",
    sheets=SHEETS,
    seating=lambda rules: Seating(seats=4, sides=2),
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
    tariff=tariff,
    ranks=_ranks,
    headings=HEADINGS,
)
