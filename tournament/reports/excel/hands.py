"""Every line of every sheet, with formulas: change the books of a hand and see what it does to the event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter

from tournament.phrases import rule
from tournament.queries.sheet import GameSheet, Row
from tournament.reports.excel.cells import Column, Formula, Page

POINTS = "+0;[Red]-0;0"
SCORE = "0;[Red]-0;0"
# Game, round, table, line, hand, cards, dealer stand first on every sheet.
HEAD = (
    Column("Game", 8),
    Column("Round", 7),
    Column("Table", 7),
    Column("Line", 6),
    Column("Hand", 6),
    Column("Cards", 7),
    Column("Dealer", 16),
)
TAIL = (Column("What happened", 46), Column("Rules", 18), Column("Written by", 14))


class GameLines(NamedTuple):
    """Where a game's lines stand on the page: its key, its sheet, first and last row (None without lines)."""

    key: str
    sheet: GameSheet
    first: int | None
    last: int | None


class Board(Protocol):
    """The columns between head and tail, which differ by game. `score` and `sets` are letters, one per side."""

    columns: list[Column]
    score: tuple[str, ...]
    sets: tuple[str, ...]

    def cells(self, row: Row, at: int, charged: tuple[int, ...], *, first: bool) -> list[Any]:
        """The cells of a line in row `at`; `charged` are the sets that it brought, `first` that it opens a game."""

    def finish(self, page: Page, first: int, last: int) -> None:
        """What may be typed, and the colours."""


def write_hands(book: Workbook, sheets: Iterable[GameSheet], board: Board, lines: int) -> list[GameLines]:
    """Write the page of hands, about so many `lines`, and return where each game stands on it."""
    page = Page(book, "Hands")
    under = "Change a bid, a kind, the books or the tricks: points, games, pot and standings follow."
    columns = [*HEAD, *board.columns, *TAIL]
    page.begin_list("Every hand", under, columns, frozen_columns=4, rows=lines)
    games = []
    for sheet in sheets:
        key, first = game_key(sheet), page.row + 1
        sets = (0,) * len(sheet.sides)
        for number, row in enumerate(sheet.rows):
            charged = tuple(now - before for now, before in zip(row.sets, sets, strict=True))
            values = _values(sheet, row, key, page.row + 1, board, charged, first=number == 0)
            page.list_row(list(values))
            sets = row.sets
        span = (first, page.row) if sheet.rows else (None, None)
        games.append(GameLines(key, _lean(sheet), *span))
    first, last = page.first, max(page.row, page.first)
    board.finish(page, first, last)
    page.close_list()
    return games


def game_key(sheet: GameSheet) -> str:
    """What names a game in the workbook: round, table and, in a match of several games, which one."""
    leg = f".{sheet.leg}" if sheet.leg > 1 else ""
    return f"{sheet.round_number}-{sheet.table}{leg}"


def running(row: Row, side: int, at: int, score: str, change: str, *, first: bool) -> Formula:
    """The running score: what stood before, and the change of this line."""
    before = str(row.scores[side] - row.deltas[side]) if first else f"{score}{at - 1}"
    return Formula(f"={before}+{change}{at}")


def color_rules(page: Page, first: int, last: int, made: str, boston: str) -> None:
    """Sets in red, Bostons on gold: `made` and `boston` are formulas for the first row."""
    span = f"A{first}:{get_column_letter(len(page.columns))}{last}"
    gold = FormulaRule(formula=[boston], fill=PatternFill("solid", bgColor="FBF0D9"))
    red = FormulaRule(formula=[made], font=Font(color="A81D29"))
    page.sheet.conditional_formatting.add(span, gold)
    page.sheet.conditional_formatting.add(span, red)


def _values(
    sheet: GameSheet, row: Row, key: str, at: int, board: Board, charged: tuple[int, ...], *, first: bool
) -> Iterator[Any]:
    yield from (key, sheet.round_number, sheet.table, row.position, row.number, row.written.cards)
    yield row.dealer.name if row.dealer else ""
    yield from board.cells(row, at, charged, first=first)
    yield row.written.text
    yield ", ".join(dict.fromkeys(rule(line.rule) for line in row.lines)) or row.written.rule
    yield row.by


def _lean(sheet: GameSheet) -> GameSheet:
    """The sheet without its lines: memory must not grow with the hands."""
    return replace(sheet, rows=(), removed=(), coming=())
