"""A season: the points of its events, which events count, the table, and a sentence for every point and tie."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from scoring.ledger import counted, listed
from scoring.standings.tiebreaks import ordinal

PLACES, WINS = "places", "wins"
PERSON, TEAM = "person", "team"


class Clause(StrEnum):
    """What brings points or decides a place, by its row in section 5 of `RULES.md`."""

    PLACES = "se.places"
    SHARED_PLACE = "se.shared_place"
    GAMES_WON = "se.games_won"
    CHAMPION = "se.champion"
    ATTENDANCE = "se.attendance"
    BEST = "se.best"
    MORE_PLACES = "se.more_places"
    SHARED_RANK = "se.shared_rank"


@dataclass(frozen=True, slots=True)
class Scheme:
    """What points there are for, all of them whole and none below zero.

    By `places` an event brings the points of the final place: `places[0]` for the first, nothing behind the last that
    is named. All who share a place get its points. By `wins` it brings `win` points for each game won instead. In both
    the `champion` gets a bonus, and everybody who played a game gets points for `attendance`. The `best` of so many
    events count, all of them where it is None. `whose` are the lines of the table: persons or fixed teams.
    """

    by: str = PLACES
    places: tuple[int, ...] = (6, 3, 1)
    win: int = 1
    champion: int = 0
    attendance: int = 0
    best: int | None = None
    whose: str = PERSON

    @property
    def words(self) -> tuple[str, ...]:
        """Say the scheme as the page of the season does, a sentence each."""
        says = [f"Each game won: {counted(self.win, 'point')}."]
        if self.by == PLACES:
            prices = [f"{ordinal(rank)} place {points}" for rank, points in enumerate(self.places, start=1)]
            says = [f"Points by final place: {listed(prices)}.", "All who share a place get its points."]
        says += [f"The champion gets {self.champion} more."] * (self.champion > 0)
        says += [f"For playing a game at all: {counted(self.attendance, 'point')}."] * (self.attendance > 0)
        says += [f"The best {counted(self.best, 'event')} of each count."] if self.best else ["Every event counts."]
        return (*says, "Tied on points, more first places decide, then more second places, and so on.")


def scheme_of(chosen: Mapping[str, Any]) -> Scheme:
    """Read a scheme as it is stored, under the keys by, places, win, champion, attendance, best and for."""
    usual = Scheme()
    return Scheme(
        chosen.get("by", usual.by),
        tuple(chosen.get("places", usual.places)),
        chosen.get("win", usual.win),
        chosen.get("champion", usual.champion),
        chosen.get("attendance", usual.attendance),
        chosen.get("best") or None,
        chosen.get("for", usual.whose),
    )


class Part(NamedTuple):
    """What somebody did in an event. `rank` is None for who has no place; `shared` is how many have the same.

    `games` are those that were played, `wins` those that were won, also by default.
    """

    rank: int | None
    shared: int
    games: int
    wins: int
    champion: bool


class Showing(NamedTuple):
    """An event that is over: its name, how many teams have a place in it, and the part of each who counts in it."""

    name: str
    field: int
    parts: Mapping[Any, Part]


class Credit(NamedTuple):
    """The points that an event brings, whether they are among the best that count, and the sentence that says it.

    `rules` are the clauses that brought the points, and the one by which they do not count.
    """

    points: int
    counts: bool
    text: str
    rules: tuple[Clause, ...]


class Tie(NamedTuple):
    """Two neighbors with as many points: the clause that decides between them, and the sentence that says it."""

    rule: Clause
    text: str


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A line of the table. `credits` has a value for each event, None where `key` had no part in it.

    `ties` are about the line above and the line below, where they have as many points.
    """

    key: Hashable
    rank: int
    shared: bool
    total: int
    credits: tuple[Credit | None, ...]
    ties: tuple[Tie, ...]

    @property
    def label(self) -> str:
        """Write the rank as standings do: “4”, or “4=” where it is shared."""
        return f"{self.rank}=" if self.shared else str(self.rank)

    @property
    def rules(self) -> set[Clause]:
        """Name every clause that had a part in this line."""
        rules = {tie.rule for tie in self.ties}
        for credit in self.credits:
            if credit is not None:
                rules.update(credit.rules)
        return rules


