"""The draw as a form: by lot or by number; and rounds seated by hand or from a list that a club has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError

from scoring.ledger import listed
from tournament.errors import Fault
from tournament.forms.fields import PlainForm, whole_number
from tournament.forms.roster.file import opened
from tournament.forms.uploads import Unreadable, UploadField, check_length
from tournament.models import Event
from tournament.queries.draws import DrawOverview, draw_plan
from tournament.queries.rules import ruleset_of
from tournament.services.draws import MOST_SEEDS, HandRound, new_seed
from tournament.words.texts import name_key

# This many faults of a list are shown one by one.
MOST_FAULTS = 20
EXAMPLE = "1: Aces – Books\n2: 9 – 4\n3: Night Owls – Eagles"
ROUND = re.compile(r"\W*(?:round|game|rd|r)\W*(\d{1,2})\W*$", re.IGNORECASE)
TABLE = re.compile(r"(?:table|tbl|t)\W*(\d{1,4})$", re.IGNORECASE)
BYE = re.compile(r"\W*(?:bye|byes|sits? out|no game)\b", re.IGNORECASE)
AT_TABLE = re.compile(r"\s*((?:table|tbl|t)\W*\d{1,4}|\d{1,4}\s*[.):])(?=\s|$|[^\d])\s*", re.IGNORECASE)
HEADING = re.compile(
    r"^(?:tables?|teams?|sides?|rounds?|no|north.*|south.*|east.*|west.*|pairs?|vs?)\W*\d?$", re.IGNORECASE
)
BETWEEN = re.compile(
    r"[\t;|,]|\s+[-–—]+\s+|(?<=\d)\s*[-–—]\s*(?=\d)|\s+(?:vs?\.?|against|plays)\s+|\s{2,}", re.IGNORECASE
)


class DrawForm(PlainForm):
    """Seats by lot (with a number, so that the draw can be repeated) or by team number."""

    LOT, NUMBER = "lot", "number"

    seats = forms.ChoiceField(
        label="First seats",
        choices=[(LOT, "drawn by lot"), (NUMBER, "by number")],
        required=False,
    )
    seed = forms.IntegerField(
        label="Repeat a draw by its number (leave empty for a new one)",
        min_value=0,
        max_value=999_999,
        required=False,
    )

    @property
    def chosen_seed(self) -> int:
        """The number that was typed, or a new one: what is shown is drawn."""
        typed = self.cleaned_data.get("seed")
        return new_seed() if typed is None else typed

    @property
    def by_number(self) -> bool:
        return self.cleaned_data.get("seats") == self.NUMBER


def read_seed(text: str) -> int:
    """The number of a draw that was shown and is sent back, or a new one."""
    shown = whole_number(text, 0, MOST_SEEDS - 1)
    return new_seed() if shown is None else shown


class HandDrawForm(PlainForm):
    """A list of tables, pasted or from a file; or one select for each seat and the number of each table.

    Teams at no table have a bye. `rounds` is what was typed or read, without empty tables: a list may have several
    rounds.
    """

    text = forms.CharField(
        label="The draw, a line for each table",
        required=False,
        strip=False,
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "wrap": "off", "placeholder": EXAMPLE}),
        help_text="Table, then who plays there, by number or name. Several games: “Game 2” on a line above its tables.",
    )
    file = UploadField(label="Or a CSV or Excel file", required=False, allow_empty_file=True)

    def __init__(self, event: Event, number: int, overview: DrawOverview, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        plan = draw_plan(event, before=number)
        rules = ruleset_of(event)
        # As many tables as the smallest ones would need; empty seats make smaller tables.
        self.number, self.sizes, self.sides = number, rules.table_sizes, rules.table_sizes[-1]
        self.count = max(len(plan.entrants) // rules.smallest_table, 1)
        self.teams = {entrant.number: entrant.label for entrant in plan.entrants}
        self.rounds: dict[int, HandRound] = {}
        self.fields["file"].widget.attrs["accept"] = ".csv,.txt,.tsv,.xlsx,text/csv,text/plain"
        drawn = next((round_ for round_ in overview.rounds if round_.number == number), None)
        seated = list(drawn.tables) if drawn else []
        choices = [("", "–")]
        choices += [(str(entrant.number), f"{entrant.number} {entrant.label}") for entrant in plan.entrants]
        for table in range(1, self.count + 1):
            there = seated[table - 1] if table <= len(seated) else None
            self.fields[f"n{table}"] = _number_field(table, there.table if there else table)
            for side in range(self.sides):
                team = there.teams[side] if there and side < len(there.teams) else ""
                self.fields[f"t{table}s{side}"] = _seat_field(table, side, choices, str(team))

    def clean(self) -> dict[str, Any]:
        """A list takes precedence over the selects; each fault is shown at its own field."""
        cleaned = self.cleaned_data
        if self.errors:
            return cleaned
        text = self._list()
        if text.strip():
            self._read(text)
        else:
            tables = self._seated()
            self._check_seats(tables)
            numbers = tuple(number for number, _ in tables)
            self.rounds = {self.number: HandRound(tuple(tuple(teams.values()) for _, teams in tables), numbers)}
        return cleaned

    def _list(self) -> str:
        """The list that was typed, or that is in the file: then it is shown in the field before it is drawn."""
        text, came = self.cleaned_data.get("text") or "", "text"
        file = opened(self.cleaned_data["file"]) if self.cleaned_data.get("file") else None
        if file is not None:
            text, came = file.text.replace("\x00", ""), "file"
        try:
            check_length(text)
        except Unreadable as refusal:
            raise ValidationError({came: str(refusal)}) from refusal
        if file is not None:
            # The next press sends it from there.
            self.data = {**self.data, "text": text}
            set_aside = [f"This row is {why} in the workbook: {row}" for row, why in file.aside.items()]
            for question in [*file.questions, *set_aside]:
                self.add_error("file", f"{question} Look at the list above, then draw.")
        return text

    def _read(self, text: str) -> None:
        read = read_draw(text, self.teams, self.sizes, self.number)
        for fault in read.faults[:MOST_FAULTS]:
            self.add_error("text", fault.text)
        if len(read.faults) > MOST_FAULTS:
            self.add_error("text", f"{len(read.faults) - MOST_FAULTS:,} more like these.")
        self.rounds = read.by_hand()

    def rows(self) -> list[tuple[int, Any, list[Any]]]:
        """The number of each table and its selects."""
        return [
            (table, self[f"n{table}"], [self[f"t{table}s{side}"] for side in range(self.sides)])
            for table in range(1, self.count + 1)
        ]

    def _seated(self) -> list[tuple[int, dict[str, int]]]:
        """The number of each table with anybody at it, and who sits there by the name of the seat's field."""
        cleaned = self.cleaned_data
        tables = []
        for table in range(1, self.count + 1):
            names = [f"t{table}s{side}" for side in range(self.sides)]
            if teams := {name: int(cleaned[name]) for name in names if cleaned.get(name)}:
                tables.append((cleaned.get(f"n{table}") or table, teams))
        return tables

    def _check_seats(self, tables: list[tuple[int, dict[str, int]]]) -> None:
        """A team at two places is marked at both, and the message names the teams without a place."""
        seats: dict[int, dict[str, int]] = {}
        for number, teams in tables:
            for name, team in teams.items():
                seats.setdefault(team, {})[name] = number
        nowhere = [name for number, name in self.teams.items() if number not in seats]
        rest = f" At no table: {listed(nowhere[:5])}." if nowhere else ""
        for team, names in seats.items():
            if len(names) < 2:
                continue
            numbers = list(dict.fromkeys(map(str, names.values())))
            where = f"table{'s' if len(numbers) > 1 else ''} {' and '.join(numbers)}"
            for name in names:
                self.add_error(name, f"Seated {len(names)} times: {self.teams[team]} ({where}).{rest}")


