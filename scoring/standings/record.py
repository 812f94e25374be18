"""A team's record: the games it was paired for, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

QUALIFYING = "qualifying"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of one team. `round` is the number of the game within its stage; `opponents` are team numbers.

    `points` are the team's game points, `margin` how many more they are than those of the best opponent (below
    zero for who had fewer, 0 for a bye), `sets` the sets charged to it. A bye is a game without opponents; whether it
    counts as won, and with how many points, is settled by the `bye` option before the record is written.
    """

    round: int
    opponents: tuple[int, ...]
    won: bool
    points: int
    bostons: int = 0
    sets: int = 0
    bye: bool = False
    stage: str = QUALIFYING
    margin: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A team (by its number) and its games. Sums count the qualifying games alone: playoff points are of no value.

    `played` counts byes too, because a bye uses up one of the team's games.
    """

    team: int
    games: tuple[GameRecord, ...] = ()
    played: int = field(init=False)
    won: int = field(init=False)
    points: int = field(init=False)
    bostons: int = field(init=False)
    sets: int = field(init=False)

    def __post_init__(self) -> None:
        """Keep the sums instead of computing them again: ranking reads each of them many times."""
        played = won = points = bostons = sets = 0
        for game in self.games:
            if game.stage == QUALIFYING:
                played += 1
                won += game.won
                points += game.points
                bostons += game.bostons
                sets += game.sets
        put = object.__setattr__
        put(self, "played", played)
        put(self, "won", won)
        put(self, "points", points)
        put(self, "bostons", bostons)
        put(self, "sets", sets)

    @property
    def qualifying(self) -> tuple[GameRecord, ...]:
        """Return the games that count for the standings, in the order in which they were given."""
        return tuple(game for game in self.games if game.stage == QUALIFYING)

    @property
    def opponents(self) -> tuple[int, ...]:
        """Return the team numbers met in the games that count, as often as they were met."""
        return tuple([team for game in self.games if game.stage == QUALIFYING for team in game.opponents])

    @property
    def lost(self) -> int:
        """Count the games that were not won, games without any winner among them."""
        return self.played - self.won

    @property
    def byes(self) -> int:
        """Count the byes."""
        return sum(game.bye for game in self.qualifying)

    def bostons_in(self, window: int | None) -> int:
        """Count the Bostons of games 1 to `window`, both included; None counts every game."""
        return sum(game.bostons for game in self.qualifying if window is None or game.round <= window)


def by_number(records: Iterable[Record]) -> tuple[Record, ...]:
    """Order records by team number; a number that stands twice raises ValueError."""
    ordered = tuple(sorted(records, key=lambda record: record.team))
    for first, second in pairwise(ordered):
        if first.team == second.team:
            raise ValueError(f"team {first.team} has two records")
    return ordered
