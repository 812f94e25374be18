"""Blank score boards as a workbook: formulas in place and protected, lists of what may be said, a sheet a table."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Protection, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from tournament.queries.boards import FIRST_ROW, LETTERS, MOST_LINES, VERSION, Board, Boards, Cell, board_cells
from tournament.reports.excel.cells import HEAD_FILL, HEAD_FONT, MUTED, TITLE_FONT, sheet_title, text

TYPED = PatternFill("solid", fgColor="FFFDF4")
THIN = Border(bottom=Side(style="thin", color="D8D2C2"))
LISTS = "Lists"
ABOUT = "About"


def boards_workbook(boards: Boards) -> bytes:
    """The workbook: a sheet per board, the lists, and what the reader needs to find the games again."""
    workbook = Workbook()
    workbook.calculation.fullCalcOnLoad = True
    workbook.remove(workbook.active)
    fields = board_cells(boards)
    for board in boards.boards:
        _board(workbook.create_sheet(sheet_title(board.title, workbook.sheetnames)), boards, board, fields)
    _lists(workbook.create_sheet(LISTS), boards)
    _about(workbook.create_sheet(ABOUT), boards, workbook.sheetnames)
    file = BytesIO()
    workbook.save(file)
    return file.getvalue()


def _board(page: Worksheet, boards: Boards, board: Board, fields: Sequence[Cell]) -> None:
    last = FIRST_ROW + (len(boards.cards) or MOST_LINES) - 1
    letters = {field.key: get_column_letter(at) for at, field in enumerate(fields, start=1)}
    _put(page, "A1", boards.event, TITLE_FONT)
    _put(page, "A2", f"{board.heading} · {boards.sheet_title}", MUTED)
    for side, name in enumerate(board.sides):
        _put(
            page,
            f"A{3}" if side == 0 else f"{get_column_letter(1 + 4 * side)}3",
            f"{LETTERS[side]}: {name}",
            Font(bold=True),
        )
    for cell in fields:
        named = cell.field is not None and (cell.field.of, cell.field.layout) == ("seat", "row")
        if named and cell.place < len(board.seats) and board.seats[cell.place]:
            _put(page, f"{letters[cell.key]}4", board.seats[cell.place], MUTED)
    for field in fields:
        cell = page[f"{letters[field.key]}{FIRST_ROW - 1}"]
        cell.value, cell.font, cell.fill = field.title, HEAD_FONT, HEAD_FILL
        cell.alignment = Alignment(wrap_text=True, horizontal="center")
        page.column_dimensions[letters[field.key]].width = field.width
    for row in range(FIRST_ROW, last + 1):
        for field in fields:
            cell = page[f"{letters[field.key]}{row}"]
            cell.border = THIN
            if field.typed:
                cell.fill, cell.protection = TYPED, Protection(locked=False)
            cell.value = _value(boards, field.key, letters, row)
    _validate(page, boards, board, letters, last)
    page.freeze_panes = f"B{FIRST_ROW}"
    page.print_area = f"A1:{get_column_letter(len(fields))}{last}"
    page.print_title_rows = f"{FIRST_ROW - 1}:{FIRST_ROW - 1}"
    page.page_setup.orientation = "landscape"
    page.page_setup.fitToHeight = 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    # Without a password: protection keeps formulas from slips of the hand, not from the club.
    page.protection.sheet = True


def _put(page: Worksheet, address: str, words: str, font: Font) -> None:
    cell = page[address]
    cell.value, cell.font = text(words), font
    cell.data_type = "s"


def _value(boards: Boards, key: str, letters: dict[str, str], row: int) -> object:
    """The number of the line, the cards of the deal, or the formula of the cell; nothing where it is typed."""
    at = {name: f"{letter}{row}" for name, letter in letters.items()}
    name, _, side = key.partition("-")
    if key == "line":
        return row - FIRST_ROW + 1
    if key == "cards":
        return boards.cards[row - FIRST_ROW]
    if key == "need":
        return f'=IF(ISNUMBER({_level(at)}),6+{_level(at)},"")'
    if key == "outcome":
        return f'=IF(OR({at["need"]}="",{at["books"]}=""),"",IF({at["books"]}>={at["need"]},"made","set"))'
    if not boards.computes:
        if name == "score" and not boards.simple:
            return _running(letters, int(side), row, f"N({at[f'change-{side}']})+N({at[f'other-{side}']})")
        return None
    if name == "change":
        return f'=IF({_played(boards, at)},{_points(boards, at, int(side))},"")'
    if name == "score":
        more = f"N({at[f'change-{side}']})+N({at[f'other-{side}']})" if not boards.simple else None
        return _running(
            letters, int(side), row, more or f"IF({_played(boards, at)},{_points(boards, at, int(side))},0)"
        )
    return None


def _running(letters: dict[str, str], side: int, row: int, change: str) -> str:
    before = f"{letters[f'score-{side}']}{row - 1}" if row > FIRST_ROW else "0"
    return f"={before}+{change}"


def _level(at: dict[str, str]) -> str:
    return f"VALUE(LEFT({at['bid']},1))"


def _played(boards: Boards, at: dict[str, str]) -> str:
    """Whether a line holds a hand that can be computed: with special bids its points are written under “Other”."""
    if boards.formulas.one_bids:
        return f'AND(ISNUMBER({_level(at)}),{at["books"]}<>"")'
    tricks = ",".join(cell for key, cell in at.items() if key.startswith("tricks-"))
    bids = [cell for key, cell in at.items() if key.startswith("bid-")]
    numbers = ",".join(f'OR(ISNUMBER({bid}),{bid}="Pass")' for bid in bids)
    return f"AND(COUNT({tricks})>0,{numbers})"


def _points(boards: Boards, at: dict[str, str], side: int) -> str:
    formulas = boards.formulas
    if boards.formulas.one_bids:
        level, books = _level(at), at["books"]
        pays = {"books": f"{books}-6", "level": level, "every": books, "one": "1"}[formulas.made_pays]
        lost = f"-{level}" if formulas.set_costs_level else "0"
        double = f'*IF(RIGHT({at["bid"]},2)="No",{formulas.no_counts},1)' if formulas.no_counts > 1 else ""
        return f"IF({_bids(at, side)},IF({books}>=6+{level},{pays},{lost}){double},0)"
    bid, took = (
        f"SUM({','.join([cell for key, cell in at.items() if key.startswith(name)][side :: boards.sides])})"
        for name in ("bid-", "tricks-")
    )
    lost = f"({bid}-{took})" if formulas.per_short else bid
    made = f"{bid}*{formulas.per_trick}+({took}-{bid})*{formulas.per_over}"
    return f"IF({took}>={bid},{made},-{lost}*{formulas.per_trick})"


def _bids(at: dict[str, str], side: int) -> str:
    """Whether a side won the bid: its letter stands before the name in the list of bidders."""
    return f'LEFT({at["seat"]},1)="{LETTERS[side]}"'


def _validate(page: Worksheet, boards: Boards, board: Board, letters: dict[str, str], last: int) -> None:
    """Lists to choose from. A bid that is not in the list may be typed: the rules look at it when the board is read."""
    bids = DataValidation(type="list", formula1=f"{LISTS}!$A$1:$A${len(boards.bids)}", allow_blank=True)
    bids.errorStyle, bids.error = "warning", "This bid is not in the list."
    most = max((*boards.cards, 13 if boards.formulas.one_bids else 0))
    numbers = DataValidation(type="whole", operator="between", formula1="0", formula2=str(most), allow_blank=True)
    numbers.error = f"A whole number from 0 to {most}."
    who = DataValidation(type="list", formula1=f"{LISTS}!$B$1:$B$2", allow_blank=True)
    who.error = "Write A or B: the side that won the bid."
    allowed = {"row": bids, "grid": bids, "count": numbers, "seats": who}
    typed = []
    for cell in board_cells(boards):
        if cell.field is not None and cell.field.layout != "given":
            typed.append(letters[cell.key])
            if cell.field.layout in allowed:
                allowed[cell.field.layout].add(f"{typed[-1]}{FIRST_ROW}:{typed[-1]}{last}")
    for one in (bids, numbers, who):
        if one.sqref.ranges:
            page.add_data_validation(one)
    unwritten = FormulaRule(
        formula=[f"COUNTA(${typed[0]}{FIRST_ROW}:${typed[-1]}{FIRST_ROW})=0"], font=Font(color="FFFFFF")
    )
    score = next(letter for key, letter in letters.items() if key.startswith(("score", "change", "need")))
    page.conditional_formatting.add(f"{score}{FIRST_ROW}:{get_column_letter(len(letters))}{last}", unwritten)
    if "outcome" in letters:
        rule = FormulaRule(formula=[f'${letters["outcome"]}{FIRST_ROW}="set"'], font=Font(color="A81D29"))
        page.conditional_formatting.add(f"A{FIRST_ROW}:{get_column_letter(len(letters))}{last}", rule)


def _lists(page: Worksheet, boards: Boards) -> None:
    for row, bid in enumerate(boards.bids, start=1):
        page[f"A{row}"] = int(bid) if bid.isdecimal() else bid
    for row, side in enumerate(LETTERS[:2], start=1):
        page[f"B{row}"] = side
    page.sheet_state = "hidden"


def _about(page: Worksheet, boards: Boards, titles: Sequence[str]) -> None:
    """What the reader needs: which event, which rule sheet, and which game each sheet belongs to."""
    page.append([VERSION, "simple" if boards.simple else "complex"])
    page.append([boards.slug, boards.sheet_key])
    for title, board in zip(titles, boards.boards, strict=False):
        page.append([title, *board.key])
        for side, name in enumerate(board.sides):
            _put(page, f"{get_column_letter(5 + side)}{page.max_row}", name, MUTED)
    page.sheet_state = "hidden"
