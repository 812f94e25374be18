"""What an Okinawa score sheet holds: what each player, or each team together, bid and took."""

from __future__ import annotations

from typing import NamedTuple

from scoring.ledger import Problem
from scoring.tricks import TrickHand

PASS, OKINAWA = "pass", "okinawa"
SUITS = ("clubs", "diamonds", "hearts", "spades")
SEATS = 4
SIDES = 2


class Bid(NamedTuple):
    """A number of tricks, 0 for a pass, or Okinawa: every trick."""

    number: int
    is_okinawa: bool = False


def parse_bid(text: str) -> Bid | None:
    """Read “3”, “pass” (also “0”) and “okinawa”; anything else gives None."""
    if text == OKINAWA:
        return Bid(0, is_okinawa=True)
    if text in (PASS, "0"):
        return Bid(0)
    if len(text) > 2 or not text.isascii() or not text.isdigit() or text.startswith("0"):
        return None
    return Bid(int(text))


def team_bids(bids: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Add the bids of partners. Okinawa by either of them is the bid of both."""
    teams = (bids[side::SIDES] for side in range(SIDES))
    return tuple(Bid(sum(bid.number for bid in team), any(bid.is_okinawa for bid in team)) for team in teams)


# The first round of bidding: each call higher than all before it, and the highest names trumps.

RULE = "ok.contract"


def auction_problems(hand: TrickHand, bids: tuple[Bid, ...], cards: int) -> tuple[Problem, ...]:
    """Check a first round that was written down: the calls in order from the dealer’s left.

    `bids` are the final bids on the score sheet, by seat or by side. The highest caller named trumps and does not bid
    again, so this call must be among them.
    """
    calls = [parse_bid(call) for call in hand.auction]
    if not calls:
        return ()
    if len(calls) > SEATS:
        return (Problem("auction", RULE, "The first round goes around once: four calls at most."),)
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
    """Rank a call: Okinawa is above every number."""
    return cards + 1 if call.is_okinawa else call.number


def _of_winner(hand: TrickHand, bids: tuple[Bid, ...], turn: int) -> tuple[Bid, ...]:
    """Return the bid of the player who won the first round; all bids if it is not known who dealt."""
    if hand.dealer is None or len(hand.auction) != SEATS:
        return bids
    return (bids[(hand.dealer + 1 + turn) % len(bids)],)


def _shows(bids: tuple[Bid, ...], bid: Bid, cards: int, highest: int) -> bool:
    """Return whether a bid can include the highest call: exactly by seat, and with the partner’s bid added by team."""
    rank = _rank(bid, cards)
    return rank == highest if len(bids) == SEATS else rank >= highest
