"""Read cells that name several people: one way for all cells of a column, never a guess for each cell.

“Ann Lee, Bo Carter” is two people and “Lee, Ann” is one. A single cell does not show which, but the column does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournament.forms.roster.names import PEOPLE, are_turned, people_in, turned

# Signs that never occur inside a name.
BETWEEN_CELLS = re.compile(r"\s*[;|\n]\s*")
JUNIOR = re.compile(r",\s*(?=(?:jr|sr|ii|iii|iv)\b)", re.IGNORECASE)
# What a comma in a cell means: it separates two people, or follows a last name.
BETWEEN, BEHIND_LAST = "two people", "last name first"


def people_of_cell(cell: str, comma: str) -> list[str]:
    """All people whom a cell names, first names first."""
    parts = _parts(cell)
    if len(parts) > 1 or comma == BEHIND_LAST:
        return [turned(part) for part in parts]
    return [part.strip() for part in _at_commas(cell) if part.strip()]


def comma_in(cells: Sequence[str], wanted: int, *, is_only: bool) -> tuple[str, bool]:
    """What a comma means in a column, and whether to ask; `is_only` if no other column names players."""
    halves = [_at_commas(cell) for cell in cells if len(_parts(cell)) == 1]
    halves = [parts for parts in halves if len(parts) > 1]
    if not halves or wanted == 1:
        return BEHIND_LAST, False
    are_many = sum(len(parts) > 2 for parts in halves) * 2 > len(halves)
    are_whole = sum(all(len(part.split()) > 1 for part in parts) for parts in halves) * 2 > len(halves)
    if are_many or are_whole:
        return BETWEEN, False
    if not is_only:
        return BEHIND_LAST, False
    return BETWEEN, are_turned([parts[0] for parts in halves], [parts[1] for parts in halves])


def _parts(cell: str) -> list[str]:
    """The parts of a cell between the signs that separate people, except the comma."""
    parts = [part.strip() for part in BETWEEN_CELLS.split(cell) if part.strip()]
    if len(parts) != 1 or len(people_in(cell)) == 1:
        return parts
    return [part.strip() for part in PEOPLE.split(cell) if part.strip()]


def _at_commas(cell: str) -> list[str]:
    """Split a cell at its commas; “Otis Reed, Jr.” has none."""
    return [part.replace("\0", ", ") for part in JUNIOR.sub("\0", cell).split(",")]
