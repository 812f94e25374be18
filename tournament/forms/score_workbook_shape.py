"""Whether a sheet is a board as it was downloaded, and if not, what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from tournament.errors import Fault
from tournament.forms.roster.marks import cell_name
from tournament.forms.uploads import words
from tournament.queries.score_workbooks import FIRST_ROW, Boards, board_cells

# This many rows are searched for the headings of a board whose rows were moved.
ROWS_LOOKED_AT = 30
# A sheet with this few of the headings of a board was never one.
ALIKE = 0.6


def heads_to_read(shape: Boards) -> list[str]:
    """The headings of the columns that are read, from the left: helper columns after them may be missing."""
    titles = [cell.title for cell in board_cells(shape)]
    return titles[: titles.index("Ruling") + 1]


def misshapen(title: str, rows: Sequence[Sequence[Any]], shapes: Sequence[Boards], *, is_board: bool) -> Fault | None:
    """The change that makes a board unreadable; None if the sheet never was one."""
    head_row = _head_row(rows, shapes)
    if head_row is None:
        return Fault(title, "the heads of this board are gone. Copy its hands to a new board.") if is_board else None
    if head_row != FIRST_ROW:
        number, done = abs(head_row - FIRST_ROW), "added" if head_row > FIRST_ROW else "taken out"
        rows_were = "1 row was" if number == 1 else f"{number} rows were"
        text = f"{rows_were} {done} above the heads. They must be in row {FIRST_ROW - 1}."
        return Fault(f"{title}, {cell_name(0, head_row - 1)}", text)
    found = [words(value) for value in rows[head_row - 2]]
    own = max((heads_to_read(shape) for shape in shapes), key=lambda heads: _alike(heads, found))
    return _changed_heads(title, own, found)


def _head_row(rows: Sequence[Sequence[Any]], shapes: Sequence[Boards]) -> int | None:
    """The row below the headings, counted from one; None if no row looks like them."""
    for number, row in enumerate(rows[:ROWS_LOOKED_AT], start=1):
        found = [words(value) for value in row]
        if any(_alike(heads_to_read(shape), found) >= ALIKE for shape in shapes):
            return number + 1
    return None


def _alike(own: Sequence[str], found: Sequence[str]) -> float:
    """How many of the headings are there in order, as a part of all of them."""
    matcher = SequenceMatcher(None, own, found, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(own)


def _changed_heads(title: str, own: Sequence[str], found: Sequence[str]) -> Fault | None:
    """The first column that was inserted, removed, or renamed."""
    for kind, first, _last, at, end in SequenceMatcher(None, own, found, autojunk=False).get_opcodes():
        where = f"{title}, {cell_name(at, FIRST_ROW - 1)}"
        if kind == "insert" and first < len(own):
            several = f"{end - at} columns were" if end - at > 1 else "a column was"
            return Fault(where, f"{several} inserted here. Take it out; notes go into the column “Ruling”.")
        if kind == "delete":
            return Fault(where, f"the column “{own[first]}” was taken out here. Copy the hands to a new board.")
        if kind == "replace":
            return Fault(where, f"this head must say “{own[first]}”, not “{found[at]}”.")
    return None
