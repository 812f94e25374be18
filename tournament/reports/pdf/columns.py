"""The columns of a score sheet as the players of each game expect them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tournament.phrases import minus, rule, signed
from tournament.queries.rules import Field
from tournament.queries.sheet import GameSheet, Row

Cell = Callable[[Row], tuple[str, str]]
MOST_MARKS = 3
MOST_WITH_CHANGE = 5


class Column(NamedTuple):
    """A column: its head, width in points, and what stands in a row (a main text and a small one below it).

    `side` is the side whose column it is; columns of one side stand together under its name.
    """

    title: str
    width: float
    cell: Cell
    align: str = "left"
    side: int | None = None
    score: bool = False
    strong: bool = False
    colored: bool = False
    wraps: bool = False


def columns_of(sheet: GameSheet, width: float, *, simple: bool = False) -> list[Column]:
    """The columns of a game's sheet over the whole width of the paper.

    A `simple` board has each side's bids and score alone; the other one tells why a team won or lost each hand.
    """
    fields, count = sheet.rules.columns, len(sheet.sides)
    own = [field for field in fields if field.everybody and not (simple and field.layout == "count")]
    columns = [Column("#", 16 if count > 3 else 20, lambda row: (str(row.number or ""), ""))]
    dealt = {row.written.cards for row in sheet.rows if row.kind == "hand"} | {deal.cards for deal in sheet.coming}
    if len(dealt) > 1:
        columns += [Column(field.heading, 28, _cards, "center") for field in fields if field.layout == "given"]
    columns.append(Column("Dealer", {2: 70, 3: 58}.get(count, 52), _dealer, wraps=True))
    columns += [SHARED[field.layout](field) for field in fields if field.layout in SHARED and not field.everybody]
    change, score = (25.0, 33.0) if count > 3 else (32.0, 38.0)
    # Five and six share the width: the change can be seen from the scores.
    shows_change = not own or (not simple and count < MOST_WITH_CHANGE)
    room = width - count * (change * shows_change + score)
    if not own:
        columns += _told(sheet, room - sum(column.width for column in columns))
    each = (room - sum(column.width for column in columns)) / count
    for side in sheet.sides:
        columns += _own_columns(own, side.index, count, each)
        columns += _score_columns(side.index, change, score)[int(not shows_change) :]
    return columns


def _own_columns(fields: Sequence[Field], side: int, count: int, room: float) -> list[Column]:
    """What every side or seat answers, under the name of its side: bids take most of the room."""
    # Two bids of partners stand in a narrow column where there are three sides.
    weights = [
        (0.62 if count == 3 else 0.56) if field.layout != "count" else 0.38 if count == 3 else 0.44 for field in fields
    ]
    widths = [room * weight / sum(weights) for weight in weights]
    return [
        Column(
            field.heading,
            width,
            _own(field.key, side, count),
            "center" if field.layout == "count" else "left",
            side,
            strong=field.layout != "count",
            wraps=field.layout != "count",
        )
        for field, width in zip(fields, widths, strict=True)
    ]


def _own(key: str, side: int, count: int) -> Cell:
    return lambda row: (" + ".join(row.written.said(key, side, count)), "")


def _told(sheet: GameSheet, room: float) -> list[Column]:
    """What happened in words, and who broke a rule, where one row has room for them."""
    told = []
    if any(row.written.offender for row in sheet.rows):
        told.append(Column("Offender", 66, lambda row: (row.written.offender, ""), wraps=True))
    left = room - sum(column.width for column in told)
    return [*told, Column("What happened", left, _story, colored=True, wraps=True)]


def _score_columns(side: int, change: float, score: float) -> list[Column]:
    return [
        Column("±", change, _delta_of(side), "right", side),
        Column("Score", score, _score_of(side), "right", side, score=True, strong=True),
    ]


def _cards(row: Row) -> tuple[str, str]:
    return ("" if row.written.cards is None else str(row.written.cards)), ""


def _dealer(row: Row) -> tuple[str, str]:
    # Where one side bids, the suit stands under its bid.
    return (row.dealer.name if row.dealer else ""), "" if row.written.bid else row.written.trump


def _books(row: Row) -> tuple[str, str]:
    if row.written.took is None:
        return "", ""
    return str(row.written.took), f"need {row.written.need}" if row.written.need else ""


def _yes_no(key: str) -> Cell:
    return lambda row: ({True: "Yes", False: "No"}.get(row.facts.get(key, ""), ""), "")


# The columns of what is asked once, by the layout of the field.
SHARED: dict[str, Callable[[Field], Column]] = {
    "seats": lambda field: Column(field.heading, 78, lambda row: (row.written.who_name, ""), wraps=True),
    "grid": lambda field: Column(field.heading, 58, lambda row: (row.written.bid, row.written.trump), strong=True),
    "count": lambda field: Column(field.heading, 36, _books, "center"),
    "yes-no": lambda field: Column(field.heading, 36, _yes_no(field.key), "center"),
}


def _story(row: Row) -> tuple[str, str]:
    """Made or set, and what gave the points; a ruling, void or award in its own words."""
    return (row.written.outcome if row.kind == "hand" else row.written.text), why_of(row)


def why_of(row: Row) -> str:
    """The rules that gave a line its points, or the rule that it cites; the sentence where no sheet numbers it."""
    said = "; ".join(dict.fromkeys(rule(line.rule) if is_numbered(line.rule) else line.text for line in row.lines))
    return said or (rule(row.written.rule) if is_numbered(row.written.rule) else "")


def is_numbered(clause: str) -> bool:
    """Whether a clause is a number of the printed sheet, and no key of ours."""
    return clause[:1].isdigit()


def _delta_of(side: int) -> Cell:
    return lambda row: (signed(row.deltas[side]) if row.deltas[side] else "", "")


def _score_of(side: int) -> Cell:
    return lambda row: (minus(row.scores[side]), f"{set_marks(row.sets[side])} {row.bag_words(side)}".strip())


def set_marks(sets: int) -> str:
    """A mark for every set; a number where there would be too many."""
    return "■" * sets if sets <= MOST_MARKS else f"■×{sets}"
