"""Text in a score workbook that is not read: every such cell is named, with its content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tournament.errors import Fault
from tournament.forms.roster.marks import cell_name
from tournament.forms.score_workbook_lines import BoardLine, is_void, points
from tournament.forms.uploads import words
from tournament.forms.workbook_marks import Marks, as_typed, typed_value
from tournament.queries.score_workbooks import (
    FIRST_ROW,
    GAME_ROW,
    LETTERS,
    SIDES_ROW,
    TAKEN_ROW,
    VOID,
    WORDS_OF_BOARD,
    BoardColumn,
    Boards,
    board_cells,
    head_places,
)
from tournament.words.phrases import minus

AT_DESK = "rulings are entered at the desk."
LONGEST = 60
# For another sheet, this many cells are named individually; beyond that, the first of them and the area.
MOST_CELLS = 10

NO_MARKS = Marks()
Rows = Sequence[Sequence[Any]]
# The right values of computed cells by the rules and the sheet, by column and row.
Due = Mapping[tuple[str, int], int]


class Page:
    """A sheet that is a board: its place among the games, the names on it, and its lines.

    `above` are the words that the site wrote above this board, if the workbook says which they were.
    """

    def __init__(
        self, title: str, shape: Boards, rows: Rows, marks: Marks = NO_MARKS, above: Sequence[str] = ()
    ) -> None:
        self.title, self.shape, self.rows, self.marks, self.above = title, shape, rows, marks, above
        self.cells = board_cells(shape)
        self.places = head_places(self.cells)
        game, table = (words(value_at(rows, GAME_ROW, column)) for column in self.places)
        self.key = (game.casefold(), int(table) if table.isdecimal() else 0)
        self.names = tuple(self._name(side) for side in range(shape.sides))
        self.game: int | None = None
        last = max((number for number, row in enumerate(rows, start=1) if any(map(words, row))), default=0)
        self.lines = [
            BoardLine(number, {cell.key: value_at(rows, number, index) for index, cell in enumerate(self.cells)})
            for number in range(FIRST_ROW, last + 1)
        ]
        # The lines with a hand.
        self.written = [line for line in self.lines if line.is_written(self.cells)]
        self.columns = {cell.key: index for index, cell in enumerate(self.cells)}

    def cell(self, key: str, row: int) -> str:
        """A cell as people find it: “Table 3, D7”."""
        return self.cell_at(self.columns.get(key, 0), row)

    def cell_at(self, column: int, row: int) -> str:
        return f"{self.title}, {cell_name(column, row)}"

    def is_formula(self, column: int, row: int) -> bool:
        return cell_name(column, row) in self.marks.formulas

    def crossed_out(self) -> Iterator[BoardLine]:
        """The hands with anything crossed out."""
        columns = [index for index, cell in enumerate(self.cells) if cell.shown and cell.key not in ("ruling", "over")]
        for line in self.written:
            if any(cell_name(index, line.row) in self.marks.struck for index in columns):
                yield line

    def _name(self, side: int) -> str:
        column = next(column for column, cell in enumerate(self.cells) if cell.side == side)
        return words(value_at(self.rows, SIDES_ROW, column)).removeprefix(f"{LETTERS[side]}:").strip()


def value_at(rows: Rows, number: int, column: int) -> Any:
    row = rows[number - 1] if number <= len(rows) else []
    return row[column] if column < len(row) else None


def not_read(value: Any, why: str = "") -> str:
    """The message for a cell that is not read."""
    text = as_typed(value) or words(value)
    shown = f"{text[:LONGEST]}…" if len(text) > LONGEST else text
    return f"“{shown}” was not read{f': {why}' if why else '.'}"


def remarks_of(page: Page, sides: int, seats: Sequence[str], due: Due) -> list[Fault]:
    """Everything written on a board that is not a hand of one of its sides; lines that are empty or moved.

    `sides` are how many sit at the table and `seats` who; `due` is what is not known of a board with faults.
    """
    remarks = [*_moved(page), *_gaps(page)]
    remarks += [Fault(page.cell_at(column, row), text) for row, column, text in _above(page, seats)]
    for line in page.lines:
        remarks += _of_line(page, line, sides, due)
    remarks += [Fault(f"{page.title}, {name}", "this cell is too far out. It was not read.") for name in page.marks.far]
    return remarks


def _moved(page: Page) -> list[Fault]:
    """A line number in the wrong line: sorted lines, or a number typed over."""
    rows = [line.row for line in page.lines if points(line.cells["line"]) not in (None, line.row - FIRST_ROW + 1)]
    if not rows:
        return []
    number = value_at(page.rows, rows[0], 0)
    text = f"this is line {words(number)} of the board, moved. Lines are read from top to bottom."
    others = ", ".join(cell_name(0, row) for row in rows[1:])
    return [Fault(page.cell("line", rows[0]), f"{text} Moved, too: {others}." if others else text)]


def _gaps(page: Page) -> Iterator[Fault]:
    """Empty lines between the hands, each stretch in one sentence."""
    written = [line.row for line in page.written]
    for before, after in pairwise(written):
        first, last = before + 1, after - 1
        if first == last:
            yield Fault(page.cell("line", first), "this line is empty: the hands below it follow on.")
        elif first < last:
            text = f"rows {first} to {last} are empty: the hands below them follow on."
            yield Fault(page.cell("line", first), text)


def _above(page: Page, seats: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Text above the lines that the site did not write."""
    own = _own_words(page, seats)
    for row in range(1, FIRST_ROW):
        for column in range(max(map(len, page.rows[: FIRST_ROW - 1]), default=0)):
            value = value_at(page.rows, row, column)
            text = words(value)
            if not text or own.get((row, column), "") in (text, None):
                continue
            if _is_result(page, row, column):
                continue
            sits = own.get((row, column), "") if row == TAKEN_ROW else ""
            yield row, column, not_read(value, f"{sits} sits there." if sits else "")


