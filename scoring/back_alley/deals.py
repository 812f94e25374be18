"""How many cards each deal has, and which deal of the game a hand is."""

from __future__ import annotations

from functools import lru_cache

from scoring.back_alley.citations import CITES
from scoring.back_alley.rules import Rules
from scoring.ledger import Carry
from scoring.schedule import close_schedule

# Where the table is larger than the book has in mind: as many as the pack allows with a card left to turn up.
MOST_CARDS = {5: 10, 6: 8}
MOST_CARDS_REDUCED = {3: 10, 4: 10, 5: 8, 6: 6}


@lru_cache(maxsize=256)
def plan(rules: Rules) -> tuple[int, ...]:
    """List the cards of every deal of the game, in order."""
    most = most_cards(rules)
    down, up = tuple(range(most, 0, -1)), tuple(range(1, most + 1))
    if rules.course == "up-down":
        cards = up + down
    elif rules.course == "down-one":
        cards = (*down, 1)
    else:
        cards = down + (up[2 - _one_card_deals(rules) :] if rules.way_back else ())
    if rules.fixed_deal is not None:
        return (rules.fixed_deal,) * (rules.deals or len(cards))
    return cards[: rules.deals]


def most_cards(rules: Rules) -> int:
    """Return the cards of the largest deal."""
    seats = rules.seating().seats
    usual = MOST_CARDS_REDUCED[seats] if rules.reduced else MOST_CARDS.get(seats, rules.full_deal)
    return rules.most_cards or usual


def next_cards(rules: Rules, carry: Carry) -> int:
    """Return the cards of the next deal; a hand beyond the schedule has as many as the last."""
    cards = plan(rules)
    return cards[min(carry.hands, len(cards) - 1)]


def deal_number(rules: Rules, carry: Carry, cards: int | None) -> int:
    """Say which deal, counted from 0, a hand of so many cards is.

    A sheet that carries points on may begin later in the schedule: its first hand says where, at the first deal of
    that size. A hand that was dealt out of turn takes the place of the deal that was due.
    """
    if cards in plan(rules) and carry.hands == 0 and any(carry.scores):
        return plan(rules).index(cards)
    return carry.hands


def may_be_dealt(rules: Rules, carry: Carry, cards: int) -> bool:
    """Return whether a hand may have so many cards: the next deal's, or another that the pack gives.

    Tables lose count and play on; only where every deal has the same number is another one a mistake.
    """
    if cards == next_cards(rules, carry):
        return True
    pack, seats = 42 if rules.reduced else rules.pack, rules.seating().seats
    return rules.fixed_deal is None and 1 <= cards <= max(most_cards(rules), min(rules.full_deal, pack // seats))


def is_blind(rules: Rules, cards: int) -> bool:
    """Return whether a deal is bid blind: halfway between one card and the largest deal."""
    return rules.blind and cards == (most_cards(rules) + 1) // 2


def close_deals(rules: Rules, carry: Carry) -> Carry:
    """End a game whose deals are all scored."""
    rule, one_more = schedule_rule(rules), rules.level_end == "one-more-hand"
    return close_schedule(carry, deals=len(plan(rules)), rule=rule, one_more=one_more)


def schedule_rule(rules: Rules) -> str:
    """Name the clause by which the deals of this sheet run."""
    if rules.fixed_deal is not None:
        return "ba.var.fixed_deal"
    if rules.reduced:
        return "ba.var.reduced"
    return "ba.var.25deals" if _one_card_deals(rules) == 1 else CITES[rules.book]["schedule"]


def _one_card_deals(rules: Rules) -> int:
    """Who asks for 25 deals of 13 cards and fewer means the round with one one-card deal."""
    return 1 if rules.deals == 2 * most_cards(rules) - 1 else rules.one_card_deals
