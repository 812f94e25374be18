"""A line of a score board as the game document has it, one loop over the fields of a hand; and all that was read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any, NamedTuple

from scoring.document import read_entry
from scoring.game import Field, NextHand
from scoring.ledger import bid_words
from tournament.errors import Fault
from tournament.forms.fields import plain
from tournament.forms.fields import whole_number as whole_typed
from tournament.forms.hand import NO_BID, READ, typed_bid
from tournament.forms.uploads import words
from tournament.forms.workbook_marks import as_typed
from tournament.queries.rulings import WHO
from tournament.queries.score_workbooks import LETTERS, VOID, BoardColumn, Boards, board_cells, differences, said
from tournament.queries.scored import NotPossible, ScoredGame
from tournament.queries.sheetfacts import GameSheet

Facts = dict[str, Any]
BEHIND = -1000


class BoardLine(NamedTuple):
    """A row of a board with its cells by their columns' keys."""

    row: int
    cells: Mapping[str, Any]

    def is_written(self, cells: Iterable[BoardColumn]) -> bool:
        """Whether anything of a hand is written on it."""
        typed = (cell.key for cell in cells if cell.field is not None and cell.field.layout != "given")
        return any(words(self.cells[key]) for key in typed)


def is_void(line: BoardLine) -> bool:
    """Whether “Void” is in the place of a bid."""
    return any(words(value).casefold() == VOID.casefold() for key, value in line.cells.items() if key.startswith("bid"))


def facts_of(
    shape: Boards, sheet: GameSheet, line: BoardLine, due: NextHand, old: Mapping[str, Any] | None
) -> tuple[Facts, list[Fault]]:
    """A line from its cells; a line with “Void” in the place of a bid is void.

    Given values come from `old`, the line that is on the sheet, or else from the hand that is `due`.
    """
    if is_void(line):
        return {"entry": "void"}, []
    facts: Facts = {"entry": "hand"}
    faults: list[Fault] = []
    asked = {field.key for field in due.fields}
    for field in shape.fields:
        cells = [cell for cell in board_cells(shape) if cell.field is field and _is_taken(shape, sheet, cell)]
        is_blank = not any(words(line.cells[cell.key]) for cell in cells)
        if field.layout == "given":
            facts[field.key] = _given(field, due, old)
        elif is_blank and _may_be_blank(field, asked, old):
            continue
        elif field.layout == "seats":
            facts |= _bidder(sheet, words(line.cells[cells[0].key]), cells[0], faults)
        elif not field.everybody:
            facts[field.key] = _answer(shape, cells[0], line, faults)
        elif field.layout == "count":
            facts[field.key] = _counts(shape, sheet, cells, line, facts, faults)
        else:
            # The columns are ordered by side, the answers by seat.
            cells.sort(key=lambda cell: cell.place)
            facts[field.key] = [_answer(shape, cell, line, faults) for cell in cells]
    # What is not known, and what could not be read, is left out.
    return {key: value for key, value in facts.items() if value is not None}, faults


def _may_be_blank(field: Field, asked: Set[str], old: Mapping[str, Any] | None) -> bool:
    """Whether a hand can do without an answer: it depends on another one, or it is not asked of this hand."""
    if field.when:
        return True
    is_on_sheet = old is not None and field.key in old
    return field.key not in asked and not is_on_sheet


def differing(cells: Sequence[BoardColumn], old: Mapping[str, Any], new: Facts, sides: int) -> list[Fault]:
    """Where the sheet differs from a board, by cell."""
    differing_facts = differences(old, new, sides)
    kinds = [difference for difference in differing_facts if difference[0] == "entry"]
    return [
        Fault(place_of(cells, key, index), f"the sheet says {_stood(key, value)} here.")
        for key, index, value in kinds or differing_facts
    ]


