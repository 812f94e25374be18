"""The columns of a score sheet as the players of each game expect them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tournament.phrases import minus, rule, signed
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
    if is_bidder_game(sheet):
        return _bidder_columns(sheet, width)
    return _trick_columns(sheet, width, simple=simple)


def is_bidder_game(sheet: GameSheet) -> bool:
    """Whether one side wins the bid (Bid Whist); in the other games everybody bids."""
    return sheet.game_key == "bid_whist"


def _bidder_columns(sheet: GameSheet, width: float) -> list[Column]:
    fixed = [
        Column("#", 20, lambda row: (str(row.number or ""), "")),
        Column("Dealer", 68, lambda row: (row.dealer.name if row.dealer else "", ""), wraps=True),
        Column("Bid by", 78, lambda row: (row.written.who_name, ""), wraps=True),
        Column("Bid", 58, lambda row: (row.written.bid, row.written.trump), strong=True),
        Column("Books", 36, _books, "center"),
    ]
    if any(row.written.offender for row in sheet.rows):
        fixed.append(Column("Offender", 66, lambda row: (row.written.offender, ""), wraps=True))
    scores = 2 * len(sheet.sides) * 35.0
    room = width - sum(column.width for column in fixed) - scores
    fixed.append(Column("What happened", room, _story, colored=True, wraps=True))
    return fixed + [column for side in sheet.sides for column in _score_columns(side.index, 35.0, 35.0)]


def _trick_columns(sheet: GameSheet, width: float, *, simple: bool) -> list[Column]:
    count = len(sheet.sides)
    fixed = [Column("#", 16 if count > 3 else 20, lambda row: (str(row.number or ""), ""))]
    dealt = {row.written.cards for row in sheet.rows if row.kind == "hand"} | {deal.cards for deal in sheet.coming}
    if len(dealt) > 1:
        fixed.append(Column("Cards", 28, _cards, "center"))
    fixed.append(Column("Dealer", {2: 70, 3: 58}.get(count, 52), _dealer, wraps=True))
    change, score = (25.0, 33.0) if count > 3 else (32.0, 38.0)
    # Five and six share the width: the change can be seen from the scores.
    shows_change = not simple and count < MOST_WITH_CHANGE
    each = change * shows_change + score
    room = (width - sum(column.width for column in fixed)) / count - each
    columns = list(fixed)
    for side in sheet.sides:
        at = side.index
        # Two bids of partners stand in a narrow column where there are three sides.
        share = 0.62 if count == 3 else 0.56
        bids, tricks = (room, 0.0) if simple else (room * share, room * (1 - share))
        columns.append(Column("Bid", bids, _bids_of(at, count), side=at, strong=True, wraps=True))
        if not simple:
            columns.append(Column("Made", tricks, _tricks_of(at, count), "center", side=at))
        columns += _score_columns(at, change, score)[int(not shows_change) :]
    return columns


def _score_columns(side: int, change: float, score: float) -> list[Column]:
    return [
        Column("±", change, _delta_of(side), "right", side),
        Column("Score", score, _score_of(side), "right", side, score=True, strong=True),
    ]


def _cards(row: Row) -> tuple[str, str]:
    return ("" if row.written.cards is None else str(row.written.cards)), ""


def _dealer(row: Row) -> tuple[str, str]:
    return (row.dealer.name if row.dealer else ""), row.written.trump


def _books(row: Row) -> tuple[str, str]:
    if row.written.took is None:
        return "", ""
    return str(row.written.took), f"need {row.written.need}" if row.written.need else ""


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
    return lambda row: (minus(row.scores[side]), set_marks(row.sets[side]))


def set_marks(sets: int) -> str:
    """A mark for every set; a number where there would be too many."""
    return "■" * sets if sets <= MOST_MARKS else f"■×{sets}"


def _bids_of(side: int, count: int) -> Cell:
    def cell(row: Row) -> tuple[str, str]:
        bids = row.written.bids
        own = bids[side::count] if len(bids) != count else bids[side : side + 1]
        return " + ".join(own), ""

    return cell


def _tricks_of(side: int, count: int) -> Cell:
    def cell(row: Row) -> tuple[str, str]:
        tricks = row.written.tricks
        own = tricks[side::count] if len(tricks) != count else tricks[side : side + 1]
        return (" + ".join(str(number) for number in own), "") if own else ("", "")

    return cell
