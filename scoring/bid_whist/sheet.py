"""What a Bid Whist score sheet holds: one line per hand, as the table writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.bid_whist.rules import CITES, Rules
from scoring.fields import Fields
from scoring.ledger import Problem, hyphenated, quoted

STRAIGHT, SPECIAL, NO = "straight", "special", "no"
KINDS = (STRAIGHT, SPECIAL, NO)
NO_TRUMP = "no-trump"
SUITS = ("clubs", "diamonds", "hearts", "spades", NO_TRUMP)
UPTOWN, DOWNTOWN, ACES_BAD = "uptown", "downtown", "downtown-aces-bad"
DIRECTIONS = (UPTOWN, DOWNTOWN, ACES_BAD)
# Words of the bid that mean the same.
TRUMPS_TOO = {"no": NO_TRUMP}
DIRECTIONS_TOO = {"high": UPTOWN, "straight": UPTOWN, "low": DOWNTOWN, "special": DOWNTOWN}
DIRECTIONS_TOO |= {"downtown-aces-good": DOWNTOWN}
BOOKS = 13
BOOK = 6
# The bid for all the books.
HIGHEST = BOOKS - BOOK
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
    def needs(self) -> int:
        """Return the books that the bid promises."""
        return BOOK + self.level


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that was played out. `books` are those of the bidding side; the other side took the rest of the 13."""

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
        """Return the bid as it was played: if “no trump” was named after a plain number, it was a No."""
        return Bid(self.bid.level, NO) if self.trump == NO_TRUMP else self.bid


def spoken(rules: Rules, bid: Bid) -> str:
    """Return a bid in the words of the table: “4-Special”, “4 downtown”."""
    return f"{bid.level}{rules.called[bid.kind].behind}"


def parse_bid(text: str) -> Bid | None:
    """Read “4”, “4-special”, “4-no” (and “4-straight”); anything else gives None."""
    level, hyphen, kind = text.strip().lower().replace(" ", "-").partition("-")
    kind = kind if hyphen else STRAIGHT
    if len(level) == 1 and level in "0123456789" and kind in KINDS:
        return Bid(int(level), kind)
    return None


def read_hand(facts: Mapping[str, Any]) -> tuple[Hand | None, tuple[Problem, ...]]:
    """Read a hand of the game document; every malformed field becomes a problem."""
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
    trump, direction = hyphenated(fields.text("trump")), hyphenated(fields.text("direction"))
    trump = TRUMPS_TOO.get(trump, trump)
    direction = DIRECTIONS_TOO.get(direction, direction)
    if trump and trump not in SUITS:
        fields.refuse("trump", f"“{trump}” is not a suit. Trumps are {', '.join(SUITS)}.")
    if direction and direction not in DIRECTIONS:
        fields.refuse("direction", f"“{direction}” is not a direction: {', '.join(DIRECTIONS)}.")
    auction = tuple(call.strip().lower() for call in fields.texts("auction"))
    if fields.problems:
        _refuse_impossible(fields, bid, books)
    if fields.problems or bidder is None or bid is None or books is None:
        return None, tuple(fields.problems)
    return Hand(bidder, bid, books, seat, dealer, auction, trump, direction), ()


def _read_bidder(fields: Fields, seat: int | None) -> int | None:
    """Return the side that won the bid. The seat is enough; if both are given, they must agree."""
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


def _refuse_impossible(fields: Fields, bid: Bid | None, books: int | None) -> None:
    """Refuse books and a bid that no rules allow, beside the other faults of a hand.

    A hand without faults of form is judged by its rules, which say more.
    """
    if books is not None and books not in range(BOOKS + 1):
        fields.refuse("books", f"There are 13 books; {books} is not possible.")
    if bid is not None and bid.level not in range(1, HIGHEST + 1):
        fields.refuse("bid", f"A bid is from 1 to 7; {bid.level} is not.")


def _read_bid(fields: Fields) -> Bid | None:
    written = fields.facts.get("bid")
    bid = parse_bid(written) if isinstance(written, str) else None
    if bid is None:
        missing = written is None or written == ""
        wrong = "What was the bid?" if missing else f"{quoted(written)} is not a bid."
        fields.refuse(
            "bid", f"{wrong} A bid is a number and a kind, as text: “3”, “3-special” (downtown), “3-no” (no trump)."
        )
    return bid


# The auction of Bid Whist: which bid beats which, and what is wrong with an auction that was written down.

NO_BID = "pass"


def rank(rules: Rules, bid: Bid) -> tuple[int, int]:
    """Return a bid’s place on the ladder. Of two bids, the one with the higher place wins."""
    if not rules.kind_is_bid:
        return bid.level, 0
    if bid.kind == NO:
        return bid.level, 2 if rules.no_over_same else 0
    return bid.level, int(bid.kind == SPECIAL and rules.special_over_straight != "equal")


def ladder(rules: Rules) -> tuple[Bid, ...]:
    """List all bids of the sheet from the lowest to the highest."""
    bids = [Bid(level, kind) for level in range(rules.lowest_bid, HIGHEST + 1) for kind in rules.kinds]
    return tuple(sorted(bids, key=lambda bid: rank(rules, bid)))


def bid_problems(rules: Rules, bid: Bid) -> tuple[Problem, ...]:
    """Refuse a bid that is not on the ladder."""
    rule = CITES[rules.book]["bid"]
    if not rules.lowest_bid <= bid.level <= HIGHEST:
        return (Problem("bid", rule, f"A bid is from {rules.lowest_bid} to 7; {bid.level} is not."),)
    if bid.kind not in rules.kinds:
        return (Problem("bid", rule, f"{spoken(rules, bid)} cannot be bid in this game."),)
    return ()


