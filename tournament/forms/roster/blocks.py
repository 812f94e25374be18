"""Teams of several lines each: between blank lines, with players indented, or as “Team: Owls”, “Players: A, B”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournament.forms.roster.lines import cells_of, without_bullet
from tournament.forms.roster.names import are_no_people, are_people, people_in
from tournament.forms.roster.records import Record
from tournament.forms.roster.table import is_heading

INDENT = re.compile(r"^(?:\s+|[-–—*•]\s*)+")
# “1a Ann Lee”, “1-B. Bo Carter”.
LETTERED = re.compile(r"\s*#?(\d{1,3})[ .-]?[a-dA-D]\b[.):]?\s+(\S.*)")
# “Team: Owls”, “Player 1: Ann Lee”.
NAMED = re.compile(r"\s*([^:]{2,30}):\s*(\S.*)")


def all_blocks(records: Sequence[Record], wanted: int) -> list[Record]:
    """Join teams that take several lines each, however they are separated; nothing if each line is a team."""
    return labeled(records) or lettered(records, wanted) or blocks_of(records, wanted) or in_turn(records, wanted)


def lettered(records: Sequence[Record], wanted: int) -> list[Record]:
    """Join teams whose lines begin “1a”, “1b”; nothing if any line begins differently."""
    found = [LETTERED.fullmatch(record.cells[0]) for record in records]
    if wanted == 1 or len(found) < 2 * wanted or not all(found):
        return []
    teams: dict[str, list[Record]] = {}
    for record, match in zip(records, found, strict=True):
        teams.setdefault(match[1], []).append(Record(record.number, [match[2]]))  # type: ignore[index]
    return [_joined(group, wanted) for group in teams.values()]


def in_turn(records: Sequence[Record], wanted: int) -> list[Record]:
    """Join teams without blank lines between them, a name and then its players; nothing if that is in doubt."""
    size = wanted + 1
    lines = [record.cells[0] for record in records]
    if wanted == 1 or len(lines) < 2 * size or len(lines) % size or any(_is_cut(line) for line in lines):
        return []
    above = lines[::size]
    below = [line for place, line in enumerate(lines) if place % size]
    if not are_people(below) or not are_no_people(above):
        return []
    return [_joined(records[start : start + size], wanted) for start in range(0, len(lines), size)]


def labeled(records: Sequence[Record]) -> list[Record]:
    """Make a table with headings from lines that each say what they are; nothing if some lines do not."""
    pairs = [NAMED.fullmatch(record.cells[0]) for record in records]
    if not pairs or not all(match and is_heading(match[1]) for match in pairs):
        return []
    labels = [match[1].strip() for match in pairs if match]
    headings = list(dict.fromkeys(labels))
    if len(headings) < 2 or labels.count(headings[0]) < 2:
        return []
    rows: list[Record] = []
    for record, match in zip(records, pairs, strict=True):
        label, text = match[1].strip(), match[2].strip()  # type: ignore[index]
        if label == headings[0] or not rows:
            rows.append(Record(record.number, [""] * len(headings), ()))
        last = rows[-1]
        last.cells[headings.index(label)] = text
        rows[-1] = last._replace(lines=(*last.lines, record.number))
    return [Record(0, headings), *rows]


def blocks_of(records: Sequence[Record], wanted: int) -> list[Record]:
    """Join teams that are separated by blank lines or have indented players; nothing if the teams differ."""
    groups = _groups(records)
    teams = [group for group in groups if len(group) > 1]
    sizes = {len(group) for group in teams}
    if len(teams) < 2 or len(sizes) > 1:
        return []
    if sizes == {2} and wanted > 1 and _are_team_and_players(teams, wanted):
        return [_joined(group, wanted) for group in groups]
    are_cut = any(_is_cut(record.cells[0]) for group in teams for record in group)
    if not sizes <= {wanted, wanted + 1} or are_cut:
        return []
    return [_joined(group, wanted) for group in groups]


def are_sure(blocks: Sequence[Record], wanted: int) -> bool:
    """Whether every block is clearly one team: people below, and no person above them."""
    whole = [block.cells for block in blocks if len(block.cells) in (wanted, wanted + 1)]
    players = [name for cells in whole for name in cells[-wanted:]]
    above = [cells[0] for cells in whole if len(cells) > wanted]
    return len(whole) == len(blocks) and are_people(players) and (not above or are_no_people(above))


def _groups(records: Sequence[Record]) -> list[list[Record]]:
    are_inside = [bool(INDENT.match(record.cells[0])) for record in records]
    has_indents = any(are_inside) and not all(are_inside)
    groups: list[list[Record]] = []
    for record, is_inside in zip(records, are_inside, strict=True):
        follows = is_inside if has_indents else groups and record.number == groups[-1][-1].number + 1
        if groups and follows:
            groups[-1].append(record)
        else:
            groups.append([record])
    return groups


def _are_team_and_players(teams: Sequence[Sequence[Record]], wanted: int) -> bool:
    """Whether each block is a team's name with its players in the line below: “Owls”, “Ann Lee & Bo Carter”."""
    below = [people_in(without_bullet(team[1].cells[0])) for team in teams]
    above = [team[0].cells[0] for team in teams]
    people = [person for names in below for person in names]
    return all(len(names) == wanted for names in below) and are_people(people) and are_no_people(above)


def _is_cut(line: str) -> bool:
    """Whether a line holds more than one name."""
    return len(cells_of(line)) > 1 or (are_people(people := people_in(line)) and len(people) > 1)


def _joined(group: Sequence[Record], wanted: int) -> Record:
    """The lines of a team as the cells of one row."""
    cells = [INDENT.sub("", line.cells[0]) for line in group]
    if len(cells) == 2 < wanted + 1:
        cells = [cells[0], *people_in(cells[1])]
    return Record(group[0].number, cells, tuple(line.number for line in group))
