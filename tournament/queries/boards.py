"""Score boards for tables without a tablet: what stands on them, and where, for those who write and read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.document import read_entry
from scoring.hand import Field
from tournament.models import Event, Round
from tournament.queries.book import event_sheets
from tournament.queries.deals import coming_deals
from tournament.queries.formulas import Formulas, formulas_of
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.sheet import GameSheet

VERSION = "uptown score boards 1"
LETTERS = "ABCDEFGH"
# The first line of a board that is written; heads stand above it.
FIRST_ROW = 6
MOST_LINES = 24
VOID = "Void"


# How wide an answer is written, by the layout of its field.
WIDTH = {"seats": 20, "grid": 12, "row": 11, "given": 7}
USUAL = 8


class Cell(NamedTuple):
    """A column of a board: what it holds, its head, and whether it is typed or computed.

    `field` is what is typed of a hand, of the side or seat `place`.
    """

    key: str
    title: str
    width: float
    typed: bool
    field: Field | None = None
    place: int = 0


@dataclass(frozen=True, slots=True)
class Board:
    """One table's board. `key` finds its game again: round, table and game of the match. `seats` are who may bid."""

    key: tuple[int, int, int]
    title: str
    heading: str
    sides: tuple[str, ...]
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards of a round (or one empty board), and what the rules say about them.

    `fields` are what is typed of a hand; `bids` are what may be said in words. `computes` says that the formulas of the
    board give what the rules give for every bid of a number; without it points are typed.
    """

    event: str
    slug: str
    sheet_key: str
    sheet_title: str
    simple: bool
    seats: int
    sides: int
    fields: tuple[Field, ...]
    bids: tuple[str, ...]
    cards: tuple[int, ...]
    formulas: Formulas
    computes: bool
    boards: tuple[Board, ...]

    def places(self, field: Field) -> int:
        """How many answers of its own a field has."""
        return {"seat": self.seats, "side": self.sides}.get(field.of, 0)

    def letter(self, field: Field, at: int) -> str:
        """Whose answer it is: a letter for a side, with a number for one of its players."""
        name = LETTERS[at % self.sides]
        return name if self.places(field) == self.sides else f"{name}{at // self.sides + 1}"


def round_boards(event: Event, round_: Round, *, simple: bool = False) -> Boards:
    """The boards of every game of a round, named."""
    return _boards(event, event_sheets(event, rounds=[round_.number]), simple=simple)


def blank_boards(event: Event, *, simple: bool = False) -> Boards:
    """One empty board of the event's rules, to be copied."""
    return _boards(event, (), simple=simple)


def board_cells(boards: Boards) -> tuple[Cell, ...]:
    """The columns of a board, from the left: what is typed of a hand, what is computed, and each side's points."""
    cells = [Cell("line", "#", 5, False)]
    for field in boards.fields:
        width, name = WIDTH.get(field.layout, USUAL), field.name or field.key
        if not field.everybody:
            cells.append(Cell(name, field.heading, width, True, field))
        for at in range(boards.places(field)):
            cells.append(Cell(f"{name}-{at}", f"{field.heading} {boards.letter(field, at)}", width, True, field, at))
    if boards.formulas.one_bids and not boards.simple:
        cells += [Cell("need", "Need", 7, False), Cell("outcome", "Made or set", 11, False)]
    for side in range(boards.sides):
        if not boards.simple:
            cells.append(Cell(f"change-{side}", f"± {LETTERS[side]}", 8, not boards.computes))
            cells.append(Cell(f"other-{side}", f"Other {LETTERS[side]}", 8, True))
        cells.append(Cell(f"score-{side}", f"Score {LETTERS[side]}", 9, boards.simple and not boards.computes))
    return tuple(cells)


def said(text: str) -> str:
    """A bid in words as the game document writes it: “Double board” is double-board, “Rainbow + 1” rainbow+1."""
    return text.strip().lower().replace(" + ", "+").replace("−", "-").replace(" ", "-")


