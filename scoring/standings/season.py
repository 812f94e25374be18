"""A season: the points of its events, which events count, the table, and a sentence for every point and tie.

Points are exact: teams that share a place may split its points, and they are rounded only where they are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from scoring.ledger import counted, listed
from scoring.standings.tiebreaks import ordinal

# Points are whole but where a place is split or an event's average is taken; a whole number counts much faster.
Points = int | Fraction
PERSON, TEAM = "person", "team"
# What decides between two with as many points.
MORE_PLACES, BEST_EVENINGS = "places", "evenings"


class Clause(StrEnum):
    """What brings points or decides a place, by its row in section 5 of `RULES.md`."""

    PLACES = "se.places"
    FIELD = "se.field"
    SHARED_PLACE = "se.shared_place"
    SPLIT = "se.split"
    GAMES_WON = "se.games_won"
    CHAMPION = "se.champion"
    ATTENDANCE = "se.attendance"
    WEIGHT = "se.weight"
    BEST = "se.best"
    AVERAGE = "se.average"
    TOO_FEW = "se.too_few"
    MORE_PLACES = "se.more_places"
    BEST_EVENING = "se.best_evening"
    SHARED_RANK = "se.shared_rank"


@dataclass(frozen=True, slots=True)
class Scheme:
    """What points there are for. All of them are whole and none is below zero.

    `places` are the points of the final places: `places[0]` for the first, nothing behind the last that is named. With
    `field` the first place gets a point for every so many teams in its place, and each place one less. Teams that share
    a place get its points each, or `split` the points of those places. Each game won brings `win` points, the first
    place `champion` more, and having a part `attendance`.

    The `best` of so many events count, all where it is None; the total is their sum, or by `average` what an event
    brought. Who has a part in fewer than `evenings` events is not ranked; who has fewer than `games` games in an event
    has no part in it. `ties` names what decides between those with as many points: more good places, or the best single
    evening. With `members` nobody else is ranked. `whose` are the lines of the table: persons or fixed teams.
    """

    places: tuple[int, ...] = (6, 3, 1)
    field: int | None = None
    win: int = 0
    champion: int = 0
    attendance: int = 0
    split: bool = False
    best: int | None = None
    average: bool = False
    evenings: int | None = None
    games: int | None = None
    ties: str = MORE_PLACES
    members: bool = False
    whose: str = PERSON

    @property
    def by_place(self) -> bool:
        """Whether a final place brings points by itself."""
        return bool(self.field or any(self.places))

    @property
    def words(self) -> tuple[str, ...]:
        """Say the scheme as the page of the season does, a sentence each."""
        return (*self._points_in_words(), *self._who_in_words(), *self._order_in_words())

    def _points_in_words(self) -> list[str]:
        says = []
        if self.field:
            each = "each team" if self.field == 1 else f"every {self.field} teams"
            says.append(
                f"The first place gets a point for {each} in the event, rounded up; each place after it 1 less."
            )
        elif self.by_place:
            prices = [f"{ordinal(rank)} place {points}" for rank, points in enumerate(self.places, start=1)]
            says.append(f"Points by final place: {listed(prices)}.")
        if self.by_place and self.split:
            says.append("Teams that share a place split the points of those places.")
        elif self.by_place:
            says.append("All who share a place get its points.")
        if self.win:
            says.append(f"Each game won: {counted(self.win, 'point')}.")
        if self.champion:
            says.append(f"Champion’s bonus: {counted(self.champion, 'point')}.")
        if self.attendance:
            says.append(f"Just for playing: {counted(self.attendance, 'point')}.")
        return says

    def _who_in_words(self) -> list[str]:
        says = ["To count in an event, you have to sit in a game, or be there when one is won by default."]
        if self.games:
            says = [f"To count in an event, you have to play at least {counted(self.games, 'game')} of it."]
        if self.whose == PERSON:
            says.append("A substitute gets everything that the team gets.")
        if self.members:
            says.append("Only members are ranked: where guests finish, the members behind them move up.")
        return says

    def _order_in_words(self) -> list[str]:
        says = [f"The best {counted(self.best, 'event')} of each count." if self.best else "Every event counts."]
        if self.average:
            says.append("The table shows the average points per event played.")
        if self.evenings:
            says.append(f"To be ranked, play in at least {counted(self.evenings, 'event')}.")
        if self.ties == BEST_EVENINGS:
            says.append("Tied on points, the best single event decides, then the next best, and so on.")
        else:
            says.append("Tied on points, more first places decide, then more second places, and so on.")
        return [*says, "Still tied, they share the rank."]


def scheme_of(chosen: Mapping[str, Any]) -> Scheme:
    """Read a scheme as it is stored, under the names of its fields; `whose` is stored as `for`."""
    usual = Scheme()
    return Scheme(
        places=tuple(chosen.get("places", usual.places)),
        field=chosen.get("field") or None,
        win=chosen.get("win", usual.win),
        champion=chosen.get("champion", usual.champion),
        attendance=chosen.get("attendance", usual.attendance),
        split=bool(chosen.get("split")),
        best=chosen.get("best") or None,
        average=bool(chosen.get("average")),
        evenings=chosen.get("evenings") or None,
        games=chosen.get("games") or None,
        ties=chosen.get("ties", usual.ties),
        members=bool(chosen.get("members")),
        whose=chosen.get("for", usual.whose),
    )


class Part(NamedTuple):
    """What somebody did in an event.

    `rank` is None for who has no place; `shared` is how many teams have the same. `games` are those in which somebody
    sat or was there when they were won by default; `wins` are those among them that were won.
    """

    rank: int | None
    shared: int
    games: int
    wins: int
    champion: bool


class Showing(NamedTuple):
    """An event that is over: its name, how many teams have a place in it, the part of each who counts, its weight."""

    name: str
    field: int
    parts: Mapping[Any, Part]
    counts: int = 1


def moved_up(ranks: Mapping[int, int | None], left: Collection[int]) -> dict[int, tuple[int | None, int]]:
    """The places of the teams that are `left` when others take none: the rank of each, and how many share it.

    Places move up as if those others had not played; a team without a place (None) has none afterwards.
    """
    sharing = Counter(rank for team, rank in ranks.items() if team in left and rank is not None)
    places, taken = dict[int, int](), 0
    for rank in sorted(sharing):
        places[rank] = taken + 1
        taken += sharing[rank]
    return {
        team: (None, 1) if rank is None else (places[rank], sharing[rank])
        for team, rank in ranks.items()
        if team in left
    }


class Credit(NamedTuple):
    """The points that an event brings, whether they are among those that count, and the sentence that says it.

    `rules` are the clauses that brought the points, and the one by which they do not count.
    """

    points: Points
    counts: bool
    text: str
    rules: tuple[Clause, ...]


class Tie(NamedTuple):
    """Two neighbors with as many points: the clause that decides between them, and the sentence that says it."""

    rule: Clause
    text: str


class Remark(Tie):
    """What a clause does to a line as a whole, and the sentence that says it."""


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A line of the table. `credits` has a value for each event, None where `key` had no part in it.

    `rank` is None for who is not ranked: these lines stand below all others. `ties` are about the line above and the
    line below, where they have as many points; `remarks` about this line alone.
    """

    key: Hashable
    rank: int | None
    shared: bool
    total: Points
    credits: tuple[Credit | None, ...]
    ties: tuple[Tie, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def label(self) -> str:
        """Write the rank as standings do: “4”, “4=” where it is shared, “–” where there is none."""
        if self.rank is None:
            return "–"
        return f"{self.rank}=" if self.shared else str(self.rank)

    @property
    def rules(self) -> set[Clause]:
        """Name every clause that had a part in this line."""
        rules = {reason.rule for reason in (*self.ties, *self.remarks)}
        for credit in self.credits:
            if credit is not None:
                rules.update(credit.rules)
        return rules


def figure(points: Points) -> int | float:
    """Points as files have them: a whole number where they are whole, else with at most two decimals."""
    if isinstance(points, int):
        return points
    if points.denominator == 1:
        return points.numerator
    exact = Decimal(points.numerator) / Decimal(points.denominator)
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


def in_points(points: Points) -> str:
    """Points in words: “1 point”, “1.33 points”."""
    return f"{figure(points)} point{'' if points == 1 else 's'}"


def season_table(
    events: Sequence[Showing], scheme: Scheme, names: Mapping[Any, str] | None = None
) -> tuple[SeasonPlace, ...]:
    """Return a line for everybody who had a part in an event, best first; who is not ranked stands below.

    More points come first; with as many, the clause that the scheme names for ties decides. Who is level then shares
    the rank, and the next rank leaves out as many numbers as share. Of an event's points those of the better place
    count, then those of the earlier event, where as many would count. `names` are for the sentences about ties; the
    order within a shared rank is by name and means nothing.
    """
    names = names or {}
    keys = sorted({key for event in events for key in event.parts}, key=lambda key: (names.get(key, ""), str(key)))
    standing = [_standing(key, events, scheme) for key in keys]
    standing.sort(key=lambda row: (row.total, row.order), reverse=True)
    ranked = [row for row in standing if row.evenings >= (scheme.evenings or 0)]
    ties = [_tie(above, below, scheme, names) for above, below in pairwise(ranked)]
    lines = []
    for _, group in groupby(enumerate(ranked), key=lambda row: (row[1].total, row[1].order)):
        level = list(group)
        first = level[0][0]
        for index, row in level:
            about = _about(ties, index)
            remarks = _remarks(row, scheme)
            lines.append(SeasonPlace(row.key, first + 1, len(level) > 1, row.total, row.credits, about, remarks))
    for row in standing:
        if row.evenings < (scheme.evenings or 0):
            lines.append(SeasonPlace(row.key, None, False, row.total, row.credits, (), _remarks(row, scheme)))
    return tuple(lines)


class _Standing(NamedTuple):
    """What somebody has: the total, what decides a tie (more is better), the credits, and how many evenings."""

    key: Hashable
    total: Points
    order: tuple[Points, ...]
    credits: tuple[Credit | None, ...]
    evenings: int
    counting: int


class _Price(NamedTuple):
    """What an event brings by one clause, and what it is for."""

    rule: Clause
    points: Points
    words: str


def _standing(key: Hashable, events: Sequence[Showing], scheme: Scheme) -> _Standing:
    """Add up the events in which `key` had a part, each under its index."""
    parts: dict[int, Part] = {}
    prices: dict[int, list[_Price]] = {}
    points: dict[int, Points] = {}
    for index, event in enumerate(events):
        if key in event.parts:
            parts[index] = event.parts[key]
            prices[index] = _prices(parts[index], event.field, scheme)
            points[index] = event.counts * _sum(prices[index])

    # A rank behind all others, for who has none.
    last = max((event.field for event in events), default=0) + 1
    evenings = [index for index in parts if events[index].counts]
    # With as many points the better place comes first, then the earlier event.
    best_first = sorted(evenings, key=lambda index: (-points[index], parts[index].rank or last, index))
    best = best_first[: scheme.best]

    credits: list[Credit | None] = []
    for index, event in enumerate(events):
        if index not in parts:
            credits.append(None)
            continue
        text, rules = _explained(event, parts[index], prices[index], scheme)
        if event.counts and index not in best:
            rules.append(Clause.BEST)
            text += f"; not among the best {scheme.best}"
        credits.append(Credit(points[index], index in best, text, tuple(rules)))

    total: Points = sum(points[index] for index in best)
    if scheme.average and best:
        total = Fraction(total) / len(best)
    if scheme.ties == BEST_EVENINGS:
        order = _best_first([points[index] for index in evenings], len(events))
    else:
        order = _count_ranks([parts[index].rank for index in best], last)
    return _Standing(key, total, order, tuple(credits), len(evenings), len(best))


def _best_first(points: Sequence[Points], events: int) -> tuple[Points, ...]:
    """What breaks ties by best evenings: the points of each, the most first, and 0 for an evening not played."""
    missed = events - len(points)
    return (*sorted(points, reverse=True), *[0] * missed)


def _count_ranks(ranks: Sequence[int | None], last: int) -> tuple[Points, ...]:
    """What breaks ties by best ranks: how often each rank was reached, the first rank first."""
    return tuple([ranks.count(rank) for rank in range(1, last)])


def _prices(part: Part, field: int, scheme: Scheme) -> list[_Price]:
    """What a part brings, each clause by itself; what brings no points is left out."""
    prices = []
    if part.rank is not None and (place := _place(part.rank, part.shared, field, scheme)).points:
        prices.append(place)
    if scheme.win and part.wins:
        prices.append(_Price(Clause.GAMES_WON, part.wins * scheme.win, f"for {counted(part.wins, 'game')} won"))
    if scheme.champion and part.champion:
        prices.append(_Price(Clause.CHAMPION, scheme.champion, "as champion"))
    if scheme.attendance:
        prices.append(_Price(Clause.ATTENDANCE, scheme.attendance, "for playing"))
    return prices


def _place(rank: int, shared: int, field: int, scheme: Scheme) -> _Price:
    """What a final place brings to each of those who share it."""
    if shared == 1:
        return _Price(Clause.FIELD if scheme.field else Clause.PLACES, _points_of(rank, field, scheme), "for the place")
    if not scheme.split:
        return _Price(Clause.SHARED_PLACE, _points_of(rank, field, scheme), "for the place")
    together = sum(_points_of(rank + behind, field, scheme) for behind in range(shared))
    return _Price(Clause.SPLIT, Fraction(together, shared), f"as a share of {together}")


def _sum(prices: Sequence[_Price]) -> Points:
    return sum([price.points for price in prices])


def _points_of(rank: int, field: int, scheme: Scheme) -> int:
    """What a place brings that nobody shares."""
    if scheme.field:
        begun = -(-field // scheme.field)
        return max(0, begun + 1 - rank)
    return scheme.places[rank - 1] if rank <= len(scheme.places) else 0


def _explained(event: Showing, part: Part, prices: Sequence[_Price], scheme: Scheme) -> tuple[str, list[Clause]]:
    """Say one event's points, “2nd of 12 at March: 3 points”, with the clauses that brought them."""
    rank = "No place" if part.rank is None else f"{ordinal(part.rank)} of {event.field}"
    shared = f", shared by {part.shared}," if part.shared > 1 else ""
    place = f"{rank}{shared} at {event.name}"
    if not event.counts:
        return f"{place}: no points; this event does not count", [Clause.WEIGHT]
    if not prices:
        return f"{place}: no points", []
    total = in_points(event.counts * _sum(prices))
    rules = [price.rule for price in prices]
    is_plain = len(prices) == 1 and scheme.by_place and rules[0] not in (Clause.SPLIT, Clause.GAMES_WON)
    if is_plain and event.counts == 1:
        return f"{place}: {total}", rules
    brought = listed(f"{figure(price.points)} {price.words}" for price in prices)
    if event.counts == 1:
        return f"{place}: {total} ({brought})", rules
    return f"{place}: {total} ({brought}, times {event.counts})", [*rules, Clause.WEIGHT]


def _remarks(row: _Standing, scheme: Scheme) -> tuple[Remark, ...]:
    """What is to be said of a line as a whole: its average, and that it is not ranked."""
    remarks = []
    if scheme.average and row.counting:
        points = in_points(row.total * row.counting)
        remarks.append(Remark(Clause.AVERAGE, f"{points} in {counted(row.counting, 'event')} that count"))
    if row.evenings < (scheme.evenings or 0):
        needed = f"at least {counted(scheme.evenings or 0, 'event')} to be ranked"
        remarks.append(Remark(Clause.TOO_FEW, f"Not ranked: {counted(row.evenings, 'event')} played, {needed}"))
    return tuple(remarks)


def _tie(above: _Standing, below: _Standing, scheme: Scheme, names: Mapping[Hashable, str]) -> Tie | None:
    """Why one of two neighbors with as many points stands above the other; nothing where they have not."""
    if above.total != below.total:
        return None
    first, second = (names.get(row.key, str(row.key)) for row in (above, below))
    both = f"{first} and {second} both have {in_points(above.total)}"
    for place, (more, less) in enumerate(zip(above.order, below.order, strict=True), start=1):
        if more == less:
            continue
        if scheme.ties == BEST_EVENINGS:
            which = "best" if place == 1 else f"{ordinal(place)} best"
            text = f"{both}; {first}’s {which} event has {in_points(more)}, {second}’s {figure(less)}."
            return Tie(Clause.BEST_EVENING, text)
        return Tie(Clause.MORE_PLACES, f"{both}; {first} has more {ordinal(place)} places, {more} to {less}.")
    same = "results in every event" if scheme.ties == BEST_EVENINGS else "points and places"
    return Tie(Clause.SHARED_RANK, f"{both}; still tied: the same {same}, so they share the rank.")


def _about(ties: Sequence[Tie | None], index: int) -> tuple[Tie, ...]:
    """What is said of a line and its neighbors: the tie above it and the one below."""
    near = (*ties[index - 1 : index], *ties[index : index + 1])
    return tuple(tie for tie in near if tie is not None)
