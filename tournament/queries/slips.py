"""What a team carries in its pocket: its number, and where and against whom it plays in every drawn round."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tournament.models import Bye, Event, Side, Team
from tournament.queries.lineup import first_open_round, lineup


@dataclass(frozen=True, slots=True)
class Meeting:
    """A round of one team: its table and opponents, or a bye (no table)."""

    round: int
    title: str
    table: int | None
    opponents: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Slip:
    """A team with all its meetings in order of the rounds."""

    number: int
    team: str
    players: tuple[str, ...]
    city: str
    meetings: tuple[Meeting, ...]


def team_slips(event: Event) -> tuple[Slip, ...]:
    """The slips of all teams in order of number: a constant number of queries."""
    games: dict[int, list[Side]] = defaultdict(list)
    sides = Side.objects.filter(game__round__event=event).select_related("team", "game__round")
    for side in sides.order_by("game__round__number", "game__leg", "index"):
        games[side.game_id].append(side)
    meetings: dict[int, list[Meeting]] = defaultdict(list)
    for at_table in games.values():
        for side in at_table:
            meetings[side.team_id].append(_meeting(side, at_table))
    for bye in Bye.objects.filter(round__event=event).select_related("round"):
        meetings[bye.team_id].append(Meeting(bye.round.number, str(bye.round), None, ()))
    teams = Team.objects.filter(event=event).prefetch_related("players", "substitutions").order_by("number")
    number = first_open_round(event)
    return tuple(
        Slip(
            team.number,
            team.name,
            lineup(team, number),
            team.city,
            tuple(sorted(meetings[team.pk], key=lambda meeting: meeting.round)),
        )
        for team in teams
    )


def _meeting(side: Side, at_table: list[Side]) -> Meeting:
    others = tuple((one.team.number, one.team.name) for one in at_table if one is not side)
    return Meeting(side.game.round.number, str(side.game.round), side.game.table, others)
