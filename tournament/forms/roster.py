"""The secretary's list, pasted or uploaded, read into rows: any order of columns, headings in other words."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tournament.queries.roster import COLUMNS, RosterRow, fault_at
from tournament.refusals import Fault
from tournament.texts import name_key

MOST_ROWS = 2000
DELIMITERS = ",;\t"
# Headings as secretaries write them, without case, points and hyphens.
HEADINGS = {
    "number": "no|nr|num|number|team no|team nr|team number|team num|#|team #|id|seed|table",
    "name": "team|team name|name|teams|partnership|pair|side|squad|name of team",
    "player1": "player 1|player1|p1|first player|1st player|partner 1|player one|player a|captain|player|member 1",
    "player2": "player 2|player2|p2|second player|2nd player|partner 2|player two|player b|partner|member 2",
    "player3": "player 3|player3|p3|third player|3rd player|member 3|substitute|sub|reserve|alternate",
    "player4": "player 4|player4|p4|fourth player|4th player|member 4",
    "players": "players|partners|members|names|player names",
    "city": "city|town|home|hometown|home town|from|place|location",
    "club": "club|organisation|organization|lodge|chapter|league",
    "paid": "paid|fee|fees|entry fee|fee paid|entry paid|payment|has paid|paid?",
    "in_pot": "boston pot|pot|boston|in pot|in the pot|boston pot opt in|pot opt in|optin|pot?|boston pot?",
}
FIELDS = {heading: key for key, headings in HEADINGS.items() for heading in headings.split("|")}
# Breaks in a line and between lines, and the mark with which old programs end a file.
BREAKS = "\t\n\v\f\r\x1a"
NO_LIST = "This is neither a CSV nor an Excel file. In Excel choose Save as, then CSV."
YES = {"yes", "y", "x", "1", "true", "paid", "in", "ok", "✓", "✔", "☑", "√", "on", "full"}
NO = {"", "no", "n", "0", "false", "owed", "owes", "out", "-", "–", "—", "unpaid", "off", "☐"}
PLAYERS = ("player1", "player2", "player3", "player4")


@dataclass(slots=True)
class Roster:
    """What was read. `headings` are the columns as they were understood: what was written, and our word for it."""

    rows: list[RosterRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    headings: list[tuple[str, str]] = field(default_factory=list)


def decode(content: bytes) -> str:
    """The text of an uploaded list: UTF-8 with or without a mark, UTF-16 with one, or what old spreadsheets write.

    Raises ValueError with a sentence where it is no list.
    """
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # Nearly any two bytes are a sign of UTF-16: only a list has columns or lines, too.
        if not _is_text(text) or (marked and not any(sign in text for sign in f"{DELIMITERS}\n\r")):
            break
        return text
    raise ValueError(NO_LIST)


def read_roster(text: str, wanted: int) -> Roster:
    """Read a list of teams of `wanted` players each. Every fault names its row and column."""
    roster = Roster()
    lines = list(_lines(text.lstrip("\ufeff"), roster))
    if not lines:
        if not roster.faults:
            roster.faults.append(Fault("text", "There is nobody in this list."))
        return roster
    columns, data = _columns(lines, roster, wanted)
    if roster.faults:
        return roster
    if len(data) > MOST_ROWS:
        roster.faults.append(Fault("text", f"At most {MOST_ROWS:,} can be entered at once; here are {len(data):,}."))
        return roster
    if not data:
        roster.faults.append(Fault("text", "Below the headings there is nobody."))
    roster.rows = [_row(number, cells, columns, roster) for number, cells in data]
    return roster


def _is_text(text: str) -> bool:
    return not any(unicodedata.category(sign) == "Cc" and sign not in BREAKS for sign in text)


def _lines(text: str, roster: Roster) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, with their number in the list."""
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error:
        roster.faults.append(
            Fault("text", f"Row {reader.line_num}: a quotation mark is opened and not closed, or stands inside a word.")
        )


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(DELIMITERS, key=first.count) if any(sign in first for sign in DELIMITERS) else ","


