"""What the entry form of a game's next hand asks: made from the rules' own `next_hand`, nothing is offered besides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoring.document import read_entry
from scoring.entries import Void
from scoring.game import NextHand, VoidChoice
from scoring.registry import find_game
from tournament.models import Event
from tournament.queries.rules import Ruleset, ruleset, ruleset_of
from tournament.queries.sheet import GameSheet
from tournament.queries.wording import bid_words
from tournament.refusals import Fault, Invalid

KINDS = {"straight": "Straight", "special": "Special", "no": "No"}
# As the score sheet writes the kinds of a bid, with a blank that no line breaks at.
SHORT = {"straight": "", "special": "\u00a0S", "no": "\u00a0No"}
BOOKS = 13
FIRST_SIX = "first-six"
TRUMPS = {"clubs": "Clubs", "diamonds": "Diamonds", "hearts": "Hearts", "spades": "Spades", "none": "No trumps"}


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody who can be named in the form: a player in a seat, or a whole side. `letter` is the key to press."""

    index: int
    side: int
    name: str
    team: str
    letter: str


@dataclass(frozen=True, slots=True)
class BidChoice:
    """A bid that may be said: its value, its words, what stands on its button, and the books it needs."""

    value: str
    words: str
    short: str
    need: int | None = None


@dataclass(frozen=True, slots=True)
class BidRow:
    """The bids of one kind, one column a number; None where the sheet does not offer one."""

    kind: str
    words: str
    doubled: bool
    choices: tuple[BidChoice | None, ...]


@dataclass(frozen=True, slots=True)
class BookChoice:
    """A number of books. `note` is “Boston” for all of them."""

    value: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One bidder of a game in which everybody bids: who, and what may be said there."""

    place: Place
    choices: tuple[BidChoice, ...]


@dataclass(frozen=True, slots=True)
class Dealing:
    """Who deals the hand where `first` dealt the first one, and who is asked from the dealer's left on: for a bid, for
    tricks, and for what was said in the first round of bidding."""

    first: int
    dealer: Place
    turns: tuple[Turn, ...]
    takers: tuple[Place, ...]
    auction: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of one hand. `by` is “bidder”, “seat” or “side”: who bids decides which fields are filled.

    `turns` and `takers` stand in the order of asking. `trumps` and `auction` (the first round of bidding) score
    nothing: a table that wants them on its sheet may write them. They are empty where the game has none. `deals` is
    one, or one for everybody who may yet deal first. `directions` may be named beside a bid that leaves them open.
    """

    by: str
    number: int
    cards: int
    note: str
    word: str
    deals: tuple[Dealing, ...]
    seats: tuple[Place, ...]
    rows: tuple[BidRow, ...]
    books: tuple[BookChoice, ...]
    tricks: tuple[int, ...]
    asks_first_six: bool
    trumps: tuple[BidChoice, ...]
    needs: tuple[int, ...]
    directions: tuple[BidChoice, ...]
    voids: tuple[VoidChoice, ...]

    @property
    def dealer(self) -> Place:
        return self.deals[0].dealer

    @property
    def turns(self) -> tuple[Turn, ...]:
        return self.deals[0].turns

    @property
    def takers(self) -> tuple[Place, ...]:
        return self.deals[0].takers

    @property
    def auction(self) -> tuple[Turn, ...]:
        return self.deals[0].auction


def asked(sheet: GameSheet, *, whoever_deals: bool = False) -> Asked | None:
    """The questions of the next hand, also for every other first dealer; None where the game is over."""
    due = sheet.next
    if due is None:
        return None
    rules = _rules(sheet)
    seats = _seats(sheet)
    sides = tuple(Place(side.index, side.index, side.name, "", letter_of(side.index)) for side in sheet.sides)
    firsts = [seat.index for seat in seats] if whoever_deals else [sheet.seats[0].seat]
    by_bidder = due.by == "bidder"
    bidders = () if by_bidder or not due.bids else (sides if due.by == "side" else seats)
    takers = () if by_bidder else (sides if due.tricks_by == "side" else seats)
    said = {bid for bids in due.bids for bid in bids}
    rows = _rows(rules, due) if by_bidder else ()
    return Asked(
        by=due.by,
        number=due.number,
        cards=due.cards,
        note=due.note,
        word=sheet.word,
        deals=tuple(_dealing(rules, due, seats, bidders, takers, first) for first in firsts),
        seats=seats,
        rows=rows,
        books=_books(rules, due) if by_bidder else (),
        tricks=() if by_bidder else tuple(range(due.cards + 1)),
        asks_first_six=FIRST_SIX in said,
        trumps=_suits() if by_bidder else _trumps(rules.game.key, rules.rules),
        needs=tuple(sorted({bid.need for row in rows for bid in row.choices if bid and bid.need})),
        directions=tuple(BidChoice(one.key, one.words, one.words) for one in rules.game.directions(rules.rules)),
        voids=sheet.voids,
    )


def void_of_sheet(sheet: GameSheet, rule: str) -> dict[str, Any]:
    """The void that a rule names on a sheet; Invalid where the sheet knows no such reason."""
    return void_entry(_rules(sheet), rule)


def void_entry(rules: Ruleset, rule: str) -> dict[str, Any]:
    """The entry of a hand that does not count: the table names the rule, the sheet has the words.

    Whether it may be written at this hand is for the rules to say. Raises Invalid where the sheet has no such reason.
    """
    begin = rules.game.begin(rules.rules)
    for choice in rules.game.voids(rules.rules, begin):
        if choice.rule == rule:
            return {"entry": "void", "rule": choice.rule, "reason": choice.words}
    why = [problem.text for problem in rules.game.problems(rules.rules, begin, Void(rule))] if rule else []
    raise Invalid([Fault("rule", why[0] if why else "Say why the hand is void.")])


