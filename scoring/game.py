"""What each game fills in, so that the document, the site, paper and spreadsheets can treat all games alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar, cast

from scoring.entries import Ruling, Void
from scoring.hand import SETS, Choice, Counter, Field, NextHand
from scoring.ledger import Carry, HandResult, Line, start
from scoring.problem import Problem
from scoring.tariff import Tariff

# Without a schedule the second hand asks what all others ask: the first may be played without bids.
UNPLANNED = 2
# A side so far behind may bid whatever its sheet keeps for those who are.
FAR_BEHIND = -1000
RulesT = TypeVar("RulesT")
EntryT = TypeVar("EntryT")


class Seating(NamedTuple):
    """Who sits at the table: `sides` sides with `seats` seats in all; seat i belongs to side i mod sides."""

    seats: int
    sides: int


class Price(NamedTuple):
    """What a hand is worth where the sheet leaves nothing to choose: “A bid that is set”, “loses 10 points …”."""

    title: str
    words: str


class RulingChoice(NamedTuple):
    """One choice that a rule grants, and to whom. `needs` lists what must be said: side, bidder, bid, books, reason.

    `effect` is what it does to the sheet: none, void, set, take-points, three-books, game, nobody or adjustment.
    `also` holds other words under which a document may name the choice. `said` is the whole ruling in a sentence, where
    there is a better one than `when` and `words`: with the marks of side 0 for who broke the rule and side 1 for the
    other side.
    """

    key: str
    words: str
    who: str
    effect: str
    needs: tuple[str, ...] = ("side",)
    also: tuple[str, ...] = ()
    said: str = ""


class RulingRule(NamedTuple):
    """What happened at the table, in the order and words of the sheet, and the choices it grants."""

    rule: str
    when: str
    choices: tuple[RulingChoice, ...]


class VoidChoice(NamedTuple):
    """A reason for which the table itself may call a hand void: the rule that it cites, and what happened.

    `refused` says why it cannot be written now; it is empty where it can.
    """

    rule: str
    words: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Sheet(Generic[RulesT]):
    """A rule sheet: a named, dated set of options of one game. A published sheet never changes."""

    key: str
    title: str
    source: str
    rules: RulesT


@dataclass(frozen=True, slots=True)
class CardGame(Generic[RulesT, EntryT]):
    """A game as the rest of the system sees it. Every function is pure and takes the sheet's rules first.

    `for_sides` fits the sheet to a number of sides where it can be played by several (three to five players); where it
    cannot, it returns the rules unchanged and the number of `seating` decides. `carried_on` completes an opening from
    paper that does not say how many hands were scored. `hands_planned` is the number of hands of a game that is played
    by a schedule, None for a game that is played until somebody wins. `as_written` adds to the rules of a document what
    only its entries say: that a bid of a variation was played. `result` says which sides made their bids in an entry
    without problems, and which were set. `void_choices` are the reasons of the sheet for a void hand beside its
    misdeals. `bidder_of` says who had won the bid that a ruling is about. `counters` are what a sheet counts for each
    side. `tariff` are the prices of its bids as tables. `ranks` is the order of the cards in one line, where the sheet
    names it. `headings` are the clauses that no sheet numbers, as players call them.
    """

    key: str
    title: str
    word: str
    sheets: tuple[Sheet[RulesT], ...]
    seating: Callable[[RulesT], Seating]
    read_hand: Callable[[Mapping[str, Any]], tuple[EntryT | None, tuple[Problem, ...]]]
    problems: Callable[[RulesT, Carry, EntryT], tuple[Problem, ...]]
    score_entry: Callable[[RulesT, Carry, EntryT], tuple[tuple[Line, ...], Carry]]
    result: Callable[[RulesT, Carry, EntryT], HandResult]
    next_hand: Callable[[RulesT, Carry], NextHand]
    rulings: Callable[[RulesT], tuple[RulingRule, ...]]
    for_sides: Callable[[RulesT, int], RulesT] = lambda rules, sides: rules
    carried_on: Callable[[RulesT, Carry], Carry] = lambda rules, carry: carry
    hands_planned: Callable[[RulesT], int | None] = lambda rules: None
    prices: Callable[[RulesT], tuple[Price, ...]] = lambda rules: ()
    as_written: Callable[[RulesT, Mapping[str, Any], tuple[EntryT | None, ...]], RulesT] = (
        lambda rules, options, entries: rules
    )
    void_choices: Callable[[RulesT], tuple[VoidChoice, ...]] = lambda rules: ()
    bidder_of: Callable[[RulesT, Ruling], int | None] = lambda rules, ruling: ruling.bidder
    counters: Callable[[RulesT], tuple[Counter, ...]] = lambda rules: (SETS,)
    tariff: Callable[[RulesT], Tariff | None] = lambda rules: None
    ranks: Callable[[RulesT], str] = lambda rules: ""
    headings: Mapping[str, str] = field(default_factory=dict, compare=False)

    def begin(self, rules: RulesT) -> Carry:
        """Return the carry before the first entry."""
        return start(self.seating(rules).sides)

    def columns(self, rules: RulesT) -> tuple[Field, ...]:
        """List the fields that a sheet has room for: those of the hand that asks for most."""
        return max((hand.fields for hand in self.deals(rules, self.begin(rules))), key=len)

    def deals(self, rules: RulesT, begin: Carry) -> tuple[NextHand, ...]:
        """List the hands of a game as far as the rules know them beforehand."""
        hands = range(self.hands_planned(rules) or UNPLANNED)
        return tuple(self.next_hand(rules, begin._replace(hands=hand, deals=hand)) for hand in hands)

    def answers(self, rules: RulesT, key: str) -> tuple[Choice, ...]:
        """List what any hand of a sheet may be answered: of every deal, and by a side that is far behind."""
        begin = self.begin(rules)
        far = begin._replace(scores=begin.scores.put(0, FAR_BEHIND))
        dealt = (*self.deals(rules, begin), *self.deals(rules, far))
        return tuple(dict.fromkeys(choice for hand in dealt for choice in hand.choices(key)))

    def voids(self, rules: RulesT, carry: Carry) -> tuple[VoidChoice, ...]:
        """List the reasons for a void hand that the sheet knows, the misdeals first; some cannot be written now."""
        misdeals = (
            VoidChoice(rule.rule, rule.when)
            for rule in self.rulings(rules)
            if rule.choices and all(choice.effect == "void" for choice in rule.choices)
        )
        choices = []
        for choice in (*misdeals, *self.void_choices(rules)):
            problems = self.problems(rules, carry, cast(EntryT, Void(choice.rule, choice.words)))
            choices.append(choice._replace(refused=problems[0].text if problems else ""))
        return tuple(choices)
