"""The workbook of an event: its lists, a sheet each; the result comes first, the rules come last.

Each sheet has one row of heads that stays in sight, values below it, and filters over all of it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from tournament.lists.catalog import MONEY, rules_list
from tournament.lists.column import CENTS, NUMBER, POINTS, RANK, STARS, TIME, Column, Listing, in_order, joined, where
from tournament.lists.money import money_list, receipts_list
from tournament.lists.schedule import bracket_list, games_list
from tournament.lists.sheets import corrections_list, hands_list, rulings_list
from tournament.lists.standings import cross_table, places_list, pot_list, standings_list, ties_list
from tournament.lists.teams import desk_teams_list
from tournament.phrases import exact_money
from tournament.queries.pictures import WholeBook
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel import cells
from tournament.reports.excel.cells import (
    BOLD,
    HEAD_FILL,
    HEAD_FONT,
    LINE,
    MUTED,
    TITLE_FONT,
    finished,
    new_book,
    put_text,
)

# A free row stands between the title and the heads: what a spreadsheet takes for the list begins with them.
HEAD_ROW = 4
# Widths count figures; the button of a filter takes as much as three. A text wider than the widest column goes on in
# the next line.
NARROWEST, WIDEST, BUTTON = 5, 50, 3
# How wide all columns may be together, and how narrow the widest become for it.
PRINTED, LEAST = 190, 16
# What a letter takes beyond a figure: one of the widest, and any other capital.
BROAD, CAPITAL = 0.7, 0.25
# Numbers to the right, texts to the left, and a little room between them.
TO_RIGHT = Alignment(horizontal="right", vertical="top")
TO_LEFT = Alignment(horizontal="left", vertical="top", indent=1, wrap_text=True)
UNDER = Alignment(horizontal="left", vertical="top", wrap_text=True)


def list_workbook(listing: Listing) -> bytes:
    """One list in a workbook of its own."""
    workbook = new_book(f"{listing.event.name}: {listing.title}")
    write_list(workbook, listing)
    return finished(workbook)


def write_list(workbook: Workbook, listing: Listing) -> None:
    """Write a list as a sheet of its own; columns that say nothing in this event are there, and hidden."""
    sheet: Worksheet = workbook.create_sheet(cells.sheet_title(listing.title, workbook.sheetnames))
    columns = listing.pick_file_columns()
    rows = [[_value(listing, column, row) for column in columns] for row in listing.rows]
    widths = [
        _width(column, [row[index] for row in rows]) if column.shown else 0.0 for index, column in enumerate(columns)
    ]
    # A sheet that is wider prints too small to read: its widest columns give way.
    cap = next((cap for cap in range(WIDEST, LEAST, -1) if sum(min(width, cap) for width in widths) <= PRINTED), LEAST)
    widths = [min(width, cap) for width in widths]
    last = HEAD_ROW + max(len(rows), 1)
    _print_setup(sheet, cells.PAPERS[listing.event.paper])
    _write_title(sheet, listing, widths)
    for index, column in enumerate(columns):
        letter = get_column_letter(index + 1)
        sheet.column_dimensions[letter].width = widths[index] or NARROWEST
        sheet.column_dimensions[letter].hidden = not column.shown
        _write_column(sheet, listing, column, index + 1, [row[index] for row in rows])
    seen = [index for index, column in enumerate(columns) if column.shown]
    for number, values in enumerate([[column.heading for column in columns], *rows], start=HEAD_ROW):
        _set_height(sheet, number, [values[index] for index in seen], [widths[index] for index in seen])
    if not rows:
        put_text(sheet[f"A{last}"], listing.empty)
    name = next((index for index, column in enumerate(columns, start=1) if column.key == "name"), 1)
    sheet.freeze_panes = f"{get_column_letter(min(name, 3) + 1)}{HEAD_ROW + 1}"
    sheet.auto_filter.ref = f"A{HEAD_ROW}:{get_column_letter(len(columns))}{last}"
    sums = listing.add_up()
    if sums and rows:
        _write_totals(sheet, listing, columns, set(sums), last)


def _write_title(sheet: Worksheet, listing: Listing, widths: Sequence[float]) -> None:
    """The title, and below it what is said of the list: merged over it, so that a long line does not widen the page."""
    put_text(sheet["A1"], f"{listing.event.name}: {listing.title}")
    put_text(sheet["A2"], listing.under)
    sheet["A1"].font, sheet["A2"].font, sheet["A2"].alignment = TITLE_FONT, MUTED, UNDER
    sheet.merge_cells(start_row=2, end_row=2, start_column=1, end_column=len(widths))
    _set_height(sheet, 2, [listing.under], [sum(widths)])


def _print_setup(sheet: Worksheet, size: int) -> None:
    """As wide as the paper, the heads on every page, title and page at the foot."""
    setup = sheet.page_setup
    setup.paperSize, setup.orientation, setup.fitToWidth, setup.fitToHeight = size, "landscape", 1, 0
    sheet.page_margins = PageMargins(left=0.4, right=0.4, top=0.45, bottom=0.6, header=0.3, footer=0.3)
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{HEAD_ROW}:{HEAD_ROW}"
    assert sheet.oddFooter is not None
    sheet.oddFooter.center.text = "&A, page &P of &N"


def _write_column(sheet: Worksheet, listing: Listing, column: Column, index: int, values: Sequence[Any]) -> None:
    """The head of a column and its cells; those that look alike share a style."""
    form = _format(listing, column)
    alignment = TO_LEFT if form in ("General", cells.MOMENT) else TO_RIGHT
    head: Any = sheet.cell(HEAD_ROW, index)
    put_text(head, column.heading)
    head.font, head.fill = HEAD_FONT, HEAD_FILL
    head.alignment = Alignment(
        horizontal=alignment.horizontal, vertical="center", indent=alignment.indent, wrap_text=True
    )
    styles: dict[tuple[str, bool], Any] = {}
    for row, value in enumerate(values, start=HEAD_ROW + 1):
        # Its stub leaves out the style as a whole.
        cell: Any = sheet.cell(row, index)
        shown, marked = form, False
        if isinstance(value, str):
            put_text(cell, value)
            marked = bool(cell.quotePrefix)
        elif isinstance(value, tuple):
            cell.value, shown = value
        elif isinstance(value, float) and column.unit == POINTS:
            cell.value, shown = value, cells.SHARE
        else:
            cell.value = value
        if (shown, marked) not in styles:
            cell.alignment, cell.number_format = alignment, shown
            styles[shown, marked] = cell._style
        cell._style = styles[shown, marked]


def _write_totals(sheet: Worksheet, listing: Listing, columns: Sequence[Column], summed: set[str], last: int) -> None:
    """The sums of money below a free row, so that sorting and filters leave them where they are."""
    row = last + 2
    words = next(index for index, column in enumerate(columns, start=1) if not column.is_number)
    sheet.cell(row, words, "Total").font = BOLD
    for index, column in enumerate(columns, start=1):
        if column.key in summed:
            letter = get_column_letter(index)
            total = sheet.cell(row, index, f"=SUM({letter}{HEAD_ROW + 1}:{letter}{last})")
            total.font, total.alignment, total.number_format = BOLD, TO_RIGHT, _format(listing, column)


def _value(listing: Listing, column: Column, row: Any) -> Any:
    """A cell as a spreadsheet keeps it: sums of money in full, a moment without its zone, and nothing for none."""
    value = listing.machine(column, row)
    if column.unit == CENTS:
        return value / 100 if isinstance(value, int) and value else None
    if column.unit == RANK and isinstance(value, str) and value.rstrip("=").isdecimal():
        return int(value.rstrip("=")), cells.SHARED if value.endswith("=") else cells.NUMBER
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None)
    return (joined(value) if isinstance(value, tuple) else value) or (0 if value == 0 else None)


def _format(listing: Listing, column: Column) -> str:
    formats = {
        NUMBER: cells.NUMBER,
        RANK: cells.NUMBER,
        STARS: cells.NUMBER,
        POINTS: cells.POINTS,
        CENTS: cells.money_format(listing.event.currency),
        TIME: cells.MOMENT,
    }
    return formats.get(column.unit, "General")


def _width(column: Column, values: Sequence[Any]) -> float:
    """Room for the widest value, and for every word of the head with the button of its filter."""
    fixed = {CENTS: 9, TIME: 16}.get(column.unit)
    widest = fixed or max((_letters(str(value)) for value in values if isinstance(value, int | str)), default=0)
    words = max(_letters(word) for word in column.heading.split() or [""])
    return min(max(widest, words, NARROWEST) + BUTTON, WIDEST)


def _set_height(sheet: Worksheet, row: int, values: Sequence[Any], widths: Sequence[float]) -> None:
    """Room for the cell with the most lines: a spreadsheet does not find out by itself how high a row must be."""
    pairs = [(value, width) for value, width in zip(values, widths, strict=True) if isinstance(value, str) and value]
    lines = max(
        (len(wrap(text, int((width - BUTTON) * len(text) / _letters(text) + 0.01))) for text, width in pairs), default=1
    )
    if lines > 1:
        sheet.row_dimensions[row].height = LINE * lines


def _letters(text: str) -> float:
    """How wide a text is, in figures."""
    return sum(1 + (BROAD if letter in "MWmw@%" else CAPITAL if letter.isupper() else 0) for letter in text)


# What did not happen has no sheet.
ONLY_WITH_ROWS = ("cross-table", "ties", "pot", "rulings", "corrections")


def event_workbook(whole: WholeBook, sheets: Sequence[GameSheet], *, with_money: bool = False) -> bytes:
    """All lists of an event, with the lines of its sheets; those of money for those who handle it."""
    workbook = new_book(whole.event.name)
    for listing in _lists(whole, sheets):
        if (listing.rows or listing.name not in ONLY_WITH_ROWS) and (with_money or listing.name not in MONEY):
            write_list(workbook, listing.seen(with_money))
    return finished(workbook)


def _lists(whole: WholeBook, sheets: Sequence[GameSheet]) -> Iterator[Listing]:
    event = whole.event
    if whole.finale.exists:
        yield places_list(event, whole.finale)
    yield standings_list(event, whole.standings)
    yield ties_list(event, whole.standings)
    yield cross_table(event, whole.standings)
    yield games_list(event, sheets, bostons=whole.standings.bostons)
    yield hands_list(event, sheets)
    if whole.bracket is not None:
        yield bracket_list(event, whole.bracket)
    yield desk_teams_list(event, whole.cash)
    yield pot_list(event, whole.pot)
    yield money_list(event, whole.cash)
    yield receipts_list(event, whole.cash)
    yield rulings_list(event, whole.rulings)
    yield corrections_list(event, whole.corrected)
    yield rules_list(event)
    yield _event_list(whole)


def _event_list(whole: WholeBook) -> Listing:
    """What stands on the cover of the event book."""
    event = whole.event
    rows = [
        ("Date and place", where(event)),
        ("Stage", event.get_stage_display()),
        ("Rule sheet", whole.rules.sheet.title),
        (f"{whole.rules.unit.capitalize()}s", str(len(whole.teams))),
        ("Games planned", str(event.rounds_planned)),
        ("Ordered by", whole.standings.order),
        ("Entry fee", exact_money(event.fee_cents, event.currency)),
        ("Each pays into the Boston pot", exact_money(event.pot_cents, event.currency)),
        *((role, name) for name, role in whole.officials),
    ]
    return Listing("event", "Event", event, in_order(("what", "What"), ("words", "In words")), rows)
