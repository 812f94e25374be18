"""Teams of several lines each: between blank lines, with their players indented, or as “Team: Owls”, “Players: A, B”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournament.forms.roster.lines import cells_of
from tournament.forms.roster.records import Record

INDENT = re.compile(r"^(?:\s+|[-–—*•]\s*)+")


def blocks_of(records: Sequence[Record], wanted: int) -> list[Record]:
    """Teams of several lines each: between blank lines, or with their players indented. Nothing where they differ."""
    are_inside = [bool(INDENT.match(record.cells[0])) for record in records]
    has_indents = any(are_inside) and not all(are_inside)
    groups: list[list[Record]] = []
    for record, is_inside in zip(records, are_inside, strict=True):
        follows = is_inside if has_indents else groups and record.number == groups[-1][-1].number + 1
        if groups and follows:
            groups[-1].append(record)
        else:
            groups.append([record])
    teams = [group for group in groups if len(group) > 1]
    sizes = {len(group) for group in teams}
    are_cut = any(len(cells_of(record.cells[0])) > 1 for group in teams for record in group)
    if len(teams) < 2 or len(sizes) > 1 or not sizes <= {wanted, wanted + 1} or are_cut:
        return []
    return [
        Record(group[0].number, [INDENT.sub("", line.cells[0]) for line in group], tuple(line.number for line in group))
        for group in groups
    ]
