"""Read lines without columns as one list: similar lines are read the same way, whatever each may look like alone.

Every line is taken apart: its number, its pieces, what it says about money. If most lines have the same number of
pieces, these are treated as the cells of a table, and one reading is found for all lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from tournament.forms.roster.lines import QUOTES, STATE, Cells, Facts, Piece, pieces_of, split_number
from tournament.forms.roster.marks import is_mark, without_payment
from tournament.forms.roster.names import are_people, are_turned, is_person, is_town, people_in, turned
from tournament.forms.roster.readings import Choice, Reading, readings_of
from tournament.models.team import MARKS

# How many of ten lines must be alike before the list is read as one.
MOST = 8
# “Ann Lee and Bo Carter from Dayton”.
FROM = re.compile(r"(?<!\s)\s+from\s+(?=[A-Z][\w. ]+(?:, [A-Z]{2})?$)")
# “Lee, Ann & Carter, Bo”, perhaps after a team's name.
HALF = r"((?:(?! - )[^,;/&+|:–—()\t])+?)"
TURNED_PAIR = re.compile(
    rf"(?:^|(?<=[:–—|;\t(])|(?<= - ))\s*{HALF}, *{HALF}\s*(?:;|/|&|\+|\||\b(?:and|with)\b|\bw/)\s*{HALF}, *{HALF}"
    r"(?=\s*(?:$|[;|\t(–—]| - ))",
    re.IGNORECASE,
)
# The signs that people put between a team, its players and their town; commas occur anywhere.
SIGNS = re.compile(r"[:;|\t(]|\s[-–—]+\s|–|—")
JUNIOR = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)


class Parts(NamedTuple):
    """A line taken apart: its number, its pieces, the fee and pot at its end, and its layout."""

    number: str
    pieces: tuple[Piece, ...]
    marks: tuple[str, ...]
    layout: str

    @property
    def is_whole(self) -> bool:
        """Whether every place is filled and every quotation mark closed."""
        return all(piece.text and (piece.kind == "quoted" or piece.text[0] not in QUOTES) for piece in self.pieces)

    @property
    def texts(self) -> list[str]:
        return [piece.text for piece in self.pieces]


def read_whole(
    lines: Mapping[int, str], wanted: int, facts: Facts, chosen: str
) -> tuple[dict[int, Cells], Choice | None]:
    """Read the lines of a list, by row, the same way; also return the readings to choose from if several fit.

    Nothing if the lines differ too much, or no reading fits.
    """
    if wanted == 1:
        return {}, None
    numbers, payments, unpaid = dict[int, str](), dict[int, str](), dict[int, str]()
    for row, line in lines.items():
        numbers[row], text = split_number(line, facts.numbered)
        unpaid[row], payments[row] = without_payment(text)
    texts, doubt = _straightened(unpaid)
    parts = {row: _taken_apart(numbers[row], text, payments[row], wanted) for row, text in texts.items()}
    alike = _alike(parts)
    if not alike:
        return {}, None
    places = list(zip(*(line.texts for line in alike.values()), strict=True))
    together = _together(places, wanted)
    shown: list[Sequence[str]] = [*places]
    if together is not None:
        shown[together] = _people_of(places[together])
    readings = readings_of(shown, wanted, together, _in_brackets(alike, together))
    if not readings:
        return {}, None
    taken = next((reading for reading in readings if reading.key == chosen), readings[0])
    cells = {row: _cells(line, taken) for row, line in alike.items()}
    if doubt:
        cells = {row: [*read, ("doubt", doubt)] for row, read in cells.items()}
    if len(readings) == 1:
        return cells, None
    first_line = next(iter(alike.values()))
    options = tuple((reading.key, _shown(first_line, reading)) for reading in readings)
    return cells, Choice(taken.key, options, is_made=taken.key == chosen)


def _straightened(lines: Mapping[int, str]) -> tuple[Mapping[int, str], str]:
    """Turn “Lee, Ann / Carter, Bo” into “Ann Lee / Bo Carter”, with a dash before a town, if most lines are like that.

    Also return what is doubtful about it.
    """
    from_town = {row: FROM.sub(" – ", line) for row, line in lines.items()}
    if _are_most([from_town[row] != lines[row] for row in lines]):
        lines = from_town
    found = {row: TURNED_PAIR.search(line) for row, line in lines.items()}
    halves = [match.groups() for match in found.values() if match]
    if not _are_most([bool(match) for match in found.values()]):
        return lines, ""
    last, first, last_too, first_too = zip(*halves, strict=True)
    inside = [*first, *last_too]
    if are_people(inside) and sum(" " in name for name in inside) * 2 > len(inside):
        # “Eagles, Ann Lee & Bo Carter, Dayton” has two people in the middle.
        return lines, ""
    straight = {row: _forward(lines[row], match) for row, match in found.items()}
    if are_turned([*last, *last_too], [*first, *first_too]):
        return straight, ""
    if sum(map(is_person, last_too)) > sum(map(is_person, first_too)):
        return lines, "are these last names first?"
    return straight, "read as “Last, First” of two people"


def _forward(line: str, match: re.Match[str] | None) -> str:
    """Put the first names of a line's two people first."""
    if match is None:
        return line
    pair = " / ".join(turned(f"{match[place]}, {match[place + 1]}") for place in (1, 3))
    return f"{line[: match.start()]} {pair}{line[match.end() :]}"


