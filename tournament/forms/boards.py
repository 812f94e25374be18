"""A filled workbook of score boards, read into hands: every fault names its sheet, its cell and the rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from openpyxl.utils import get_column_letter

from scoring.document import read_entry
from tournament.forms.upload import UploadField
from tournament.forms.workbook_file import Unreadable, open_workbook, sheet_rows
from tournament.models import Event
from tournament.queries.boards import FIRST_ROW, LETTERS, VERSION, VOID, Boards, blank_boards, board_fields, said
from tournament.queries.rules import Ruleset, ruleset_of
from tournament.queries.sheet import GameSheet, game_sheet, sheet_games
from tournament.refusals import Fault

ABOUT = "About"


class BoardsForm(forms.Form):
    """The upload of a filled workbook."""

    file = UploadField(label="Workbook of score boards (.xlsx)")


@dataclass(slots=True)
class ReadBoard:
    """One table's board as it was read: the game it belongs to, and its hands as the game document writes them."""

    title: str
    game: int
    place: str
    entries: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class ReadBoards:
    """Everything that was read. `faults` are named by sheet and cell: “Table 3, D7”."""

    boards: list[ReadBoard] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def hands(self) -> int:
        return sum(len(board.entries) for board in self.boards)


def read_boards(event: Event, content: bytes) -> ReadBoards:
    """Read a filled workbook for an event. Boards on which nothing was written are left out."""
    read = ReadBoards()
    try:
        book = open_workbook(content)
        about = sheet_rows(book, ABOUT) if ABOUT in book.sheetnames else []
        if not about or about[0][0] != VERSION:
            raise Unreadable("This is no workbook of score boards of this site. Download one, fill it in, upload it.")
        named = {row[0]: tuple(name for name in row[4:] if name) for row in about[2:]}
        # Boards from another installation fit where the same teams meet by the same rules: their names decide.
        own = about[1][0] == event.slug
        pages = {row[0]: row[1:4] for row in about[2:] if row[0] in book.sheetnames}
        games = {(one.round_number, one.table, one.leg): one for one in _sheets(event, pages.values())}
        known = own or all(named[title] and tuple(key) in games for title, key in pages.items())
        if about[1][1] != event.sheet or not known:
            raise Unreadable("These boards belong to another event or another rule sheet.")
        read.faults += _strangers(pages, named, games)
        if read.faults:
            return read
        shape = blank_boards(event, simple=about[0][1] == "simple")
        for title, key in pages.items():
            _read_page(event, shape, title, games.get(tuple(key)), sheet_rows(book, title), read)
    except Unreadable as reason:
        read.faults.append(Fault("file", str(reason)))
    except Exception:
        # A sheet that openpyxl cannot follow: damaged, or not made by a spreadsheet.
        read.faults.append(Fault("file", "This workbook is damaged: its sheets cannot be read."))
    if not read.boards and not read.faults:
        read.faults.append(Fault("file", "Nothing is written on these boards."))
    return read


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
        read.faults.append(Fault(title, f"{title}: this game is no longer there. The round was drawn again."))
        return
    board = ReadBoard(title, sheet.pk, f"{sheet.round}, table {sheet.table}")
    rules = ruleset_of(event).at_table(len(sheet.sides))
    carry, before = rules.game.begin(rules.rules), len(read.faults)
    for number, cells in lines:
        facts, faults = _facts(shape, sheet, cells)
        read.faults += [_at(title, columns, number, fault) for fault in faults]
        if len(read.faults) > before:
            # Later hands depend on this one: what is wrong with them cannot be known.
            break
        carry, problems = _score(rules, carry, facts)
        read.faults += [_at(title, columns, number, fault) for fault in problems]
        if problems:
            break
        board.entries.append(facts)
    read.boards.append(board)


def _score(rules: Ruleset, carry: Any, facts: dict[str, Any]) -> tuple[Any, list[Fault]]:
    entry, problems = read_entry(rules.game, facts)
    problems = problems or rules.game.problems(rules.rules, carry, entry)
    if problems:
        return carry, [Fault(problem.field, problem.text, problem.rule) for problem in problems]
    return rules.game.score_entry(rules.rules, carry, entry)[1], []


def _facts(shape: Boards, sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    if any(_words(value).casefold() == VOID.casefold() for key, value in cells.items() if key.startswith("bid")):
        return {"entry": "void"}, []
    return _bidder_facts(sheet, cells) if shape.by == "bidder" else _trick_facts(shape, sheet, cells)


def _bidder_facts(sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    faults = []
    facts: dict[str, Any] = {"entry": "hand"}
    who = _words(cells["who"])
    if not who:
        faults.append(Fault("who", "Who won the bid? Write A or B."))
    elif (side := _side(sheet, who)) is None:
        faults.append(Fault("who", f"“{who[:30]}” is nobody at this table: write A or B."))
    else:
        facts["bidder"] = side
    if not _words(cells["bid"]):
        faults.append(Fault("bid", "Which bid was played?"))
    facts["bid"] = said(_words(cells["bid"]))[:30]
    facts["books"] = _number(cells["books"], "books", "How many books did the bidding side take?", faults)
    return facts, faults


def _side(sheet: GameSheet, who: str) -> int | None:
    """The side by its letter, its team's name or a player's."""
    wanted = who.casefold()
    for side in sheet.sides:
        known = {LETTERS[side.index].casefold(), side.name.casefold(), str(side.number)}
        known |= {player.casefold() for player in side.players}
        if wanted in known:
            return side.index
    return None


def _trick_facts(shape: Boards, sheet: GameSheet, cells: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    faults: list[Fault] = []
    cards = _number(cells["cards"], "cards", "How many cards were dealt?", faults)
    facts: dict[str, Any] = {"entry": "hand", "cards": cards, "bids": [], "tricks": []}
    # A table of single players may be smaller than the board: its last columns stay empty.
    empty = shape.sides - len(sheet.sides)
    for at in range(shape.bidders - empty):
        words = _words(cells[f"bid-{at}"])
        if not words:
            faults.append(Fault(f"bid-{at}", "What was bid here? Write “Pass” for no bid."))
        facts["bids"].append(said(words)[:30])
    for at in range(shape.takers - empty):
        facts["tricks"].append(_number(cells[f"tricks-{at}"], f"tricks-{at}", "How many tricks were taken?", faults))
    return facts, faults


def _number(value: Any, key: str, question: str, faults: list[Fault]) -> int:
    if value is None or value == "":
        faults.append(Fault(key, question))
    elif isinstance(value, bool) or not isinstance(value, int | float | str) or not _is_whole(value):
        faults.append(Fault(key, f"“{_words(value)[:20]}” is not a whole number. {question}"))
    else:
        return int(float(value))
    return 0


def _is_whole(value: float | str) -> bool:
    try:
        return abs(float(value)) < 1000 and float(value).is_integer()
    except ValueError:
        return False


def _words(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else " ".join(str(value).split())


def _at(title: str, columns: Mapping[str, int], row: int, fault: Fault) -> Fault:
    """A fault with the cell it stands in; a problem of the whole hand stands at the number of the line."""
    key = {"bidder": "who", "seat": "who", "bids": "bid-0", "tricks": "tricks-0"}.get(fault.field, fault.field)
    key = key.replace(".", "-")
    letter = get_column_letter(columns.get(key, 0) + 1)
    return Fault(f"{title}, {letter}{row}", fault.text, fault.rule)


def keys_of(boards: Sequence[ReadBoard]) -> list[tuple[int, list[dict[str, Any]]]]:
    """What is entered when the boards are accepted: games with their hands."""
    return [(board.game, board.entries) for board in boards]