def with_line(
    sheet: GameSheet, scored: ScoredGame | None, hands: int, facts: Facts, cells: Sequence[BoardColumn], line: BoardLine
) -> tuple[ScoredGame | None, list[Fault]]:
    """The game with one more line, or the rules' objections to it.

    Without `scored` an earlier line was wrong, and the score is unknown: then only faults that do not depend on the
    score.
    """
    if scored is None:
        problems = _at_any_score(sheet, hands, facts)
    else:
        try:
            return scored.with_entry(facts), []
        except NotPossible as refusal:
            problems = refusal.problems
    faults = []
    for problem in problems:
        own = next((cell for cell in cells if _is_apart(cell, problem.field, facts, line)), None)
        text = f"{problem.text} Here each player’s own number counts." if own else problem.text
        faults.append(Fault(own.key if own else problem.field, text, problem.rule))
    return None, faults


def place_of(cells: Sequence[BoardColumn], field: str, index: int | None = None) -> str:
    """The column of a fault, by its own key or its field; the number of the line if there is none."""
    for cell in cells:
        if field == cell.key:
            return cell.key
        about = cell.field is not None and field in (cell.field.key, *cell.field.refused_as)
        if about and (index is None or not (cell.field and cell.field.everybody) or cell.place == index):
            return cell.key
    return "line"


def due_at(sheet: GameSheet, scored: ScoredGame | None, hands: int) -> NextHand:
    """The hand that a line is about: the next one, or as far as it is known from the hands before it."""
    game, rules = sheet.rules.game, sheet.rules.rules
    carry = game.begin(rules)._replace(hands=hands, deals=hands) if scored is None else scored.carry
    return game.next_hand(rules, carry)


def _is_taken(shape: Boards, sheet: GameSheet, cell: BoardColumn) -> bool:
    """Whether somebody sits there: a table of single players may be smaller than the board."""
    return cell.side is None or cell.side < len(sheet.sides)


def _given(field: Field, due: NextHand, old: Mapping[str, Any] | None) -> Any:
    if old is not None:
        return old.get(field.key)
    now = due.field(field.key)
    return int(now.offered()[0].value) if now else None


def _bidder(sheet: GameSheet, who: str, cell: BoardColumn, faults: list[Fault]) -> Facts:
    """The side that won the bid: paper does not always say which player did."""
    side = side_named(sheet, who) if who else None
    if not who:
        faults.append(Fault(cell.key, "Who won the bid? Write A or B."))
    elif side is None:
        faults.append(Fault(cell.key, f"“{who[:30]}” is not a side of this table: write A or B."))
    return {} if side is None else {"bidder": side}


def _answer(shape: Boards, cell: BoardColumn, line: BoardLine, faults: list[Fault]) -> Any:
    """A cell's value in the form of the game document."""
    field = cell.field
    if field is None:
        return None
    value = line.cells[cell.key]
    if became := as_typed(value):
        kind = "time" if ":" in became else "date"
        faults.append(Fault(cell.key, f"this is a {kind}: type {became} as text."))
        return 0 if READ.get(field.layout, whole_typed) is whole_typed else ""
    asks = (field.asks or field.label).replace(WHO, shape.letter(field, cell.place))
    read = READ.get(field.layout, whole_typed)
    if read is whole_typed:
        return whole_number(value, cell.key, asks, faults)
    text = said(plain(words(value)))[:30]
    answers = shape.rules.game.answers(shape.rules.rules, field.key) if read is str else ()
    if text and answers:
        text = typed_bid(text, answers)
    if not text:
        may_pass = any(answer.value == NO_BID for answer in answers)
        faults.append(Fault(cell.key, f"{asks} Write “Pass” for no bid." if may_pass else asks))
    return read(text)


