"""The only door into a workbook: what people typed stays text, sheets have allowed names, numbers have formats."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet.properties import PageSetupProperties

LONGEST = 32_767
# Control characters that a workbook cannot hold.
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
HEAD_FONT = Font(bold=True, color="FFFFFF")
HEAD_FILL = PatternFill("solid", fgColor="0F5B46")
TITLE_FONT = Font(name="Georgia", bold=True, size=16, color="0F5B46")
MUTED = Font(color="5D6762")
BOLD = Font(bold=True)


class Formula(str):
    """A formula that the program wrote. Everything else that looks like one is text."""

    __slots__ = ()


class Column(NamedTuple):
    """A column of a list: its head, its width in signs, and the number format of its cells."""

    title: str
    width: float = 12
    format: str = "General"


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

    def write(self, values: Sequence[Any], *, formats: Sequence[str] = (), font: Font | None = None) -> int:
        """Write a row and return its number."""
        self.sheet.append(
            [
                _cell(self.sheet, value, formats[index] if index < len(formats) else "", font)
                for index, value in enumerate(values)
            ]
        )
        self.row += 1
        return self.row

    def title(self, words: str, under: str = "") -> None:
        """A title over the page."""
        self.write([words], font=TITLE_FONT)
        self.write([under], font=MUTED)

    def begin_list(self, words: str, under: str, columns: Sequence[Column], *, frozen_columns: int = 0) -> None:
        """Title and head of a list: widths, panes that stay, the row that is printed on every page.

        Widths and panes stand at the beginning of the file, so they are set before the first row is written.
        """
        head = 3
        for index, column in enumerate(columns, start=1):
            self.sheet.column_dimensions[get_column_letter(index)].width = column.width
        self.sheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}{head + 1}"
        self.sheet.print_title_rows = f"{head}:{head}"
        self.title(words, under)
        cells = [_cell(self.sheet, column.title, "", HEAD_FONT) for column in columns]
        for cell in cells:
            cell.fill = HEAD_FILL
            cell.alignment = Alignment(wrap_text=True, vertical="center")
        self.sheet.append(cells)
        self.row = head
        self.columns, self.first = columns, head + 1

    def list_row(self, values: Sequence[Any]) -> int:
        """Write a row of the list under the head, in the formats of its columns."""
        return self.write(values, formats=[column.format for column in self.columns])

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
