"""A filled score workbook read into hands: every fault names its sheet, its cell, and the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.ledger import Carry
from tournament.errors import Damaged, Fault
from tournament.forms.fields import PlainForm
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
from tournament.forms.score_workbook_shape import heads_to_read, misshapen
from tournament.forms.score_workbook_unread import Page, Rows, of_other_sheet, remarks_of, value_at, values_of
from tournament.forms.uploads import Room, Unreadable, UploadField, open_workbook, sheet_rows, words
from tournament.forms.workbook_marks import Marked
from tournament.models import Event, Game
from tournament.queries.rules import stage_rounds
from tournament.queries.score_workbooks import (
    ABOUT,
    BEHIND,
    FIRST_ROW,
    GAME_ROW,
    SIDES_ROW,
    VERSION,
    Boards,
    blank_boards,
    games_on_boards,
    on_boards,
    why_closed,
)
from tournament.queries.scored import ScoredGame
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row
from tournament.words.phrases import counted, minus

__all__ = ["BoardsForm", "ReadBoards", "keys_of", "read_boards"]

# The right values of computed cells, by the key of their column and their row.
Due = dict[tuple[str, int], int]
# What a line comes to, for each side, by the columns of a board.
Result = dict[str, tuple[int, ...]]

A_TABLE = Room(2100, "Upload a score workbook of this site.")
OTHER_VERSION = "This workbook was made by another version of this site. Download a new one and copy the hands."
NO_BOARD = "This is not a score workbook of this site. Download one, fill it in, upload it."
OTHER_EVENT = "This score workbook belongs to another event or another rule sheet."
CROSSED_OUT = "this hand is crossed out. Does it count? If so, take away the line through it; if not, empty the row."


class BoardsForm(PlainForm):
    """The upload of a filled workbook."""

    file = UploadField(label="Score workbook (.xlsx)")


def read_boards(event: Event, content: bytes) -> ReadBoards:
    """Read filled boards for an event.

    Games without lines are left out; everything else that is not read is reported.
    """
    read = ReadBoards()
    try:
        book = open_workbook(content, A_TABLE)
        about = sheet_rows(book, ABOUT, A_TABLE) if ABOUT in book.sheetnames else []
        version = words(about[0][0]) if about else ""
        if version != VERSION:
            raise Unreadable(OTHER_VERSION if version.startswith("uptown ") else NO_BOARD)
        _read_pages(event, book, content, about, read)
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


def _read_pages(event: Event, book: Any, content: bytes, about: Rows, read: ReadBoards) -> None:
    if words(about[1][1]) != event.sheet:
        raise Unreadable(OTHER_EVENT)
    rounds = (None, *stage_rounds(event))
    shapes = [blank_boards(event, round_, simple=about[0][1] == "simple") for round_ in rounds]
    pages = _pages(book, Marked(content, book, A_TABLE.rows), about, shapes, read)
    games = games_on_boards(event)
    for page in pages:
        page.game = games.get(page.key)
    sheets = {game.pk: (game, game_sheet(game)) for game in sheet_games().filter(pk__in=[page.game for page in pages])}
    # Boards from another installation fit if the same teams meet by the same rules: their names decide.
    if words(about[1][0]) != event.slug and not all(page.game and any(page.names) for page in pages):
        raise Unreadable(OTHER_EVENT)
    changed = {fault.field.partition(", ")[0] for fault in read.faults}
    read.remarks += [fault for fault in _missing(about, pages) if fault.field not in changed]
    seen: dict[int, str] = {}
    for page in pages:
        if page.game is None or page.game in seen:
            if page.written:
                read.faults.append(_nowhere(page, seen))
            read.remarks += remarks_of(page, page.shape.sides, (), {})
            continue
        seen[page.game] = page.title
        _read_game(page, *sheets[page.game], read)


def _read_game(page: Page, game: Game, sheet: GameSheet, read: ReadBoards) -> None:
    """One board of a game, with everything on it that is not a hand."""
    names = [side.name for side in sheet.sides]
    names_on_page = [name for name in page.names if name]
    due: Due = {}
    if names_on_page and names_on_page != names:
        text = f"this board is for {' and '.join(names_on_page)}; {' and '.join(names)} meet there."
        side = next(column for column, cell in enumerate(page.cells) if cell.side is not None)
        read.faults.append(Fault(page.cell_at(side, SIDES_ROW), text))
    else:
        for line in page.crossed_out():
            read.faults.append(Fault(page.cell("line", line.row), CROSSED_OUT))
        if page.written:
            read.boards.append(_read_page(page, game, sheet, read, due))
    seats = [seat.name for seat in sorted(sheet.seats, key=lambda seat: seat.seat)]
    read.remarks += remarks_of(page, len(names), seats, due)


def _pages(book: Any, marked: Marked, about: Rows, shapes: Sequence[Boards], read: ReadBoards) -> list[Page]:
    """The sheets that are boards of one of the shapes, whatever their names; the content of others is reported."""
    pages = []
    known = {words(row[0]): [words(value) for value in row[3:6]] for row in about[2:]}
    for title in book.sheetnames:
        if title in BEHIND:
            continue
        rows, marks = values_of(sheet_rows(book, title, A_TABLE)), marked.of(title)
        fitting = [shape for shape in shapes if _heads_of(rows, shape) == heads_to_read(shape)]
        if fitting:
            # The sheet of the game knows the possible answers of a column.
            above = known.get(title) or []
            pages.append(Page(title, fitting[0], rows, marks, above if any(above) else ()))
        elif fault := misshapen(title, rows, shapes, is_board=title in known):
            read.faults.append(fault)
        else:
            read.remarks += of_other_sheet(title, rows, marks)
    return pages


def _heads_of(rows: Rows, shape: Boards) -> list[str]:
    return [words(value_at(rows, FIRST_ROW - 1, index)) for index in range(len(heads_to_read(shape)))]


def _missing(about: Rows, pages: Sequence[Page]) -> list[Fault]:
    """Boards that were in the workbook when it was made and are no longer in it."""
    here = {page.key for page in pages}
    listed = [(words(row[0]), words(row[1]).casefold(), words(row[2])) for row in about[2:] if len(row) > 2]
    gone = [title for title, game, table in listed if table and (game, int(table)) not in here]
    return [Fault(title, "this board is no longer in the file.") for title in gone]


def _nowhere(page: Page, seen: Mapping[int, str]) -> Fault:
    """Why the lines of a board belong to no game."""
    game, table = page.key
    if page.game is not None:
        return Fault(page.title, f"this is the same game as on “{seen[page.game]}”.")
    missing = next((column for column, value in zip(page.places, (game, table), strict=True) if not value), None)
    if missing is not None:
        return Fault(page.cell_at(missing, GAME_ROW), "Write here which game this is, and at which table.")
    text = f"no game is drawn here for game {game} at table {table}. Was it drawn again?"
    return Fault(page.cell_at(page.places[0], GAME_ROW), text)


def _read_page(page: Page, game: Game, sheet: GameSheet, read: ReadBoards, due: Due) -> ReadBoard:
    """The hands of a board. If nothing is wrong, the right values of its computed cells are added to `due`."""
    lines = page.written
    faults_before = len(read.faults)
    on_sheet = on_boards(row.facts for row in sheet.rows)
    board = ReadBoard(
        title=page.title,
        game=sheet.game.pk,
        where=f"{sheet.round}, table {sheet.game.table}",
        sides=tuple(side.name for side in sheet.sides),
        lines=len(lines),
        stands=min(len(on_sheet), len(lines)),
        says=tuple(points(lines[-1].cells[f"score-{side.index}"]) for side in sheet.sides),
        scores=(None,) * len(sheet.sides),
    )
    scored = _score_to_go_on_from(page, game, sheet, board, read)
    if len(lines) < len(on_sheet):
        here = counted(len(on_sheet), "line")
        text = f"the sheet has {here}, and this board {len(lines)}. Nothing is taken off."
        read.remarks.append(Fault(page.title, text))

    are_same = _compare_lines(page, sheet, on_sheet, board, read)
    new_results = _score_new_lines(page, sheet, scored if are_same else None, board, read)

    if len(read.faults) == faults_before:
        results = [_of_row(row) for row in sheet.rows if row.kind in ("hand", "void")]
        results = results[: len(lines)] + new_results
        board.scores = results[-1]["score"] if results else sheet.scores
        due |= _due_of(lines, results)
        read.remarks += _otherwise(page, due)
    return board


def _compare_lines(
    page: Page, sheet: GameSheet, on_sheet: Sequence[Mapping[str, Any]], board: ReadBoard, read: ReadBoards
) -> bool:
    """Read the lines that are on the sheet already, and return whether all of them are as they are there."""
    are_same = True
    for line, old in zip(page.written, on_sheet, strict=False):
        next_hand = due_at(sheet, None, _hands_in(board))
        facts, faults = facts_of(page.shape, sheet, line, next_hand, old)
        if not faults:
            faults = differing(page.cells, old, facts, len(sheet.sides))
        if faults:
            are_same = False
        board.entries.append(facts)
        read.faults += [_fault(page, line.row, fault) for fault in faults]
    return are_same


def _score_new_lines(
    page: Page, sheet: GameSheet, scored: ScoredGame | None, board: ReadBoard, read: ReadBoards
) -> list[Result]:
    """Read the lines that are not on the sheet yet, and return their results as far as they are known.

    After a line with a fault, `scored` is None: the results of the lines below it are unknown.
    """
    results = []
    for line in page.written[board.stands :]:
        hands = _hands_in(board)
        facts, faults = facts_of(page.shape, sheet, line, due_at(sheet, scored, hands), None)
        scored_now = None
        if not faults:
            scored_now, faults = with_line(sheet, scored, hands, facts, page.cells, line)
        if scored is not None and scored_now is not None:
            results.append(_of_carry(scored_now.carry, scored.carry))
        scored = scored_now
        board.entries.append(facts)
        read.faults += [_fault(page, line.row, fault) for fault in faults]
    return results


def _hands_in(board: ReadBoard) -> int:
    """How many hands were read so far; void ones do not count."""
    return sum(facts["entry"] == "hand" for facts in board.entries)


def _score_to_go_on_from(
    page: Page, game: Game, sheet: GameSheet, board: ReadBoard, read: ReadBoards
) -> ScoredGame | None:
    """The present game, to which new lines are added; None for one that began with totals on paper."""
    if sheet.opening is not None:
        read.faults.append(Fault(page.title, "this game was continued from totals. Enter its hands at the desk."))
        return None
    closed = why_closed(game) if board.new else ""
    if closed:
        read.faults.append(Fault(page.title, closed))
    return sheet.scored


def _due_of(lines: Sequence[BoardLine], results: Sequence[Result]) -> Due:
    """The right values of the lines' computed cells, by their column and row."""
    due = {}
    for line, values in zip(lines, results, strict=False):
        for key, by_side in values.items():
            for side, value in enumerate(by_side):
                due[f"{key}-{side}", line.row] = value
    return due


