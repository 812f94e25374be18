"""What is posted about the members of a season: checkboxes, fixed teams, a pasted list with who is who."""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.http import QueryDict

from tournament.forms.keys import read_rows
from tournament.queries.members import ListLine

# The longest list of names is shorter than this, and so is any typed answer.
LONGEST_LIST, LONGEST_ANSWER, LONGEST_TEAM = 100_000, 12, 200


def read_list(data: QueryDict) -> str:
    """The list as it was typed, with uniform line endings."""
    return re.sub(r"\r\n?", "\n", data.get("names", "")[:LONGEST_LIST])


def read_answers(data: QueryDict, lines: Sequence[ListLine]) -> dict[int, str]:
    """Who each line is, by its number. An answer counts only for the line it was asked about."""
    return {
        line.number: data.get(f"who-{line.number}", "")[:LONGEST_ANSWER]
        for line in lines
        if data.get(f"of-{line.number}") == line.text
    }


def read_ticks(data: QueryDict) -> tuple[set[int], set[int], dict[int, str]]:
    """The members that the page has shown, those that are checked, and the team that was typed for each."""
    shown = read_rows(data.getlist("shown"))
    teams = {pk: data.get(f"team-{pk}", "")[:LONGEST_TEAM] for pk in shown if f"team-{pk}" in data}
    return shown, read_rows(data.getlist("member")), teams