def _boards(event: Event, sheets: Iterable[GameSheet], *, simple: bool) -> Boards:
    rules = ruleset_of(event)
    begin = rules.game.begin(rules.rules)
    seats, sides = rules.seating.seats, rules.seating.sides
    deals = coming_deals(rules, 0, 0)
    largest = max(range(len(deals)), key=lambda at: deals[at].cards)
    widest = rules.game.next_hand(rules.rules, begin._replace(hands=max(largest, 1), deals=max(largest, 1)))
    said = dict.fromkeys(one.words for key in ("bid", "bids") for one in widest.choices(key))
    formulas = formulas_of(event, event.rounds_planned)
    named = tuple(_board(sheet) for sheet in sheets)
    return Boards(
        event=event.name,
        slug=event.slug,
        sheet_key=rules.sheet.key,
        sheet_title=rules.sheet.title,
        simple=simple,
        seats=seats,
        sides=sides,
        fields=rules.columns,
        bids=(*said, VOID),
        cards=tuple(deal.cards for deal in deals) if any(one.layout == "given" for one in rules.columns) else (),
        formulas=formulas,
        computes=_computes(rules, formulas),
        boards=named or (Board((0, 0, 1), "Board", "Game ____ · Table ____", ("",) * sides, ("",) * seats),),
    )


def _board(sheet: GameSheet) -> Board:
    leg = f" game {sheet.leg}" if sheet.leg > 1 else ""
    seats = sorted(sheet.seats, key=lambda seat: seat.seat)
    return Board(
        (sheet.round_number, sheet.table, sheet.leg),
        f"Table {sheet.table}{leg}",
        f"{sheet.round} · Table {sheet.table}{leg}",
        tuple(side.name for side in sheet.sides),
        tuple(seat.name for seat in seats),
    )


def _computes(rules: Ruleset, formulas: Formulas) -> bool:
    """Whether the plain formula is what the rules pay for every bid of a number: every one is tried."""
    bids = rules.first_hand.choices("bid")
    if bids:
        tries = [_bidder_try(formulas, bid.value, books) for bid in bids for books in range(14)]
    else:
        due = rules.first_hand
        asks, said = due.field("bids"), {bid.value for bid in due.choices("bids")}
        if asks is None:
            return False
        numbers = [int(bid) for bid in said if bid.isdecimal() and int(bid)]
        low = 0 if {"pass", "0"} & said else min(numbers, default=0)
        seats, sides = rules.seating
        table = (sides if asks.of == "side" else seats, sides, due.cards, low)
        span = range(due.cards + 1)
        tries = [_trick_try(formulas, table, bid, takes) for bid in span for takes in span]
    paid = [(_pays(rules, facts), points) for facts, points in tries]
    known = [(found, points) for found, points in paid if found is not None]
    return bool(known) and all(found == points for found, points in known)


def _bidder_try(formulas: Formulas, bid: str, books: int) -> tuple[dict[str, Any], list[int]]:
    level, _, kind = bid.partition("-")
    made = {"books": books - 6, "level": int(level), "every": books, "one": 1}[formulas.made_pays]
    points = made if books >= 6 + int(level) else -int(level) * formulas.set_costs_level
    points *= formulas.no_counts if kind == "no" else 1
    return {"entry": "hand", "bidder": 0, "bid": bid, "books": books}, [points, 0]


def _trick_try(
    formulas: Formulas, table: tuple[int, int, int, int], bid: int, takes: int
) -> tuple[dict[str, Any], list[int]]:
    """Side A bids and takes so much, its partners sharing the bid; the others bid as little as they may (`low`)."""
    count, sides, cards, low = table
    own = range(0, count, sides)
    bids = [low] * count
    for place, seat in enumerate(own):
        bids[seat] = bid // len(own) + (place < bid % len(own))
    tricks = [0] * count
    tricks[0], tricks[1] = takes, cards - takes
    points = [_contract(formulas, sum(bids[side::sides]), sum(tricks[side::sides])) for side in range(sides)]
    words = [str(number) if number else "pass" for number in bids]
    return {"entry": "hand", "cards": cards, "bids": words, "tricks": tricks}, points


def _contract(formulas: Formulas, bid: int, tricks: int) -> int:
    if tricks >= bid:
        return bid * formulas.per_trick + (tricks - bid) * formulas.per_over
    return -(bid - tricks if formulas.per_short else bid) * formulas.per_trick


def _pays(rules: Ruleset, facts: dict[str, Any]) -> list[int] | None:
    """What the rules pay each side for a hand itself; None where they refuse it or deal again."""
    begin = rules.game.begin(rules.rules)
    entry, problems = read_entry(rules.game, facts)
    if problems or rules.game.problems(rules.rules, begin, entry):
        return None
    lines, after = rules.game.score_entry(rules.rules, begin, entry)
    if after.hands == begin.hands:
        return None
    paid = [0] * len(begin.scores)
    # What does not come from the hand alone is written under “Other” when it falls due.
    for line in lines:
        paid[line.side] += 0 if line.beside_the_hand else line.points
    return paid
