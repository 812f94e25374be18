"""The keys by which standings are ordered. Everything that the site knows about a key is in its entry of TIEBREAKS.

An entry compares all teams that are still tied at once, by their records and by what was decided outside the games.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from scoring.ledger import counted, number

# A team’s record: the games it was paired for, and their sums.


QUALIFYING = "qualifying"


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game of one team. `round` is the number of the game within its stage; `opponents` are team numbers.

    `points` are the team’s game points; `margin` is its lead over the best opponent (below zero if it had fewer points,
    0 for a bye); `sets` are the sets charged to it. A bye is a game without opponents. The `bye` option decides, before
    the record is made, whether it counts as won and with how many points.
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


@dataclass(frozen=True)
class Record:
    """A team, by its number, and its games. Sums count qualifying games only: points of playoffs do not count.

    `played` includes byes, because a bye uses up one of the team’s games. The sums are cached: ranking reads them
    often.
    """

    team: int
    games: tuple[GameRecord, ...] = ()

    @cached_property
    def qualifying(self) -> tuple[GameRecord, ...]:
        """Return the games that count for the standings, in the given order."""
        return tuple([game for game in self.games if game.stage == QUALIFYING])

    @property
    def played(self) -> int:
        """Count the games that count for the standings."""
        return len(self.qualifying)

    @cached_property
    def won(self) -> int:
        """Count the games won."""
        return sum([game.won for game in self.qualifying])

    @cached_property
    def points(self) -> int:
        """Add up the game points."""
        return sum([game.points for game in self.qualifying])

    @cached_property
    def bostons(self) -> int:
        """Count the Bostons."""
        return sum([game.bostons for game in self.qualifying])

    @cached_property
    def sets(self) -> int:
        """Count the sets that were charged."""
        return sum([game.sets for game in self.qualifying])

    @property
    def opponents(self) -> tuple[int, ...]:
        """Return the opponents in the games that count, each as often as it was met."""
        return tuple([team for game in self.qualifying for team in game.opponents])

    @property
    def lost(self) -> int:
        """Count the games that were not won, including games without a winner."""
        return self.played - self.won

    @property
    def byes(self) -> int:
        """Count the byes."""
        return sum(game.bye for game in self.qualifying)

    def bostons_in(self, window: int | None) -> int:
        """Count the Bostons of games 1 to `window`, inclusive; None counts all games."""
        return sum(game.bostons for game in self.qualifying if window is None or game.round <= window)


def by_number(records: Iterable[Record]) -> tuple[Record, ...]:
    """Sort records by team number; raise ValueError if a number is there twice."""
    ordered = tuple(sorted(records, key=lambda record: record.team))
    for first, second in pairwise(ordered):
        if first.team == second.team:
            raise ValueError(f"team {first.team} has two records")
    return ordered


# How names, places and money are written in the sentences of the standings.


def team_name(names: Mapping[int, str], team: int) -> str:
    """Return a team’s name, or “Team 7” if no name is known."""
    return names.get(team) or f"Team {team}"


def ordinal(rank: int) -> str:
    """Write a place: “1st”, “2nd”, “3rd”, “11th”."""
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def amount(cents: int, currency: str = "") -> str:
    """Write an amount of cents with the sign of the event’s currency: “$12.50”, or “$240” for whole dollars."""
    whole, rest = divmod(cents, 100)
    return f"{currency}{whole:,}" + (f".{rest:02d}" if rest else "")


# A playoff’s result, best first. Teams that tied in it are in a tuple: (4, (7, 9)).
Ordering = Sequence[int | tuple[int, ...]]


@dataclasses.dataclass(frozen=True, slots=True)
class Decision:
    """What the director chose instead of a playoff game for three or more tied teams.

    `how` is "lots" (`order` is the order of the draw) or "head-to-head" (`order` names the teams, and their qualifying
    games against each other decide, with their current results).
    """

    order: Ordering
    how: str


@dataclasses.dataclass(frozen=True)
class Competitors:
    """What the keys look at: the records of all teams, even those that have left, and what was decided off the table.

    `playoffs` were played, or settled by a Decision; `lots` were drawn (lot 1 is the best).
    """

    records: Sequence[Record]
    playoffs: Sequence[Ordering | Decision] = ()
    lots: Mapping[int, int] = dataclasses.field(default_factory=dict)

    @cached_property
    def won(self) -> Counter[int]:
        """Return the games won by each team number, 0 for an unknown one. They are counted only once."""
        return Counter({record.team: record.won for record in self.records})


class Values(NamedTuple):
    """One value per team in the given order, as players count it; or no values, and the reason in `silent`.

    `key` names another key that decided instead of this one: for example, lots that were drawn instead of a playoff.
    """

    values: tuple[int, ...]
    silent: str = ""
    key: str = ""


class Tiebreak(NamedTuple):
    """A key of the order. No sentence says “team”, because those who are tied may be single players.

    `words` are its name in the options. `values` gives each tied team its value, or says why the key decides nothing.
    `level` says what two teams with the same value share: “won 4 games”. `decision` takes two names and their values
    and says why the first is ahead. `advantage` explains the place of the team that won the tie, “more Bostons”; it is
    empty if the figures beside it show that already. `awaited` is what still has to happen outside the games.
    `direction` is -1 if fewer is better.
    """

    key: str
    words: str
    values: Callable[[Sequence[Record], Competitors], Values]
    level: Callable[[int], str]
    decision: Callable[[str, str, int, int], str]
    advantage: str = ""
    awaited: str = ""
    direction: int = 1


def _sums(name: str) -> Callable[[Sequence[Record], Competitors], Values]:
    """Return a function that takes a sum from each record."""
    sum_of = attrgetter(name)
    return lambda level, field: Values(tuple(map(sum_of, level)))


def _playoff(level: Sequence[Record], field: Competitors) -> Values:
    """Return the places in a playoff (rule 10). The latest playoff in which all tied teams played counts.

    A playoff that one of them did not play in decides nothing. What the director chose instead of a playoff counts as
    one.
    """
    for item in reversed(field.playoffs):
        how = item.how if isinstance(item, Decision) else ""
        places = _places(item.order if isinstance(item, Decision) else item)
        if not all(record.team in places for record in level):
            continue
        if how != "head-to-head":
            return Values(tuple(places[record.team] for record in level), key=how)
        met = _head_to_head(level, field)
        if not met.silent:
            return met._replace(key=how)
    return Values((), "no playoff between them has been played")


def _head_to_head(level: Sequence[Record], field: Competitors) -> Values:
    """Return the games won against the other tied teams, all of which must have met each other."""
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


def _who_beat_whom(level: Sequence[Record], field: Competitors) -> Values:
    """Return how many of the tied teams each one beat, directly or through others. Every two teams must be comparable.

    Teams that beat one another in a circle stay tied. A team is picked: the teams that beat it are above it, and the
    teams that it beat are below it. Each of the two groups is then put in order in the same way.
    """
    beat: dict[int, set[int]] = {record.team: set() for record in level}
    lost: dict[int, set[int]] = {record.team: set() for record in level}
    for record in level:
        for game in record.qualifying:
            for beaten in beat.keys() & set(game.opponents) if game.won else ():
                beat[record.team].add(beaten)
                lost[beaten].add(record.team)
    values: dict[int, int] = {}
    groups = [(set(beat), False)]
    while groups:
        group, in_circle = groups.pop()
        if in_circle or len(group) < 2:
            values |= dict.fromkeys(group, len(values) + len(group) - 1)
            continue
        middle = sorted(group)[len(group) // 2]
        below, above = _reached(middle, beat, group), _reached(middle, lost, group)
        if below | above != group:
            return Values((), "neither beat the other" if len(level) == 2 else "their games do not show who beat whom")
        groups += [(above - below, False), (above & below, True), (below - above, False)]
    return Values(tuple(values[record.team] for record in level))


def _reached(start: int, ways: Mapping[int, set[int]], group: set[int]) -> set[int]:
    """Return the teams of a group that can be reached from one of them, including that one."""
    reached, waiting = {start}, [start]
    while waiting:
        new = (ways[waiting.pop()] & group) - reached
        reached |= new
        waiting += new
    return reached


def _won_by(margin: int) -> Tiebreak:
    """Return the key that counts games won by more points than a margin. A bye does not count: its margin is 0."""

    def values(level: Sequence[Record], field: Competitors) -> Values:
        return Values(tuple(sum(game.won and game.margin > margin for game in record.qualifying) for record in level))

    by = f"by more than {counted(margin, 'point')}"
    return Tiebreak(
        f"won-by-{margin}",
        f"games won {by}",
        values,
        lambda won: f"won {counted(won, 'game')} {by}",
        lambda first, second, more, less: f"{first} won {counted(more, 'game')} {by}, {second} {less}",
        advantage=f"more games won {by}",
    )


def _lots(level: Sequence[Record], field: Competitors) -> Values:
    """Return the lots that they drew. Each tied team needs one."""
    drawn = field.lots
    if all(record.team in drawn for record in level):
        return Values(tuple(drawn[record.team] for record in level))
    return Values((), "nothing was drawn")


def _places(ordering: Ordering) -> dict[int, int]:
    places = {}
    rank = 1
    for item in ordering:
        teams = item if isinstance(item, tuple) else (item,)
        for team in teams:
            places[team] = rank
        rank += len(teams)
    return places


PLAYOFF = Tiebreak(
    "playoff",
    "a one-game playoff",
    _playoff,
    lambda rank: "tied in the playoff",
    lambda first, second, better, worse: (
        f"{first} {'won' if better == 1 else f'came {ordinal(better)} in'} the playoff, {second} came {ordinal(worse)}"
    ),
    advantage="won the tie-break",
    awaited="a one-game playoff decides",
    direction=-1,
)
TIEBREAKS = (
    Tiebreak(
        "games-won",
        "games won",
        _sums("won"),
        lambda won: f"won {counted(won, 'game')}",
        lambda first, second, more, less: f"{first} won {counted(more, 'game')} to {less}",
    ),
    Tiebreak(
        "points",
        "points",
        _sums("points"),
        lambda points: f"have {counted(points, 'point')}",
        lambda first, second, more, less: f"{first}: {counted(more, 'point')} to {number(less)}",
    ),
    PLAYOFF,
    Tiebreak(
        "head-to-head",
        "games against each other",
        _head_to_head,
        lambda won: f"won {counted(won, 'game')} in the games among those tied",
        lambda first, second, more, less: (
            f"{first} won {counted(more, 'game')} to {less} in the games among those tied"
        ),
        advantage="won more of the games among those tied",
    ),
    Tiebreak(
        "who-beat-whom",
        "who beat whom",
        _who_beat_whom,
        lambda beaten: f"beat {beaten} of those tied, directly or through others",
        lambda first, second, more, less: f"{first} beat {second}, directly or through others who are tied",
        advantage="beat the other, directly or through others who are tied",
    ),
    Tiebreak(
        "opponents-wins",
        "games won by the opponents",
        lambda level, field: Values(tuple([sum(map(field.won.__getitem__, record.opponents)) for record in level])),
        lambda won: f"have opponents who won {counted(won, 'game')} in all",
        lambda first, second, more, less: f"the opponents of {first} won {counted(more, 'game')} to {less}",
        advantage="opponents who won more",
    ),
    # Games to seven, games of a few dozen points, games to several hundred.
    _won_by(5),
    _won_by(20),
    _won_by(100),
    Tiebreak(
        "bostons",
        "Bostons",
        _sums("bostons"),
        lambda bostons: f"have {counted(bostons, 'Boston')}",
        lambda first, second, more, less: f"{first}: {counted(more, 'Boston')} to {less}",
        advantage="more Bostons",
    ),
    Tiebreak(
        "fewest-sets",
        "fewest sets",
        _sums("sets"),
        lambda sets: f"have {counted(sets, 'set')}",
        lambda first, second, fewer, more: f"{first}: fewer sets, {fewer} to {more}",
        advantage="fewer sets",
        direction=-1,
    ),
    Tiebreak(
        "lots",
        "draw",
        _lots,
        lambda lot: f"drew lot {lot}",
        lambda first, second, better, worse: f"{first} drew lot {better}, {second} lot {worse}",
        advantage="drew the better lot",
        awaited="a draw decides",
        direction=-1,
    ),
)
BY_KEY = {entry.key: entry for entry in TIEBREAKS}