def _are_most(answers: Sequence[bool]) -> bool:
    return bool(answers) and sum(answers) * 10 >= len(answers) * MOST


def _taken_apart(number: str, text: str, payment: str, wanted: int) -> Parts:
    marks = [payment] if payment else []
    pieces = _joined(pieces_of(text, wanted))
    while len(pieces) > 1 and is_mark(pieces[-1].text):
        marks.insert(0, pieces.pop().text)
    signs = "".join(match[0].strip() or match[0] for match in SIGNS.finditer(text))
    return Parts(number, tuple(pieces), tuple(marks), f"{len(pieces)} {signs}")


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    """Join “Dayton”, “OH” into one piece, and “Otis Reed”, “Jr.”."""
    joined: list[Piece] = []
    for piece in pieces:
        belongs = STATE.fullmatch(piece.text) or JUNIOR.fullmatch(piece.text)
        if belongs and joined and piece.kind == "plain":
            joined[-1] = joined[-1]._replace(text=f"{joined[-1].text}, {piece.text}")
        else:
            joined.append(piece)
    return joined


def _alike(parts: Mapping[int, Parts]) -> Mapping[int, Parts]:
    """The lines with the most common layout; none if fewer than four of five have it."""
    counted = [row for row, line in parts.items() if not _is_above(line)]
    if not counted:
        return {}
    layout = Counter(parts[row].layout for row in counted).most_common(1)[0][0]
    alike = {row: parts[row] for row in counted if parts[row].layout == layout and parts[row].is_whole}
    return alike if len(alike) * 10 >= len(counted) * MOST else {}


def _is_above(line: Parts) -> bool:
    """Whether a line is a heading over others: a town alone, or words in capitals."""
    text = line.pieces[0].text
    return len(line.pieces) == 1 and not line.number and (is_town(text) or text.isupper())


def _together(places: Sequence[Sequence[str]], wanted: int) -> int | None:
    """The place that holds all players of a team on most lines; of two such places, the one with more people."""
    found = [place for place, texts in enumerate(places) if _are_most([_is_pair(text, wanted) for text in texts])]
    by_people = [place for place in found if are_people(_people_of(places[place]))]
    return next(iter(by_people or found), None)


def _in_brackets(alike: Mapping[int, Parts], together: int | None) -> Set[int]:
    """The places that are in brackets on most lines: perhaps a town, but not a single player."""
    kinds = zip(*([piece.kind for piece in line.pieces] for line in alike.values()), strict=True)
    are_aside = [_are_most([kind == "bracket" for kind in place]) for place in kinds]
    return {place for place, is_aside in enumerate(are_aside) if is_aside and place != together}


def _is_pair(text: str, wanted: int) -> bool:
    return len(people_in(text)) == wanted and not is_town(text)


def _people_of(texts: Sequence[str]) -> list[str]:
    return [person for text in texts for person in people_in(text)]


def _cells(line: Parts, reading: Reading) -> Cells:
    """The pieces of a line, each with the role that the reading gives it."""
    cells: Cells = [("number", line.number)]
    for role, text in zip(reading.roles, line.texts, strict=True):
        if role == "players":
            cells += [("person", person) for person in people_in(text)]
        else:
            cells.append(("person" if role == "player" else role, text))
    marks = zip((*MARKS, *["more"] * len(line.marks)), line.marks, strict=False)
    return [*cells, *marks]


def _shown(line: Parts, reading: Reading) -> str:
    """Describe a line as a reading reads it: team “Night Owls”, players Ann Lee · Bo Carter, town “Dayton”."""
    cells = _cells(line, reading)
    told = {role: text for role, text in cells if role in ("name", "city")}
    players = " · ".join(text for role, text in cells if role == "person")
    name = f"team “{told['name']}”, players " if "name" in told else "players "
    town = f", town “{told['city']}”" if "city" in told else ""
    return f"{name}{players}{town}"
