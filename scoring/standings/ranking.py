"""Places in the sheet’s order, shared if nothing decides, with a sentence for every tie."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from scoring.ledger import listed
from scoring.standings.tiebreaks import BY_KEY, PLAYOFF, Competitors, Record, Tiebreak, by_number, team_name

# Why one team is ahead of the next: the deciding key, both values, and a sentence about the two teams.


class Tie(NamedTuple):
    """Two neighbors that are tied on the first key. `above` and `below` are team numbers.

    `key` decides between them, with `values` as players count them (above, below). If nothing does, they share the
    place: `key` is None, and `awaits` names the key that would decide, or is "" if the sheet has no further key. `due`
    says that a playoff comes before the deciding key in the sheet’s order and was not played.
    """

    above: int
    below: int
    key: str | None
    values: tuple[int, int] | None
    awaits: str
    due: bool
    text: str


class Passed(NamedTuple):
    """A key that did not separate two teams: the value that both have, or the reason why it decides nothing."""

    by: Tiebreak
    value: int
    silent: str


class Common:
    """What teams that are tied on the same keys have in common, put into words once for all of them."""

    def __init__(self, passed: tuple[Passed, ...], names: Mapping[int, str]) -> None:
        """Take the keys on which they are tied, and the names of all teams by number."""
        self.passed = passed
        self.names = names
        self.due = any(item.by is PLAYOFF for item in passed if item.silent)
        self.text = in_common(passed)

    def decided(self, above: int, below: int, by: Tiebreak, values: tuple[int, int]) -> Tie:
        """Explain the order of two neighbors that a key separates."""
        first, second = team_name(self.names, above), team_name(self.names, below)
        text = f"{first} and {second} {self.text}; {by.decision(first, second, *values)}."
        return Tie(above, below, by.key, values, "", self.due, text)

    def shared(self, above: int, below: int) -> Tie:
        """Explain why two neighbors share a place."""
        first, second = team_name(self.names, above), team_name(self.names, below)
        awaited = next((item.by for item in self.passed if item.silent and item.by.awaited), None)
        ending = awaited.awaited if awaited else "the sheet has no further tie-break, so they share the place"
        text = f"{first} and {second} {in_common(self.passed, awaited)}; still tied: {ending}."
        return Tie(above, below, None, None, awaited.key if awaited else "", self.due, text)


def in_common(passed: tuple[Passed, ...], awaited: Tiebreak | None = None) -> str:
    """Say what two teams share: “both won 4 games and have 21 points”.

    For a key that decides nothing the reason is given, except for the key that is still awaited.
    """
    level = [item.by.level(item.value) for item in passed if not item.silent]
    silent = [item.silent for item in passed if item.silent and item.by is not awaited]
    common = f"both {listed(level)}" if level else "are tied"
    return "; ".join((common, *silent))


@dataclass(frozen=True, slots=True)
class Place:
    """A team’s place. `ties` explain the order with the neighbor above, then with the one below, if they are tied.

    Teams that share a place have the same rank, and the next rank skips a number for each additional team.
    """

    rank: int
    shared: bool
    record: Record
    ties: tuple[Tie, ...]

    @property
    def team(self) -> int:
        """Return the team's number."""
        return self.record.team

    @property
    def label(self) -> str:
        """Return the rank as standings show it: “4”, or “4=” if it is shared."""
        return f"{self.rank}=" if self.shared else str(self.rank)


def rank(
    records: Iterable[Record],
    order: Sequence[str],
    field: Competitors | None = None,
    names: Mapping[int, str] | None = None,
) -> tuple[Place, ...]:
    """Return the place of every team by the keys of `order`, one after another.

    A key compares all teams that are tied so far; the next key compares those that it leaves tied. The order within a
    shared place is by team number and means nothing. Without a `field`, the records are the field. Raises ValueError
    for an unknown key, and if a team is there twice.
    """
    if unknown := [key for key in order if key not in BY_KEY]:
        raise ValueError(f"{unknown[0]} orders no standings")
    records = list(by_number(records))
    board = _Board(records, field or Competitors(tuple(records)), names or {}, [BY_KEY[key] for key in order])
    if records:
        board.sort(0, len(records), 0, ())
    return board.places()


