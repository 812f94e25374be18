"""What was read from a workbook of boards, before any of it is entered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tournament.queries.boards import LETTERS
from tournament.queries.sheet import GameSheet
from tournament.refusals import Fault


@dataclass(slots=True)
class ReadBoard:
    """One game as it was read: its lines as the game document writes them; `stands` of them stand here already."""

    title: str
    game: int
    place: str
    entries: list[dict[str, Any]] = field(default_factory=list)
    stands: int = 0

    @property
    def new(self) -> int:
        return len(self.entries) - self.stands


@dataclass(slots=True)
class ReadBoards:
    """Everything that was read. `faults` are named by sheet and cell: “Table 3, D7”."""

    boards: list[ReadBoard] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def new(self) -> int:
        return sum(board.new for board in self.boards)

    @property
    def stands(self) -> int:
        return sum(board.stands for board in self.boards)


def keys_of(boards: Sequence[ReadBoard]) -> list[tuple[int, list[dict[str, Any]]]]:
    """What is entered when the boards are accepted: games with their lines."""
    return [(board.game, board.entries) for board in boards]


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
