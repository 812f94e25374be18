"""A filled workbook of score boards, read into hands: every fault names its sheet, its cell and the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from tournament.forms.entry.answers import READ
from tournament.forms.entry.numbers import whole_number as whole_typed
from tournament.forms.filled import ReadBoard, ReadBoards, keys_of, side_named, whole_number, words
from tournament.forms.upload import UploadField
from tournament.forms.workbook_file import Room, Unreadable, cell_name, open_workbook, sheet_rows
from tournament.models import Event
from tournament.queries.asking import WHO
from tournament.queries.boards import FIRST_ROW, VERSION, VOID, Boards, Cell, blank_boards, board_cells, said
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import NotPossible, begin
from tournament.queries.sheet import GameSheet, game_sheet, sheet_games
from tournament.refusals import Damaged, Fault

__all__ = ["BoardsForm", "ReadBoards", "keys_of", "read_boards"]

ABOUT = "About"
A_TABLE = Room(2100, "Upload a score workbook of this site.")
OTHER_VERSION = "This workbook was made by another version of this site. Download a new one and copy the hands."
NO_BOARD = "This is not a score workbook of this site. Download one, fill it in, upload it."


class BoardsForm(forms.Form):
    """The upload of a filled workbook."""

    file = UploadField(label="Score workbook (.xlsx)")


def read_boards(event: Event, content: bytes) -> ReadBoards:
    """Read filled boards for an event. Games without lines are left out."""
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
        nothing = "There are no hands in this workbook."
        read.faults.append(Fault("file", nothing))
    return read


def _read_pages(event: Event, book: Any, about: list[list[Any]], read: ReadBoards) -> None:
    named = {row[0]: tuple(name for name in row[4:] if name) for row in about[2:]}
    # Boards from another installation fit where the same teams meet by the same rules: their names decide.
    own = about[1][0] == event.slug
    pages = {row[0]: row[1:4] for row in about[2:] if row[0] in book.sheetnames}
    games = {(one.round_number, one.table, one.leg): one for one in _sheets(event, pages.values())}
    known = own or all(named[title] and tuple(key) in games for title, key in pages.items())
    if about[1][1] != event.sheet or not known:
        raise Unreadable("This score workbook belongs to another event or another rule sheet.")
    read.faults += _strangers(pages, named, games)
    if read.faults:
        return
    shape = blank_boards(event, simple=about[0][1] == "simple")
    for title, key in pages.items():
        _read_page(event, shape, title, games.get(tuple(key)), sheet_rows(book, title, A_TABLE), read)


def _strangers(
    pages: Mapping[str, Sequence[Any]],
    named: Mapping[str, tuple[str, ...]],
    games: Mapping[tuple[Any, ...], GameSheet],
) -> list[Fault]:
    """Boards whose teams do not meet at that table: the round was drawn again, or it is another club's evening."""
    faults = []
    for title, key in pages.items():
        sheet = games.get(tuple(key))
        teams = tuple(side.name for side in sheet.sides) if sheet else ()
        if sheet and named[title] and named[title] != teams:
            text = f"this board is for {' and '.join(named[title])}; {' and '.join(teams)} meet there."
            faults.append(Fault(f"{title}, A3", text))
    return faults


def _sheets(event: Event, keys: Any) -> list[GameSheet]:
    rounds = {key[0] for key in keys if isinstance(key[0], int)}
    return [game_sheet(game) for game in sheet_games().filter(round__event=event, round__number__in=rounds)]


def _read_page(
    event: Event, shape: Boards, title: str, sheet: GameSheet | None, rows: list[list[Any]], read: ReadBoards
) -> None:
    columns = {one.key: at for at, one in enumerate(board_cells(shape))}
    typed = [one.key for one in board_cells(shape) if one.field is not None and one.field.layout != "given"]
    lines = []
    for number, row in enumerate(rows[FIRST_ROW - 1 :], start=FIRST_ROW):
        cells = {key: row[at] if at < len(row) else None for key, at in columns.items()}
        if any(cells[key] not in (None, "") for key in typed):
            lines.append((number, cells))
    if not lines:
        return
    if sheet is None:
        read.faults.append(Fault(title, f"{title}: the round was drawn again, so this game was deleted."))
        return
    board = ReadBoard(title, sheet.pk, f"{sheet.round}, table {sheet.table}")
    rules = ruleset_of(event).at_table(len(sheet.sides))
    scored, before = begin(rules, sheet.seats[0].seat), len(read.faults)
    for number, cells in lines:
        facts, faults = _facts(shape, sheet, cells)
        read.faults += [_at(title, shape, number, fault) for fault in faults]
        if len(read.faults) > before:
            # Later hands depend on this one: what is wrong with them cannot be known.
            break
        try:
            scored = scored.with_entry(facts)
        except NotPossible as refusal:
            faults = [Fault(problem.field, problem.text, problem.rule) for problem in refusal.problems]
            read.faults += [_at(title, shape, number, fault) for fault in faults]
            break
        board.entries.append(facts)
    board.stands = min(len(sheet.rows), len(board.entries))
    read.boards.append(board)


def _facts(shape: Boards, sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """A line as its cells say it; one that says “Void” where a bid stands is void."""
    if any(words(value).casefold() == VOID.casefold() for key, value in cells.items() if key.startswith("bid")):
        return {"entry": "void"}, []
    facts: dict[str, Any] = {"entry": "hand"}
    faults: list[Fault] = []
    # A table of single players may be smaller than the board: its last columns stay empty.
    empty = shape.sides - len(sheet.sides)
    for cell in board_cells(shape):
        if cell.field is None or cell.place >= (shape.places(cell.field) or 1 + empty) - empty:
            continue
        if cell.field.layout == "seats":
            facts |= _bidder(sheet, words(cells[cell.key]), cell, faults)
        elif cell.field.everybody:
            facts.setdefault(cell.field.key, []).append(_answer(shape, cell, cells[cell.key], faults))
        elif words(cells[cell.key]) or not cell.field.when:
            facts[cell.field.key] = _answer(shape, cell, cells[cell.key], faults)
    return facts, faults


def _bidder(sheet: GameSheet, who: str, cell: Cell, faults: list[Fault]) -> dict[str, Any]:
    """The side that won the bid: paper does not always say which player did."""
    side = side_named(sheet, who) if who else None
    if not who:
        faults.append(Fault(cell.key, "Who won the bid? Write A or B."))
    elif side is None:
        faults.append(Fault(cell.key, f"“{who[:30]}” is not a side of this table: write A or B."))
    return {} if side is None else {"bidder": side}


def _answer(shape: Boards, cell: Cell, value: Any, faults: list[Fault]) -> Any:
    """What a cell says, as the game document has it."""
    field = cell.field
    if field is None:
        return None
    asks = (field.asks or field.label).replace(WHO, shape.letter(field, cell.place))
    read = READ.get(field.layout, whole_typed)
    if read is whole_typed:
        return whole_number(value, cell.key, asks, faults)
    text = said(words(value))[:30]
    if not text:
        faults.append(Fault(cell.key, f"{asks} Write “Pass” for no bid." if field.everybody else asks))
    return read(text)


def _at(title: str, shape: Boards, row: int, fault: Fault) -> Fault:
    """A fault with the cell it stands in; a problem of the whole hand stands at the number of the line."""
    for column, cell in enumerate(board_cells(shape)):
        if cell.field is not None and fault.field in (cell.key, cell.field.key, *cell.field.refused_as):
            return Fault(f"{title}, {cell_name(column, row)}", fault.text, fault.rule)
    return Fault(f"{title}, {cell_name(0, row)}", fault.text, fault.rule)
