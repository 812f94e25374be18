"""The options of Okinawa, and its rule sheet. A published sheet never changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.game import Sheet
from scoring.options import option
from scoring.tricks import TrickRules

HANDS = 13
FIRST_HANDS = 5
FIRST_CARDS = 5


@dataclass(frozen=True, kw_only=True)
class Rules(TrickRules):
    """One way of playing Okinawa. The defaults are the game as its authors describe it."""

    number_for_all: str = option(
        "contract",
        "A number that names every trick of the hand",
        choices={"contract": "is a bid like any other", "refused": "is not allowed: bid Okinawa instead"},
        group="bidding",
    )
    nobody_bids: str = option(
        "as-written",
        "When all four pass",
        choices={
            "as-written": "played if tricks are written; if not, the next player deals the same number of cards",
            "next-dealer": "the hand is thrown in and the next player deals the same number of cards",
            "same-dealer": "the hand is thrown in and the same player deals again",
            "played": "the hand is played: a point for each trick",
        },
        group="bidding",
    )
    throw_up: str = option(
        "two-tens",
        "A hand without ace and face card may be thrown up, if the partner agrees,",
        choices={
            "two-tens": "with two tens at most",
            "one-ten": "with one ten at most",
            "none": "never: every hand is played",
        },
        group="bidding",
    )
    throw_up_from: int = option(6, "Throwing up begins with hand number", low=1, high=HANDS, group="bidding")

    trick_points: int = option(5, "Points for each trick bid, made or set", low=1, high=100)
    over_points: int = option(1, "Points for each trick over the bid", low=0, high=100)
    okinawa_bonus: int = option(50, "Okinawa made adds", low=0, high=1000, unit="points")
    okinawa_fails: str = option(
        "tricks",
        "Okinawa that fails loses",
        choices={"tricks": "the points of the tricks", "tricks-and-bonus": "the points of the tricks and the bonus"},
    )
    level_at_end: str = option(
        "draw",
        "Tied after 13 hands",
        choices={"draw": "is a draw", "one-more": "one more hand decides and scores nothing"},
        group="end",
    )

    def irrelevant_options(self) -> frozenset[str]:
        """Name the options that have no effect beside the others."""
        return super().irrelevant_options() | ({"throw_up_from"} if self.throw_up == "none" else frozenset())

    @property
    def passes_on_unplayed(self) -> bool:
        """Return whether the deal can pass on without a hand: after a misdeal, or if all passed."""
        return super().passes_on_unplayed or self.nobody_bids in ("as-written", "next-dealer")


# The source of a sheet, as a club would name it.
PAGE = "Okinawa rules, as collected"

STANDARD = Rules(first_dealer="by-lot", tiebreak_order=("points", "games-won", "lots"))
SHEETS = (Sheet("okinawa/standard", "Okinawa, 13 hands", f"{PAGE}, lines 3–27", STANDARD),)


def cards_of(hand: int, written: int | None = None) -> int:
    """Return the cards dealt to each player in a hand, counted from 0: five hands of 5, then 6 to 13.

    A hand that decides a tied game has 13. If another number from 5 to 13 is `written` down, the table lost count and
    dealt that many; the hand takes the place of the one that was due.
    """
    if written is not None and FIRST_CARDS <= written <= HANDS:
        return written
    return FIRST_CARDS if hand < FIRST_HANDS else min(hand + 1, HANDS)


# Players’ names for the clauses of Okinawa, for sheets and screens.

HEADINGS: Mapping[str, str] = {
    "ok.contract": "contract",
    "ok.okinawa": "Okinawa",
    "ok.var.okinawa_fail50": "failed Okinawa",
    "ok.schedule": "13 hands",
    "ok.throw_up": "throw-up",
    "ok.var.no_throw_up": "no throw-up",
    "ok.var.one_ten": "throw-up",
    "all-pass": "all pass",
}
