"""A list in a file: text in any encoding, or the sheet of a workbook that holds it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence, Set
from math import isfinite
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError

from tournament.forms.roster.marks import cell_name, is_mark
from tournament.forms.roster.reader import decode
from tournament.forms.roster.records import Record
from tournament.forms.roster.table import CROSSED_OUT, HIDDEN, heading_at, text_of_grid
from tournament.forms.uploads import A_LIST, MOST_STRINGS, Unreadable, is_workbook, open_workbook, sheet_rows, words
from tournament.forms.workbook_marks import Marked, column_number


class ListFile(NamedTuple):
    """A list's file as text, the questions about it, and the rows that it hides or crosses out, each as one line."""

    text: str = ""
    questions: Sequence[str] = ()
    aside: Mapping[str, str] = {}


def read_list(content: bytes) -> ListFile:
    """Read the list in a file. In a workbook it is a visible sheet: one with headings, else with columns, else any."""
    if not is_workbook(content):
        return ListFile(*decode(content))
    book = open_workbook(content)
    sheets: list[tuple[tuple[bool, bool], str, ListFile]] = []
    left_out: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            marked = Marked(content, book, A_LIST.rows)
            for title in book.sheetnames:
                rows = _list_rows(book, title)
                filled = [row for row in rows if any(row)]
                if book[title].sheet_state != "visible":
                    left_out += [f"“{title}” (hidden)"] if filled else []
                elif filled:
                    sheets.append((_rank(filled), title, _sheet_as_list(rows, package, marked, title)))
                    if sum(len(sheet.text) for _, _, sheet in sheets) > MOST_STRINGS:
                        raise Unreadable(f"This workbook holds far more than a list. {A_LIST.advice}")
    except Unreadable:
        raise
    except Exception as fault:
        raise Unreadable("This workbook is damaged: its sheets cannot be read.") from fault
    (_, title, read), *others = sorted(sheets, key=lambda sheet: sheet[0]) or [((False, False), "", ListFile())]
    if left_out := [f"“{other}”" for _, other, _ in others] + left_out:
        question = f"Read from the sheet “{title}”; skipped: {', '.join(left_out)}. Is the whole list on that sheet?"
        read = read._replace(questions=[*read.questions, question])
    return read


def _rank(filled: Sequence[Sequence[str]]) -> tuple[bool, bool]:
    """How little a sheet looks like a list: without headings, without columns."""
    is_table = sum(len(list(filter(None, row))) > 1 for row in filled) * 2 > len(filled)
    return heading_at(filled) is None, not is_table


def _sheet_as_list(rows: list[list[str]], package: zipfile.ZipFile, marked: Marked, title: str) -> ListFile:
    """Read a sheet as a list; set aside what it hides or crosses out, and ask about formulas without a value."""
    marks = marked.of(title)
    aside = {Record(0, rows[index]).text: CROSSED_OUT for index in _crossed_out(rows, marks.struck)}
    hidden = [index for index in _hidden_rows(package, marked.book[title]) if index < len(rows)]
    aside |= {Record(0, rows[index]).text: HIDDEN for index in hidden}
    empty = sorted(name for name in marks.formulas if not _value_at(rows, name))
    questions = []
    if empty:
        cells = ", ".join(empty[:5]) + (f" and {len(empty) - 5} more" if len(empty) > 5 else "")
        words = "holds a formula" if len(empty) == 1 else "hold formulas"
        questions.append(f"{cells} {words} without a value. Open the file in Excel, save it, and upload it again.")
    return ListFile(text_of_grid(rows, "\t"), questions, aside)


def _crossed_out(rows: Sequence[Sequence[str]], struck: Set[str]) -> list[int]:
    """The indexes of rows in which every filled cell, or every name, is crossed out."""
    found = []
    for index, row in enumerate(rows):
        named = [column for column, cell in enumerate(row) if any(map(str.isalpha, cell)) and not is_mark(cell)]
        if named and all(cell_name(column, index + 1) in struck for column in named):
            found.append(index)
    return found


def _value_at(rows: Sequence[Sequence[str]], name: str) -> str:
    """The value of the cell with this name."""
    letters = name.rstrip("0123456789")
    row, column = int(name[len(letters) :]) - 1, column_number(letters) - 1
    return rows[row][column] if row < len(rows) and column < len(rows[row]) else ""


def _list_rows(book: Any, title: str) -> list[list[str]]:
    """The filled part of a sheet as texts, with numbers without “.0”."""
    rows = [
        [_cell(value, column, number) for column, value in enumerate(row)]
        for number, row in enumerate(sheet_rows(book, title), start=1)
    ]
    while rows and not any(rows[-1]):
        rows.pop()
    width = max((column + 1 for row in rows for column, cell in enumerate(row) if cell), default=0)
    return [row[:width] for row in rows]


def _hidden_rows(package: zipfile.ZipFile, page: Any) -> list[int]:
    """The indexes of the rows of a sheet that are hidden."""
    rows = re.findall(
        rb"<(?:\w+:)?row (?=[^>]*hidden=\"(?:1|true)\")[^>]*?r=\"(\d+)\"", package.read(page._worksheet_path)
    )
    return [int(number) - 1 for number in rows]


def _cell(value: Any, column: int, row: int) -> str:
    if isinstance(value, float) and not isfinite(value):
        raise Unreadable(f"The number in cell {cell_name(column, row)} is too large. Write what it should be.")
    if isinstance(value, bool):
        return "yes" if value else "no"
    lines = map(words, str(value).split("\n")) if isinstance(value, str) else [words(value)]
    return "\n".join(filter(None, lines)).removesuffix(" 00:00:00")


def opened(file: Any) -> ListFile:
    """The list in an uploaded file. Raises ValidationError if it is not a list."""
    try:
        return read_list(file.read())
    except ValueError as fault:
        raise ValidationError({"file": str(fault)}) from fault
