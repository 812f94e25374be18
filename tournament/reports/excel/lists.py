"""Any list as a page of a workbook; in the workbook of an event its formulas are live."""

from __future__ import annotations

from typing import Any

from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName

from tournament.lists.column import CENTS, NAMES, NUMBER, POINTS, TIME, Cells, Column, Listing
from tournament.reports.excel import cells
from tournament.reports.excel.cells import BOLD, MOMENT, Formula, Page, finished, new_book
from tournament.reports.excel.hands import SCORE
from tournament.reports.excel.summary import money_format

# A longer text goes on in the next line.
WIDEST = 44


def list_workbook(listing: Listing) -> bytes:
    """One list in a workbook of its own."""
    workbook = new_book()
    write_list(workbook, listing)
    return finished(workbook)


def write_list(workbook: Workbook, listing: Listing, sides: str = "") -> None:
    """Write a list. With the letters of a table's `sides` what can be computed from the page of games is.

    Its columns get names: Standings_won, and so on.
    """
    page, live = Page(workbook, listing.title), bool(sides)
    rows = [[_value(listing, column, row) for column in listing.columns] for row in listing.rows]
    columns = [_column(listing, column, [row[at] for row in rows]) for at, column in enumerate(listing.columns)]
    name = next((at for at, column in enumerate(listing.columns, start=1) if column.key == "name"), 1)
    page.begin_list(listing.title, listing.under, columns, frozen_columns=min(name, 3))
    letters = {column.key: get_column_letter(at) for at, column in enumerate(listing.columns, start=1)}
    last = page.first + max(len(rows), 1) - 1
    for record, values in zip(listing.rows, rows, strict=True):
        where = Cells(letters, page.row + 1, page.first, last, sides)
        for at, column in enumerate(listing.columns if live else ()):
            if column.formula and (text := column.formula(record, where)):
                values[at] = Formula(text)
        page.list_row(values)
    if live:
        for key, letter in letters.items():
            area = f"'{listing.title}'!${letter}${page.first}:${letter}${last}"
            defined = f"{listing.name.replace('-', '_')}_{key}"
            workbook.defined_names[defined] = DefinedName(defined, attr_text=area)
    page.close_list(more_rows=bool(listing.totals))
    if listing.totals and rows:
        _total(page, listing, letters, [column.format for column in columns])


def _value(listing: Listing, column: Column, row: Any) -> Any:
    """A cell as a spreadsheet keeps it: sums of money in full, and nothing where there is none."""
    value = listing.machine(column, row)
    if column.unit == CENTS:
        return value / 100 if value else ""
    return "; ".join(value) if column.unit == NAMES else "" if value is None else value


def _column(listing: Listing, column: Column, values: list[Any]) -> cells.Column:
    formats = {NUMBER: cells.NUMBER, POINTS: SCORE, CENTS: money_format(listing.event.currency), TIME: MOMENT}
    text = column.unit not in (CENTS, TIME)
    widest = max([len(str(value)) for value in values] if text and values else [16 if column.unit == TIME else 9])
    words = max(len(word) for word in column.heading.split() or [""])
    return cells.Column(
        column.heading,
        min(max(widest, words) + 3, WIDEST),
        formats.get(column.unit, "General"),
        wraps=widest + 3 > WIDEST,
    )


def _total(page: Page, listing: Listing, letters: dict[str, str], formats: list[str]) -> None:
    sums = listing.totals
    spans = {key: f"{letters[key]}{page.first}:{letters[key]}{page.row}" for key in sums}
    values: list[Any] = [
        Formula(f"=SUM({spans[column.key]})") if column.key in sums else "" for column in listing.columns
    ]
    values[next(at for at, column in enumerate(listing.columns) if not column.is_number)] = "Total"
    page.write(values, formats=formats, font=BOLD)
