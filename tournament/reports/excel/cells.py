"""Values in a workbook: typed text stays text, sheets get allowed names, numbers get formats."""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill

from tournament import PROGRAM

LONGEST = 32_767
NUMBER = "0"
# A rank that several teams share: the cell holds the number alone.
SHARED = '0"="'
POINTS = "0;[Red]-0;0"
# Points that are no whole number: a share of them.
SHARE = "0.##"
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
# The numbers by which a workbook calls the sizes of paper.
PAPERS = {"letter": 1, "a4": 9}
# The height of a line of text, in points.
LINE = 14
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def text(value: str) -> str:
    """A text as a cell can hold it: without control characters, cut with a mark if it is too long."""
    cleaned = FORBIDDEN.sub("\ufffd", value)
    return cleaned if len(cleaned) <= LONGEST else cleaned[: LONGEST - 1] + "…"


def is_formula_like(words: str) -> bool:
    """Whether a text must be marked as text, or it becomes a formula as soon as somebody edits the cell."""
    return words.startswith(FORMULA_SIGNS)


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    r"""A title that every spreadsheet takes: at most 31 characters, none of / \ ? * [ ] :, and not there yet."""
    clean = re.sub(r"[/\\?*\[\]:]", "-", text(wanted)).strip("' ") or "Sheet"
    existing = {title.casefold() for title in taken}
    title, count = clean[:31], 1
    while title.casefold() in existing:
        count += 1
        mark = f" ({count})"
        title = clean[: 31 - len(mark)] + mark
    return title


def new_book(title: str) -> Workbook:
    """A workbook without sheets that states its title and its program, and recalculates when it is opened."""
    book = Workbook(write_only=True)
    book.properties.creator, book.properties.title, book.properties.language = PROGRAM, text(title), "en-US"
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