def _number_field(table: int, initial: int) -> forms.IntegerField:
    number_field = forms.IntegerField(min_value=1, max_value=9999, required=False, initial=initial)
    number_field.widget.attrs |= {"aria-label": f"Number of table {table}", "class": "input"}
    return number_field


def _seat_field(table: int, side: int, choices: list[tuple[str, str]], initial: str) -> forms.ChoiceField:
    label = f"Table {table}, side {side + 1}"
    seat_field = forms.ChoiceField(choices=choices, required=False, initial=initial, label=label)
    seat_field.widget.attrs["aria-label"] = label
    return seat_field


@dataclass(slots=True)
class DrawList:
    """What was read: by round the tables with their numbers, 0 if a line names none; and what cannot be read."""

    rounds: dict[int, list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def by_hand(self) -> dict[int, HandRound]:
        """The rounds as they are drawn."""
        return {
            number: HandRound(tuple(teams for _, teams in lines), tuple(table for table, _ in lines))
            for number, lines in self.rounds.items()
        }


class TableLine(NamedTuple):
    """A line that names the teams of a table. `table` is 0 if it does not say which."""

    row: int
    round: int
    table: int
    names: list[str]


def read_draw(text: str, teams: Mapping[int, str], sides: Sequence[int], number: int) -> DrawList:
    """Read a list of tables with as many teams as `sides` allows, for round `number` until a line names another."""
    read = DrawList()
    numbers_by_name = {name_key(name): team for team, name in teams.items()}
    # In which row a team was seated, by round and team.
    rows: dict[tuple[int, int], int] = {}
    for line in _table_lines(text, teams, max(sides), number):
        if len(line.names) not in sides:
            read.faults.append(_wrong_count(line, sides))
            continue
        seated = [_team_called(name, teams, numbers_by_name) for name in line.names]
        for seat, (name, team) in enumerate(zip(line.names, seated, strict=True), start=1):
            if team is None:
                read.faults.append(_fault(line.row, seat, f"nobody called “{name}” is entered"))
        for seat, team in enumerate(seated, start=1):
            if team is None:
                continue
            first_row = rows.setdefault((line.round, team), line.row)
            if first_row != line.row:
                read.faults.append(_fault(line.row, seat, f"already in row {first_row}: {teams[team]}"))
        known = tuple(team for team in seated if team is not None)
        read.rounds.setdefault(line.round, []).append((line.table, known))
    if not read.rounds and not read.faults:
        read.faults.append(Fault("list", "No table was found in this list."))
    return read


def _table_lines(text: str, teams: Mapping[int, str], most: int, number: int) -> Iterator[TableLine]:
    """The lines that seat somebody, each with its round: headings and byes are skipped."""
    names = set(map(name_key, teams.values()))
    for row, line in _lines(text):
        heading = ROUND.match(line)
        if heading:
            number = int(heading[1])
            continue
        cells, table = _cells(line, teams)
        # “Table, Team, Team” is a heading for the lines below it.
        is_heading = any(map(HEADING.match, cells)) and not any(name_key(cell) in names for cell in cells)
        if not cells or BYE.match(line) or is_heading:
            continue
        if len(cells) == most + 2 and cells[0].isdecimal() and cells[1].isdecimal():
            # Round and table come before the teams; the lines below are of this round, too.
            number, cells = int(cells[0]), cells[1:]
        if not table and len(cells) == most + 1:
            match = TABLE.match(cells[0]) or re.match(r"(\d+)$", cells[0])
            if match:
                table, cells = int(match[1]), cells[1:]
        yield TableLine(row, number, table, cells)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")), start=1):
        if any(character.isalnum() for character in line):
            yield row, line.strip(" \u00a0•*\"'")


def _cells(line: str, teams: Mapping[int, str]) -> tuple[list[str], int]:
    """The cells of a line, and the table's number if it comes before them."""
    table = 0
    match = AT_TABLE.match(line)
    if match and line[match.end() :].strip():
        table = int(re.sub(r"\D", "", match[1]))
        line = line[match.end() :].lstrip(",;|\t:–- ")
    cells = [cell.strip(" \"'.:()") for cell in BETWEEN.split(line)]
    cells = [cell for cell in cells if cell]
    if len(cells) == 1 and re.fullmatch(r"[\d ]+", cells[0]):
        cells = cells[0].split()
    # “9 Aces”: the number before the name says the same twice.
    return [_one(cell, teams) for cell in cells], table


def _one(cell: str, teams: Mapping[int, str]) -> str:
    twice = re.match(r"#?(\d+)\W+(.+)", cell)
    if twice and name_key(teams.get(int(twice[1]), "")) == name_key(twice[2]):
        return twice[1]
    return cell


def _team_called(text: str, teams: Mapping[int, str], numbers_by_name: Mapping[str, int]) -> int | None:
    """The number of the team that a cell names, by its name or its number."""
    number = numbers_by_name.get(name_key(text))
    if number is not None:
        return number
    match = re.fullmatch(r"(?:team|no\.?|#)?\s*(\d{1,4})", text, re.IGNORECASE)
    if match and int(match[1]) in teams:
        return int(match[1])
    return None


def _wrong_count(line: TableLine, sides: Sequence[int]) -> Fault:
    count = len(line.names)
    wanted = " or ".join(str(size) for size in sorted(set(sides)))
    return _fault(line.row, 0, f"{count} name{'' if count == 1 else 's'} here, and {wanted} play at a table")


def _fault(row: int, seat: int, text: str) -> Fault:
    return Fault("list", f"Row {row}{f', name {seat}' if seat else ''}: {text}.")
