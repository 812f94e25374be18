"""The bid of the first six tricks: who bid it, who won it, and what the sheet must say about it."""

from __future__ import annotations

from scoring.back_alley.citations import FIRST_SIX as RULE
from scoring.back_alley.rules import Rules
from scoring.back_alley.sheet import FIRST_SIX, Bid
from scoring.problem import Problem
from scoring.tricks import TrickHand, by_side

SIX = 6


def first_six_winner(rules: Rules, bids: tuple[Bid, ...], hand: TrickHand) -> int | None:
    """Name the side that bid and won the first six tricks; None where nobody did."""
    if not hand.first_six:
        return None
    able = _able(rules, bids, hand)
    return able[0] if len(able) == 1 else None


def first_six_problems(rules: Rules, bids: tuple[Bid, ...], hand: TrickHand) -> tuple[Problem, ...]:
    """Check the bid of the first six against the boards, the tricks and what the sheet says."""
    sides = rules.seating().sides
    bidders = _bidders(rules, bids)
    if not bidders:
        text = "Nobody bid the first six tricks."
        return (Problem("first_six", RULE, text),) if hand.first_six else ()
    problems = []
    if any(bid.level for side in bidders for bid in bids[side::sides]):
        problems.append(Problem("bids", RULE, "A side bids the first six tricks or a board, not both."))
    if hand.first_six is None:
        problems.append(Problem("first_six", RULE, "First six bid: were all six won? Yes or no."))
    elif hand.first_six and not _able(rules, bids, hand):
        problems.append(Problem("first_six", RULE, "The bidders of the first six took fewer than six tricks."))
    elif hand.first_six and len(_able(rules, bids, hand)) > 1:
        text = "Both sides bid the first six and took six: enter the points of this hand as an adjustment."
        problems.append(Problem("first_six", RULE, text))
    elif not hand.first_six and any(_took_all(rules, hand, side) for side in bidders):
        problems.append(Problem("first_six", RULE, "A side that took every trick took the first six."))
    return tuple(problems)


def _bidders(rules: Rules, bids: tuple[Bid, ...]) -> list[int]:
    sides = rules.seating().sides
    return sorted({seat % sides for seat, bid in enumerate(bids) if bid.call == FIRST_SIX})


def _able(rules: Rules, bids: tuple[Bid, ...], hand: TrickHand) -> list[int]:
    taken = by_side(hand.tricks, rules.seating().sides)
    return [side for side in _bidders(rules, bids) if taken[side] >= SIX]


def _took_all(rules: Rules, hand: TrickHand, side: int) -> bool:
    return by_side(hand.tricks, rules.seating().sides)[side] == sum(hand.tricks)
