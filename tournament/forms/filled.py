"""What was read from a workbook, of boards or of results, before any of it is entered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.document import read_entry
from tournament.models.entry import RULED
from tournament.queries.boards import LETTERS
from tournament.queries.rules import Ruleset
from tournament.queries.sheet import GameSheet
from tournament.refusals import Fault


@dataclass(slots=True)
class ReadBoard:
    """One game as it was read: its lines as the game document writes them, totals carried on from paper first.

    `lines` are the numbers that they have on their sheet, where the file tells. `stands` of them stand here already.
    """

    title: str
    game: int
    place: str
    entries: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    stands: int = 0

    @property
    def new(self) -> int:
        return len(self.entries) - self.stands

    @property
    def rulings(self) -> int:
        """How many of the new lines only a director may write."""
        return sum(facts["entry"] in RULED for facts in self.entries[self.stands :])


@dataclass(slots=True)
class ReadBoards:
    """Everything that was read. `faults` are named by sheet and cell: “Table 3, D7”; so are the cells that were
    changed in a workbook of results, with what stood there and what stands there now."""

    boards: list[ReadBoard] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    changes: list[Fault] = field(default_factory=list)
    source: str = "paper"

    @property
    def of_results(self) -> bool:
        return self.source == "import"

    @property
    def hands(self) -> int:
        return sum(len(board.entries) for board in self.boards)

    @property
    def new(self) -> int:
        return sum(board.new for board in self.boards)

    @property
    def stands(self) -> int:
        return sum(board.stands for board in self.boards)

    @property
    def rulings(self) -> int:
        return sum(board.rulings for board in self.boards)


def keys_of(boards: Sequence[ReadBoard]) -> list[tuple[int, list[dict[str, Any]], list[int]]]:
    """What is entered when the boards are accepted: games with their lines, and the numbers of these."""
    return [(board.game, board.entries, board.lines) for board in boards]


def scored(rules: Ruleset, carry: Any, facts: dict[str, Any]) -> tuple[Any, list[Fault]]:
    """Where the game stands after a line, and what the rules say against it."""
    entry, problems = read_entry(rules.game, facts)
    problems = problems or rules.game.problems(rules.rules, carry, entry)
    if problems:
        return carry, [Fault(problem.field, problem.text, problem.rule) for problem in problems]
    return rules.game.score_entry(rules.rules, carry, entry)[1], []


def side_named(sheet: GameSheet, who: str) -> int | None:
    """The side by its letter, its team's name or a player's."""
    wanted = who.casefold()
    for side in sheet.sides:
        known = {LETTERS[side.index].casefold(), side.name.casefold(), str(side.number)}
        known |= {player.casefold() for player in side.players}
        if wanted in known:
            return side.index
    return None


def words(value: Any) -> str:
    """What stands in a cell, as it is read aloud: 3.0 is 3, and there is one blank between words."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else " ".join(str(value).split())


def whole_number(value: Any, key: str, question: str, faults: list[Fault]) -> int:
    """A whole number; otherwise nought, and the fault is noted at its column."""
    if value is None or value == "":
        faults.append(Fault(key, question))
    elif isinstance(value, bool) or not isinstance(value, int | float | str) or not _is_whole(value):
        faults.append(Fault(key, f"“{words(value)[:20]}” is not a whole number. {question}"))
    else:
        return int(float(value))
    return 0


def _is_whole(value: float | str) -> bool:
    try:
        return abs(float(value)) < 1000 and float(value).is_integer()
    except ValueError:
        return False