def _counts(
    shape: Boards, sheet: GameSheet, cells: list[BoardColumn], line: BoardLine, facts: Facts, faults: list[Fault]
) -> list[int]:
    """The counts, for each player; or for each side if a side wrote one number for its players."""
    filled = [cell for cell in cells if words(line.cells[cell.key])]
    sides = len(sheet.sides)
    if not filled and _everybody_passed(facts):
        # Nobody wrote tricks down: the rules decide the result.
        return [0] * sides

    filled_by_side = [[cell for cell in filled if cell.side == side] for side in range(sides)]
    if len(filled) < len(cells) and all(filled_by_side):
        # Every side has a number, but not every player: a side's numbers are added up.
        return [sum(_answer(shape, cell, line, faults) for cell in own) for own in filled_by_side]

    # All players have a number, or a side has none. What is missing is a fault at its cell.
    cells.sort(key=lambda cell: cell.place)
    if any(len(own) > 1 for own in filled_by_side):
        asked = cells
    else:
        # Where sides write one number, a side without any is asked for it once, at its first player.
        sides_with_number = {cell.side for cell in filled}
        asked = [cell for cell in cells if cell.side in sides_with_number or cell.place < sides]
    return [_answer(shape, cell, line, faults) for cell in asked]


def _everybody_passed(facts: Facts) -> bool:
    """Whether every answer that each side or player gave so far is a pass."""
    answers = set()
    for value in facts.values():
        if isinstance(value, list):
            answers.update(value)
    return answers == {NO_BID}


def _is_apart(cell: BoardColumn, field: str, facts: Facts, line: BoardLine) -> bool:
    """Whether a refused number of a side should have been one of each player: the fault is at the empty cell."""
    if cell.field is None or cell.field.key != field or cell.field.of != "seat" or cell.field.layout != "count":
        return False
    return not words(line.cells[cell.key])


def _at_any_score(sheet: GameSheet, hands: int, facts: Facts) -> tuple[Any, ...]:
    """The faults of a line that do not depend on the score."""
    game, rules = sheet.rules.game, sheet.rules.rules
    begin = game.begin(rules)._replace(hands=hands, deals=hands)
    entry, problems = read_entry(game, facts)
    if problems:
        return problems
    problems_by_side = [
        game.problems(rules, begin._replace(scores=begin.scores.put(side, BEHIND)), entry)
        for side in range(len(sheet.sides))
    ]
    return tuple(problem for problem in problems_by_side[0] if all(problem in other for other in problems_by_side[1:]))


def _stood(key: str, value: Any) -> str:
    """The content of the sheet, in words."""
    if key == "entry":
        return "a void hand" if value == "void" else "a hand"
    if key == "bidder" and isinstance(value, int):
        return LETTERS[value]
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "nothing" if value is None else bid_words(value) if isinstance(value, str) else str(value)


@dataclass(slots=True)
class ReadBoard:
    """One game as it was read: its lines in the form of the game document; `stands` of them are on the sheet already.

    `says` is the score that the board shows for each side, if it shows one; `scores` is the score by the rules, if
    nothing is wrong with it.
    """

    title: str
    game: int
    where: str
    sides: tuple[str, ...]
    entries: list[dict[str, Any]] = dataclass_field(default_factory=list)
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

    boards: list[ReadBoard] = dataclass_field(default_factory=list)
    faults: list[Fault] = dataclass_field(default_factory=list)
    remarks: list[Fault] = dataclass_field(default_factory=list)

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
    """The side by its letter; else by its team's name, its number, or a player's name, if only one side has it."""
    wanted = plain(who).casefold()
    if len(wanted) == 1 and (letter := LETTERS.casefold().find(wanted)) in range(len(sheet.sides)):
        return letter
    named = [
        side.index
        for side in sheet.sides
        if wanted in {name.casefold() for name in (side.name, str(side.number), *side.players)}
    ]
    return named[0] if len(named) == 1 else None


def points(value: Any) -> int | None:
    """A whole number of a computed cell; None if it shows none."""
    whole = isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()
    return int(value) if whole else None


def whole_number(value: Any, key: str, question: str, faults: list[Fault]) -> int:
    """A whole number; otherwise zero, and the fault is recorded at its column."""
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