def season_table(
    events: Sequence[Showing], scheme: Scheme, names: Mapping[Any, str] | None = None
) -> tuple[SeasonPlace, ...]:
    """Return a line for everybody who had a part in an event, best first.

    More points come first; with as many, more first places in the events that count, then more second places, and so
    on. Who is level then shares the rank, and the next rank leaves out as many numbers as share. Of an event's points
    those of the better place count, then those of the earlier event, where as many would count. `names` are for the
    sentences about ties; the order within a shared rank is by name and means nothing.
    """
    names = names or {}
    keys = sorted({key for event in events for key in event.parts}, key=lambda key: (names.get(key, ""), str(key)))
    standing = [_standing(key, events, scheme) for key in keys]
    ordered = sorted(standing, key=lambda row: (row.total, row.places), reverse=True)
    ties = [_tie(above, below, names) for above, below in pairwise(ordered)]
    lines, index = [], 0
    for _, group in groupby(ordered, key=lambda row: (row.total, row.places)):
        level = list(group)
        lines += [
            SeasonPlace(row.key, index + 1, len(level) > 1, row.total, row.credits, _about(ties, index + offset))
            for offset, row in enumerate(level)
        ]
        index += len(level)
    return tuple(lines)


class _Standing(NamedTuple):
    """What somebody has: the total, how often each place among the events that count, and the credits."""

    key: Hashable
    total: int
    places: tuple[int, ...]
    credits: tuple[Credit | None, ...]


class _Price(NamedTuple):
    """What an event brings by one clause, and what it is for."""

    rule: Clause
    points: int
    words: str


def _standing(key: Hashable, events: Sequence[Showing], scheme: Scheme) -> _Standing:
    parts = {index: event.parts[key] for index, event in enumerate(events) if key in event.parts}
    prices = {index: _prices(part, scheme) for index, part in parts.items()}
    points = {index: sum(price.points for price in brought) for index, brought in prices.items()}
    last = max((event.field for event in events), default=0) + 1
    best = sorted(parts, key=lambda index: (-points[index], parts[index].rank or last, index))[: scheme.best]
    credits: list[Credit | None] = []
    for index, event in enumerate(events):
        if index not in parts:
            credits.append(None)
            continue
        counts = index in best
        rules = [price.rule for price in prices[index]]
        text = _sentence(event, parts[index], prices[index], scheme)
        if not counts:
            rules.append(Clause.BEST)
            text += f"; not among the best {scheme.best}"
        credits.append(Credit(points[index], counts, text, tuple(rules)))
    reached = [parts[index].rank for index in best]
    total = sum(points[index] for index in best)
    return _Standing(key, total, tuple(reached.count(rank) for rank in range(1, last)), tuple(credits))


def _prices(part: Part, scheme: Scheme) -> list[_Price]:
    """What a part brings, each clause by itself; what brings no points is left out."""
    prices = [_result(part, scheme)]
    if part.champion:
        prices.append(_Price(Clause.CHAMPION, scheme.champion, "as champion"))
    if part.games:
        prices.append(_Price(Clause.ATTENDANCE, scheme.attendance, "for playing"))
    return [price for price in prices if price.points]


def _result(part: Part, scheme: Scheme) -> _Price:
    """What the games or the final place bring."""
    if scheme.by == WINS:
        return _Price(Clause.GAMES_WON, part.wins * scheme.win, f"for {counted(part.wins, 'game')} won")
    rule = Clause.SHARED_PLACE if part.shared > 1 else Clause.PLACES
    if part.rank is None or part.rank > len(scheme.places):
        return _Price(rule, 0, "for the place")
    return _Price(rule, scheme.places[part.rank - 1], "for the place")


def _sentence(event: Showing, part: Part, prices: Sequence[_Price], scheme: Scheme) -> str:
    """Say one event's points: “2nd of 12 at March: 3 points”."""
    rank = "No place" if part.rank is None else f"{ordinal(part.rank)} of {event.field}"
    shared = f", shared by {part.shared}," if part.shared > 1 else ""
    place = f"{rank}{shared} at {event.name}"
    if not prices:
        return f"{place}: no points"
    total = counted(sum(price.points for price in prices), "point")
    if len(prices) == 1 and scheme.by == PLACES:
        return f"{place}: {total}"
    return f"{place}: {total} ({listed(f'{price.points} {price.words}' for price in prices)})"


def _tie(above: _Standing, below: _Standing, names: Mapping[Hashable, str]) -> Tie | None:
    """Why one of two neighbors with as many points stands above the other; nothing where they have not."""
    if above.total != below.total:
        return None
    first, second = (names.get(row.key, str(row.key)) for row in (above, below))
    both = f"{first} and {second} both have {counted(above.total, 'point')}"
    for rank, (more, less) in enumerate(zip(above.places, below.places, strict=True), start=1):
        if more != less:
            return Tie(Clause.MORE_PLACES, f"{both}; {first} has more {ordinal(rank)} places, {more} to {less}.")
    shared = f"{both}; still tied: the same points and places, so they share the rank."
    return Tie(Clause.SHARED_RANK, shared)


def _about(ties: Sequence[Tie | None], index: int) -> tuple[Tie, ...]:
    """What is said of a line and its neighbors: the tie above it and the one below."""
    near = (*ties[index - 1 : index], *ties[index : index + 1])
    return tuple(tie for tie in near if tie is not None)
