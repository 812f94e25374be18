"""Workbooks read back for tests: every list by its title, as rows by their heads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl

Lists = dict[str, list[dict[str, Any]]]


def read_lists(file: Path | Any) -> Lists:
    """The lists of a workbook with the values of its formulas; no cell may hold an error."""
    book = openpyxl.load_workbook(file, data_only=True)
    found: Lists = {}
    for page in book:
        rows = [[cell.value for cell in row] for row in page.iter_rows()]
        wrong = [
            cell
            for row in rows
            for cell in row
            if isinstance(cell, str) and cell.startswith(("#N", "#R", "#V", "#D", "Err:"))
        ]
        assert wrong == [], page.title
        if page.sheet_state == "visible" and page.title != "Rules":
            found |= dict(_lists(rows))
    return found


def _lists(rows: list[list[Any]]) -> Any:
    """Lists stand one below the other: a title, a line under it, the heads, the rows, and a blank row."""
    # Over the first list stands the name of the event.
    at = 0 if any(cell is not None for cell in rows[1]) else 2
    while at < len(rows):
        title, heads, at = rows[at][0], rows[at + 2], at + 3
        begun = at
        while at < len(rows) and any(cell is not None for cell in rows[at]):
            at += 1
        names = [head for head in heads if head]
        yield title, [{head: row[heads.index(head)] for head in names} for row in rows[begun:at]]
        while at < len(rows) and all(cell is None for cell in rows[at]):
            at += 1