def _fault(page: Page, row: int, fault: Fault) -> Fault:
    """A fault of a line at its cell; a problem of the whole hand is shown at the number of the line."""
    return Fault(page.cell(place_of(page.cells, fault.field), row), fault.text, fault.rule)


def _of_row(row: Row) -> Result:
    """The result of a line of the sheet, by the columns of a board."""
    return {"change": row.deltas, "score": row.scores, "sets": row.sets, "bags": row.bags}


def _of_carry(after: Carry, before: Carry) -> Result:
    """The same for a line that is not on the sheet yet."""
    change = tuple(now - then for now, then in zip(after.scores, before.scores, strict=True))
    counted_now = {"sets": tuple(after.sets), "bags": tuple(after.bags), "bostons": tuple(after.bostons)}
    return {"change": change, "score": tuple(after.scores), **counted_now}


def _otherwise(page: Page, due: Due) -> list[Fault]:
    """The first formula that differs from the rules: a cell it adds up was typed over, or ruled on at the desk."""
    computed = [(index, cell) for index, cell in enumerate(page.cells) if cell.of in ("change", "score")]
    computed.sort(key=lambda place: place[1].of)
    for line in page.written:
        for index, cell in computed:
            said, right = points(line.cells[cell.key]), due.get((cell.key, line.row))
            if said is None or right is None or said == right or not page.is_formula(index, line.row):
                continue
            text = f"the board says {minus(said)}; by the rules and the sheet it is {minus(right)}."
            return [Fault(page.cell(cell.key, line.row), text)]
    return []
