"""Lists as pages of a workbook; in the workbook of an event their formulas are live."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from tournament.lists.column import CENTS, NUMBER, POINTS, STARS, TIME, Cells, Column, Listing
from tournament.reports.excel import cells
from tournament.reports.excel.cells import (
    BOLD,
    MOMENT,
    TITLE_FONT,
    Formula,
    Page,
    finished,
    money_format,
    new_book,
    quoted,
)
from tournament.reports.excel.columns import SCORE

# Any head has room in two lines; a longer text goes on in the next line.
NARROWEST, WIDEST = 5, 40
# So many rows go on one page of paper with what stands below them; a longer list has its heads on every page.
ONE_PAGE = 16


def list_workbook(listing: Listing) -> bytes:
    """One list in a workbook of its own."""
    workbook = new_book()
    write_lists(workbook, listing.title, [listing])
    return finished(workbook)


def write_lists(
    workbook: Workbook,
    title: str,
    listings: Sequence[Listing],
    sides: str = "",
    *,
    over: str = "",
    below: Sequence[Sequence[cells.PageColumn]] = (),
) -> Page:
    """Write lists on one page, one below the other, and return it.

    With the letters of a table's `sides`, what can be computed from the page of games is. Their columns get names:
    standings_won, and so on. `over` is said over all of them; `below` are the columns of what somebody else writes on
    the page after them.
    """
    page = Page(workbook, title, listings[0].event.paper)
    written = [_Written(listing) for listing in listings]
    page.widen([*(one.columns for one in written), *below])
    if below and len(written[0].rows) <= ONE_PAGE:
        page.sheet.page_setup.fitToHeight = 1
    if over:
        page.write([over], font=TITLE_FONT)
    for at, one in enumerate(written):
        if at or over:
            page.write([])
        one.write(workbook, page, sides, alone=len(written) == 1 and not below, first=at == 0)
    return page


class _Written:
    """A list with the columns that it has in a spreadsheet."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.rows = [[_value(listing, column, row) for column in listing.columns] for row in listing.rows]
        self.columns = [
            _column(listing, column, [row[at] for row in self.rows]) for at, column in enumerate(listing.columns)
        ]
        self.letters = {column.key: get_column_letter(at) for at, column in enumerate(listing.columns, start=1)}

    def write(self, workbook: Workbook, page: Page, sides: str, *, alone: bool, first: bool) -> None:
        """Write head and rows; a list alone on its page has filters, and keeps its head in sight."""
        listing, live = self.listing, bool(sides)
        name = next((at for at, column in enumerate(listing.columns, start=1) if column.key == "name"), 1)
        frozen = min(name, 3) if alone or (first and len(self.rows) > ONE_PAGE) else None
        page.begin_list(listing.title, self._under(live), self.columns, frozen_columns=frozen)
        top, last = page.first, page.first + max(len(self.rows), 1) - 1
        for record, values in zip(listing.rows, self.rows, strict=True):
            where = Cells(self.letters, page.row + 1, top, last, sides)
            for at, column in enumerate(listing.columns if live else ()):
                if column.formula and (text := column.formula(record, where)):
                    values[at] = Formula(text, values[at])
            page.list_row(values)
        if not self.rows:
            page.write([listing.empty])
        if live:
            for key, letter in self.letters.items():
                defined = f"{listing.name.replace('-', '_')}_{key}"
                area = f"'{page.sheet.title}'!${letter}${top}:${letter}${last}"
                workbook.defined_names[defined] = DefinedName(defined, attr_text=area)
        if alone:
            page.close_list(more_rows=bool(listing.totals))
        if listing.totals and self.rows:
            self._total(page, top, last)

    def _under(self, live: bool) -> str | Formula:
        under, changed = self.listing.under, self.listing.changed
        if not (live and changed):
            return under
        return Formula(f"=IF(Games_Changed=0,{quoted(under)},{quoted(changed)})", under)

    def _total(self, page: Page, top: int, last: int) -> None:
        sums = self.listing.totals
        spans = {key: f"{self.letters[key]}{top}:{self.letters[key]}{last}" for key in sums}
        values: list[Any] = [
            Formula(f"=SUM({spans[column.key]})", sums[column.key] / 100) if column.key in sums else ""
            for column in self.listing.columns
        ]
        values[next(at for at, column in enumerate(self.listing.columns) if not column.is_number)] = "Total"
        page.list_row(values, font=BOLD)


def _value(listing: Listing, column: Column, row: Any) -> Any:
    """A cell as a spreadsheet keeps it: sums of money in full, and nothing where there is none."""
    value = listing.machine(column, row)
    if column.unit == CENTS:
        return value / 100 if isinstance(value, int) and value else ""
    return "; ".join(value) if isinstance(value, tuple) else "" if value is None else value


def _column(listing: Listing, column: Column, values: list[Any]) -> cells.PageColumn:
    formats = {
        NUMBER: cells.NUMBER,
        STARS: cells.NUMBER,
        POINTS: SCORE,
        CENTS: money_format(listing.event.currency),
        TIME: MOMENT,
    }
    text = column.unit not in (CENTS, TIME)
    widest = max([len(str(value)) for value in values] if text and values else [16 if column.unit == TIME else 9])
    words = max(len(word) for word in column.heading.split() or [""])
    return cells.PageColumn(
        column.heading,
        min(max(widest, words, NARROWEST) + 4, WIDEST),
        formats.get(column.unit, "General"),
        wraps=widest + 4 > WIDEST,
    )
