"""The teams of an event file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.fields import Fields
from tournament.archive.changes import read_substitutes
from tournament.models import Substitution
from tournament.queries.roster import LARGEST_NUMBER, RosterRow, cleaned_row
from tournament.refusals import Fault
from tournament.texts import name_key

TEAM = frozenset("number name players city club paid boston_pot status left_after joined_in substitutes note".split())
STATUSES = ("playing", "left", "disqualified")
MOST_TEAMS = 5000
MOST_PLAYERS = 8


@dataclass(slots=True)
class FileTeam:
    number: int
    row: RosterRow
    status: str
    left_after: int | None
    joined_in: int
    substitutes: list[Substitution] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.row.name


def read_teams(data: Any, faults: list[Fault]) -> list[FileTeam]:
    """The teams, with a fault for each that cannot be taken: no name, a name or number that stands twice."""
    if not isinstance(data, list):
        faults.append(Fault("teams", "Field teams: the teams are a list."))
        return []
    if len(data) > MOST_TEAMS:
        faults.append(Fault("teams", f"Field teams: at most {MOST_TEAMS:,} teams can be read; here are {len(data):,}."))
        return []
    teams: list[FileTeam] = []
    numbers: dict[int, str] = {}
    keys: dict[str, int] = {}
    for index, one in enumerate(data, start=1):
        team = _team(index, one, faults)
        if team is None:
            continue
        place = f"Team {team.number}"
        if team.number in numbers:
            text = f"{place}: the number is used twice, for “{numbers[team.number]}” and for “{team.name}”."
            faults.append(Fault("teams", text))
            continue
        other = keys.setdefault(name_key(team.name), team.number)
        if other != team.number:
            faults.append(Fault("teams", f"{place}, field name: team {other} is called “{team.name}” already."))
        numbers[team.number] = team.name
        teams.append(team)
    return teams


def mark_leaver(number: int | None, teams: Sequence[FileTeam], rounds: Sequence[Any], faults: list[Fault]) -> None:
    """The team that left without a substitute: its last round is the one before its games were given away."""
    if number is None:
        return
    team = next((team for team in teams if team.number == number), None)
    if team is None:
        faults.append(Fault("leaver", f"Field leaver: there is no team {number}."))
        return
    if team.status != "playing":
        return
    last = 0
    for round_ in rounds:
        for game in round_.games:
            if number in game.teams and not _given_away(game, game.teams.index(number)):
                last = max(last, round_.number)
    team.status, team.left_after = "left", last


def _given_away(game: Any, side: int) -> bool:
    if len(game.entries) != 1:
        return False
    facts = game.entries[0]
    return facts.get("entry") == "award" and facts.get("rule") in ("46", "47", "forfeit") and facts.get("to") != side


def _team(index: int, one: Any, faults: list[Fault]) -> FileTeam | None:
    if not isinstance(one, Mapping):
        faults.append(Fault("teams", f"Team in line {index} of the list: a team is an object."))
        return None
    fields = Fields(one)
    fields.only(TEAM)
    number = fields.number("number")
    place = f"Team {number}" if number is not None else f"Team in line {index} of the list"
    if number is None or not 1 <= number <= LARGEST_NUMBER:
        fields.refuse("number", f"a number from 1 to {LARGEST_NUMBER} is needed.")
    players = fields.texts("players")
    if len(players) > MOST_PLAYERS:
        fields.refuse("players", f"at most {MOST_PLAYERS} players can be named.")
    paid, in_pot = fields.flag("paid"), fields.flag("boston_pot")
    row = RosterRow(
        0,
        number,
        fields.text("name"),
        players[:MOST_PLAYERS],
        fields.text("city"),
        fields.text("club"),
        bool(paid),
        bool(in_pot),
    )
    row, wrong = cleaned_row(row)
    status = fields.text("status", "playing") or "playing"
    if status not in STATUSES:
        fields.refuse("status", f"“{status}” is not known: {', '.join(STATUSES)}.")
    left_after, joined_in = fields.number("left_after"), fields.number("joined_in")
    for key, value in (("left_after", left_after), ("joined_in", joined_in)):
        if value is not None and not 0 <= value <= 1000:
            fields.refuse(key, f"{value} is not a round.")
    substitutes = read_substitutes(one.get("substitutes"), fields)
    said = [(fault.field, fault.text) for fault in wrong if fault.field != "number"]
    said += [(problem.field, problem.text) for problem in fields.problems]
    faults += [Fault("teams", f"{place}, field {key}: {text}") for key, text in said]
    return None if said or number is None else FileTeam(number, row, status, left_after, joined_in or 1, substitutes)