def _rules(sheet: GameSheet) -> Ruleset:
    if not sheet.slug:
        # A sheet of no event is played as it is printed.
        return ruleset(sheet.sheet_key).at_table(len(sheet.sides))
    event = Event.objects.only("sheet", "options", "frozen_at", "printed").get(slug=sheet.slug)
    return ruleset_of(event).at_table(len(sheet.sides))


def _seats(sheet: GameSheet) -> tuple[Place, ...]:
    """The seats in the order of the document, as people sit; the sheet lists them from the first dealer on."""
    return tuple(
        Place(seat.seat, seat.side, seat.name, "" if seat.name == seat.team else seat.team, letter_of(seat.seat))
        for seat in sorted(sheet.seats, key=lambda seat: seat.seat)
    )


def _dealing(
    rules: Ruleset,
    due: NextHand,
    seats: tuple[Place, ...],
    bidders: tuple[Place, ...],
    takers: tuple[Place, ...],
    first: int,
) -> Dealing:
    at = (first + due.dealer) % len(seats)
    speaking = (*seats[at + 1 :], *seats[: at + 1])

    def asked_in_turn(places: tuple[Place, ...]) -> tuple[Place, ...]:
        """Seats as they speak; a side where the first of its players does."""
        order = dict.fromkeys(seat.index if len(places) == len(seats) else seat.side for seat in speaking)
        return tuple(places[index] for index in order) if places else ()

    def turns(places: tuple[Place, ...]) -> tuple[Turn, ...]:
        return tuple(Turn(place, _choices(due, place.index)) for place in places)

    reads = due.by == "seat" and _reads_auction(rules.game.key, rules.rules)
    auction = turns(speaking) if reads else ()
    return Dealing(first, seats[at], turns(asked_in_turn(bidders)), asked_in_turn(takers), auction)


def _rows(rules: Ruleset, due: NextHand) -> tuple[BidRow, ...]:
    offered = [bid.partition("-") for bid in due.bids[0]]
    levels = sorted({int(level) for level, _, _ in offered})
    bids = {(kind or "straight", int(level)) for level, _, kind in offered}
    rows = []
    for kind, words in KINDS.items():
        if not any((kind, level) in bids for level in levels):
            continue
        choices = tuple(_bid(kind, level) if (kind, level) in bids else None for level in levels)
        rows.append(BidRow(kind, words, kind == "no" and getattr(rules.rules, "no_doubled", False), choices))
    return tuple(rows)


def _bid(kind: str, level: int) -> BidChoice:
    value = str(level) if kind == "straight" else f"{level}-{kind}"
    return BidChoice(value, bid_words(value), f"{level}{SHORT[kind]}", 6 + level)


def _books(rules: Ruleset, due: NextHand) -> tuple[BookChoice, ...]:
    """Every number of books that the rules take for some bid."""
    return tuple(
        BookChoice(books, "Boston" if books == BOOKS else "")
        for books in range(BOOKS + 1)
        if not any(problem.field == "books" for problem in _probe(rules, due.bids[0][0], books))
    )


def _probe(rules: Ruleset, bid: str, books: int) -> Any:
    entry, problems = read_entry(rules.game, {"entry": "hand", "bidder": 0, "bid": bid, "books": books})
    return problems or rules.game.problems(rules.rules, rules.game.begin(rules.rules), entry)


def _choices(due: NextHand, index: int) -> tuple[BidChoice, ...]:
    bids = due.bids[index] if len(due.bids) > 1 else due.bids[0]
    return tuple(BidChoice(bid, bid_words(bid), bid_words(bid)) for bid in bids)


def _suits() -> tuple[BidChoice, ...]:
    """Where a bid says whether there are trumps, only their suit is left to be written."""
    return tuple(BidChoice(suit, words, words) for suit, words in TRUMPS.items() if suit != "none")


@lru_cache(maxsize=64)
def _trumps(key: str, rules: Any) -> tuple[BidChoice, ...]:
    """The suits that may be written down as trumps, where there is more than one."""
    found = tuple(suit for suit in TRUMPS if "trump" not in _refused(key, rules, trump=suit))
    return tuple(BidChoice(suit, TRUMPS[suit], TRUMPS[suit]) for suit in found) if len(found) > 1 else ()


@lru_cache(maxsize=64)
def _reads_auction(key: str, rules: Any) -> bool:
    """A game that reads a first round takes four passes and refuses nonsense; the others take both, or neither."""
    return "auction" not in _refused(key, rules) and "auction" in _refused(key, rules, auction=["nonsense"])


def _refused(key: str, rules: Any, **said: Any) -> set[str]:
    """The fields at which a hand that all passed is refused, with something more said of it."""
    game = find_game(key)
    passes = ["pass"] * game.seating(rules).seats
    facts = {"entry": "hand", "bids": passes, "tricks": [], "auction": passes, **said}
    entry, problems = read_entry(game, facts if "trump" not in said else {**facts, "auction": []})
    problems = problems or game.problems(rules, game.begin(rules), entry)
    return {problem.field for problem in problems}


def letter_of(index: int) -> str:
    """The key that names a seat or a side."""
    return "ABCDEFGH"[index]