def _is_result(page: Page, row: int, column: int) -> bool:
    """Whether it is one of the cells that a board computes above its lines."""
    is_taken = row == TAKEN_ROW and column < len(page.cells) and page.cells[column].of == "at"
    if is_taken and value_at(page.rows, row, column) in (0, 1):
        return True
    return page.is_formula(column, row) and column == page.columns.get("over") and row == GAME_ROW


def _own_words(page: Page, seats: Sequence[str]) -> dict[tuple[int, int], str | None]:
    """The site's text above the lines, by row and column; None if any text is accepted."""
    shown = [index for index, cell in enumerate(page.cells) if cell.shown]
    above = dict(zip(WORDS_OF_BOARD, page.above, strict=True)) if page.above else {}
    own: dict[tuple[int, int], str | None] = {
        (int(address[1:]), 0): words(above[address]) if above else None for address in WORDS_OF_BOARD
    }
    own |= {(GAME_ROW, shown[0]): "Game", (GAME_ROW, shown[2]): "Table"}
    own |= {(GAME_ROW, column): None for column in page.places}
    own |= {(FIRST_ROW - 1, index): cell.title for index, cell in enumerate(page.cells)}
    firsts = [
        next(index for index, cell in enumerate(page.cells) if cell.side == side) for side in range(page.shape.sides)
    ]
    own |= {(SIDES_ROW, column): None for column in firsts}
    for index, cell in enumerate(page.cells):
        if cell.field is not None and cell.field.of == "seat" and page.shape.sides < page.shape.seats:
            own[TAKEN_ROW, index] = seats[cell.place] if cell.place < len(seats) else ""
    return own


def _of_line(page: Page, line: BoardLine, sides: int, due: Due) -> Iterator[Fault]:
    """What is not read of one line: each cell's place and content."""
    is_hand = line in page.written
    voided = is_hand and is_void(line)
    row = page.rows[line.row - 1]
    for column, value in enumerate(row):
        if not words(value):
            continue
        cell = page.cells[column] if column < len(page.cells) else None
        if text := _why_unread(page, line, cell, column, value, is_hand=is_hand, voided=voided, sides=sides, due=due):
            yield Fault(page.cell_at(column, line.row), text)


def _why_unread(
    page: Page,
    line: BoardLine,
    cell: BoardColumn | None,
    column: int,
    value: Any,
    *,
    is_hand: bool,
    voided: bool,
    sides: int,
    due: Due,
) -> str:
    """Why a filled cell of a line is not read; empty if it is, or if the board itself fills it."""
    if cell is None:
        return not_read(value)
    if cell.key == "line":
        return "" if points(value) is not None else not_read(value)
    if cell.key == "ruling":
        return f"“{words(value)[:LONGEST]}”: {AT_DESK}"
    if cell.field is not None and cell.field.layout != "given":
        return _why_not_taken(cell, value, voided=voided, sides=sides)
    if page.is_formula(column, line.row):
        return ""
    change = points(value)
    if cell.of == "change" and change is not None and (voided or not is_hand):
        if change == 0:
            return not_read(value)
        sign = "+" if change > 0 else ""
        return f"{sign}{minus(change)} without a hand: {AT_DESK}"
    return _typed_over(page, line, cell, value, due)


def _why_not_taken(cell: BoardColumn, value: Any, *, voided: bool, sides: int) -> str:
    """Why what a table wrote about a hand is not taken; empty if it is."""
    if cell.side is not None and cell.side >= sides:
        # A board has columns for as many sides as its game can have, and fewer sit at this table.
        return not_read(value)
    if not voided:
        return ""
    says_void = words(value).casefold() == VOID.casefold() and cell.key.startswith("bid")
    return "" if says_void else not_read(value, "this line is void.")


def _typed_over(page: Page, line: BoardLine, cell: BoardColumn, value: Any, due: Due) -> str:
    """What is wrong with a value in a computed cell."""
    is_pasted = not page.marks.formulas
    if is_pasted and not cell.shown:
        # All formulas of the sheet were replaced by their values.
        return ""
    is_due = (cell.key, line.row) in due
    if is_due and points(value) == due[cell.key, line.row]:
        return ""
    if is_due and points(value) is not None:
        right = minus(due[cell.key, line.row])
        return f"the board says {minus(int(value))}; by the rules and the sheet it is {right}."
    return not_read(value)


def of_other_sheet(title: str, rows: Rows, marks: Marks) -> list[Fault]:
    """The cells of a sheet that is not a board."""
    filled = [
        (column, number, value)
        for number, row in enumerate(rows, start=1)
        for column, value in enumerate(row)
        if words(value)
    ]
    remarks = [Fault(f"{title}, {cell_name(column, row)}", not_read(value)) for column, row, value in filled]
    remarks = remarks[:MOST_CELLS] + _the_rest(title, filled[MOST_CELLS:])
    remarks += [Fault(f"{title}, {name}", "this cell is too far out. It was not read.") for name in marks.far]
    if not remarks:
        return []
    return [Fault(title, "this sheet is not a board. It was not read."), *remarks]


def _the_rest(title: str, filled: Sequence[tuple[int, int, Any]]) -> list[Fault]:
    if not filled:
        return []
    first = cell_name(min(column for column, _, _ in filled), min(row for _, row, _ in filled))
    last = cell_name(max(column for column, _, _ in filled), max(row for _, row, _ in filled))
    return [Fault(f"{title}, {first}:{last}", f"{len(filled)} more cells were not read.")]


def values_of(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """The values of a sheet as they were typed."""
    return [[typed_value(value) for value in row] for row in rows]
