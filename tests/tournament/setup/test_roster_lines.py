"""Lists as clubs write them: worked examples that a director can read, and what holds for every list."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.forms.teams import read_roster
from tournament.queries.roster import RosterRow

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "fixtures/examples/rosters").glob("*.toml"))
FIRST = ("Ann", "Bo", "Cy", "Ida Mae", "Zoë", "Otis", "Nell")
LAST = ("Lee", "O'Neal", "Smith-Jones", "Reed", "Carter", "Gaines", "Van Dyke")
TEAMS = ("Night Owls", "Eagles", "Cut & Deal", "Six and a Half", "The O’Neals", "Kitty Free", "Trump Tight", "Low Ball")
# A team's name, and two people of it, as clubs put them on a line.
LAYOUTS = (
    "{name} – {a} / {b}",
    "{name} - {a} & {b}",
    "{name}: {a}, {b}",
    "{name} ({a} and {b})",
    '"{name}", {a}, {b}',
    "{name}\t{a}\t{b}",
    "{name}; {a}; {b}",
    "{name} | {a} | {b}",
    "{name}, {a}, {b}",
    "{name}   {a}   {b}",
    "{name}, {a} & {b}",
)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_list_is_read_as_its_example_says(path: Path) -> None:
    example: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    roster = read_roster(example["list"], example["players"])
    wanted = [
        RosterRow(**{"number": None, **team, "players": tuple(team.get("players", ()))}) for team in example["teams"]
    ]
    assert roster.rows == wanted
    assert [text for _, text in roster.headings] == example.get("headings", [])
    assert [fault.text for fault in roster.faults] == example.get("faults", [])


people = st.builds("{} {}".format, st.sampled_from(FIRST), st.sampled_from(LAST))
teams = st.lists(
    st.tuples(st.sampled_from(TEAMS), people, people),
    min_size=1,
    max_size=8,
    unique_by=lambda team: team[0],
).filter(lambda listed: len({name for team in listed for name in team}) == 3 * len(listed))


@given(teams, st.sampled_from(LAYOUTS), st.booleans(), st.sampled_from(["", "Autumn Open team list\n\n"]))
def test_every_name_survives_in_every_layout(
    listed: list[tuple[str, str, str]], layout: str, numbered: bool, title: str
) -> None:
    lines = [layout.format(name=name, a=a, b=b) for name, a, b in listed]
    if numbered:
        lines = [f"{place}. {line}" for place, line in enumerate(lines, start=1)]
    roster = read_roster(title + "\n".join(lines), 2)
    assert roster.faults == []
    assert [(row.name, *row.players) for row in roster.rows] == listed
    assert [row.number for row in roster.rows] == [place if numbered else None for place in range(1, len(listed) + 1)]


@given(st.text(alphabet=st.sampled_from("ab 1.,;:\t|/&–-()\"'“”\n\n=x§é"), max_size=120), st.sampled_from([1, 2, 3]))
def test_no_line_is_dropped_in_silence(text: str, players: int) -> None:
    """Each line that says anything is a team, a heading or a fault; none stands twice."""
    roster = read_roster(text, players)
    answered = {row.row for row in roster.rows} | {number for number, _ in roster.headings}
    answered |= {int(row) for fault in roster.faults if (row := fault.field.partition(":")[0]).isdecimal()}
    said = {number for number, line in enumerate(text.split("\n"), start=1) if any(sign.isalnum() for sign in line)}
    assert said <= answered or any(fault.field == "text" for fault in roster.faults)
    assert len(roster.rows) == len({row.row for row in roster.rows})


@given(
    st.lists(people, min_size=2, max_size=2, unique=True),
    st.sampled_from(["{} & {}", "{} / {}", "{}, {}", "{} and {}"]),
)
def test_two_people_without_a_team_name_are_a_team_and_it_is_said(pair: list[str], layout: str) -> None:
    (row,) = read_roster(layout.format(*pair), 2).rows
    assert row.players == tuple(pair)
    assert row.name and row.name in row.guessed
