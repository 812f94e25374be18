"""A filled workbook of score boards, read into hands: every fault names its sheet, its cell and the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from tournament.forms.filled import ReadBoard, ReadBoards, keys_of, side_named, whole_number, words
from tournament.forms.upload import UploadField
from tournament.forms.workbook_file import Room, Unreadable, cell_name, open_workbook, sheet_rows
from tournament.models import Event
from tournament.queries.boards import FIRST_ROW, VERSION, VOID, Boards, blank_boards, board_fields, said
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
    columns = {one.key: at for at, one in enumerate(board_fields(shape))}
    typed = [key for key in columns if key in ("who", "bid", "books") or key.startswith(("bid-", "tricks-"))]
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
        read.faults += [_at(title, columns, number, fault) for fault in faults]
        if len(read.faults) > before:
            # Later hands depend on this one: what is wrong with them cannot be known.
            break
        try:
            scored = scored.with_entry(facts)
        except NotPossible as refusal:
            faults = [Fault(problem.field, problem.text, problem.rule) for problem in refusal.problems]
            read.faults += [_at(title, columns, number, fault) for fault in faults]
            break
        board.entries.append(facts)
    board.stands = min(len(sheet.rows), len(board.entries))
    read.boards.append(board)


def _facts(shape: Boards, sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    if any(words(value).casefold() == VOID.casefold() for key, value in cells.items() if key.startswith("bid")):
        return {"entry": "void"}, []
    return _bidder_facts(sheet, cells) if shape.by == "bidder" else _trick_facts(shape, sheet, cells)


def _bidder_facts(sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    faults = []
    facts: dict[str, Any] = {"entry": "hand"}
    who = words(cells["who"])
    if not who:
        faults.append(Fault("who", "Who won the bid? Write A or B."))
    elif (side := side_named(sheet, who)) is None:
        faults.append(Fault("who", f"“{who[:30]}” is not a side of this table: write A or B."))
    else:
        facts["bidder"] = side
    if not words(cells["bid"]):
        faults.append(Fault("bid", "Which bid was played?"))
    facts["bid"] = said(words(cells["bid"]))[:30]
    facts["books"] = whole_number(cells["books"], "books", "How many books did the bidding side take?", faults)
    return facts, faults


def _trick_facts(shape: Boards, sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    faults: list[Fault] = []
    cards = whole_number(cells["cards"], "cards", "How many cards were dealt?", faults)
    facts: dict[str, Any] = {"entry": "hand", "cards": cards, "bids": [], "tricks": []}
    # A table of single players may be smaller than the board: its last columns stay empty.
    empty = shape.sides - len(sheet.sides)
    for at in range(shape.bidders - empty):
        bid = words(cells[f"bid-{at}"])
        if not bid:
            faults.append(Fault(f"bid-{at}", "What was bid here? Write “Pass” for no bid."))
        facts["bids"].append(said(bid)[:30])
    for at in range(shape.takers - empty):
        facts["tricks"].append(
            whole_number(cells[f"tricks-{at}"], f"tricks-{at}", "How many tricks were taken?", faults)
        )
    return facts, faults


def _at(title: str, columns: Mapping[str, int], row: int, fault: Fault) -> Fault:
    """A fault with the cell it stands in; a problem of the whole hand stands at the number of the line."""
    key = {"bidder": "who", "seat": "who", "bids": "bid-0", "tricks": "tricks-0"}.get(fault.field, fault.field)
    key = key.replace(".", "-")
    return Fault(f"{title}, {cell_name(columns.get(key, 0), row)}", fault.text, fault.rule)
