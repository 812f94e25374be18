"""The workbook of an event: its lists, a sheet each; the result comes first, the rules come last.

Each sheet has a frozen row of headings, values below it, and filters over all of it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator, Sequence
from textwrap import wrap
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.page import PageMargins
from openpyxl.worksheet.properties import PageSetupProperties

from tournament.lists.catalog import MONEY, rules_list
from tournament.lists.column import CENTS, NUMBER, POINTS, RANK, STARS, TIME, Column, Listing, in_order, joined, where
from tournament.lists.money import money_list, receipts_list
from tournament.lists.schedule import bracket_list, games_list
from tournament.lists.sheets import corrections_list, hands_list, rulings_list
from tournament.lists.standings import cross_table, places_list, pot_list, standings_list, ties_list
from tournament.lists.teams import desk_teams_list
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
    is_formula_like,
    new_book,
)
from tournament.reports.excel.rows import EMPTY, Cell, Formula, RowSheet, add_row_sheet
from tournament.words.phrases import exact_money

# An empty row separates the title from the headings, so that a spreadsheet recognizes where the list begins.
HEAD_ROW = 4
# Widths are counted in figures; the button of a filter is as wide as three. A text wider than the widest column
# wraps.
NARROWEST, WIDEST, BUTTON = 5, 50, 3
# The greatest total width of all columns, and how narrow the widest columns may become to fit it.
PRINTED, LEAST = 190, 16
# How much wider than a figure a letter is: one of the widest letters, and any other capital.
BROAD_LETTERS, BROAD, CAPITAL = "MWmw@%", 0.7, 0.25
# Numbers are aligned right and texts left, with a little room between them.
TO_RIGHT = Alignment(horizontal="right", vertical="top")
TO_LEFT = Alignment(horizontal="left", vertical="top", indent=1, wrap_text=True)
UNDER = Alignment(horizontal="left", vertical="top", wrap_text=True)


def list_workbook(listing: Listing) -> bytes:
    """One list in a workbook of its own."""
    workbook = new_book(f"{listing.event.name}: {listing.title}")
    write_list(workbook, listing)
    return finished(workbook)


def write_list(workbook: Workbook, listing: Listing) -> None:
    """Write a list as a sheet of its own; columns that are empty in this event are included but hidden."""
    sheet = add_row_sheet(workbook, cells.sheet_title(listing.title, workbook.sheetnames))
    columns = listing.pick_file_columns()
    rows = [[_value(listing, column, row) for column in columns] for row in listing.rows]
    # A sheet is written from top to bottom: everything about its columns and rows must be known before the first row.
    _print_setup(sheet, cells.PAPERS[listing.event.paper])
    _set_sizes(sheet, listing, columns, rows)
    _set_view(sheet, columns, last_row=HEAD_ROW + max(len(rows), 1))
    sheet.append([sheet.text(f"{listing.event.name}: {listing.title}", font=TITLE_FONT)])
    sheet.append([sheet.text(listing.under, font=MUTED, alignment=UNDER)])
    sheet.append([])
    sheet.append([_head(sheet, listing, column) for column in columns])
    if not rows:
        sheet.append([sheet.text(listing.empty)])
        return
    cells_of = [_dressing(sheet, listing, column) for column in columns]
    for row in rows:
        sheet.append([cell_of(value) for cell_of, value in zip(cells_of, row, strict=True)])
    sums = listing.add_up()
    if sums:
        # Below an empty row, so that sorting and filters leave them where they are.
        sheet.append([])
        sheet.append(_totals(sheet, listing, columns, sums, last_row=HEAD_ROW + len(rows)))


def _set_sizes(sheet: RowSheet, listing: Listing, columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> None:
    """Set the widths of the columns, and the heights of rows whose texts take several lines."""
    widths = _widths(columns, rows)
    for index, column in enumerate(columns):
        dimensions = sheet.column_dimensions[get_column_letter(index + 1)]
        dimensions.width, dimensions.hidden = widths[index] or NARROWEST, not column.shown
    _set_height(sheet, 2, [listing.under], [sum(widths)])
    seen = [index for index, column in enumerate(columns) if column.shown]
    seen_widths = [widths[index] for index in seen]
    headings = [column.heading for column in columns]
    for number, values in enumerate([headings, *rows], start=HEAD_ROW):
        _set_height(sheet, number, [values[index] for index in seen], seen_widths)


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> list[float]:
    """The widths of columns, 0 for hidden ones. If a page would be too small to read, the widest shrink."""
    widths = []
    for index, column in enumerate(columns):
        widths.append(_width(column, [row[index] for row in rows]) if column.shown else 0.0)
    cap = WIDEST
    while cap > LEAST and sum(min(width, cap) for width in widths) > PRINTED:
        cap -= 1
    return [min(width, cap) for width in widths]


def _set_view(sheet: RowSheet, columns: Sequence[Column], last_row: int) -> None:
    """Freeze headings and names; add filters to the headings."""
    last_column = get_column_letter(len(columns))
    name = next((number for number, column in enumerate(columns, start=1) if column.key == "name"), 1)
    sheet.freeze_panes = f"{get_column_letter(min(name, 3) + 1)}{HEAD_ROW + 1}"
    sheet.auto_filter.ref = f"A{HEAD_ROW}:{last_column}{last_row}"
    # Merged across the list, so that a long line does not make the page wider.
    sheet.merged_cells.add(f"A2:{last_column}2")


def _print_setup(sheet: RowSheet, size: int) -> None:
    """Fit the width of the paper, repeat the headings on every page, and put title and page number at the foot."""
    setup = sheet.page_setup
    setup.paperSize, setup.orientation, setup.fitToWidth, setup.fitToHeight = size, "landscape", 1, 0
    sheet.page_margins = PageMargins(left=0.4, right=0.4, top=0.45, bottom=0.6, header=0.3, footer=0.3)
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.print_title_rows = f"{HEAD_ROW}:{HEAD_ROW}"
    sheet.oddFooter.center.text = "&A, page &P of &N"


def _head(sheet: RowSheet, listing: Listing, column: Column) -> Cell:
    stands = _alignment(_format(listing, column))
    alignment = Alignment(horizontal=stands.horizontal, vertical="center", indent=stands.indent, wrap_text=True)
    return sheet.text(column.heading, font=HEAD_FONT, fill=HEAD_FILL, alignment=alignment)


def _dressing(sheet: RowSheet, listing: Listing, column: Column) -> Callable[[Any], Cell]:
    """The styles for the values of a column; cells that look alike share a style."""
    form = _format(listing, column)
    styles: dict[tuple[str, bool], int] = {}

    def style_of(shown: str, *, marked: bool = False) -> int:
        if (shown, marked) not in styles:
            looks = {"alignment": _alignment(form), "number_format": shown, "quotePrefix": marked}
            styles[shown, marked] = sheet.style(**looks)
        return styles[shown, marked]

    def cell(value: Any) -> Cell:
        if value is None:
            return EMPTY
        if isinstance(value, str):
            return style_of(form, marked=is_formula_like(value)), value
        if isinstance(value, tuple):
            return style_of(value[1]), value[0]
        if isinstance(value, float) and column.unit == POINTS:
            return style_of(cells.SHARE), value
        return style_of(form), value

    return cell


def _alignment(form: str) -> Alignment:
    return TO_LEFT if form in ("General", cells.MOMENT) else TO_RIGHT


def _totals(
    sheet: RowSheet, listing: Listing, columns: Sequence[Column], sums: Collection[str], last_row: int
) -> list[Cell]:
    """The sums of money as formulas."""
    row = [EMPTY] * len(columns)
    words = next(index for index, column in enumerate(columns) if not column.is_number)
    row[words] = sheet.style(font=BOLD), "Total"
    for index, column in enumerate(columns):
        if column.key in sums:
            letter = get_column_letter(index + 1)
            style = sheet.style(font=BOLD, alignment=TO_RIGHT, number_format=_format(listing, column))
            row[index] = style, Formula(f"=SUM({letter}{HEAD_ROW + 1}:{letter}{last_row})")
    return row


def _value(listing: Listing, column: Column, row: Any) -> Any:
    """A cell as a spreadsheet stores it: amounts of money in full, times without a zone, None for empty."""
    value = listing.machine(column, row)
    if column.unit == CENTS:
        return value / 100 if isinstance(value, int) and value else None
    if column.unit == RANK and isinstance(value, str) and value.rstrip("=").isdecimal():
        return int(value.rstrip("=")), cells.SHARED if value.endswith("=") else cells.NUMBER
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, tuple):
        return joined(value) or None
    if value == 0:
        return 0
    return value or None


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
    """The width for the widest value, and for every word of the heading beside its filter button."""
    fixed = {CENTS: 9, TIME: 16}.get(column.unit)
    widest = fixed or _widest([str(value) for value in values if isinstance(value, int | str)])
    words = max(_letters(word) for word in column.heading.split() or [""])
    return min(max(widest, words, NARROWEST) + BUTTON, WIDEST)


def _widest(texts: Sequence[str]) -> float:
    """The width of the widest text. The longest texts are measured first, so that most others need not be measured."""
    widest = 0.0
    for text in sorted(set(texts), key=len, reverse=True):
        if len(text) * (1 + BROAD) <= widest:
            break
        widest = max(widest, _letters(text))
    return widest


def _set_height(sheet: RowSheet, row: int, values: Sequence[Any], widths: Sequence[float]) -> None:
    """Make room for the cell with the most lines: a spreadsheet does not compute the height of a row by itself."""
    texts = [(value, width) for value, width in zip(values, widths, strict=True) if isinstance(value, str) and value]
    lines = max((_count_lines(text, width - BUTTON) for text, width in texts), default=1)
    if lines > 1:
        sheet.heights[row] = LINE * lines


def _count_lines(text: str, width: float) -> int:
    if len(text) * (1 + BROAD) <= width:
        return 1
    letters = int(width * len(text) / _letters(text) + 0.01)
    return 1 if len(text) <= letters else len(wrap(text, letters))


def _letters(text: str) -> float:
    """The width of a text, in figures."""
    broad = sum(map(text.count, BROAD_LETTERS))
    capitals = sum(map(str.isupper, text)) - text.count("M") - text.count("W")
    return len(text) + BROAD * broad + CAPITAL * capitals


# A list of things that did not happen gets no sheet.
ONLY_WITH_ROWS = ("cross-table", "ties", "pot", "rulings", "corrections")


def event_workbook(whole: WholeBook, sheets: Sequence[GameSheet], *, with_money: bool = False) -> bytes:
    """All lists of an event, with the lines of its sheets; lists of money only for those who handle it."""
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
    """The cover of the event book."""
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
