"""Where a printed score sheet is written on: one list of cells for whoever prints it, and for whoever may read it.

Places are points from the upper left corner of a frame that stands in the middle of the paper, y downwards. They follow
from the fields, columns and counters of the rule sheet alone: no name moves them. Whoever moves a cell raises VERSION.
Free for marks that a camera needs stay 36 points in each corner, and 12 on every side of the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from scoring.game import Seating
from scoring.hand import BOSTONS, SETS, Field
from scoring.registry import find_game
from tournament.queries.rules import Ruleset

VERSION = 2
WIDTH, HEIGHT = 540.0, 736.0
ROWS, ROW = 14, 34.5
LEFT, RIGHT, HEADS, TABLE = 12.0, 528.0, 134.0, 156.0
CORNER, QR, QR_LEFT = 36.0, 62.0, 436.0
LETTERS = "ABCDEF"
# The number of the hand; a box for a figure; a circle, and from one to the next.
NUMBER, BOX, TALL, ROUND, FLAT, PITCH, LEAD = 22.0, 17.0, 25.0, 14.0, 11.0, 17.5, 15.5
UPPER = (ROW - FLAT - LEAD) / 2
GAP, BEFORE, BETWEEN, SIGN, FIGURES, NOTES = 4.0, 8.0, 6.0, 12.0, 3, 40.0
# What is left of a row keeps the parts of it further apart, but no more than this.
APART = 12.0
VOID = {"void": "void", "ruling": "ruling"}
OUTCOME = {"made": "made", "set": "set"}
# Below the table: its rows of boxes, and how high they are.
BELOW, BOXED, FOOT = (653.0, 677.0, 702.0), 21.0, 728.0


class SheetCell(NamedTuple):
    """A circle with its words or an empty box, of a group that is written together, as “bid-2” or “score-0”.

    `value` is the answer that is circled, or which figure of a number a box holds (“1”, “10”, “100”, “sign”); “number”
    is a whole number. `y` counts from the top of its row, and below the table from the top of the frame.
    """

    group: str
    value: str
    x: float
    y: float
    width: float
    height: float
    words: str = ""

    @property
    def is_circle(self) -> bool:
        """Whether an answer is circled here."""
        return bool(self.words)


class SheetColumn(NamedTuple):
    """What a group of cells takes of the width of a row; `head` stands over it, `who` whose it is below."""

    group: str
    head: str
    who: str
    x: float
    width: float
    side: int | None = None


class Layout(NamedTuple):
    """The cells of one row, its columns, and the cells below the table. `short` says what short words stand for."""

    row: tuple[SheetCell, ...]
    columns: tuple[SheetColumn, ...]
    below: tuple[SheetCell, ...]
    short: dict[str, str]
    circles: bool

    def placed(self) -> Iterator[tuple[int, SheetCell]]:
        """Every cell of a page where it stands in the frame, with the number of its row; 0 below the table."""
        for row in range(ROWS):
            for cell in self.row:
                yield row + 1, cell._replace(y=TABLE + row * ROW + cell.y)
        yield from ((0, cell) for cell in self.below)

    def column(self, group: str) -> SheetColumn | None:
        """The column of a group; None where the sheet has none."""
        return next((column for column in self.columns if column.group == group), None)

    def span(self, groups: Sequence[str]) -> tuple[float, float]:
        """From where to where the columns of some groups reach."""
        found = [column for column in self.columns if column.group in groups]
        return min(one.x for one in found), max(one.x + one.width for one in found)


class _Fit(NamedTuple):
    """What a row has room for: notes, a box for each figure of a bid and of the score, circles for words."""

    notes: bool = True
    bids: bool = True
    scores: bool = True
    words: bool = True
    other: bool = True
    wide: bool = True


FITS = (
    _Fit(),
    _Fit(notes=False),
    _Fit(bids=False),
    _Fit(notes=False, bids=False),
    _Fit(notes=False, bids=False, scores=False),
    _Fit(notes=False, bids=False, scores=False, other=False),
    _Fit(notes=False, bids=False, scores=False, words=False),
    _Fit(notes=False, bids=False, scores=False, words=False, wide=False),
)


def sheet_layout(rules: Ruleset, *, simple: bool = False) -> Layout:
    """The layout of a rule sheet's paper; a `simple` one asks for bids and scores alone."""
    return _layout(rules.game.key, rules.rules, simple)


@lru_cache(maxsize=128)
def _layout(key: str, rules: Any, simple: bool) -> Layout:
    game = find_game(key)
    fields = [field for field in game.columns(rules) if field.needed and not (simple and field.layout == "count")]
    everybody = any(field.everybody for field in fields)
    answers = {field.key: game.answers(rules, field.key) for field in fields}
    words = [] if not everybody else _words([one.words for one in answers.get("bids", ())])
    counters = game.counters(rules)
    counted = [one for one in counters if one not in (SETS, BOSTONS) and not simple]

    def laid(fit: _Fit, apart: float = 0.0) -> _Row:
        row = _Row(game.seating(rules), answers, words, fit, apart)
        if everybody:
            row.everybody(fields, counted)
        else:
            row.one_side(fields, simple=simple)
        return row

    tries = ((fit, laid(fit)) for fit in FITS)
    fit, row = next((one for one in tries if one[1].spare >= 0), (FITS[-1], laid(FITS[-1])))
    row = laid(fit, max(0.0, min(row.spare / max(row.parts, 1), APART)))
    row.notes()
    short = {mark: word for word, mark in _marks(words, initials=not fit.words).items() if mark != word}
    sides = row.sides
    return Layout(tuple(row.cells), tuple(row.columns), _below(sides, BOSTONS in counters), short, not everybody)


