"""The cut (rules 10 and 11): who goes on, who is level for the last places, and who can still make it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.standings.ranking import Place
from scoring.standings.record import Record
from scoring.standings.words import team_name
from scoring.words import listed


class Chance(StrEnum):
    """What a team can still reach: it is certainly in, certainly out, or can still make it."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Cut:
    """Team numbers in the order of the standings. `level` teams play off for `seats` of the places."""

    advance: tuple[int, ...]
    level: tuple[int, ...]
    seats: int
    out: tuple[int, ...]
    text: str


def cut(places: Sequence[Place], advance: int, names: Mapping[int, str] | None = None) -> Cut:
    """Cut the standings after `advance` teams.

    Teams are level at the cut when they share its place, and also when only a key that comes after an unplayed
    playoff stands between them. Raises ValueError when nobody advances.
    """
    if advance < 1:
        raise ValueError("at least one team advances")
    teams = tuple(place.team for place in places)
    if advance >= len(teams):
        return Cut(teams, (), 0, (), f"All {len(teams)} advance.")
    first = last = advance
    while first > 0 and _level_with_next(places[first - 1]):
        first -= 1
    if first < advance:
        while last < len(teams) and _level_with_next(places[last - 1]):
            last += 1
    level, seats = teams[first:last], advance - first
    return Cut(teams[:first], level, seats, teams[last:], _cut_text(first, level, seats, names or {}))


def can_still(
    places: Sequence[Place], advance: int, games_left: Mapping[int, int], order: Sequence[str] = ("games-won",)
) -> dict[int, Chance]:
    """Say for every team whether it can still be among the first `advance`.

    `games_left` counts the games that each team has to play (0 where it is not named); with none left at all the cut
    itself is told, and “open” are the teams that are level at it. Before that only games won are weighed: any tie may
    go either way, and nobody asks who meets whom. “In” and “out” are therefore certain; “open” means that neither is.
    An order that does not start with games won leaves everything open while games are left.
    """
    records = [place.record for place in places]
    left = {record.team: games_left.get(record.team, 0) for record in records}
    if not any(left.values()):
        made = cut(places, advance)
        return {
            team: chance
            for teams, chance in ((made.advance, Chance.IN), (made.level, Chance.OPEN), (made.out, Chance.OUT))
            for team in teams
        }
    if order[0] != "games-won":
        return dict.fromkeys(left, Chance.OPEN)
    sure = sorted(record.won for record in records)
    reach = sorted(record.won + left[record.team] for record in records)
    return {record.team: _chance(record, left[record.team], advance, sure, reach) for record in records}


def _level_with_next(place: Place) -> bool:
    return any(tie.above == place.team and (tie.key is None or tie.due) for tie in place.ties)


def _cut_text(sure: int, level: Sequence[int], seats: int, names: Mapping[int, str]) -> str:
    if not level:
        return f"{sure} advance; nobody is tied at the cut." if sure > 1 else "One advances."
    who = listed(team_name(names, team) for team in level)
    places = "the last place" if seats == 1 else f"the last {seats} places"
    how = "a one-game playoff decides" if len(level) == 2 else "the director decides how they play off"
    already = f"{sure} advance. " if sure > 1 else "One advances. " * sure
    return f"{already}{who} are tied for {places}: {how} (rule 10)."


def _chance(record: Record, left: int, advance: int, sure: list[int], reach: list[int]) -> Chance:
    # The team itself is among those that can reach its games won, and never among those that have more than it can.
    rivals = len(reach) - bisect_left(reach, record.won) - 1
    if rivals < advance:
        return Chance.IN
    ahead = len(sure) - bisect_right(sure, record.won + left)
    return Chance.OUT if ahead >= advance else Chance.OPEN