def auction_problems(rules: Rules, hand: Hand) -> tuple[Problem, ...]:
    """Check a written auction: its calls in order, starting to the dealer’s left.

    Passes may be left out. Each bid must beat the one before it; the dealer, who calls last, may match it if the sheet
    says so. A dealer must bid after three passes. The highest bid must be the one that was played.
    """
    if not hand.auction:
        return ()
    cites = CITES[rules.book]
    calls = [None if call == NO_BID else parse_bid(call) for call in hand.auction]
    for call, written in zip(calls, hand.auction, strict=True):
        if call is None and written != NO_BID:
            return (Problem("auction", cites["ladder"], f"“{written}” is not a bid and not “pass”."),)
        if call is not None and (wrong := bid_problems(rules, call)):
            return (wrong[0]._replace(field="auction"),)
    if rules.auction_rounds == "one" and len(calls) > SEATS:
        return (Problem("auction", cites["ladder"], "The bidding goes around once: four calls at most."),)
    return (
        _dealer_problems(rules, calls, hand) or _ladder_problems(rules, calls) or _winner_problems(rules, calls, hand)
    )


def _dealer_problems(rules: Rules, calls: list[Bid | None], hand: Hand) -> tuple[Problem, ...]:
    """Refuse a bid that is too low from a dealer who must bid after three passes. Passes may be left out."""
    rule, forced = CITES[rules.book]["dealer"], rules.dealer_bids_at_least
    bids = [call for call in calls if call is not None]
    if not bids:
        text = "Nobody bid, so there is no hand to score."
        return (Problem("auction", rule, text if forced is None else f"The dealer must bid at least {forced}."),)
    if len(calls) < SEATS:
        is_forced = len(bids) == 1 and hand.seat is not None and hand.seat == hand.dealer
    else:
        is_forced = not any(calls[: SEATS - 1])
    if is_forced and forced is not None and bids[0].level < forced:
        return (Problem("auction", rule, f"When all others pass, the dealer must bid at least {forced}."),)
    return ()


def _ladder_problems(rules: Rules, calls: list[Bid | None]) -> tuple[Problem, ...]:
    highest: Bid | None = None
    for turn, call in enumerate(calls):
        if call is None:
            continue
        # The dealer calls fourth. If passes were left out, the last bid may be the dealer’s.
        may_be_dealer = turn % SEATS == SEATS - 1 or (turn == len(calls) - 1 and None not in calls)
        if highest is not None and not _beats(rules, call, highest, may_be_dealer):
            text = f"{spoken(rules, call)} does not go over {spoken(rules, highest)}."
            return (Problem("auction", CITES[rules.book]["ladder"], text),)
        highest = call
    return ()


def _beats(rules: Rules, call: Bid, highest: Bid, is_dealer: bool) -> bool:
    if is_dealer and rules.dealer_may_match:
        return rank(rules, call) >= rank(rules, highest)
    return rank(rules, call) > rank(rules, highest)


def _winner_problems(rules: Rules, calls: list[Bid | None], hand: Hand) -> tuple[Problem, ...]:
    rule = CITES[rules.book]["ladder"]
    highest = [call for call in calls if call is not None][-1]
    same = highest == hand.bid if rules.kind_is_bid else highest.level == hand.bid.level
    if not same:
        text = f"The auction ended at {spoken(rules, highest)}, not at {spoken(rules, hand.bid)}."
        return (Problem("bid", rule, text),)
    turns = _turns_that_won(rules, calls)
    if turns is None:
        return ()
    if not turns:
        return (
            Problem("auction", rule, "A player who has passed cannot bid again, and three passes end the auction."),
        )
    if hand.dealer is None:
        return ()
    seats = [(hand.dealer + 1 + turn) % SEATS for turn in turns]
    if hand.bidder not in [seat % 2 for seat in seats]:
        return (Problem("bidder", rule, f"In this auction the other side bid {spoken(rules, highest)}."),)
    if hand.seat is not None and hand.seat not in seats:
        possible = " or ".join(str(seat) for seat in sorted(seats))
        return (Problem("seat", rule, f"{spoken(rules, highest)} was bid from seat {possible}."),)
    return ()


def _turns_that_won(rules: Rules, calls: list[Bid | None]) -> tuple[int, ...] | None:
    """Return the turns, counted from the dealer’s left, that may have made the last bid; None if it cannot be told.

    In one round, the passes that were left out may have been anywhere. In several rounds, those who have passed may be
    skipped, or their passes may be written again each round.
    """
    if rules.auction_rounds == "one":
        last = max(turn for turn, call in enumerate(calls) if call is not None)
        return tuple(range(last, SEATS - (len(calls) - 1 - last)))
    if None not in calls:
        return None
    bidders = (_last_bidder(calls, skips=True), _last_bidder(calls, skips=False))
    return tuple({turn for turn in bidders if turn is not None})


def _last_bidder(calls: list[Bid | None], *, skips: bool) -> int | None:
    """Return who bid last if players who passed are skipped, or are not; None if the calls do not fit that."""
    passed: set[int] = set()
    turn, last = SEATS - 1, None
    for call in calls:
        if last is not None and len(passed) == SEATS - 1:
            if call is not None:
                return None
            continue
        asked = [(turn + step) % SEATS for step in range(1, SEATS + 1)]
        turn = next((seat for seat in asked if not (skips and seat in passed)), asked[0])
        if call is None:
            passed.add(turn)
        elif turn in passed:
            return None
        else:
            last = turn
    return last
