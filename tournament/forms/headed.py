"""A list with headings: its columns in any order and wording, below a title perhaps, on several pages perhaps."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from tournament.forms.cells import FIELDS, PLAYERS, Roster, is_heading, number_of, plain, unguarded, yes_of
from tournament.forms.freehand import people_in
from tournament.queries.roster import COLUMNS, RosterRow
from tournament.refusals import Fault

DELIMITERS = ",;\t|"


def delimiter_of(lines: Sequence[str]) -> str | None:
    """The sign between the columns, if one of the first lines holds headings."""
    found = ((_headings(line.split(sign)), sign) for line in lines for sign in DELIMITERS)
    best = max(found, default=(0, ""))
    return best[1] if best[0] else None


def _headings(cells: Sequence[str]) -> int:
    """How many headings a line of cells holds; nought where it is no line of headings."""
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
