"""The only door into a workbook: what people typed stays text, sheets have allowed names, numbers have formats."""

from __future__ import annotations

import datetime
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from math import ceil
from typing import Any, NamedTuple

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet.properties import PageSetupProperties

# What the sides of a table are called in a workbook.
NAMES = "ABCDEF"
LONGEST = 32_767
# So many signs stand side by side on a page across, in letters that can be read.
SIGNS_ACROSS = 250
# A number with a little room behind it, where a text follows.
NUMBER = "0_0"
# A moment, by the clock of the hall.
MOMENT = "mmm d, h:mm AM/PM"
# Control characters that a workbook cannot hold.
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
HEAD_FONT = Font(name="Calibri", size=11, bold=True, color="FFFFFF")
HEAD_FILL = PatternFill("solid", fgColor="0F5B46")
TITLE_FONT = Font(name="Georgia", bold=True, size=16, color="0F5B46")
MUTED = Font(name="Calibri", size=11, color="5D6762")
BOLD = Font(name="Calibri", size=11, bold=True)
LEFT, TOP, WRAPPED = (
    Alignment(horizontal="left"),
    Alignment(vertical="top"),
    Alignment(wrap_text=True, vertical="top", indent=1),
)
# The height of a line of text, in points.
LINE = 15


class Formula(str):
    """A formula that the program wrote. Everything else that looks like one is text."""

    __slots__ = ()


class Column(NamedTuple):
    """A column of a list: its head, its width in signs, the number format of its cells, and whether a long text in it
    goes on in the next line."""

    title: str
    width: float = 12
    format: str = "General"
    wraps: bool = False

    def lines(self, value: Any) -> int:
        """How many lines a text needs in this column; some letters are wider than the signs that a width counts."""
        return len(textwrap.wrap(str(value), max(1, int(self.width * 0.9)))) or 1


def text(value: str) -> str:
    """A text as a cell can hold it: without control signs, cut with a mark where it is too long."""
    cleaned = FORBIDDEN.sub("\ufffd", value)
    return cleaned if len(cleaned) <= LONGEST else cleaned[: LONGEST - 1] + "…"


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    """A title that every spreadsheet takes: at most 31 signs, none of / \\ ? * [ ] :, and not there yet."""
    clean = re.sub(r"[/\\?*\[\]:]", "-", text(wanted)).strip("' ") or "Sheet"
    known = {title.casefold() for title in taken}
    title, count = clean[:31], 1
    while title.casefold() in known:
        count += 1
        mark = f" ({count})"
        title = clean[: 31 - len(mark)] + mark
    return title


class Page:
    """One worksheet that is written row by row. `row` is the number of the row written last."""

    def __init__(self, book: Workbook, title: str) -> None:
        self.sheet: WriteOnlyWorksheet = book.create_sheet(sheet_title(title, book.sheetnames))
        self.row = 0
        # These, like widths and panes, stand at the beginning of the file: later is too late.
        self.sheet.page_setup.orientation = "landscape"
        self.sheet.page_setup.fitToWidth = 1
        self.sheet.page_setup.fitToHeight = 0
        self.sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        self.sheet.oddFooter.center.text = "&A, page &P of &N"

    def write(
        self,
        values: Sequence[Any],
        *,
        formats: Sequence[str] = (),
        font: Font | None = None,
        aligned: Mapping[int, Alignment] | None = None,
    ) -> int:
        """Write a row and return its number. `aligned` are the cells that do not stand as a spreadsheet puts them."""
        cells = [
            _cell(self.sheet, value, formats[index] if index < len(formats) else "", font)
            for index, value in enumerate(values)
        ]
        for index, alignment in (aligned or {}).items():
            cells[index].alignment = alignment
        self.sheet.append(cells)
        self.row += 1
        return self.row

    def title(self, words: str, under: str = "") -> None:
        """A title over the page."""
        self.write([words], font=TITLE_FONT)
        self.write([under], font=MUTED)

    def begin_list(
        self,
        words: str,
        under: str,
        columns: Sequence[Column],
        *,
        frozen_columns: int = 0,
        rows: int | None = None,
    ) -> None:
        """Title and head of a list: widths, panes that stay, the row that is printed on every page.

        Widths and panes stand at the beginning of the file, so they are set before the first row is written. So does
        the size, where it is known how many `rows` will follow: without it a reader goes through the whole page to
        learn it.
        """
        head = 3
        for index, column in enumerate(columns, start=1):
            self.sheet.column_dimensions[get_column_letter(index)].width = column.width
        if rows is not None:
            self.sheet.calculate_dimension = lambda: f"A1:{get_column_letter(len(columns))}{head + max(rows, 1)}"
        self.sheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}{head + 1}"
        self.sheet.print_title_rows = f"{head}:{head}"
        # A line that is longer than a page can show goes on to the right, and its first columns come along.
        wide = ceil(sum(column.width for column in columns) / SIGNS_ACROSS)
        if wide > 1 and frozen_columns:
            self.sheet.page_setup.fitToWidth = wide
            self.sheet.page_setup.pageOrder = "overThenDown"
            self.sheet.print_title_cols = f"A:{get_column_letter(frozen_columns)}"
        self.title(words, under)
        cells = [_cell(self.sheet, column.title, "", HEAD_FONT) for column in columns]
        for cell in cells:
            cell.fill = HEAD_FILL
            cell.alignment = Alignment(wrap_text=True, vertical="center")
        self.sheet.row_dimensions[head].height = LINE * max(column.lines(column.title) for column in columns)
        self.sheet.append(cells)
        self.row = head
        self.columns, self.first = columns, head + 1
        self.wrapped = any(column.wraps for column in columns)

    def list_row(self, values: Sequence[Any]) -> int:
        """Write a row of the list under the head, in the formats of its columns."""
        formats = [column.format for column in self.columns]
        if not self.wrapped:
            return self.write(values, formats=formats)
        # A spreadsheet does not find out by itself how high such a row is.
        told = zip(self.columns, values, strict=True)
        lines = max(column.lines(value) if column.wraps else 1 for column, value in told)
        self.sheet.row_dimensions[self.row + 1].height = LINE * lines
        aligned = {index: WRAPPED if column.wraps else TOP for index, column in enumerate(self.columns)}
        return self.write(values, formats=formats, aligned=aligned)

    def close_list(self, *, more_rows: int = 0) -> None:
        """Filters over the whole list, and what is printed: the list and the rows below it that belong to it."""
        last, bottom = get_column_letter(len(self.columns)), max(self.row, self.first)
        self.sheet.auto_filter.ref = f"A{self.first - 1}:{last}{bottom}"
        self.sheet.print_area = f"A1:{last}{bottom + more_rows}"


def new_book() -> Workbook:
    """An empty workbook that is written row by row and computed when it is opened."""
    book = Workbook(write_only=True)
    book.calculation.fullCalcOnLoad = True
    return book


def finished(book: Workbook) -> bytes:
    """The bytes of a workbook."""
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def _cell(sheet: WriteOnlyWorksheet, value: Any, number_format: str, font: Font | None) -> WriteOnlyCell:
    if isinstance(value, datetime.datetime):
        value = value.replace(tzinfo=None)
    formula = isinstance(value, Formula)
    cell = WriteOnlyCell(sheet, value=text(value) if isinstance(value, str) and not formula else value)
    if isinstance(value, str) and not formula:
        cell.data_type = "s"
        if value[:1] in ("=", "+", "-", "@", "\t", "\r"):
            cell.quotePrefix = True
    if number_format:
        cell.number_format = number_format
    if font is not None:
        cell.font = font
    return cell
