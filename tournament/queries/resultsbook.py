"""What the results workbook says beside what one sees, so that another laptop can read it back, and its typed cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from tournament.queries.sheet import GameSheet, Row
from tournament.queries.wording import Written

VERSION = "uptown results 1"
# The pages that are read, and the column of the hands that holds each line as the game document has it.
ABOUT, HANDS, AS_WRITTEN = "About", "Hands", "As written"
MOST_LINES = 6000
NAMES = "ABCDEF"


class BidCells(NamedTuple):
    """What is typed of a line where one side bids."""

    side: str
    level: int | None
    kind: str
    bid: str
    books: int | None


class SideCells(NamedTuple):
    """What is typed of a side where everybody bids: its bids in words, their number where there is one, its tricks."""

    bids: tuple[str, ...]
    bid: int | None
    tricks: int | None


def bid_cells(kind: str, written: Written) -> BidCells:
    """The typed cells of a line of Bid Whist; only a hand has a level and a kind."""
    level = int(written.bid.partition("-")[0]) if kind == "hand" and written.bid else None
    side = NAMES[written.who] if written.who is not None else ""
    return BidCells(side, level, written.kind if level is not None else "", written.bid, written.took)


def side_cells(written: Written, side: int, sides: int) -> SideCells:
    """The typed cells of a side in the games in which everybody bids."""
    own = [written.bids[at] for at in places_of(side, sides, len(written.bids))]
    taken = [written.tricks[at] for at in places_of(side, sides, len(written.tricks))]
    numbers = [int(bid) for bid in own if bid.isdecimal()]
    plain = bool(own) and all(bid.isdecimal() or bid == "Pass" for bid in own)
    return SideCells(tuple(own), sum(numbers) if plain else None, sum(taken) if taken else None)


def places_of(side: int, sides: int, count: int) -> range:
    """Where a side stands among bids or tricks that are written by seat or by side."""
    return range(side, count, sides)


def game_key(sheet: GameSheet) -> str:
    """What names a game in the workbook: round, table and, in a match of several games, which one."""
    leg = f".{sheet.leg}" if sheet.leg > 1 else ""
    return f"{sheet.round_number}-{sheet.table}{leg}"


def line_said(key: str, row: Row) -> str:
    """A line for the column “As written”. It names its game and number, because lists are sorted without it."""
    return packed([key, row.position, row.facts])


def game_said(key: str, sheet: GameSheet, lines: Sequence[int]) -> str:
    """A game for the page “About”: where it is played, by whom, the numbers of its lines, totals carried on."""
    place = [sheet.round_number, sheet.table, sheet.leg]
    return packed([key, place, [side.name for side in sheet.sides], list(lines), sheet.totals])


def packed(data: Any) -> str:
    """JSON that every spreadsheet keeps to the letter: plain letters alone, and no “_x0041_”, which it would read."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return text.replace("_x", "\\u005fx")
