"""What the entry form of a game's next hand asks: made from the rules' own `next_hand`, nothing is offered besides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scoring.game import Choice, Field, NextHand, Row, Void
from tournament.queries.rules import Ruleset
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault, Invalid

# Stands in a question for whoever is asked.
WHO = "{who}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who can be named in the form: a player in a seat, or a whole side. `letter` is the key to press."""

    index: int
    side: int
    name: str
    team: str
    letter: str


@dataclass(frozen=True, slots=True)
class Question:
    """A field as it is asked once: of the table, or of a side or seat. `name` is what the form posts."""

    field: Field
    name: str
    place: Candidate | None
    choices: tuple[Choice, ...]

    @property
    def words(self) -> str:
        """The question with the name in it."""
        return (self.field.asks or self.field.label).replace(WHO, self.place.name if self.place else "")

    @property
    def parts(self) -> tuple[str, str, str]:
        """What stands before the name and behind it; between them nothing where the question has no name in it."""
        return self.field.label.partition(WHO)

    @property
    def rows(self) -> tuple[tuple[Row, tuple[Choice, ...]], ...]:
        return tuple((row, tuple(one for one in self.choices if one.row == row.key)) for row in self.field.rows)

    @property
    def pad(self) -> str:
        return f"components/pads/{self.field.layout}.html"

    @property
    def fault_fields(self) -> str:
        """The fields whose faults stand at this question."""
        return " ".join((self.name, *(() if self.field.everybody else (self.field.key,)), *self.field.refused_as))


@dataclass(frozen=True, slots=True)
class Dealing:
    """Who deals the hand where `first` dealt the first one, and the questions from the dealer's left on."""

    first: int
    dealer: Candidate
    questions: tuple[Question, ...]

    @property
    def given(self) -> tuple[Question, ...]:
        """What is known and comes along."""
        return tuple(one for one in self.questions if one.field.layout == "given")

    @property
    def asked(self) -> tuple[Question, ...]:
        return tuple(one for one in self.questions if one.field.needed and one.field.layout != "given")

    @property
    def beside(self) -> tuple[Question, ...]:
        """What scores nothing: a table that wants it on its sheet may write it."""
        return tuple(one for one in self.questions if not one.field.needed and one.field.layout != "calls")

    @property
    def calls(self) -> tuple[Question, ...]:
        """The first round of bidding, which scores nothing either."""
        return tuple(one for one in self.questions if one.field.layout == "calls")


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions of one hand. `deals` is one, or one for everybody who may yet deal first."""

    number: int
    cards: int
    note: str
    seats: tuple[Candidate, ...]
    deals: tuple[Dealing, ...]

    @property
    def deal(self) -> Dealing:
        return self.deals[0]

    @property
    def dealer(self) -> Candidate:
        return self.deal.dealer

    def of(self, key: str) -> tuple[Question, ...]:
        """The questions of a field, in the order of asking."""
        return tuple(one for one in self.deal.questions if one.field.key == key)

    @property
    def by_field(self) -> Iterator[tuple[Field, tuple[Question, ...]]]:
        return ((field, tuple(found)) for field, found in groupby(self.deal.questions, key=lambda one: one.field))

    @property
    def lists(self) -> str:
        """The fields that everybody answers: what is wrong with one as a whole stands above its questions."""
        return " ".join(field.key for field, _ in self.by_field if field.everybody and field.needed)

    @property
    def has_seats(self) -> bool:
        """Whether a player is named by a key."""
        return any(one.field.layout == "seats" for one in self.deal.questions)

    @property
    def needs(self) -> tuple[int, ...]:
        """What the bids need, each once."""
        found = {one.made_from for question in self.deal.asked for one in question.choices if one.made_from}
        return tuple(sorted(found))

    @property
    def across(self) -> int:
        """How many answers stand side by side."""
        return max(
            (len(found) for field, found in self.by_field if field.layout == "count" and field.everybody), default=3
        )

    @property
    def fault_fields(self) -> str:
        """Every field whose faults stand at their question."""
        return " ".join((self.lists, *(one.fault_fields for one in self.deal.questions)))

    @property
    def beside_faults(self) -> str:
        """The fields of what scores nothing."""
        return " ".join(one.fault_fields for one in (*self.deal.beside, *self.deal.calls))

    @property
    def beside_words(self) -> str:
        """What may be written beside the score, in words."""
        names = dict.fromkeys(one.field.short for one in (*self.deal.calls, *self.deal.beside))
        return ", ".join(names).capitalize()


def asked(sheet: GameSheet, *, whoever_deals: bool = False) -> Asked | None:
    return None if sheet.next is None else _asked(sheet, sheet.next, whoever_deals=whoever_deals)


def asked_last(sheet: GameSheet) -> Asked:
    """The questions of the next hand, or of the last one where the game is over: a form sent twice reads as before."""
    hands = (line.before for line in reversed(sheet.scored.lines) if line.kind == "hand")
    rules = sheet.rules
    return _asked(sheet, sheet.next or rules.game.next_hand(rules.rules, next(hands, sheet.scored.begin)))


def void_of_sheet(sheet: GameSheet, rule: str) -> dict[str, Any]:
    """The entry of a hand that does not count; Invalid where the sheet knows no such reason."""
    return void_entry(sheet.rules, rule)


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


def letter_of(index: int) -> str:
    """The key that names a seat or a side."""
    return "ABCDEFGH"[index]


def _asked(sheet: GameSheet, due: NextHand, *, whoever_deals: bool = False) -> Asked:
    seats = _seats(sheet)
    sides = tuple(Candidate(side.index, side.index, side.name, "", letter_of(side.index)) for side in sheet.sides)
    firsts = [seat.index for seat in seats] if whoever_deals else [sheet.seats[0].seat]
    deals = tuple(_dealing(due, seats, sides, first) for first in firsts)
    return Asked(due.number, due.cards, due.note, seats, deals)


def _seats(sheet: GameSheet) -> tuple[Candidate, ...]:
    """The seats in the order of the document, as people sit; the sheet lists them from the first dealer on."""
    return tuple(
        Candidate(seat.seat, seat.side, seat.name, "" if seat.name == seat.team else seat.team, letter_of(seat.seat))
        for seat in sorted(sheet.seats, key=lambda seat: seat.seat)
    )


def _dealing(due: NextHand, seats: tuple[Candidate, ...], sides: tuple[Candidate, ...], first: int) -> Dealing:
    at = (first + due.dealer) % len(seats)
    speaking = (*seats[at + 1 :], *seats[: at + 1])
    # A side is asked where the first of its players speaks.
    asked_of = {"seat": speaking, "side": tuple(sides[at] for at in dict.fromkeys(seat.side for seat in speaking))}
    return Dealing(first, seats[at], tuple(one for field in due.fields for one in _questions(field, asked_of)))


def _questions(field: Field, asked_of: dict[str, tuple[Candidate, ...]]) -> Iterator[Question]:
    name = field.name or field.key
    if not field.everybody:
        yield Question(field, name, None, field.offered())
    for place in asked_of.get(field.of, ()):
        yield Question(field, f"{name}-{place.index}", place, field.offered(place.index))
