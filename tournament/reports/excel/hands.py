"""Every line of every sheet, with formulas: change what was bid or taken and see what it does to the points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.cells import NAMES, OVER, Page
from tournament.reports.excel.columns import GameColumns
from tournament.reports.excel.line import LineCells, begun

FOLLOWS = (
    "Change what was bid or taken: points, scores and counts follow here, in Games, Standings and the pot. "
    "Winners, bonuses and rulings stay as they are on the sheet. Games marks each game that was changed here."
)
PLAIN = (
    "Points stand here as they are on the sheets; scores, Games and Standings add them up. "
    "Games marks each game that was changed here."
)


class GameLines(NamedTuple):
    """Where a game's lines stand on the page: its key, its sheet, first and last row (None without lines)."""

    key: str
    sheet: GameSheet
    first: int | None
    last: int | None


def write_hands(
    book: Workbook, sheets: Iterable[GameSheet], board: GameColumns, lines: int, paper: str = "letter"
) -> list[GameLines]:
    """Write the page of hands, about so many `lines`, and return where each game stands on it."""
    page = Page(book, "Hands", paper)
    under = FOLLOWS if board.prices else PLAIN
    page.begin_list("Every hand", under, board.columns, frozen_columns=3, rows=lines)
    games = []
    for sheet in sheets:
        name, first = game_key(sheet), page.row + 1
        priced, stood = board.fits(sheet), begun(sheet, board)
        for index, (row, line) in enumerate(zip(sheet.rows, sheet.scored.lines, strict=True)):
            cells = LineCells(board, sheet, row, line, stood, page.row + 1, index=index, priced=priced)
            values = cells.values(name)
            page.list_row([values.get(at) for at in board.letters], border=None if index else OVER)
            stood = cells.after
        span = (first, page.row) if sheet.rows else (None, None)
        games.append(GameLines(name, _lean(sheet), *span))
    _finish(page, board, page.first, max(page.row, page.first))
    # Who wrote a line, and whether it was changed, is for whoever works with it.
    page.close_list(on_screen=2)
    return games


def game_key(sheet: GameSheet) -> str:
    """What names a game in the workbook: round, table and, in a match of several games, which one."""
    leg = f".{sheet.leg}" if sheet.leg > 1 else ""
    return f"{sheet.round_number}-{sheet.table}{leg}"


def _lean(sheet: GameSheet) -> GameSheet:
    """The sheet without its lines: memory must not grow with the hands."""
    scored = replace(sheet.scored, lines=sheet.scored.lines[-1:])
    return replace(sheet, rows=(), removed=(), coming=(), scored=scored)


def _finish(page: Page, board: GameColumns, first: int, last: int) -> None:
    """What may be typed, and the colours: sets in red, a Boston on gold."""
    most = board.prices.most if board.prices else 13
    counts = DataValidation(type="whole", operator="between", formula1="0", formula2=str(most), allow_blank=True)
    counts.error = f"A whole number from 0 to {most}."
    bids = DataValidation(type="list", formula1="=Bids" if board.prices else '""', allow_blank=True)
    bids.error = "Choose a bid from the list: the sheet has no other."
    sides = DataValidation(type="list", formula1=f'"{",".join(NAMES[: board.sides])}"', allow_blank=True)
    sides.error = "Write A or B: the side that won the bid."
    for name, letter in board.letters.items():
        what = name.partition("-")[0]
        allowed = {"took": counts, "own": counts, "bid": bids if board.prices else None, "side": sides}.get(what)
        if allowed is not None:
            allowed.add(f"{letter}{first}:{letter}{last}")
    for allowed in (counts, bids, sides):
        allowed.showErrorMessage, allowed.errorTitle = True, "Not on this sheet"
        if allowed.sqref.ranges:
            page.sheet.data_validations.append(allowed)
    span = f"A{first}:{get_column_letter(len(board.columns))}{last}"
    if board.prices and board.prices.tariff.all_tricks:
        every = board.prices.tariff.all_tricks
        took = [f"${letter}{first}" for name, letter in board.letters.items() if name.startswith("took")]
        found = [f"{cell}={every}" for cell in took]
        if board.formulas.one_bids:
            # All of them for the other side are none for the bidders.
            found.append(f'AND({took[0]}<>"",{took[0]}=0)')
        gold = FormulaRule(formula=[f"OR({','.join(found)})"], fill=PatternFill("solid", bgColor="FBF0D9"))
        page.sheet.conditional_formatting.add(span, gold)
    if "outcome" in board.letters:
        red = FormulaRule(formula=[f'${board.letters["outcome"]}{first}="set"'], font=Font(color="A81D29"))
        page.sheet.conditional_formatting.add(span, red)
