"""A filled score workbook read into hands: every fault names its sheet, its cell and the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from tournament.errors import Damaged, Fault
from tournament.forms.roster.marks import cell_name
from tournament.forms.score_workbook_lines import (
    BoardLine,
    ReadBoard,
    ReadBoards,
    differing,
    due_at,
    facts_of,
    keys_of,
    place_of,
    points,
    with_line,
)
from tournament.forms.uploads import Room, Unreadable, UploadField, open_workbook, sheet_rows, words
from tournament.models import Event, Game
from tournament.phrases import counted, minus
from tournament.queries.rules import stage_rounds
from tournament.queries.score_workbooks import (
    ABOUT,
    FIRST_ROW,
    GAME_ROW,
    LETTERS,
    SIDES_ROW,
    VERSION,
    Boards,
    blank_boards,
    board_cells,
    games_on_boards,
    head_places,
    on_boards,
    why_closed,
)
from tournament.queries.scored import ScoredGame
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet

__all__ = ["BoardsForm", "ReadBoards", "keys_of", "read_boards"]

A_TABLE = Room(2100, "Upload a score workbook of this site.")
OTHER_VERSION = "This workbook was made by another version of this site. Download a new one and copy the hands."
NO_BOARD = "This is not a score workbook of this site. Download one, fill it in, upload it."
OTHER_EVENT = "This score workbook belongs to another event or another rule sheet."
AT_DESK = "rulings are entered at the desk."

Rows = list[list[Any]]


class BoardsForm(forms.Form):
    """The upload of a filled workbook."""

    file = UploadField(label="Score workbook (.xlsx)")


def read_boards(event: Event, content: bytes) -> ReadBoards:
    """Read filled boards for an event. Games without lines are left out; whatever else is not read is remarked."""
    read = ReadBoards()
    try:
        book = open_workbook(content, A_TABLE)
        about = sheet_rows(book, ABOUT, A_TABLE) if ABOUT in book.sheetnames else []
        version = words(about[0][0]) if about else ""
        if version != VERSION:
            raise Unreadable(OTHER_VERSION if version.startswith("uptown ") else NO_BOARD)
        _read_pages(event, book, about, read)
    except Unreadable as reason:
        read.faults.append(Fault("file", str(reason)))
    except Damaged:
        raise
    except Exception:
        # A sheet that openpyxl cannot follow: damaged, or not made by a spreadsheet.
        read.faults.append(Fault("file", "This workbook is damaged: its sheets cannot be read."))
    if not read.boards and not read.faults:
        read.faults.append(Fault("file", "There are no hands in this workbook."))
    return read


class _Page:
    """A sheet that is a board: where it stands among the games, who is named on it, and its lines."""

    def __init__(self, title: str, shape: Boards, rows: Rows) -> None:
        self.title, self.shape, self.rows, self.cells = title, shape, rows, board_cells(shape)
        self.places = head_places(self.cells)
        game, table = (words(_at(rows, GAME_ROW, column)) for column in self.places)
        self.key = (game.casefold(), int(table) if table.isdecimal() else 0)
        self.names = tuple(self._name(side) for side in range(shape.sides))
        self.game: int | None = None
        last = max((number for number, row in enumerate(rows, start=1) if any(row)), default=0)
        self.lines = [
            BoardLine(number, {cell.key: _at(rows, number, index) for index, cell in enumerate(self.cells)})
            for number in range(FIRST_ROW, last + 1)
        ]
        # The lines on which a hand is written.
        self.written = [line for line in self.lines if line.is_written(self.cells)]

    def cell(self, key: str, row: int) -> str:
        """A cell as people find it: “Table 3, D7”."""
        return self.cell_at(next((index for index, cell in enumerate(self.cells) if cell.key == key), 0), row)

    def cell_at(self, column: int, row: int) -> str:
        return f"{self.title}, {cell_name(column, row)}"

    def fault(self, row: int, fault: Fault) -> Fault:
        """A fault of a line at the cell it stands in; a problem of the whole hand stands at the number of the line."""
        return Fault(self.cell(place_of(self.cells, fault.field), row), fault.text, fault.rule)

    def remarks(self, sides: int) -> list[Fault]:
        """Whatever is written on this sheet and is no hand of one of its sides."""
        remarks, written = [], {line.row for line in self.written}
        swapped = [line for line in self.written if points(line.cells["line"]) not in (None, line.row - FIRST_ROW + 1)]
        if swapped:
            number = points(swapped[0].cells["line"])
            text = f"this is line {number} of the board, moved. Lines are read from top to bottom."
            remarks.append(Fault(self.cell("line", swapped[0].row), text))
        for line in self.lines:
            if note := words(line.cells["ruling"]):
                remarks.append(Fault(self.cell("ruling", line.row), f"“{note[:60]}”: {AT_DESK}"))
            for side in range(self.shape.sides) if line.row not in written else ():
                if (change := points(line.cells[f"change-{side}"])) is not None:
                    remarks.append(
                        Fault(
                            self.cell(f"change-{side}", line.row),
                            f"{'+' * (change > 0)}{minus(change)} without a hand: {AT_DESK}",
                        )
                    )
        rows = [line.row for line in self.written]
        empty = [line.row for line in self.lines if rows and rows[0] < line.row < rows[-1] and line.row not in rows]
        remarks += [Fault(self.cell("line", row), "this line is empty: the hands below it follow on.") for row in empty]
        nobodys = {index for index, cell in enumerate(self.cells) if cell.field and (cell.side or 0) >= sides}
        for number, row in enumerate(self.rows[FIRST_ROW - 1 :], start=FIRST_ROW):
            extra = (
                (index, words(value)) for index, value in enumerate(row) if index >= len(self.cells) or index in nobodys
            )
            remarks += [
                Fault(self.cell_at(index, number), f"“{text[:60]}” is not read.") for index, text in extra if text
            ]
        return remarks

    def _name(self, side: int) -> str:
        index = next(column for column, cell in enumerate(self.cells) if cell.side == side)
        return words(_at(self.rows, SIDES_ROW, index)).removeprefix(f"{LETTERS[side]}:").strip()


def _at(rows: Rows, number: int, column: int) -> Any:
    row = rows[number - 1] if number <= len(rows) else []
    return row[column] if column < len(row) else None


def _read_pages(event: Event, book: Any, about: Rows, read: ReadBoards) -> None:
    if words(about[1][1]) != event.sheet:
        raise Unreadable(OTHER_EVENT)
    rounds = (None, *stage_rounds(event))
    pages = _pages(book, [blank_boards(event, round_, simple=about[0][1] == "simple") for round_ in rounds], read)
    games = games_on_boards(event)
    for page in pages:
        page.game = games.get(page.key)
    sheets = {game.pk: (game, game_sheet(game)) for game in sheet_games().filter(pk__in=[page.game for page in pages])}
    # Boards from another installation fit where the same teams meet by the same rules: their names decide.
    if words(about[1][0]) != event.slug and not all(page.game and any(page.names) for page in pages):
        raise Unreadable(OTHER_EVENT)
    read.remarks += _missing(about, pages)
    seen: dict[int, str] = {}
    for page in pages:
        if page.game is None or page.game in seen:
            if page.written:
                read.faults.append(_nowhere(page, seen))
            continue
        seen[page.game] = page.title
        game, sheet = sheets[page.game]
        names = tuple(side.name for side in sheet.sides)
        if any(page.names) and [page for page in page.names if page] != list(names):
            text = f"this board is for {' and '.join(filter(None, page.names))}; {' and '.join(names)} meet there."
            side = next(column for column, cell in enumerate(page.cells) if cell.side is not None)
            read.faults.append(Fault(page.cell_at(side, SIDES_ROW), text))
            continue
        read.remarks += page.remarks(len(names))
        if page.written:
            read.boards.append(_read_page(page, game, sheet, read))


def _pages(book: Any, shapes: Sequence[Boards], read: ReadBoards) -> list[_Page]:
    """The sheets that are boards of one of the shapes, whatever they are called; others with anything are remarked."""
    heads, pages = [[cell.title for cell in board_cells(shape)] for shape in shapes], []
    for title in book.sheetnames:
        if book[title].sheet_state != "visible":
            continue
        rows = sheet_rows(book, title, A_TABLE)
        titles = [words(_at(rows, FIRST_ROW - 1, index)) for index in range(max(map(len, heads)))]
        if fitting := [shape for shape, own in zip(shapes, heads, strict=True) if titles[: len(own)] == own]:
            # What answers there are of a column, the sheet of its game knows.
            pages.append(_Page(title, fitting[0], rows))
        elif any(words(value) for row in rows for value in row):
            read.remarks.append(Fault(title, "this sheet is not a board. It was not read."))
    return pages


def _missing(about: Rows, pages: Sequence[_Page]) -> list[Fault]:
    """Boards that were in the workbook when it was made and are not in it now."""
    here = {page.key for page in pages}
    listed = [(words(row[0]), words(row[1]).casefold(), words(row[2])) for row in about[2:] if len(row) > 2]
    gone = [title for title, game, table in listed if table and (game, int(table)) not in here]
    return [Fault(title, "this board is no longer in the file.") for title in gone]


def _nowhere(page: _Page, seen: Mapping[int, str]) -> Fault:
    """Why the lines of a board cannot go anywhere."""
    game, table = page.key
    if page.game is not None:
        return Fault(page.title, f"this is the same game as on “{seen[page.game]}”.")
    missing = next((column for column, value in zip(page.places, (game, table), strict=True) if not value), None)
    if missing is not None:
        return Fault(page.cell_at(missing, GAME_ROW), "Write here which game this is, and at which table.")
    text = f"no game is drawn here for game {game} at table {table}. Was it drawn again?"
    return Fault(page.cell_at(page.places[0], GAME_ROW), text)


def _read_page(page: _Page, game: Game, sheet: GameSheet, read: ReadBoards) -> ReadBoard:
    lines, before = page.written, len(read.faults)
    board = ReadBoard(
        page.title, sheet.game.pk, f"{sheet.round}, table {sheet.game.table}", tuple(side.name for side in sheet.sides)
    )
    stands = on_boards(row.facts for row in sheet.rows)
    board.lines, board.stands = len(lines), min(len(stands), len(lines))
    scored: ScoredGame | None = sheet.scored
    if sheet.opening is not None:
        read.faults.append(Fault(page.title, "this game was continued from totals. Enter its hands at the desk."))
        scored = None
    elif board.new and (closed := why_closed(game)):
        read.faults.append(Fault(page.title, closed))
    if len(lines) < len(stands):
        read.remarks.append(
            Fault(
                page.title,
                f"the sheet has {counted(len(stands), 'line')}, and this board {len(lines)}. Nothing is taken off.",
            )
        )
    scores = [(row.deltas, row.scores) for row in sheet.rows if row.kind in ("hand", "void")][: len(lines)]
    for number, line in enumerate(lines):
        old = stands[number] if number < len(stands) else None
        hands = sum(facts["entry"] == "hand" for facts in board.entries)
        due = due_at(sheet, None if old else scored, hands)
        facts, faults = facts_of(page.shape, sheet, line, due, old)
        if old is not None:
            faults = faults or differing(page.cells, old, facts, len(sheet.sides))
        elif not faults:
            before_it = scored
            scored, faults = with_line(sheet, scored, hands, facts, page.cells, line)
        read.faults += [page.fault(line.row, fault) for fault in faults]
        if faults:
            # What the lines after it come to is not known.
            scored = None
        if scored is not None and old is None:
            stood = before_it.carry.scores if before_it is not None else scored.begin.scores
            deltas = tuple(now - then for now, then in zip(scored.carry.scores, stood, strict=True))
            scores.append((deltas, scored.carry.scores))
        board.entries.append(facts)
    shown = [
        tuple(tuple(points(line.cells[f"{key}-{side.index}"]) for side in sheet.sides) for key in ("change", "score"))
        for line in lines
    ]
    board.says, board.scores = shown[-1][1], (None,) * len(sheet.sides)
    if len(read.faults) == before:
        board.scores = tuple(scores[-1][1]) if scores else sheet.scores
        read.remarks += _otherwise(page, shown, scores)
    return board


def _otherwise(
    page: _Page, shown: Sequence[Sequence[Sequence[int | None]]], scores: Sequence[Sequence[Sequence[int]]]
) -> list[Fault]:
    """The first cell of ± or score that is not what the rules give: something was typed over, or ruled at the desk."""
    for line, on_board, true in zip(page.written, shown, scores, strict=False):
        for key, shown_points, points_due in zip(("change", "score"), on_board, true, strict=True):
            for side, (typed, due) in enumerate(zip(shown_points, points_due, strict=True)):
                if typed is not None and typed != due:
                    text = f"the board says {minus(typed)}; by the rules and the sheet it is {minus(due)}."
                    return [Fault(page.cell(f"{key}-{side}", line.row), text)]
    return []