def _columns(
    lines: list[tuple[int, list[str]]], roster: Roster, wanted: int
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """What each column holds, and the lines below the headings. A list without headings is read in the usual order."""
    row, heading = lines[0]
    columns = [FIELDS.get(_plain(cell), "") for cell in heading]
    if not any(columns) or (len([key for key in columns if key]) == 1 and len(heading) > 2):
        usual = _usual(heading, wanted)
        roster.notes.append(f"The list has no headings. It was read as: {', '.join(COLUMNS[key] for key in usual)}.")
        roster.headings = [("", COLUMNS[key]) for key in usual]
        return usual, lines
    for place, key in enumerate(columns):
        if key and key in columns[:place]:
            words = COLUMNS.get(key, "Players")
            roster.faults.append(
                Fault(f"{row}:{key}", f"Row {row}: two columns are headed {words}: “{heading[place]}” too.")
            )
        if not key and heading[place]:
            roster.notes.append(f"The column “{heading[place]}” is not known and was left out.")
    roster.headings = [
        (written, COLUMNS.get(key, "Players" if key else "left out"))
        for written, key in zip(heading, columns, strict=True)
    ]
    _missing(columns, row, roster, wanted)
    return columns, lines[1:]


def _missing(columns: Sequence[str], row: int, roster: Roster, wanted: int) -> None:
    if "name" not in columns and not (wanted == 1 and "player1" in columns):
        roster.faults.append(Fault(f"{row}:name", f"Row {row}: the column Team is missing."))
    if "players" in columns:
        return
    # With one player to a team the team's name may be the player's.
    for key in PLAYERS[: wanted if wanted > 1 else 0]:
        if key not in columns:
            text = f"Row {row}: the column {COLUMNS[key]} is missing."
            roster.faults.append(Fault(f"{row}:{key}", text))


def _usual(first: Sequence[str], wanted: int) -> list[str]:
    start = ["number"] if first[0].isdecimal() else []
    order = [*start, "name", *PLAYERS[: wanted if wanted > 1 else 0], "city", "paid", "in_pot"]
    return order[: max(len(first), len(start) + 1)]


def _row(number: int, cells: list[str], columns: Sequence[str], roster: Roster) -> RosterRow:
    blank = RosterRow(number, None, "")
    if any(cells[len(columns) :]):
        text = f"Row {number}: there are {len(cells)} columns, and the headings are {len(columns)}."
        roster.faults.append(Fault(f"{number}:", text))
    said = {key: cell for key, cell in zip(columns, cells, strict=False) if key}
    players = tuple(said.get(key, "") for key in PLAYERS)
    if "players" in said:
        players = tuple(re.split(r"\s*(?:[/&+;|,]|\band\b)\s*", said["players"]))
    return RosterRow(
        row=number,
        number=_number(blank, said.get("number", ""), roster),
        name=said.get("name", ""),
        players=tuple(name for name in players if name),
        city=said.get("city", ""),
        club=said.get("club", ""),
        paid=_yes(blank, "paid", said.get("paid", ""), roster),
        in_pot=_yes(blank, "in_pot", said.get("in_pot", ""), roster),
    )


def _number(row: RosterRow, text: str, roster: Roster) -> int | None:
    text = text.rstrip(".").strip().removesuffix(".0")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,9}", text):
        roster.faults.append(fault_at(row, "number", f"“{text}” is no number."))
        return None
    return int(text)


def _yes(row: RosterRow, key: str, text: str, roster: Roster) -> bool:
    word = text.casefold().strip().rstrip(".")
    if word in YES or re.fullmatch(r"[$€£]?\s*[1-9]\d*(?:[.,]\d{1,2})?", word, re.ASCII):
        return True
    if word not in NO and not re.fullmatch(r"[$€£]?\s*0+(?:[.,]0{1,2})?", word, re.ASCII):
        roster.faults.append(fault_at(row, key, f"“{text}” is neither yes nor no."))
    return False


def _plain(heading: str) -> str:
    return " ".join(re.sub(r"[._\-:()]+", " ", name_key(heading)).split())