class _Row:
    """A row that grows to the right."""

    def __init__(self, seating: Seating, answers: dict[str, Any], words: list[str], fit: _Fit, apart: float) -> None:
        self.seats, self.sides, self.answers = seating.seats, seating.sides, answers
        self.words, self.fit = _marks(words, initials=not fit.words), fit
        self.cells: list[SheetCell] = []
        self.columns: list[SheetColumn] = []
        self.x, self.apart, self.parts = LEFT + NUMBER, apart, 0

    @property
    def spare(self) -> float:
        """What is left of the width."""
        return RIGHT - (NOTES if self.fit.notes else 0) - self.x

    def part(self) -> None:
        """End a part of the row: what follows stands apart."""
        self.x += self.apart
        self.parts += 1

    def one_side(self, fields: list[Field], *, simple: bool) -> None:
        """Lay out a game in which one side bids: circles for what it bid and took, then the running score."""
        for field in fields:
            if field.layout == "seats":
                sides = {str(side): LETTERS[side] for side in range(self.sides)}
                self.circles("side", field.heading, sides, per_line=1)
            elif field.layout == "grid":
                self.grid(field)
                # A bid is not to be taken for books; what is left is for reasons and notes.
                self.part()
            elif field.layout == "count":
                values = {one.value: one.short for one in field.offered()}
                self.circles(field.key, f"{field.heading} of the bidders", values, per_line=-(-len(values) // 2))
            else:
                self.circles(field.key, field.heading, {one.value: one.short for one in field.offered()}, per_line=2)
        if not simple:
            self.circles("result", "", OUTCOME, per_line=1)
        for side in range(self.sides):
            self.score(side, figures=2)
        self.circles("other", "Other", VOID, per_line=1)

    def everybody(self, fields: list[Field], counted: list[Any]) -> None:
        """Lay out a game in which everybody bids: boxes for figures and circles for words, side by side."""
        own = [field for field in fields if field.everybody]
        for side in range(self.sides):
            for field in own:
                places = self.seats if field.of == "seat" else self.sides
                for place in range(side, places, self.sides):
                    self.answer(field, place, side, alone=places == self.sides)
            self.score(side, figures=FIGURES)
            for counter in counted:
                # Far enough from the score to be no figure of it.
                self.x += BEFORE
                self.boxes(f"{counter.key}-{side}", counter.key.capitalize(), LETTERS[side], ["1"], side)
            self.x += BETWEEN if self.fit.other and self.fit.wide else 0
            self.part()
        for field in fields:
            if field.layout == "yes-no":
                values = {one.value: one.short for one in field.offered()}
                self.circles(field.key, field.heading, values, per_line=1)
        if self.fit.other:
            self.circles("other", "Other", VOID, per_line=1)

    def answer(self, field: Field, place: int, side: int, *, alone: bool) -> None:
        """Make room for the answer of a side or a seat."""
        group = f"{field.name or field.key}-{place}"
        who = LETTERS[side] if alone else f"{LETTERS[side]}{place // self.sides + 1}"
        values = [one.value for one in self.answers[field.key]]
        most = max((len(value) for value in values if value.isdigit()), default=FIGURES)
        whole = not self.fit.bids and field.of == "seat"
        spoken = field.layout == "row"
        start = len(self.columns)
        if spoken and not self.fit.words:
            self.boxes(group, field.heading, who, ["number"], side, width=(2 if self.fit.wide else 1.6) * BOX)
        else:
            figures = ["number"] if whole else [str(10**power) for power in reversed(range(most))]
            self.boxes(group, field.heading, who, figures, side)
        if spoken and self.fit.words and self.words:
            self.x -= GAP / 2
            self.circles(group, "", self.words, per_line=-(-len(self.words) // 2), down=True)
            first, more = self.columns[start], self.columns.pop()
            self.columns[start] = first._replace(width=more.x + more.width - first.x)

    def grid(self, field: Field) -> None:
        """Numbers in the upper line, kinds in the lower one."""
        x, choices = self.x, field.offered()
        numbers: dict[int | str, str] = {}
        for one in choices:
            key = one.made_from or one.value
            numbers[key] = min(numbers.get(key, one.short), one.short, key=len)
        width = (len(numbers) - 1) * PITCH + ROUND
        kinds = [row for row in field.rows if any(one.row == row.key for one in choices)]
        lines = 2 if len(kinds) > 1 else 1
        for at, words in enumerate(numbers.values()):
            y = UPPER if lines == 2 else (ROW - FLAT) / 2
            self.cells.append(SheetCell(f"{field.key}.number", words, x + at * PITCH, y, ROUND, FLAT, words))
        if lines == 2:
            width = max(width, len(kinds) * 34.0)
            each = (width + 3) / len(kinds)
            for at, row in enumerate(kinds):
                place = (x + at * each, UPPER + LEAD, each - 3, FLAT)
                self.cells.append(SheetCell(f"{field.key}.kind", row.key, *place, row.words))
        self.column(field.key, "Bid and kind" if lines == 2 else field.heading, width)

    def circles(self, group: str, head: str, values: dict[str, str], *, per_line: int, down: bool = False) -> None:
        """Answers to circle, in one line or two; each as wide as its words, a line as wide as the other."""
        items = list(values.items())
        lines = -(-len(items) // per_line)
        columns = [items[at::per_line] for at in range(per_line)]
        if down:
            columns = [items[at : at + 2] for at in range(0, len(items), 2)]
            lines = max(len(column) for column in columns)
        x = self.x
        for column in columns:
            width = max(ROUND, *(_wide(words) for _, words in column))
            for line, (value, words) in enumerate(column):
                y = UPPER + line * LEAD if lines > 1 else (ROW - FLAT) / 2
                self.cells.append(SheetCell(group, value, x, y, width, FLAT, words))
            x += max(width + 3.5, PITCH)
        self.column(group, head, x - 3.5 - self.x)

    def boxes(self, group: str, head: str, who: str, figures: list[str], side: int, width: float = BOX) -> None:
        """A box for each figure of a number, side by side."""
        for at, value in enumerate(figures):
            self.cells.append(SheetCell(group, value, self.x + at * width, (ROW - TALL) / 2, width, TALL))
        self.column(group, head, len(figures) * width, who, side)

    def score(self, side: int, *, figures: int) -> None:
        """The running score: its sign and its figures, or the whole number where boxes for each have no room."""
        group, y, x = f"score-{side}", (ROW - TALL) / 2, self.x
        if not self.fit.scores:
            width = (2.3 if self.fit.wide else 2) * BOX
            self.cells.append(SheetCell(group, "number", x, y, width, TALL))
            return self.column(group, "Score", width, LETTERS[side], side)
        self.cells.append(SheetCell(group, "sign", x, y, SIGN, TALL))
        for at, power in enumerate(reversed(range(figures))):
            self.cells.append(SheetCell(group, str(10**power), x + SIGN + at * BOX, y, BOX, TALL))
        return self.column(group, "Score", SIGN + figures * BOX, LETTERS[side], side)

    def notes(self) -> None:
        """Leave what is left of the width for notes, where it is worth it."""
        if RIGHT - self.x >= NOTES:
            self.cells.append(SheetCell("notes", "words", self.x, 0, RIGHT - self.x, ROW))
            self.column("notes", "Notes", RIGHT - self.x)

    def column(self, group: str, head: str, width: float, who: str = "", side: int | None = None) -> None:
        """End a column and begin the next."""
        self.columns.append(SheetColumn(group, head, who, self.x, width, side))
        self.x += width + GAP


def _below(sides: int, bostons: bool) -> tuple[SheetCell, ...]:
    """The boxes under the table: what a table without a tablet must write down of the whole game."""
    first, second, third = BELOW
    cells = _boxed(first, 0.0, WIDTH, [("first-dealer", 1.1), ("winner", 1.4), ("how", 1.7), ("remarks", 2.6)])
    keys = ["points", "sets", *(["bostons"] if bostons else [])]
    cells += _boxed(second, 0.0, WIDTH, [(f"{key}-{side}", 1.0) for key in keys for side in range(sides)])
    named = [(f"signed-{side}", 1.5 if sides == 2 else 1.0) for side in range(sides)]
    signed = _boxed(third, CORNER + 4, WIDTH - CORNER - 4, [*named, ("verified", 1.2), ("time", 1.0)])
    return tuple(cells + signed)


def _boxed(y: float, left: float, right: float, parts: list[tuple[str, float]]) -> list[SheetCell]:
    each = (right - left - 4 * (len(parts) - 1)) / sum(weight for _, weight in parts)
    cells, x = [], left
    for group, weight in parts:
        cells.append(SheetCell(group, "words", round(x, 2), y, round(each * weight, 2), BOXED))
        x += each * weight + 4
    return cells


def _words(said: list[str]) -> list[str]:
    """The words of which bids are made, each once: “Rainbow + 3” is “Rainbow” and a figure."""
    parts = [part.rstrip("0123456789 ").strip() for words in said for part in words.split(" + ")]
    return list(dict.fromkeys(part[:1].upper() + part[1:] for part in parts if part))


def _marks(words: list[str], *, initials: bool) -> dict[str, str]:
    """What stands for a word where room is short: itself, or its first letters where it is several words."""
    marks: dict[str, str] = {}
    for word in words:
        first = "".join(part[0].upper() for part in word.split())
        mark = first if initials or " " in word else word
        marks[word] = mark if mark not in marks.values() else word[:2]
    return marks


def _wide(words: str) -> float:
    """As wide as a circle around some words must be, whatever the typeface."""
    return 6.0 + 3.75 * len(words)
