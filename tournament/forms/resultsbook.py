"""The results workbook of another laptop, read back game by game: every line goes through the rules in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.document import read_entry, read_opening
from scoring.fields import Fields
from scoring.ledger import Carry
from tournament.forms.filled import ReadBoard, ReadBoards, scored
from tournament.forms.resultscells import Changed, changed_line
from tournament.forms.resultspages import Line, Page, Told, read_lines, read_told
from tournament.models import Event, Game
from tournament.models.entry import OPENING
from tournament.queries.resultsbook import HANDS, NAMES
from tournament.queries.rules import ruleset_at
from tournament.queries.scored import opening_faults
from tournament.queries.sheet import GameSheet, game_sheet, sheet_games
from tournament.queries.wording import write_down
from tournament.refusals import Fault

MOST_FAULTS = 40
CELLS = {"bidder": "Side", "seat": "Side", "bid": "Level", "books": "Books", "cards": "Cards"}
DECIDED = frozenset({"rule", "choice", "side", "points", "sets", "to", "winner"})
Rows = Sequence[Sequence[Any]]


def read_results(event: Event, about: Rows, hands: Rows, read: ReadBoards, *, may_rule: bool) -> None:
    """Read the pages of a results workbook into `read`. Raises Unreadable where that cannot be done at all."""
    read.source = "import"
    told, page = read_told(event, about), Page(hands)
    games = _games(event, told)
    read.faults += [fault for one in told if (fault := _stranger(one, games.get(one.place)))]
    if not read.faults:
        lines = read_lines(page, told, read.faults)
        for one in told:
            if one.key in lines:
                _GameReader(page, one, games[one.place], read).read_game(lines[one.key])
    if read.rulings and not may_rule:
        count = (
            f"{read.rulings} of the new lines are rulings" if read.rulings > 1 else "One of the new lines is a ruling"
        )
        read.faults.append(Fault("file", f"{count}: only a director enters what was ruled."))
    if len(read.faults) > MOST_FAULTS:
        more = len(read.faults) - MOST_FAULTS
        read.faults[MOST_FAULTS:] = [Fault("file", f"And {more} more.")]


def _games(event: Event, told: Sequence[Told]) -> dict[tuple[int, int, int], Game]:
    games = sheet_games().filter(round__event=event, round__number__in={one.place[0] for one in told})
    return {(game.round.number, game.table, game.leg): game for game in games}


def _stranger(told: Told, game: Game | None) -> Fault | None:
    """A game that is not played here, or by others: another event, or the round was drawn again."""
    place = f"{HANDS}, game {told.key}"
    if game is None:
        return Fault(place, f"the workbook has {' and '.join(told.sides)}; this event has no such game.")
    teams = tuple(side.team.name for side in sorted(game.sides.all(), key=lambda side: side.index))
    if told.sides != teams:
        return Fault(place, f"these lines are of {' and '.join(told.sides)}; {' and '.join(teams)} meet there.")
    return None


class _GameReader:
    """Reads the lines of one game against the rules, the sheet as it stands here and the scores of the workbook."""

    def __init__(self, page: Page, told: Told, game: Game, read: ReadBoards) -> None:
        self._page, self._told, self._game, self._read = page, told, game, read
        self._rules = ruleset_at(game)
        self._sheet: GameSheet = game_sheet(game)
        self._names = tuple(side.name for side in self._sheet.sides)

    def read_game(self, lines: Sequence[Line]) -> None:
        """Add the game to what was read; at the first fault it ends, because later lines depend on it."""
        sheet, totals = self._sheet, self._told.totals
        of_match = f", game {sheet.leg}" if sheet.leg > 1 else ""
        board = ReadBoard(self._told.key, sheet.pk, f"{sheet.round}, table {sheet.table}{of_match}")
        stands = [sheet.totals] if sheet.totals else []
        stands += [row.facts for row in sheet.rows]
        place = f"{HANDS}, game {self._told.key}"
        carry, faults = self._begin(place)
        if stands and totals != sheet.totals:
            faults.append(Fault(place, "this game starts from other totals here."))
        if totals:
            board.entries.append(totals)
        as_written = True
        for line in lines:
            if faults:
                break
            change = self._as_now(line, carry)
            as_written = as_written and not change.columns
            carry, faults = self._look_at(line, change, carry, as_written=as_written)
            at = len(board.entries)
            if not faults and at < len(stands) and change.facts != stands[at]:
                text = "this line is different on the sheet here: compare them at the desk."
                faults.append(self._page.fault(line.row, "Line", text))
            if not faults and at >= len(stands) and (closed := self._closed()):
                faults.append(self._page.fault(line.row, "Line", closed))
            board.entries.append(change.facts)
            board.lines.append(line.number)
        board.stands = min(len(stands), len(board.entries))
        self._read.faults += faults
        self._read.boards.append(board)

    def _begin(self, place: str) -> tuple[Carry, list[Fault]]:
        """Where the game begins: at nought, or with totals from paper."""
        told = self._told.totals or {}
        said = {key: value for key, value in told.items() if key != "entry"} if told.get("entry") == OPENING else None
        problems = opening_faults(self._rules, said) if said is not None else ()
        faults = [Fault(place, problem.text, problem.rule) for problem in problems]
        return read_opening(self._rules.game, self._rules.rules, said, Fields({})), faults

    def _as_now(self, line: Line, carry: Carry) -> Changed:
        """The line with the cells that were changed in the spreadsheet."""
        _, problems = read_entry(self._rules.game, line.facts)
        due = self._rules.game.next_hand(self._rules.rules, carry)
        damaged = Changed(line.facts, {}, [Fault("As written", "what this cell held of the line is damaged.")])
        if problems:
            return damaged
        try:
            written = write_down(self._rules, line.facts, self._names, self._sheet.seats, (), due.cards)
            allowed = frozenset(bid.value for bid in due.choices("bids"))
            return changed_line(self._sheet, line.facts, written, line.cells, allowed)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return damaged

    def _look_at(self, line: Line, change: Changed, carry: Carry, *, as_written: bool) -> tuple[Carry, list[Fault]]:
        """Where the game stands after the line, and what is wrong with it."""
        page = self._page
        if change.faults:
            return carry, [page.fault(line.row, *fault) for fault in change.faults]
        self._read.changes += [page.fault(line.row, column, text) for column, text in change.columns.items()]
        after, problems = scored(self._rules, carry, change.facts)
        faults = [page.fault(line.row, self._column(fault.field), fault.text, fault.rule) for fault in problems]
        if not faults and as_written:
            faults = self._other_scores(line, after)
        return after, faults

    def _other_scores(self, line: Line, carry: Carry) -> list[Fault]:
        """A spreadsheet keeps what it computed: where no hand was changed, it must be what the rules give."""
        for name, score in zip(NAMES, carry.scores, strict=False):
            found = line.cells.get(f"Score {name}")
            if isinstance(found, int | float) and found != score:
                text = f"the workbook says {found:g}, by the rules it is {score}: another cell of it was changed too."
                return [self._page.fault(line.row, f"Score {name}", text)]
        return []

    def _column(self, field: str) -> str:
        """The column in which a fault of the rules is mended."""
        name, _, place = field.partition(".")
        if name in ("bids", "tricks"):
            side = int(place) % len(self._names) if place.isdecimal() else 0
            return f"{'Bid' if name == 'bids' else 'Tricks'} {NAMES[side]}"
        return "What happened" if name in DECIDED else CELLS.get(name, "Line")

    def _closed(self) -> str:
        """Why no new line can be written on the sheet; nothing where one can."""
        if self._game.round.state != "running":
            return f"{self._game.round} is not being played here: new lines cannot be entered."
        return "the sheet is signed and final here: correct it at the desk." if self._game.state == "final" else ""
