"""Rainbows: as many cards of each suit, announced at the turn to bid, on deals of 4, 8 and 12 cards."""

from __future__ import annotations

from typing import NamedTuple

from scoring.back_alley.citations import CITES, PLAIN_RAINBOW
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import NUMBER, Bid
from scoring.tricks import TrickHand


class Rainbow(NamedTuple):
    """What a rainbow brings on one deal: `points`, lost instead if the player takes fewer than `tricks` tricks.

    With `tricks` it is a bid of as many; without, it is announced beside a bid and pays by itself.
    """

    points: int
    tricks: int
    rule: str


def rainbow_of(rules: Rules, cards: int) -> Rainbow | None:
    """Return the rainbow that may be announced with so many cards; None where there is none."""
    if rules.rainbow_plain and cards == 4:
        return Rainbow(40, 0, PLAIN_RAINBOW)
    played = {4: rules.rainbow4, 8: rules.rainbow8, 12: rules.rainbow12}
    if played.get(cards):
        return Rainbow(10 * cards, cards // 4, f"ba.var.rainbow{cards}")
    for dealt, points in rules.bonuses:
        if dealt == cards:
            return Rainbow(points, 0, CITES[rules.book]["rainbow"])
    return None


def promised_tricks(rules: Rules, cards: int, bid: Bid) -> int:
    """Count the tricks that a bid promises; an announced rainbow may promise some by itself."""
    rainbow = rainbow_of(rules, cards) if bid.rainbow else None
    return bid.number + (rainbow.tricks if rainbow else 0)


def is_thrown_in(rules: Rules, cards: int, bids: tuple[Bid, ...], hand: TrickHand) -> bool:
    """Return whether a hand was thrown in because nobody bid.

    A rainbow that only pays by itself, beside a pass, is no bid; but a hand written with its tricks was played.
    """
    if any(bid.call != NUMBER or promised_tricks(rules, cards, bid) for bid in bids):
        return False
    return not any(bid.rainbow for bid in bids) or sum(hand.tricks) != cards
