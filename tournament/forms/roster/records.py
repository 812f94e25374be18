"""What was read from a list, with or without columns, and what was chosen in its preview."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tournament.errors import Fault
from tournament.forms.roster.marks import NOBODY, PARTLY, answer_of, is_mark, never_of, without_payment, without_remarks
from tournament.forms.roster.names import people_in
from tournament.forms.roster.people import BEHIND_LAST
from tournament.forms.roster.readings import Choice
from tournament.queries.roster import RosterRow


class Unread(ValueError):
    """A line or list cannot be read; the text is the reason."""


# What columns hold, and the role of one while nothing shows what it is.
UNKNOWN = "unknown"
# How many cells are enough to tell what a column is.
ENOUGH = 500
COMES = re.compile(
    r"\b(?:coming|attend(?:ing|ance)?|playing|rsvp|confirmed|show(?:ing)? up|in or out)\b", re.IGNORECASE
)
STATUS = re.compile(r"status|notes?\b|comment|remark|registration|attendance|confirmed|coming|rsvp", re.IGNORECASE)

LOOKS: dict[str, Callable[[str], bool]] = {
    "number": str.isdecimal,
    "mark": is_mark,
    "answer": lambda cell: answer_of(cell) is not None or bool(PARTLY.match(cell)),
    "never": lambda cell: bool(never_of(cell)),
    "several": lambda cell: len(people_in(cell)) > 1,
    "people": lambda cell: len(people_in(cell)) > 1 or 1 < len(cell.split()) < 5,
}


def are_all(kind: str, cells: Sequence[str]) -> bool:
    """Whether at least four of five cells are of a kind."""
    return bool(cells) and sum(map(LOOKS[kind], cells)) * 5 >= len(cells) * 4


@dataclass(slots=True)
class Column:
    """A column: its heading, its cells, its role, what a comma means in it; `filled` are its first names and texts."""

    heading: str
    cells: list[str]
    role: str = UNKNOWN
    comma: str = BEHIND_LAST
    is_turned: bool = False
    is_unknown: bool = False
    filled: list[str] = field(init=False)

    def __post_init__(self) -> None:
        bare = [without_payment(without_remarks(cell)[0])[0] for cell in self.cells[:ENOUGH]]
        self.filled = [cell for cell in bare if cell and not NOBODY.fullmatch(cell)]

    @property
    def tells_who_plays(self) -> bool:
        """Whether the column may say, as a status or note, that a team is out."""
        return not self.role and bool(STATUS.search(self.heading))

    @property
    def asks_who_comes(self) -> bool:
        """Whether the column answers, with yes or no, whether people play."""
        return not self.role and bool(COMES.search(self.heading))

    @property
    def tells_status(self) -> bool:
        """Whether this column says of each team whether it plays."""
        return not self.role and bool(re.search(r"\bstatus\b", self.heading, re.IGNORECASE) or self.asks_who_comes)

    @property
    def samples(self) -> list[str]:
        return list(dict.fromkeys(cell for cell in self.cells if cell))[:3]

    def is_all(self, kind: str) -> bool:
        return are_all(kind, self.filled)

    def is_mostly(self, kind: str) -> bool:
        return sum(map(LOOKS[kind], self.filled)) * 2 > len(self.filled)


class Wishes(NamedTuple):
    """What was chosen in the preview: a role for each of the columns with these headings, and why rows are set aside.

    A row that is set aside without a reason is included. `rows` are named by their text, `pressed` by their number.
    """

    columns: str = ""
    roles: tuple[str, ...] = ()
    rows: Mapping[str, str] = {}
    pressed: Mapping[int, str] = {}
    reading: str = ""

    def of(self, record: Record) -> str | None:
        """Why a row is set aside; None if nothing was chosen for it."""
        return self.pressed.get(record.number, self.rows.get(record.text))


NO_WISHES = Wishes()


class Record(NamedTuple):
    """A row of cells. `lines` are its lines in the text, mostly one."""

    number: int
    cells: list[str]
    lines: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The row as one line, by which a choice finds its row again."""
        return " ".join(" · ".join(cell for cell in self.cells if cell).split())


class Aside(NamedTuple):
    """A row that is not read as a team, and why."""

    number: int
    text: str
    why: str


@dataclass(slots=True)
class Roster:
    """What was read: every line that is not empty is in a row, set aside, or has a fault.

    `questions` are guesses about the whole list; rows have their own. `more` are the lines that joined a team, by the
    team's row; `columns` are those of a table, `records` all rows as written. `choice` are the readings that fit.
    `is_whole` says that all lines were read the same way, `statuses` why a status sets rows aside, and `left_out`
    what the list holds that is not used.
    """

    wanted: int = 2
    wishes: Wishes = NO_WISHES
    is_talk: bool = False
    rows: list[RosterRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    aside: list[Aside] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    records: dict[int, Record] = field(default_factory=dict)
    more: dict[int, list[int]] = field(default_factory=dict)
    choice: Choice | None = None
    is_whole: bool = False
    left_out: list[str] = field(default_factory=list)
    statuses: set[str] = field(default_factory=set)

    def set_aside(self, record: Record, why: str) -> None:
        self.records[record.number] = record
        self.aside.append(Aside(record.number, record.text, why))

    def without_remarks(self, row: int, text: str) -> str:
        """Remove the remarks in brackets and remember them, so that what is left out is named."""
        rest, remarks = without_remarks(text)
        self.left_out += [f"“{remark}” (row {row})" for remark in remarks]
        return rest

    @property
    def players(self) -> int:
        """How many players are named; if everybody plays alone, the team is one."""
        return sum(len(row.players) for row in self.rows)

    @property
    def lines(self) -> int:
        return len(self.rows) + sum(map(len, self.more.values()))

    @property
    def shown(self) -> frozenset[str]:
        """What any row tells besides its name and players; a club is shown in the city column."""
        columns = {"city": "city", "club": "city", "paid": "paid", "in_pot": "in_pot"}
        return frozenset(columns[key] for key in columns if any(getattr(row, key) for row in self.rows))

    @property
    def guesses(self) -> list[str]:
        """The questions to ask before anything is stored; a question about many rows is asked once."""
        rows: dict[str, list[int]] = {}
        for row in self.rows:
            if row.guessed:
                rows.setdefault(row.guessed, []).append(row.row)
        asked = []
        for text, numbers in rows.items():
            if len(numbers) > 3:
                asked.append(f"Rows {numbers[0]} to {numbers[-1]}, {len(numbers)} of them: {text}")
            else:
                asked += [f"Row {number}: {text}" for number in numbers]
        return self.questions + asked


@dataclass(slots=True)
class ReadLine:
    """A line of the list as it was read: a team with its faulty columns, a line that is set aside, or only a fault.

    `cells` are the cells that can be edited, each with its place and the role of its column.
    """

    number: int
    text: str = ""
    team: RosterRow | None = None
    why: str = ""
    wrong: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    cells: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def is_doubtful(self) -> bool:
        return bool(self.faults or (self.team and self.team.guessed))
