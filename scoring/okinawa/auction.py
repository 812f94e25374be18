"""The first round of bidding: each call higher than all before it, and the highest names trumps."""

from __future__ import annotations

from scoring.okinawa.sheet import SEATS, Bid, parse_bid
from scoring.problem import Problem
from scoring.tricks import TrickHand

RULE = "ok.contract"


def auction_problems(hand: TrickHand, bids: tuple[Bid, ...], cards: int) -> tuple[Problem, ...]:
    """Check a written first round: the calls in order from the dealer’s left.

    `bids` are what the second round left on the board, by seat or by side. The highest caller named trumps and does
    not bid again, so that the board shows that call.
    """
    calls = [parse_bid(call) for call in hand.auction]
    if not calls:
        return ()
    if len(calls) > SEATS:
        return (Problem("auction", RULE, "The first round goes round once: four calls at most."),)
    highest, winner = 0, None
    for turn, (call, text) in enumerate(zip(calls, hand.auction, strict=True)):
        if call is None:
            return (Problem("auction", RULE, f"“{text}” is not a bid and not “pass”."),)
        rank = _rank(call, cards)
        if call.number > cards:
            return (Problem("auction", RULE, f"There are {cards} tricks in this hand: {text} cannot be bid."),)
        if rank and rank <= highest:
            return (Problem("auction", RULE, f"“{text}” is not higher than the bids before it."),)
        if rank:
            highest, winner = rank, turn
    if winner is None:
        text = "Nobody bid in the first round, so nobody named trumps."
        return (Problem("auction", RULE, text),) if any(_rank(bid, cards) for bid in bids) else ()
    if any(_shows(bids, bid, cards, highest) for bid in _of_winner(hand, bids, winner)):
        return ()
    text = f"The first round was won with {hand.auction[winner]}: that bid stays on the score sheet."
    return (Problem("bids", RULE, text),)


def _rank(call: Bid, cards: int) -> int:
    """Okinawa goes over every number."""
    return cards + 1 if call.is_okinawa else call.number


def _of_winner(hand: TrickHand, bids: tuple[Bid, ...], turn: int) -> tuple[Bid, ...]:
    """The bid of the player who won the first round; all that it may be where nobody knows who dealt."""
    if hand.dealer is None or len(hand.auction) != SEATS:
        return bids
    return (bids[(hand.dealer + 1 + turn) % len(bids)],)


def _shows(bids: tuple[Bid, ...], bid: Bid, cards: int, highest: int) -> bool:
    """By seat the very call stands there; a team’s bid holds it and perhaps its partner’s."""
    rank = _rank(bid, cards)
    return rank == highest if len(bids) == SEATS else rank >= highest