class _Board:
    """Records that are being put in order, and the ties between neighbors."""

    def __init__(
        self, records: list[Record], field: Competitors, names: Mapping[int, str], order: Sequence[Tiebreak]
    ) -> None:
        self.records = records
        self.field = field
        self.names = names
        self.order = order
        # The tie between each record and the next; None if the first key separates them.
        self.ties: list[Tie | None] = [None] * len(records)

    def sort(self, start: int, end: int, depth: int, passed: tuple[Passed, ...]) -> None:
        """Order the records from `start` up to `end`, which are tied on all keys before `depth`."""
        if end - start == 1:
            return
        if depth == len(self.order):
            common = Common(passed, self.names)
            for index in range(start, end - 1):
                self.ties[index] = common.shared(*self._numbers(index))
            return
        asked, level = self.order[depth], self.records[start:end]
        values, silent, key = asked.values(level, self.field)
        if silent:
            self.sort(start, end, depth + 1, (*passed, Passed(asked, 0, silent)))
            return
        by = BY_KEY[key] if key else asked
        ranked = sorted(range(end - start), key=values.__getitem__, reverse=by.direction > 0)
        self.records[start:end] = [level[index] for index in ranked]
        decided = [values[index] for index in ranked]
        gaps = [index for index in range(1, len(decided)) if decided[index] != decided[index - 1]]
        for first, last in pairwise([0, *gaps, len(decided)]):
            # Teams that tied in a playoff may have played another one.
            again = asked is PLAYOFF and last - first < len(decided)
            still = Passed(by, decided[first], "")
            level_on = passed if passed[-1:] == (still,) else (*passed, still)
            self.sort(start + first, start + last, depth if again else depth + 1, level_on)
        # Only now is the right team on each side of every gap.
        if passed and gaps:
            common = Common(passed, self.names)
            for gap in gaps:
                numbers = self._numbers(start + gap - 1)
                self.ties[start + gap - 1] = common.decided(*numbers, by, (decided[gap - 1], decided[gap]))

    def places(self) -> tuple[Place, ...]:
        """Return the places, best first."""
        made = []
        above: Tie | None = None
        rank = 1
        for index, record in enumerate(self.records):
            below = self.ties[index]
            level_above = above is not None and above.key is None
            level_below = below is not None and below.key is None
            if not level_above:
                rank = index + 1
            ties = tuple([tie for tie in (above, below) if tie is not None])
            made.append(Place(rank, level_above or level_below, record, ties))
            above = below
        return tuple(made)

    def _numbers(self, index: int) -> tuple[int, int]:
        """Return the teams on both sides of a gap."""
        return self.records[index].team, self.records[index + 1].team


# The cut (rules 10 and 11): who advances, who is tied for the last places, and who can still make it.


class Chance(StrEnum):
    """Whether a team makes the cut: it is certainly in, certainly out, or neither yet."""

    IN = "in"
    OUT = "out"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Cut:
    """Team numbers in the order of the standings. The `level` teams are tied for the last `seats` places."""

    advance: tuple[int, ...]
    level: tuple[int, ...]
    seats: int
    out: tuple[int, ...]
    text: str


def cut(places: Sequence[Place], advance: int, names: Mapping[int, str] | None = None) -> Cut:
    """Cut the standings after `advance` teams.

    Teams are tied at the cut if they share its place, and also if only a key behind an unplayed playoff separates them.
    Raises ValueError if nobody advances.
    """
    if advance < 1:
        raise ValueError("at least one team advances")
    teams = tuple(standing.team for standing in places)
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

    `games_left` counts the games that each team still has to play (0 if it is not named). If none are left at all, the
    result is that of the cut, and the teams that are tied at it are “open”. Before that, only games won are compared:
    any tie may go either way, and who meets whom is ignored. So “in” and “out” are certain, and “open” is everything
    else. If the order does not start with games won, everything is open while games are left.
    """
    records = [standing.record for standing in places]
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


def _level_with_next(standing: Place) -> bool:
    return any(tie.above == standing.team and (tie.key is None or tie.due) for tie in standing.ties)


def _cut_text(sure: int, level: Sequence[int], seats: int, names: Mapping[int, str]) -> str:
    if not level:
        return f"{sure} advance; nobody is tied at the cut." if sure > 1 else "One advances."
    who = listed(team_name(names, team) for team in level)
    places = "the last place" if seats == 1 else f"the last {seats} places"
    how = "a one-game playoff decides" if len(level) == 2 else "the director decides how they play off"
    already = f"{sure} advance. " if sure > 1 else "One advances. " * sure
    return f"{already}{who} are tied for {places}: {how} (rule 10)."


def _chance(record: Record, left: int, advance: int, sure: list[int], reach: list[int]) -> Chance:
    # The team itself is counted among those that can reach its wins, and never among those that it cannot catch.
    rivals = len(reach) - bisect_left(reach, record.won) - 1
    if rivals < advance:
        return Chance.IN
    better = len(sure) - bisect_right(sure, record.won + left)
    return Chance.OUT if better >= advance else Chance.OPEN
