"""A draw that the club already has, pasted or from a file: a line a table, “3: Aces – Books”, “3 9 4”, “Round 2”.

Teams stand by number or by name. What cannot be read is said with its row and its field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tournament.refusals import Fault
from tournament.services.draws import HandRound
from tournament.texts import name_key

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


@dataclass(slots=True)
class DrawList:
    """What was read: by round the tables with their numbers, 0 where a line names none; and what cannot be read."""

    rounds: dict[int, list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def by_hand(self) -> dict[int, HandRound]:
        """The rounds as they are drawn: tables without a number take the free ones, from 1 on."""
        made = {}
        for number, lines in self.rounds.items():
            used = {table for table, _ in lines}
            free = (one for one in range(1, 10_000) if one not in used)
            made[number] = HandRound(tuple(teams for _, teams in lines), tuple(one or next(free) for one, _ in lines))
        return made


def read_draw(text: str, teams: Mapping[int, str], sides: Sequence[int], number: int) -> DrawList:
    """Read a list of tables of as many teams as `sides` allows, for round `number` until a line names another."""
    found, known = DrawList(), {name_key(name): one for one, name in teams.items()}
    seats: dict[tuple[int, int], int] = {}
    for row, line in _lines(text):
        if heading := ROUND.match(line):
            number = int(heading[1])
            continue
        cells, table = _cells(line, teams, max(sides))
        if not cells or BYE.match(line) or _is_heading(cells, known):
            continue
        if len(cells) == max(sides) + 2 and all(cell.isdecimal() for cell in cells[:2]):
            number, cells = int(cells[0]), cells[1:]
        if (
            not table
            and len(cells) == max(sides) + 1
            and (at := TABLE.match(cells[0]) or re.match(r"(\d+)$", cells[0]))
        ):
            table, cells = int(at[1]), cells[1:]
        if len(cells) not in sides:
            wanted = " or ".join(str(size) for size in sorted(set(sides)))
            found.faults.append(
                _fault(row, 0, f"{len(cells)} name{'' if len(cells) == 1 else 's'} here, and {wanted} play at a table")
            )
            continue
        seated = [_team(found, row, place, cell, teams, known) for place, cell in enumerate(cells, start=1)]
        for place, team in enumerate(seated, start=1):
            if team and (before := seats.setdefault((number, team), row)) != row:
                found.faults.append(_fault(row, place, f"already in row {before}: {teams[team]}"))
        found.rounds.setdefault(number, []).append((table, tuple(one for one in seated if one)))
    if not found.rounds and not found.faults:
        found.faults.append(Fault("list", "No table was found in this list."))
    return found


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for row, line in enumerate(re.split(r"\r\n|\r|\n", text.lstrip("\ufeff")), start=1):
        if any(sign.isalnum() for sign in line):
            yield row, line.strip(" \u00a0•*\"'")


def _cells(line: str, teams: Mapping[int, str], sides: int) -> tuple[list[str], int]:
    """The cells of a line, and the table's number where it stands before them."""
    table = 0
    if (at := AT_TABLE.match(line)) and line[at.end() :].strip():
        table, line = int(re.sub(r"\D", "", at[1])), line[at.end() :].lstrip(",;|\t:–- ")
    cells = [cell.strip(" \"'.:()") for cell in BETWEEN.split(line)]
    cells = [cell for cell in cells if cell]
    if len(cells) == 1 and re.fullmatch(r"[\d ]+", cells[0]):
        cells = cells[0].split()
    # “9 Aces”: a number before its name says the same twice.
    return [_one(cell, teams) for cell in cells], table


def _is_heading(cells: Sequence[str], known: Mapping[str, int]) -> bool:
    """Whether a line says what stands below it: “Table, Team, Team”."""
    return any(HEADING.match(cell) for cell in cells) and not any(name_key(cell) in known for cell in cells)


def _one(cell: str, teams: Mapping[int, str]) -> str:
    twice = re.match(r"#?(\d+)\W+(.+)", cell)
    if twice and name_key(teams.get(int(twice[1]), "")) == name_key(twice[2]):
        return twice[1]
    return cell


def _team(found: DrawList, row: int, place: int, cell: str, teams: Mapping[int, str], known: Mapping[str, int]) -> int:
    number = known.get(name_key(cell))
    if number is None and (said := re.fullmatch(r"(?:team|no\.?|#)?\s*(\d{1,4})", cell, re.IGNORECASE)):
        number = int(said[1]) if int(said[1]) in teams else None
    if number is None:
        found.faults.append(_fault(row, place, f"nobody called “{cell}” is entered"))
    return number or 0


def _fault(row: int, place: int, text: str) -> Fault:
    return Fault("list", f"Row {row}{f', name {place}' if place else ''}: {text}.")
