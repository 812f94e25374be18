"""What a workbook shows of its cells besides their values: formulas, dates, crossed-out text, far-away cells."""

from __future__ import annotations

import re
import zipfile
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any, NamedTuple

from openpyxl.styles.numbers import is_date_format

# A list, and a board, are not wider.
MOST_COLUMNS = 60
STYLES, STRINGS = "xl/styles.xml", "xl/sharedStrings.xml"
CELL = re.compile(rb"<(?:\w+:)?c(?: ([^>]*?))?(?:/>|>(.*?)</(?:\w+:)?c>)", re.DOTALL)
ADDRESS, STYLE = re.compile(rb'\br="([A-Z]{1,3})(\d{1,7})"'), re.compile(rb'\bs="(\d+)"')
VALUE, FORMULA = re.compile(rb"<(?:\w+:)?(?:v|is)[\s>]"), re.compile(rb"<(?:\w+:)?f[\s/>]")
SHARED = re.compile(rb"<(?:\w+:)?v>(\d+)</")
STRIKE = re.compile(rb'<(?:\w+:)?strike(?: +val="(?:1|true)")? ?/>')
# Nobody types a date before this year: the cell only shows the typed number as a date.
FIRST_YEAR = 1901
# The day before the first of a spreadsheet, and the day in 1900 that there never was.
DAY_ZERO, LEAP_DAY = datetime(1899, 12, 30), 60


class Marks(NamedTuple):
    """The cells of a sheet, by name, that hold a formula, that are crossed out, and that are in rows not read."""

    formulas: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()
    far: tuple[str, ...] = ()


class Marked:
    """The marks of a workbook's sheets. It makes the workbook return dates as dates."""

    def __init__(self, content: bytes, book: Any, most_rows: int) -> None:
        self.book, self.most_rows = book, most_rows
        self.package = zipfile.ZipFile(BytesIO(content))
        names = self.package.namelist()
        styles = self.package.read(STYLES) if STYLES in names else b""
        strings = self.package.read(STRINGS) if STRINGS in names else b""
        book._date_formats = date_styles(self.package)
        self.struck_styles = _struck_styles(styles)
        self.struck_strings = {
            index
            for index, text in enumerate(re.findall(rb"<(?:\w+:)?si>(.*?)</(?:\w+:)?si>", strings, re.DOTALL))
            if STRIKE.search(text)
        }

    def of(self, title: str) -> Marks:
        """The marks of one sheet."""
        formulas, struck, far = set(), set(), []
        page: Any = self.book[title]
        for cell in CELL.finditer(self.package.read(page._worksheet_path)):
            attributes, inside = cell[1] or b"", cell[2] or b""
            place = ADDRESS.search(attributes)
            if place is None:
                continue
            name = (place[1] + place[2]).decode()
            if FORMULA.search(inside):
                formulas.add(name)
            if not VALUE.search(inside):
                continue
            if self._is_struck(attributes, inside):
                struck.add(name)
            if int(place[2]) > self.most_rows or column_number(place[1].decode()) > MOST_COLUMNS:
                far.append(name)
        return Marks(frozenset(formulas), frozenset(struck), tuple(far))

    def _is_struck(self, attributes: bytes, inside: bytes) -> bool:
        style, shared = STYLE.search(attributes), SHARED.search(inside)
        if style and int(style[1]) in self.struck_styles:
            return True
        is_shared = b't="s"' in attributes and shared is not None and int(shared[1]) in self.struck_strings
        return is_shared or bool(STRIKE.search(inside))


def date_styles(package: zipfile.ZipFile) -> set[int]:
    """Which styles of cells show a date or a time: nothing else of a cell's style is read."""
    if STYLES not in package.namelist():
        return set()
    content = package.read(STYLES)
    codes = dict(re.findall(rb'<(?:\w+:)?numFmt [^>]*numFmtId="(\d+)" formatCode="([^"]*)"', content))
    styles = content.partition(b"cellXfs")[2].partition(b"cellXfs")[0]
    formats = [int(number) for number in re.findall(rb'<(?:\w+:)?xf [^>]*numFmtId="(\d+)"', styles)]
    own = {int(number) for number, code in codes.items() if is_date_format(code.decode(errors="replace"))}
    dates = own | {*range(14, 23), *range(45, 48)}
    return {index for index, number in enumerate(formats) if number in dates}


def _struck_styles(content: bytes) -> set[int]:
    """Which cell styles are crossed out."""
    fonts = content.partition(b"<fonts")[2].partition(b"</fonts>")[0]
    struck = {
        index
        for index, font in enumerate(re.findall(rb"<font ?/>|<font>(.*?)</font>", fonts, re.DOTALL))
        if STRIKE.search(font)
    }
    styles = content.partition(b"<cellXfs")[2].partition(b"</cellXfs>")[0]
    of_styles = [
        int(found[1]) if (found := re.search(rb'fontId="(\d+)"', style)) else 0
        for style in re.findall(rb"<xf ?([^>]*)", styles)
    ]
    return {index for index, font in enumerate(of_styles) if font in struck}


def column_number(letters: str) -> int:
    """A column of a spreadsheet, counted from one: 28 for AB."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


# A number that a spreadsheet took for a date: “2-3” becomes February 3.


def typed_value(value: Any) -> Any:
    """A value as it was typed: a small number that a cell only shows as a date is that number."""
    if value == time():
        return 0
    if not isinstance(value, datetime) or value.year >= FIRST_YEAR:
        return value
    days = (value - DAY_ZERO) / timedelta(days=1)
    return days - 1 if days <= LEAP_DAY else days


def as_typed(value: Any) -> str:
    """Typed text that became a date or a time: “2-3”; empty for anything else."""
    if isinstance(value, datetime | date):
        return f"{value.month}-{value.day}"
    return f"{value.hour}:{value.minute:02}" if isinstance(value, time) else ""
