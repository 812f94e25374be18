"""The only door into a workbook: what people typed stays text, sheets have allowed names, numbers have formats."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet._write_only import WriteOnlyWorksheet
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.datavalidation import DataValidationList
from openpyxl.worksheet.dimensions import ColumnDimension, DimensionHolder, RowDimension, SheetFormatProperties
from openpyxl.worksheet.filters import AutoFilter
from openpyxl.worksheet.header_footer import HeaderFooterItem
from openpyxl.worksheet.page import PageMargins, PrintPageSetup
from openpyxl.worksheet.properties import PageSetupProperties, WorksheetProperties

from tournament import PROGRAM

# What the sides of a table are called in a workbook.
NAMES = "ABCDEF"
LONGEST = 32_767
NUMBER = "0"
# A moment, by the clock of the hall.
MOMENT = "mmm d, h:mm AM/PM"
# Control characters that a workbook cannot hold.
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
HEAD_FONT = Font(name="Calibri", size=11, bold=True, color="FFFFFF")
HEAD_FILL = PatternFill("solid", fgColor="0F5B46")
TITLE_FONT = Font(name="Georgia", bold=True, size=16, color="0F5B46")
MUTED = Font(name="Calibri", size=11, color="5D6762")
BOLD = Font(name="Calibri", size=11, bold=True)
LEFT = Alignment(horizontal="left")
# Numbers to the right, texts to the left, and a little room between them.
NUMBERS = Alignment(horizontal="right", vertical="top", indent=1)
TEXTS = Alignment(horizontal="left", vertical="top", indent=1)
WRAPPED = Alignment(horizontal="left", vertical="top", indent=1, wrap_text=True)
# Over a group of rows that belong together.
OVER = Border(top=Side(style="thin", color="B9B3A4"))
# The numbers by which a workbook calls the sizes of paper.
PAPERS = {"letter": 1, "a4": 9}
# So long may a text in a formula be.
PIECE, DOUBLE = 250, '"'
# The height of a line of text and of a title, in points; a spreadsheet's own 15 would cost a page in fifteen.
LINE, TITLE = 14, 22
# How wide slim and broad letters are beside a figure, and an indent.
SLIM, NARROW, WIDE, INDENT = " fijlrtI.,:;!'’|()-", 0.65, 1.4, 1.4


class Formula(NamedTuple):
    """A formula that the program wrote, and the value that it has now: whoever does not calculate shows that."""

    text: str
    value: Any


class PageColumn(NamedTuple):
    """A column of a list: its head, its width in signs, the number format of its cells.

    A long text in one that `wraps` goes on in the next line. A `hidden` one only serves formulas.
    """

    title: str
    width: float = 12
    format: str = "General"
    wraps: bool = False
    hidden: bool = False

    @property
    def alignment(self) -> Alignment:
        """Numbers stand to the right, everything else to the left."""
        numeric = self.format not in ("General", MOMENT)
        return NUMBERS if numeric else WRAPPED if self.wraps else TEXTS

    def lines(self, value: Any) -> int:
        """How many lines a text needs in this column, whose width counts figures."""
        said = str(value.value if isinstance(value, Formula) else value)
        room = max(1.0, self.width - INDENT)
        if len(said) * WIDE <= room:
            return 1
        lines, used = 1, 0.0
        for word in said.split(" "):
            wide = sum(map(_wide, word))
            if used and used + wide > room:
                lines, used = lines + 1, 0.0
            # A word that is wider than the column is broken.
            lines, used = lines + int((used + wide) // (room + 0.01)), (used + wide) % (room + 0.01) + NARROW
        return lines


def _wide(letter: str) -> float:
    """How wide a letter is, in figures; capitals and signs of other alphabets count as wide ones."""
    plain = "a" <= letter <= "z" or "0" <= letter <= "9"
    return NARROW if letter in SLIM else 1.0 if plain and letter not in "mw" else WIDE


# What begins with one of them is marked as text, or it becomes a formula as soon as somebody edits the cell.
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def text(value: str) -> str:
    """A text as a cell can hold it: without control signs, cut with a mark where it is too long."""
    cleaned = FORBIDDEN.sub("\ufffd", value)
    return cleaned if len(cleaned) <= LONGEST else cleaned[: LONGEST - 1] + "…"


def quoted(value: str) -> str:
    """A text in a formula, in pieces that a spreadsheet takes."""
    pieces = [value[at : at + PIECE] for at in range(0, len(value), PIECE)] or [""]
    return "&".join(f'"{piece.replace(DOUBLE, 2 * DOUBLE)}"' for piece in map(text, pieces))


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    r"""A title that every spreadsheet takes: at most 31 signs, none of / \ ? * [ ] :, and not there yet."""
    clean = re.sub(r"[/\\?*\[\]:]", "-", text(wanted)).strip("' ") or "Sheet"
    known = {title.casefold() for title in taken}
    title, count = clean[:31], 1
    while title.casefold() in known:
        count += 1
        mark = f" ({count})"
        title = clean[: 31 - len(mark)] + mark
    return title


class Writer(WorksheetWriter):
    """Writes rows of (style, value) pairs, a formula with its value beside it."""

    ws: RowSheet

    # A row of cells is what it otherwise writes.
    def write_row(self, xf: Any, row: Sequence[tuple[int, Any]], row_idx: int) -> None:  # type: ignore[override]
        """Write a row; what is empty and has no style is left out."""
        attributes = {"r": str(row_idx)}
        if row_idx in self.ws.row_dimensions:
            attributes.update(self.ws.row_dimensions[row_idx])
        line = Element("row", attributes)
        for at, (style, value) in enumerate(row, start=1):
            if value is None or value == "":
                if style:
                    SubElement(line, "c", r=f"{get_column_letter(at)}{row_idx}", s=str(style))
                continue
            cell = SubElement(line, "c", r=f"{get_column_letter(at)}{row_idx}", s=str(style))
            if isinstance(value, Formula):
                SubElement(cell, "f").text = value.text[1:]
                value = value.value
                if isinstance(value, str):
                    cell.set("t", "str")
                    SubElement(cell, "v").text = text(value)
                    continue
            if isinstance(value, str):
                cell.set("t", "inlineStr")
                said = SubElement(SubElement(cell, "is"), "t", {"xml:space": "preserve"})
                said.text = text(value)
            elif isinstance(value, datetime.datetime):
                SubElement(cell, "v").text = repr(to_excel(value.replace(tzinfo=None)))
            elif value is not None:
                SubElement(cell, "v").text = str(value)
        xf.write(line)


class RowSheet(WriteOnlyWorksheet):
    """A sheet that is written row by row, in cells that are no objects: they would cost more than their text."""

    # What it has of a `Worksheet`, and its stub leaves out.
    _writer: Writer | None
    auto_filter: AutoFilter
    column_dimensions: DimensionHolder[str, ColumnDimension]
    conditional_formatting: ConditionalFormattingList
    data_validations: DataValidationList
    oddFooter: HeaderFooterItem  # noqa: N815  # openpyxl's own name
    page_margins: PageMargins
    page_setup: PrintPageSetup
    row_dimensions: DimensionHolder[int, RowDimension]
    sheet_format: SheetFormatProperties
    sheet_properties: WorksheetProperties
    sheet_state: str
    calculate_dimension: Callable[[], str]

    def _get_writer(self) -> None:
        if self._writer is None:
            self._writer = Writer(self)
            self._writer.write_top()

    def _values_to_row(self, values: Any, row_idx: int) -> Any:
        return values


class Page:
    """One worksheet that is written row by row. `row` is the number of the row written last, `lines` those of lists."""

    def __init__(self, book: Workbook, title: str, paper: str = "letter") -> None:
        self.sheet = RowSheet(book, sheet_title(title, book.sheetnames))
        # As `create_sheet` does it, which can only make sheets of its own.
        book._add_sheet(self.sheet)  # type: ignore[attr-defined]
        self.row = self.lines = 0
        self._wide = False
        self._styles: dict[tuple[Any, ...], int] = {}
        # These, like widths and panes, stand at the beginning of the file: later is too late.
        setup = self.sheet.page_setup
        setup.paperSize, setup.orientation, setup.fitToWidth, setup.fitToHeight = PAPERS[paper], "landscape", 1, 0
        self.sheet.page_margins = PageMargins(left=0.4, right=0.4, top=0.45, bottom=0.6, header=0.3, footer=0.3)
        self.sheet.sheet_format.defaultRowHeight, self.sheet.sheet_format.customHeight = LINE, True
        self.sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        self.sheet.oddFooter.center.text = "&A, page &P of &N"

    def widen(self, lists: Iterable[Sequence[PageColumn]]) -> None:
        """Make room for lists that stand one below the other, before the first row is written."""
        self._wide = True
        widths: dict[int, float] = {}
        for columns in lists:
            for index, column in enumerate(columns, start=1):
                widths[index] = max(widths.get(index, 0), column.width)
                self.sheet.column_dimensions[get_column_letter(index)].hidden = column.hidden
        for index, width in widths.items():
            self.sheet.column_dimensions[get_column_letter(index)].width = width

    def write(
        self,
        values: Sequence[Any],
        *,
        formats: Sequence[str] = (),
        font: Font | None = None,
        aligned: Mapping[int, Alignment] | None = None,
        fill: PatternFill | None = None,
        border: Border | None = None,
    ) -> int:
        """Write a row and return its number. `aligned` are the cells that do not stand as a spreadsheet puts them."""
        stand = aligned or {}
        cells = []
        if font is TITLE_FONT:
            self.sheet.row_dimensions[self.row + 1].height = TITLE
        for index, value in enumerate(values):
            if (value is None or value == "") and fill is None and border is None:
                cells.append((0, None))
                continue
            number_format = formats[index] if index < len(formats) else ""
            quoted = isinstance(value, str) and value[:1] in FORMULA_SIGNS
            cells.append((self._style(number_format, font, stand.get(index), fill, border, quoted), value))
        self.sheet.append(cells)
        self.row += 1
        return self.row

    def title(self, words: str, under: str | Formula = "") -> None:
        self.write([words], font=TITLE_FONT)
        self.write([under], font=MUTED)

    def begin_list(
        self,
        words: str,
        under: str | Formula,
        columns: Sequence[PageColumn],
        *,
        frozen_columns: int | None = 0,
        rows: int | None = None,
    ) -> None:
        """Title and head of a list: widths, panes that stay, the row that is printed on every page.

        Widths and panes stand at the beginning of the file, so they are set before the first row is written. So does
        the size, where it is known how many `rows` will follow: without it a reader goes through the whole page to
        learn it. A list among others (`frozen_columns` is None) has no panes.
        """
        if not self._wide:
            self.widen([columns])
        if rows is not None:
            bottom = f"{get_column_letter(len(columns))}{self.row + 3 + max(rows, 1)}"
            self.sheet.calculate_dimension = lambda: f"A1:{bottom}"
        head = self.row + 3
        if frozen_columns is not None:
            self.sheet.freeze_panes = f"{get_column_letter(frozen_columns + 1)}{head + 1}"
            self.sheet.print_title_rows = f"{head}:{head}"
        self.title(words, under)
        self.sheet.row_dimensions[head].height = LINE * max(
            column.lines(column.title) for column in columns if not column.hidden
        )
        self.write([column.title for column in columns], font=HEAD_FONT, fill=HEAD_FILL, aligned=_heads(columns))
        self.columns, self.first, self._frozen = columns, head + 1, frozen_columns is not None
        self._formats = [column.format for column in columns]
        self._aligned = {index: column.alignment for index, column in enumerate(columns)}
        self._wrapping = [index for index, column in enumerate(columns) if column.wraps]

    def list_row(self, values: Sequence[Any], *, font: Font | None = None, border: Border | None = None) -> int:
        """Write a row of the list under the head, in the formats of its columns."""
        # A spreadsheet does not find out by itself how high a row is in which texts wrap.
        lines = max((self.columns[at].lines(values[at]) for at in self._wrapping if values[at]), default=1)
        self.lines += lines
        if lines > 1:
            self.sheet.row_dimensions[self.row + 1].height = LINE * lines
        return self.write(values, formats=self._formats, font=font, aligned=self._aligned, border=border)

    def close_list(self, *, more_rows: int = 0, on_screen: int = 0) -> None:
        """Set filters over the whole list, and what is printed.

        The rows below that belong to it are printed, too, but not the last columns if they are only for the screen.
        """
        count, bottom = len(self.columns), max(self.row, self.first)
        self.sheet.auto_filter.ref = f"A{self.first - 1}:{get_column_letter(count)}{bottom}"
        self.sheet.print_area = f"A1:{get_column_letter(count - on_screen)}{bottom + more_rows}"

    def _style(
        self,
        number_format: str,
        font: Font | None,
        alignment: Alignment | None,
        fill: PatternFill | None,
        border: Border | None,
        quoted: bool,
    ) -> int:
        """The number of a style in the workbook."""
        key = (number_format, id(font), id(alignment), id(fill), id(border), quoted)
        if key not in self._styles:
            cell = WriteOnlyCell(self.sheet)
            if number_format:
                cell.number_format = number_format
            for name, part in (("font", font), ("alignment", alignment), ("fill", fill), ("border", border)):
                if part is not None:
                    setattr(cell, name, part)
            if quoted:
                cell.quotePrefix = True
            self._styles[key] = cell.style_id
        return self._styles[key]


HEADS = {
    True: Alignment(horizontal="right", vertical="center", indent=1, wrap_text=True),
    False: Alignment(horizontal="left", vertical="center", indent=1, wrap_text=True),
}


def _heads(columns: Sequence[PageColumn]) -> dict[int, Alignment]:
    """A head stands over its column."""
    return {index: HEADS[column.alignment is NUMBERS] for index, column in enumerate(columns)}


def new_book() -> Workbook:
    """An empty workbook that is written row by row and computed when it is opened."""
    return made(Workbook(write_only=True))


def made(book: Workbook) -> Workbook:
    """The same workbook, which says what wrote it and computes when it is opened."""
    book.properties.creator = PROGRAM
    book.calculation.fullCalcOnLoad = True
    return book


def finished(book: Workbook) -> bytes:
    """The bytes of a workbook."""
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def money_format(currency: str) -> str:
    """The number format of amounts of money."""
    return f'"{currency}"#,##0.00'
