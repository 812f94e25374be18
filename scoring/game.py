"""What each game fills in, so that the document, the site, paper and spreadsheets can treat all games alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from scoring.ledger import Carry, Line, Step, fold, start
from scoring.problem import Problem

RulesT = TypeVar("RulesT")
EntryT = TypeVar("EntryT")


def as_it_stands(rules: object, carry: Carry) -> Carry:
    """This function will leave the carry of an opening as it was written."""
    return carry


def no_fixed_number(rules: object) -> int | None:
    """This function will say that a game has as many hands as it takes to win it."""
    return None


def as_the_sheet_says(rules: RulesT, options: Mapping[str, Any], entries: tuple[Any, ...]) -> RulesT:
    """This function will leave the rules of a document as its sheet and options have them."""
    return rules


class Seating(NamedTuple):
    """Who sits at the table: `sides` sides with `seats` seats in all; seat i belongs to side i mod sides."""

    seats: int
    sides: int


class NextHand(NamedTuple):
    """What the table must write down next.

    `by` says how the game bids: "bidder" (one side wins the auction), "seat" or "side" (everybody bids).
    `bids` lists what may be said, lowest first, one tuple per seat or side where they differ; `cards` is the
    number of cards dealt to each player; `dealer` is a seat, counted from the seat that dealt first.
    `tricks_by` says whether tricks are needed by "seat" or by "side"; `note` is a sentence for the table.
    """

    number: int
    dealer: int
    cards: int
    by: str
    bids: tuple[tuple[str, ...], ...]
    tricks_by: str
    note: str = ""


class RulingChoice(NamedTuple):
    """One choice that a rule grants, and to whom. `needs` lists what must be said: side, bidder, bid, books, reason.

    `effect` is what it does to the sheet: none, void, set, take-points, three-books, game, nobody or adjustment.
    `also` holds other words under which a document may name the choice.
    """

    key: str
    words: str
    who: str
    effect: str
    needs: tuple[str, ...] = ("side",)
    also: tuple[str, ...] = ()


class RulingRule(NamedTuple):
    """What happened at the table, in the order and words of the sheet, and the choices it grants."""

    rule: str
    when: str
    choices: tuple[RulingChoice, ...]


@dataclass(frozen=True, slots=True)
class Sheet(Generic[RulesT]):
    """A rule sheet: a named, dated set of options of one game. A published sheet never changes."""

    key: str
    title: str
    source: str
    rules: RulesT


@dataclass(frozen=True, slots=True)
class Game(Generic[RulesT, EntryT]):
    """A game as the rest of the system sees it. Every function is pure and takes the sheet's rules first.

    `for_sides` fits the sheet to a number of sides where it can be played by several (three to five players);
    where it cannot, it returns the rules unchanged and the number of `seating` decides. `carried_on` completes an
    opening from paper that does not say how many hands were scored. `hands_planned` is the number of hands of a game
    that is played by a schedule, None for a game that is played until somebody wins. `as_written` adds to the rules
    of a document what only its entries say: that a bid of a variation was played.
    """

    key: str
    title: str
    word: str
    sheets: tuple[Sheet[RulesT], ...]
    seating: Callable[[RulesT], Seating]
    for_sides: Callable[[RulesT, int], RulesT]
    read_hand: Callable[[Mapping[str, Any]], tuple[EntryT | None, tuple[Problem, ...]]]
    write_hand: Callable[[Any], dict[str, Any]]
    problems: Callable[[RulesT, Carry, EntryT], tuple[Problem, ...]]
    score_entry: Callable[[RulesT, Carry, EntryT], tuple[tuple[Line, ...], Carry]]
    next_hand: Callable[[RulesT, Carry], NextHand]
    rulings: Callable[[RulesT], tuple[RulingRule, ...]]
    carried_on: Callable[[RulesT, Carry], Carry] = as_it_stands
    hands_planned: Callable[[RulesT], int | None] = no_fixed_number
    as_written: Callable[[RulesT, Mapping[str, Any], tuple[EntryT | None, ...]], RulesT] = as_the_sheet_says

    def begin(self, rules: RulesT) -> Carry:
        """This function will give the carry before the first entry."""
        return start(self.seating(rules).sides)

    def fold(self, rules: RulesT, carry: Carry, entries: tuple[EntryT, ...]) -> tuple[Step[EntryT], ...]:
        """This function will score entries that have no problems."""
        return fold(lambda now, entry: self.score_entry(rules, now, entry), carry, entries)
