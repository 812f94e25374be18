"""What stands on a Bid Whist score sheet: one line per hand, as the table writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.entries import Decision
from scoring.fields import Fields
from scoring.problem import Problem, quoted

STRAIGHT, SPECIAL, NO = "straight", "special", "no"
KINDS = (STRAIGHT, SPECIAL, NO)
NO_TRUMP = "no-trump"
SUITS = ("clubs", "diamonds", "hearts", "spades", NO_TRUMP)
UPTOWN, DOWNTOWN, ACES_BAD = "uptown", "downtown", "downtown-aces-bad"
DIRECTIONS = (UPTOWN, DOWNTOWN, ACES_BAD)
# The words of the bid for the same things.
TRUMPS_TOO = {"no": NO_TRUMP}
DIRECTIONS_TOO = {"high": UPTOWN, "straight": UPTOWN, "low": DOWNTOWN, "special": DOWNTOWN}
DIRECTIONS_TOO |= {"downtown-aces-good": DOWNTOWN}
BOOKS = 13
BOOK = 6
SEATS = 4
FIELDS = frozenset(
    {"entry", "note", "bidder", "seat", "bid", "books", "dealer", "auction", "trump", "direction"},
)


class Bid(NamedTuple):
    """A level and a kind: “3-no” promises nine books without trumps."""

    level: int
    kind: str

    def __str__(self) -> str:
        """Write the bid as a sheet and a file do: 4, or 5-no."""
        return str(self.level) if self.kind == STRAIGHT else f"{self.level}-{self.kind}"

    @property
    def words(self) -> str:
        """Say the bid as the table says it."""
        return str(self.level) if self.kind == STRAIGHT else f"{self.level}-{self.kind.capitalize()}"

    @property
    def needs(self) -> int:
        """Return the books that the bid promises."""
        return BOOK + self.level


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that was played out. `books` are the bidding side's; the rest of the 13 are the other side's."""

    bidder: int
    bid: Bid
    books: int
    seat: int | None = None
    dealer: int | None = None
    auction: tuple[str, ...] = ()
    trump: str = ""
    direction: str = ""

    @property
    def contract(self) -> Bid:
        """Return the bid as it was played: a number with “no trump” named after it is a No."""
        return Bid(self.bid.level, NO) if self.trump == NO_TRUMP else self.bid


Entry = Hand | Decision


def parse_bid(text: str) -> Bid | None:
    """Read “4”, “4-special”, “4-no” (and “4-straight”); anything else gives None."""
    level, hyphen, kind = text.strip().lower().replace(" ", "-").partition("-")
    kind = kind if hyphen else STRAIGHT
    if len(level) == 1 and level in "0123456789" and kind in KINDS:
        return Bid(int(level), kind)
    return None


def read_hand(facts: Mapping[str, Any]) -> tuple[Hand | None, tuple[Problem, ...]]:
    """Read a hand of the game document; every fault of form becomes a problem at its field."""
    fields = Fields(facts)
    fields.only(FIELDS)
    seat, dealer, books = fields.number("seat"), fields.number("dealer"), fields.number("books")
    for field, value in (("seat", seat), ("dealer", dealer)):
        if value is not None and value not in range(SEATS):
            fields.refuse(field, f"The {field} is a place at the table from 0 to 3.")
    bidder = _read_bidder(fields, seat)
    bid = _read_bid(fields)
    if facts.get("books") is None:
        fields.refuse("books", "How many books did the bidding side take?")
    trump, direction = (_read_word(fields, field) for field in ("trump", "direction"))
    trump, direction = TRUMPS_TOO.get(trump, trump), DIRECTIONS_TOO.get(direction, direction)
    if trump and trump not in SUITS:
        fields.refuse("trump", f"“{trump}” is not a suit. Trumps are {', '.join(SUITS)}.")
    if direction and direction not in DIRECTIONS:
        fields.refuse("direction", f"“{direction}” is not a direction: {', '.join(DIRECTIONS)}.")
    auction = tuple(call.strip().lower() for call in fields.texts("auction"))
    if fields.problems:  # the rest is judged by the sheet; together with other faults this much can be said already
        if books is not None and books not in range(BOOKS + 1):
            fields.refuse("books", f"There are 13 books; {books} is not possible.")
        if bid is not None and bid.level not in range(1, BOOKS - BOOK + 1):
            fields.refuse("bid", f"A bid is from 1 to 7; {bid.level} is not.")
    if fields.problems or bidder is None or bid is None or books is None:
        return None, tuple(fields.problems)
    return Hand(bidder, bid, books, seat, dealer, auction, trump, direction), ()


def _read_bidder(fields: Fields, seat: int | None) -> int | None:
    """The side that won the bid; the seat tells it too, and must not say otherwise."""
    bidder = fields.number("bidder")
    if bidder is None:
        if fields.facts.get("bidder") is None and seat is None:
            fields.refuse("bidder", "Who won the bid? Side 0 or side 1 is needed.")
        return None if seat is None else seat % 2
    if bidder not in (0, 1):
        fields.refuse("bidder", f"There is no side {bidder} at this table: the bid was won by side 0 or side 1.")
    elif seat is not None and seat % 2 != bidder:
        fields.refuse("seat", f"Seat {seat} does not belong to side {bidder}.")
    return bidder


def _read_bid(fields: Fields) -> Bid | None:
    said = fields.facts.get("bid")
    bid = parse_bid(said) if isinstance(said, str) else None
    if bid is None:
        missing = said is None or said == ""
        wrong = "What was the bid?" if missing else f"{quoted(said)} is not a bid."
        fields.refuse("bid", f"{wrong} A bid is a number and a kind, as text: “3”, “3-special”, “3-no”.")
    return bid


def _read_word(fields: Fields, field: str) -> str:
    return fields.text(field).strip().lower().replace(" ", "-").replace("_", "-")
