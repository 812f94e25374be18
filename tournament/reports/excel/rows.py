"""A sheet that is written row by row. Its cells are not objects, which would cost more than their content."""

from __future__ import annotations

import datetime
from collections.abc import Generator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, tostring
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.xml.constants import SHEET_MAIN_NS

from tournament.reports.excel.cells import is_formula_like, text


class Formula(NamedTuple):
    """A formula for the spreadsheet, with its equals sign."""

    words: str


Value = str | float | datetime.datetime | Formula | None
# The number of a style in the workbook, and the value of the cell; a cell with neither is left out.
Cell = tuple[int, Value]
EMPTY: Cell = 0, None


class Written(NamedTuple):
    """A row as it is written in the file, for sheets that contain the same row."""

    letters: str


class RowWriter(WorksheetWriter):
    """Lets its base class write what comes before and after the rows, and writes the rows itself as text."""

    def get_stream(self) -> Generator[None, Any]:
        with open(str(self.out), "w", encoding="utf-8", errors="xmlcharrefreplace") as file:
            file.write(f'<worksheet xmlns="{SHEET_MAIN_NS}">')
            try:
                while True:
                    part: Element | Written | None = yield
                    if part is not None:
                        file.write(part.letters if isinstance(part, Written) else tostring(part, "unicode"))
            finally:
                file.write("</worksheet>")


class RowSheet(WriteOnlyWorksheet):
    """A sheet that is written row by row. Set what precedes the rows in the file (widths, heights, panes) first."""

    # Attributes of `Worksheet` that its stub leaves out.
    auto_filter: Any
    column_dimensions: Any
    conditional_formatting: Any
    data_validations: Any
    merged_cells: Any
    oddFooter: Any  # noqa: N815  # openpyxl's own name
    page_margins: Any
    page_setup: Any
    protection: Any
    sheet_properties: Any
    sheet_state: Any
    _writer: RowWriter | None

    def __init__(self, book: Workbook, title: str) -> None:
        super().__init__(book, title)
        # The heights of rows that are taller than a line, by row number.
        self.heights: dict[int, float] = {}

    def style(self, **looks: Any) -> int:
        """The number of the style with these properties in the workbook: `font=BOLD`."""
        cell: Any = WriteOnlyCell(self)
        for name, look in looks.items():
            setattr(cell, name, look)
        return int(cell.style_id)

    def _get_writer(self) -> None:
        if self._writer is None:
            self._writer = RowWriter(self)
            self._writer.write_top()

    def text(self, words: str, **looks: Any) -> Cell:
        """A text that stays a text, even if it looks like a formula."""
        return self.style(quotePrefix=is_formula_like(words), **looks), words

    def _write_rows(self) -> Generator[None, Sequence[Cell] | Written]:
        assert self._writer is not None
        send = self._writer.xf.send
        send(Written("<sheetData>"))
        with suppress(GeneratorExit):
            for number in count(1):
                row = yield
                send(row if isinstance(row, Written) else written(row, number, self.heights.get(number)))
        send(Written("</sheetData>"))


def add_row_sheet(book: Workbook, title: str) -> RowSheet:
    """Add a sheet at the end of a workbook that is written row by row."""
    sheet = RowSheet(book, title)
    # Does what `create_sheet` does, which only makes sheets of its own class.
    book._add_sheet(sheet)  # type: ignore[attr-defined]
    return sheet


def written(row: Sequence[Cell], number: int, height: float | None = None) -> Written:
    tall = "" if height is None else f' ht="{height}" customHeight="1"'
    row_cells = [
        _cell(f"{get_column_letter(index)}{number}", style, value)
        for index, (style, value) in enumerate(row, start=1)
        if style or value is not None
    ]
    return Written(f'<row r="{number}"{tall}>{"".join(row_cells)}</row>')


def _cell(address: str, style: int, value: Value) -> str:
    if value is None or value == "":
        return f'<c r="{address}" s="{style}"/>'
    if isinstance(value, str):
        words = escape(text(value))
        return f'<c r="{address}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{words}</t></is></c>'
    if isinstance(value, Formula):
        return f'<c r="{address}" s="{style}"><f>{escape(value.words[1:])}</f></c>'
    number = to_excel(value) if isinstance(value, datetime.datetime) else value
    return f'<c r="{address}" s="{style}"><v>{number}</v></c>'
