"""What a cell of a list means (a heading in other words, a number, yes or no), and lists that have headings."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tournament.forms.freehand import people_in
from tournament.queries.roster import COLUMNS, RosterRow, fault_at
from tournament.refusals import Fault
from tournament.texts import name_key

# Headings as secretaries write them, without case, points and hyphens; a spreadsheet may be German.
HEADINGS = {
    "number": "no|nr|num|number|team no|team nr|team number|team num|#|team #|id|seed|table|nummer|startnummer",
    "name": "team|team name|name|teams|partnership|pair|side|squad|name of team|mannschaft|paar|teamname",
    "player1": "player 1|player1|p1|first player|1st player|partner 1|player one|player a|captain|player|member 1"
    "|spieler 1",
    "player2": "player 2|player2|p2|second player|2nd player|partner 2|player two|player b|partner|member 2|spieler 2",
    "player3": "player 3|player3|p3|third player|3rd player|member 3|substitute|sub|reserve|alternate|spieler 3|ersatz",
    "player4": "player 4|player4|p4|fourth player|4th player|member 4|spieler 4",
    "players": "players|partners|members|names|player names|spieler|namen",
    "city": "city|town|home|hometown|home town|from|place|location|ort|stadt|wohnort",
    "club": "club|organisation|organization|lodge|chapter|league|verein",
    "paid": "paid|fee|fees|entry fee|fee paid|entry paid|payment|has paid|paid?|bezahlt|startgeld",
    "in_pot": "boston pot|pot|boston|in pot|in the pot|boston pot opt in|pot opt in|optin|pot?|boston pot?",
}
FIELDS = {heading: key for key, headings in HEADINGS.items() for heading in headings.split("|")}
PLAYERS = ("player1", "player2", "player3", "player4")
YES = {"yes", "y", "x", "1", "true", "paid", "in", "ok", "✓", "✔", "☑", "√", "on", "full"}
NO = {"", "no", "n", "0", "false", "owed", "owes", "out", "-", "–", "—", "unpaid", "off", "☐"}
# A spreadsheet's guard before a text that it would run: reports/files.py writes it.
GUARD = re.compile(r"'(?=[=+\-@＝＋－＠])")
DELIMITERS = ",;\t|"


@dataclass(slots=True)
class Roster:
    """What was read: every line that is not empty is a row, a heading (line and text) or a fault."""

    rows: list[RosterRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)

    @property
    def players(self) -> int:
        """How many players are named; where everybody plays alone, the team is one."""
        return sum(len(row.players) for row in self.rows)

    @property
    def told(self) -> frozenset[str]:
        """What any row tells beside its name and its players; a club stands in the column of the city."""
        told = {"city": "city", "club": "city", "paid": "paid", "in_pot": "in_pot"}
        return frozenset(told[key] for key in told if any(getattr(row, key) for row in self.rows))

    @property
    def guessed(self) -> int:
        return sum(bool(row.guessed) for row in self.rows)


def unguarded(text: str) -> str:
    """The text of a cell without the guard of a spreadsheet, on one line."""
    return GUARD.sub("", " ".join(text.split()), count=1)


def is_heading(cell: str) -> bool:
    return plain(cell) in FIELDS


def plain(heading: str) -> str:
    """A heading without case, points and hyphens."""
    return " ".join(re.sub(r"[._\-:()]+", " ", name_key(heading)).split())


def number_of(row: RosterRow, text: str, roster: Roster) -> int | None:
    text = text.rstrip(".").strip().removesuffix(".0")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        roster.faults.append(fault_at(row, "number", f"“{text}” is not a number."))
        return None
    return int(text)


def yes_of(row: RosterRow, key: str, text: str, roster: Roster) -> bool:
    if _is_yes(text):
        return True
    if not _is_no(text):
        roster.faults.append(fault_at(row, key, f"“{text}” is not yes or no."))
    return False


def _is_yes(text: str) -> bool:
    word = text.casefold().strip().rstrip(".")
    return word in YES or bool(re.fullmatch(r"[$€£]?\s*[1-9]\d*(?:[.,]\d{1,2})?", word, re.ASCII))


def _is_no(text: str) -> bool:
    word = text.casefold().strip().rstrip(".")
    return word in NO or bool(re.fullmatch(r"[$€£]?\s*0+(?:[.,]0{1,2})?", word, re.ASCII))


def is_mark(text: str) -> bool:
    """Whether a piece says yes or no, or a sum, and is no town."""
    return bool(text) and (_is_yes(text) or _is_no(text))


def delimiter_of(lines: Sequence[str]) -> str | None:
    """The sign between the columns, if one of the first lines holds headings."""
    found = ((_headings(line.split(sign)), sign) for line in lines for sign in DELIMITERS)
    best = max(found, default=(0, ""))
    return best[1] if best[0] else None


def _headings(cells: Sequence[str]) -> int:
    """How many headings a line of cells holds; zero where it is no line of headings."""
    filled = [cell for cell in cells if cell.strip()]
    known = sum(is_heading(cell) for cell in filled)
    return known if known > 1 and known * 2 >= len(filled) else 0


def read_table(text: str, delimiter: str, roster: Roster, wanted: int) -> None:
    records = list(_records(text, delimiter, roster))
    at = next((place for place, (_, cells) in enumerate(records) if _headings(cells)), len(records))
    roster.headings += [(number, _line(cells)) for number, cells in records[:at]]
    if roster.faults or at == len(records):
        return
    number, heading = records[at]
    roster.headings.append((number, _line(heading)))
    columns = _columns(number, heading, roster, wanted)
    if roster.faults:
        return
    if not records[at + 1 :]:
        roster.faults.append(Fault("text", "There are no names below the headings."))
    for number, cells in records[at + 1 :]:
        # A list of several pages has its headings on each of them.
        if [plain(cell) for cell in cells] == [plain(cell) for cell in heading]:
            roster.headings.append((number, _line(cells)))
        else:
            roster.rows.append(_row(number, cells, columns, roster))


def _records(text: str, delimiter: str, roster: Roster) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, numbered as a spreadsheet numbers them; a cell may hold several lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, start=1):
            if any(cell.strip() for cell in cells):
                yield number, [unguarded(cell) for cell in cells]
    except csv.Error:
        roster.faults.append(
            Fault("text", f"Row {reader.line_num}: a quotation mark is not closed, or is inside a word.")
        )


def _columns(row: int, heading: Sequence[str], roster: Roster, wanted: int) -> list[str]:
    """What each column holds."""
    columns = [FIELDS.get(plain(cell), "") for cell in heading]
    for place, key in enumerate(columns):
        if key and key in columns[:place]:
            words = COLUMNS.get(key, "Players")
            text = f"Row {row}: two columns are headed {words}: “{heading[place]}” too."
            roster.faults.append(Fault(f"{row}:{key}", text))
        if not key and heading[place]:
            roster.notes.append(f"The column “{heading[place]}” is not known and was left out.")
    seats = PLAYERS[:wanted]
    here = [key for key in seats if key in columns]
    if "name" not in columns and not here and "players" not in columns:
        roster.faults.append(Fault(f"{row}:name", f"Row {row}: the column Team is missing."))
    # A list of names alone will do; a column for one of two partners will not.
    for key in seats if here and wanted > 1 and "players" not in columns else ():
        if key not in here:
            text = f"Row {row}: the column {COLUMNS[key]} is missing."
            roster.faults.append(Fault(f"{row}:{key}", text))
    return columns


def _row(number: int, cells: list[str], columns: Sequence[str], roster: Roster) -> RosterRow:
    if any(cells[len(columns) :]):
        text = f"Row {number}: there are {len(cells)} columns, and the headings are {len(columns)}."
        roster.faults.append(Fault(f"{number}:", text))
    said = {key: cell for key, cell in zip(columns, cells, strict=False) if key}
    players = [said.get(key, "") for key in PLAYERS]
    if "players" in said:
        players = [name for part in re.split(r"\s*;\s*", said["players"]) for name in re.split(r"\s*\|\s*", part)]
        players = [name for part in players for name in people_in(part)]
    blank = RosterRow(number, None, "")
    return RosterRow(
        row=number,
        number=number_of(blank, said.get("number", ""), roster),
        name=said.get("name", ""),
        players=tuple(name for name in players if name.strip()),
        city=said.get("city", ""),
        club=said.get("club", ""),
        paid=yes_of(blank, "paid", said.get("paid", ""), roster),
        in_pot=yes_of(blank, "in_pot", said.get("in_pot", ""), roster),
    )


def _line(cells: Sequence[str]) -> str:
    return " · ".join(cell for cell in cells if cell)
