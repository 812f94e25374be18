"""What was read from a workbook of boards, before any of it is entered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tournament.queries.boards import LETTERS
from tournament.queries.sheetfacts import GameSheet
from tournament.refusals import Fault


@dataclass(slots=True)
class ReadBoard:
    """One game as it was read: its lines as the game document writes them; `stands` of them stand here already.

    `says` is the score that the board shows for each side, where it shows one; `scores` is what the rules give, where
    nothing is wrong with it.
    """

    title: str
    game: int
    place: str
    sides: tuple[str, ...]
    entries: list[dict[str, Any]] = field(default_factory=list)
    lines: int = 0
    stands: int = 0
    says: tuple[int | None, ...] = ()
    scores: tuple[int | None, ...] = ()

    @property
    def new(self) -> int:
        return self.lines - self.stands

    @property
    def totals(self) -> list[tuple[str, int | None, int | None]]:
        """Each side with both scores: the board's and the one by the rules."""
        return list(zip(self.sides, self.says, self.scores, strict=True))


@dataclass(slots=True)
class ReadBoards:
    """Everything that was read. `faults` and `remarks` are named by sheet and cell: “Table 3, D7”."""

    boards: list[ReadBoard] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    remarks: list[Fault] = field(default_factory=list)

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
    """The side by its letter; else by its team's name, its number or a player's name, where it is no other side's."""
    wanted = who.casefold()
    if len(wanted) == 1 and (letter := LETTERS.casefold().find(wanted)) in range(len(sheet.sides)):
        return letter
    found = [
        side.index
        for side in sheet.sides
        if wanted in {one.casefold() for one in (side.name, str(side.number), *side.players)}
    ]
    return found[0] if len(found) == 1 else None


def words(value: Any) -> str:
    """What stands in a cell, as it is read aloud: 3.0 is 3, and there is one blank between words."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else " ".join(str(value).split())


def points(value: Any) -> int | None:
    """A whole number of a computed cell; None where it shows none."""
    whole = isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()
    return int(value) if whole else None


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
