"""The keys by which standings are ordered: one function for each key of TIEBREAKS.

Each takes the teams that are still level and what was decided outside the games, and gives one value per team, the
higher the better, or says why it decides nothing. How a value is read out to players stands in `explain.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from scoring.standings.record import QUALIFYING, Record

# A playoff's result, best first. A tuple inside stands for teams that came level: (4, (7, 9)).
Ordering = Sequence[int | tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the director chose instead of a playoff game, for three or more level teams.

    `how` is "lots" (`order` is the order in which they were drawn) or "head-to-head" (`order` names the teams; their
    qualifying games against each other decide, as these stand now).
    """

    order: Ordering
    how: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was decided beside the games: playoffs that were played, and lots that were drawn (lot 1 is the best)."""

    playoffs: tuple[Ordering | Decision, ...] = ()
    lots: Mapping[int, int] = field(default_factory=dict)


class Values(NamedTuple):
    """One value per team in the order given, the higher the better; or none, and the reason in `silent`.

    `key` names another key that decided in this one's place: the lots that were drawn instead of a playoff, say.
    """

    values: tuple[int, ...]
    silent: str = ""
    key: str = ""


Tiebreak = Callable[[Sequence[Record], Evidence], Values]


def games_won(level: Sequence[Record], evidence: Evidence) -> Values:
    """Put the teams with more games won first (rules 10 and 11)."""
    return Values(tuple([record.won for record in level]))


def points(level: Sequence[Record], evidence: Evidence) -> Values:
    """Put the teams with more game points first (rule 10)."""
    return Values(tuple([record.points for record in level]))


def playoff(level: Sequence[Record], evidence: Evidence) -> Values:
    """Order the teams as their playoff ended (rule 10); the latest playoff of them all counts.

    A playoff in which one of the level teams did not play decides nothing among them. What the director chose instead
    of a playoff counts as one.
    """
    for item in reversed(evidence.playoffs):
        how = item.how if isinstance(item, Decision) else ""
        places = _places(item.order if isinstance(item, Decision) else item)
        if not all(record.team in places for record in level):
            continue
        if how != "head-to-head":
            return Values(tuple(-places[record.team] for record in level), key=how)
        met = head_to_head(level, evidence)
        if not met.silent:
            return met._replace(key=how)
    return Values((), "no playoff of theirs has been played")


def head_to_head(level: Sequence[Record], evidence: Evidence) -> Values:
    """Count the games won against the other level teams; all of them must have met each other."""
    teams = {record.team for record in level}
    values = []
    for record in level:
        met: set[int] = set()
        won = 0
        for game in record.games:
            rivals = teams.intersection(game.opponents) if game.stage == QUALIFYING else ()
            if rivals:
                met.update(rivals)
                won += game.won
        if len(met) != len(teams) - 1:
            return Values((), "they have not met" if len(level) == 2 else "they have not all met each other")
        values.append(won)
    return Values(tuple(values))


def bostons(level: Sequence[Record], evidence: Evidence) -> Values:
    """Put the teams with more Bostons in all qualifying games first."""
    return Values(tuple([record.bostons for record in level]))


def fewest_sets(level: Sequence[Record], evidence: Evidence) -> Values:
    """Put the teams with fewer sets first."""
    return Values(tuple([-record.sets for record in level]))


def lots(level: Sequence[Record], evidence: Evidence) -> Values:
    """Order the teams by the lots they drew, the lowest first; each level team needs one."""
    drawn = evidence.lots
    if all(record.team in drawn for record in level):
        return Values(tuple(-drawn[record.team] for record in level))
    return Values((), "no lots have been drawn")


BY_KEY: Mapping[str, Tiebreak] = {
    "games-won": games_won,
    "points": points,
    "playoff": playoff,
    "head-to-head": head_to_head,
    "bostons": bostons,
    "fewest-sets": fewest_sets,
    "lots": lots,
}


def _places(ordering: Ordering) -> dict[int, int]:
    places = {}
    place = 1
    for item in ordering:
        teams = item if isinstance(item, tuple) else (item,)
        for team in teams:
            places[team] = place
        place += len(teams)
    return places
