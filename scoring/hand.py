"""What a table writes down of a hand: a field for each thing, and the answers that it takes."""

from __future__ import annotations

from typing import Literal, NamedTuple

# How a field is asked: a button for each player · rows of a grid · a row of buttons · numbers from 0 on · yes or no ·
# a list for each call of the first round · not asked, since it is known.
Layout = Literal["seats", "grid", "row", "count", "yes-no", "calls", "given"]
# One answer for the hand, one about whoever won the bid, or one of every side or seat.
Of = Literal["hand", "bidder", "side", "seat"]

SUITS = {"clubs": "Clubs", "diamonds": "Diamonds", "hearts": "Hearts", "spades": "Spades"}
NO_TRUMPS = "none"


class Choice(NamedTuple):
    """An answer: its value in the game document, its words, and what stands on its button.

    `row` is the row of a grid; `note` stands below. `made_from` is the least count that makes this bid, where one
    count decides.
    """

    value: str
    words: str
    short: str
    row: str = ""
    note: str = ""
    made_from: int | None = None


class Row(NamedTuple):
    """A row of a grid, and what is special about it."""

    key: str
    words: str
    note: str = ""


class Field(NamedTuple):
    """One thing that is written down of a hand.

    `key` names it in the game document, `name` in a form: of a side or a seat with its number, “bid-2”. `label` is the
    question, with {who} for whose answer it is; `asks` takes its place where the answer is missing. `short` stands
    beside the answer, `heading` over a column. `choices` are one tuple for all, or one for each side or seat.
    What is not `needed` scores nothing. With `when`, it is asked only after this answer to another field.
    `refused_as` are other fields of the document under which the rules refuse it.
    """

    key: str
    of: Of
    layout: Layout
    label: str
    short: str
    heading: str
    choices: tuple[tuple[Choice, ...], ...] = ((),)
    name: str = ""
    asks: str = ""
    needed: bool = True
    when: str = ""
    rows: tuple[Row, ...] = ()
    refused_as: tuple[str, ...] = ()

    @property
    def everybody(self) -> bool:
        """Whether every side or every seat has an answer of its own."""
        return self.of in ("side", "seat")

    def offered(self, place: int = 0) -> tuple[Choice, ...]:
        """List the answers of a side or a seat."""
        return self.choices[place if len(self.choices) > 1 else 0]


class Counter(NamedTuple):
    """What a sheet counts for each side beside its score, by its key, and how many of it are in words."""

    key: str
    none: str
    one: str
    many: str

    def words(self, count: int) -> str:
        """Say how many there are; nothing where none needs no word."""
        return (self.one if count == 1 else self.many).format(count) if count else self.none


SETS = Counter("sets", "no sets", "1 set", "{} sets")
BAGS = Counter("bags", "", "1 bag", "{} bags")
BOSTONS = Counter("bostons", "", "★ Boston", "★ Boston")


class NextHand(NamedTuple):
    """What the table must write down next.

    `cards` is the number of cards dealt to each player; `dealer` is a seat, counted from the seat that dealt first;
    `note` is a sentence for the table. `fields` stand in the order in which they are asked.
    """

    number: int
    dealer: int
    cards: int
    fields: tuple[Field, ...]
    note: str = ""

    def field(self, key: str) -> Field | None:
        """Find a field by its key; None where this hand has none."""
        return next((field for field in self.fields if field.key == key), None)

    def choices(self, key: str) -> tuple[Choice, ...]:
        """List what a field offers to anybody; nothing where this hand has no such field."""
        field = self.field(key)
        return tuple(dict.fromkeys(one for offered in field.choices for one in offered)) if field else ()


def numbers(low: int, high: int, notes: dict[int, str] | None = None) -> tuple[Choice, ...]:
    """List every number from the lowest to the highest."""
    said = notes or {}
    return tuple(Choice(str(one), str(one), str(one), note=said.get(one, "")) for one in range(low, high + 1))


def trump_field(*, none: bool = False) -> Field:
    """Ask for the trump suit; `none` where a hand may be played without, and nothing else says so."""
    suits = SUITS | ({NO_TRUMPS: "No trumps"} if none else {})
    choices = tuple(Choice(suit, words, words) for suit, words in suits.items())
    return Field("trump", "hand", "row", "Trump suit", "Trump suit", "Trump", (choices,), needed=False)
