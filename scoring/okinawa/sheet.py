"""What stands on an Okinawa score sheet: what each player bid (or each team together) and the tricks."""

from __future__ import annotations

from typing import NamedTuple

from scoring.entries import Decision
from scoring.tricks import TrickHand

PASS, OKINAWA = "pass", "okinawa"
SUITS = ("clubs", "diamonds", "hearts", "spades")
SEATS = 4
SIDES = 2

Entry = TrickHand | Decision


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
    """Add the bids of partners up; Okinawa by either of them is the bid of both."""
    teams = (bids[side::SIDES] for side in range(SIDES))
    return tuple(Bid(sum(bid.number for bid in team), any(bid.is_okinawa for bid in team)) for team in teams)


def is_thrown_in(bids: tuple[Bid, ...]) -> bool:
    """Return whether everybody passed."""
    return not any(bid.number or bid.is_okinawa for bid in bids)
