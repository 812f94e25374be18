"""A season: the points of its events, which events count, the table, and a sentence for every point and tie.

Points are exact, because teams that share a place may split its points. They are rounded only when they are shown.
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

# Points are whole unless a place is split or an average is taken. Whole numbers are much faster to add.
Points = int | Fraction
PERSON, TEAM = "person", "team"
# What breaks a tie on points.
MORE_PLACES, BEST_EVENINGS = "places", "evenings"


class Clause(StrEnum):
    """What brings points or decides a place: its id in section 5 of `RULES.md`."""

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
    """What a season gives points for. All points are whole numbers, and none are below zero.

    `places` are the points of the final places, first place first; places that are not listed get none. With `field`,
    first place instead gets a point for every `field` teams in the event, and each place below it gets one less. Teams
    that share a place each get its points, or `split` the points of the places that they take up. Each game won brings
    `win` points, first place `champion` more, and playing in the event `attendance`.

    The `best` number of events count; all of them if it is None. The total is their sum or, with `average`, their
    average. A player who counts in fewer than `evenings` events is not ranked; one with fewer than `games` games in an
    event does not count in it. `ties` says what breaks a tie on points: more good places, or the best single event.
    With `members`, only members are ranked. `whose` says what a line of the table is: a person or a fixed team.
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
        """Return whether a final place brings points by itself."""
        return bool(self.field or any(self.places))

    @property
    def words(self) -> tuple[str, ...]:
        """Return the scheme in sentences, as the season’s page shows it."""
        return (*self._points_in_words(), *self._who_in_words(), *self._order_in_words())

    def _points_in_words(self) -> list[str]:
        says = []
        if self.field:
            each = "each team" if self.field == 1 else f"every {self.field} teams"
            says.append(
                f"First place gets a point for {each} in the event, rounded up; each place below it gets 1 less."
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
            says = [f"To count in an event, you have to play at least {counted(self.games, 'game')} in it."]
        if self.whose == PERSON:
            says.append("A substitute gets everything that the team gets.")
        if self.members:
            says.append("Only members are ranked: where guests finish, the members behind them move up.")
        return says

    def _order_in_words(self) -> list[str]:
        says = [self._best_in_words()]
        if self.average:
            says.append("The table shows the average points per event played.")
        if self.evenings:
            says.append(f"To be ranked, play in at least {counted(self.evenings, 'event')}.")
        if self.ties == BEST_EVENINGS:
            says.append("Tied on points, the best single event decides, then the next best, and so on.")
        else:
            says.append("Tied on points, more first places decide, then more second places, and so on.")
        return [*says, "Still tied, they share the rank."]

    def _best_in_words(self) -> str:
        if not self.best:
            return "Every event counts."
        whose = "player’s" if self.whose == PERSON else "team’s"
        events = "event counts" if self.best == 1 else f"{self.best} events count"
        return f"Each {whose} best {events}."


def scheme_of(chosen: Mapping[str, Any]) -> Scheme:
    """Read a stored scheme. Its keys are the names of the fields, but `whose` is stored as `for`."""
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
    """What a player or team did in an event.

    `rank` is None without a place; `shared` is how many teams have that place. `games` counts the games that they
    played, or that were won by default while they were there; `wins` counts the ones that they won.
    """

    rank: int | None
    shared: int
    games: int
    wins: int
    champion: bool


class Showing(NamedTuple):
    """An event that is over: its name, how many teams have a place, the part of everyone who counts, and its weight."""

    name: str
    field: int
    parts: Mapping[Any, Part]
    counts: int = 1


def moved_up(ranks: Mapping[int, int | None], left: Collection[int]) -> dict[int, tuple[int | None, int]]:
    """Rank only the teams that are `left`: return the rank of each, and how many share it.

    Places move up as if the other teams had not played. A team without a place (None) still has none.
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
    """The points that an event brings, whether they count, and the sentence that explains them.

    `rules` are the clauses that brought the points or keep them from counting.
    """

    points: Points
    counts: bool
    text: str
    rules: tuple[Clause, ...]


class Tie(NamedTuple):
    """Two neighbors with the same points: the clause that decides between them, and the sentence that explains it."""

    rule: Clause
    text: str


class Remark(Tie):
    """What a clause does to a whole line, and the sentence that explains it."""


@dataclass(frozen=True, slots=True)
class SeasonPlace:
    """A line of the table. `credits` has an item for each event: None if this player or team does not count in it.

    `rank` is None for a line that is not ranked: it comes below all others. `ties` explain the order if the line above
    or below has the same points; `remarks` are about this line alone.
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
        """Return the rank as standings show it: “4”, “4=” if it is shared, “–” if there is none."""
        if self.rank is None:
            return "–"
        return f"{self.rank}=" if self.shared else str(self.rank)

    @property
    def rules(self) -> set[Clause]:
        """Return every clause that affected this line."""
        rules = {reason.rule for reason in (*self.ties, *self.remarks)}
        for credit in self.credits:
            if credit is not None:
                rules.update(credit.rules)
        return rules


def figure(points: Points) -> int | float:
    """Return points as files show them: a whole number if possible, otherwise at most two decimals."""
    if isinstance(points, int):
        return points
    if points.denominator == 1:
        return points.numerator
    exact = Decimal(points.numerator) / Decimal(points.denominator)
    return float(exact.quantize(Decimal("0.01"), ROUND_HALF_UP))


def in_points(points: Points) -> str:
    """Return points in words: “1 point”, “1.33 points”."""
    return f"{figure(points)} point{'' if points == 1 else 's'}"


def season_table(
    events: Sequence[Showing], scheme: Scheme, names: Mapping[Any, str] | None = None
) -> tuple[SeasonPlace, ...]:
    """Return a line for everyone who counts in an event, best first. Lines that are not ranked come last.

    More points come first. The scheme says what breaks a tie on points; those still tied share the rank, and the next
    rank skips a number for each of them but one. If only the best events count and two bring the same points, the one
    with the better place counts, then the earlier one. `names` are for the sentences about ties. The order within a
    shared rank is by name and means nothing.
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
    """The sums of a line: its total, what breaks a tie (more is better), its credits, and how many events it played."""

    key: Hashable
    total: Points
    order: tuple[Points, ...]
    credits: tuple[Credit | None, ...]
    evenings: int
    counting: int


class _Price(NamedTuple):
    """The points of an event by one clause, and what they are for."""

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

    # A rank below all others, for events without a place.
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
    """Return what breaks a tie by best events: the points of each, most first, and 0 for each event not played."""
    missed = events - len(points)
    return (*sorted(points, reverse=True), *[0] * missed)


def _count_ranks(ranks: Sequence[int | None], last: int) -> tuple[Points, ...]:
    """Return what breaks a tie by places: how often each place was reached, first place first."""
    return tuple([ranks.count(rank) for rank in range(1, last)])


def _prices(part: Part, field: int, scheme: Scheme) -> list[_Price]:
    """Return what a part brings, clause by clause, without clauses that bring no points."""
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
    """Return what a final place brings to each team that shares it."""
    if shared == 1:
        return _Price(Clause.FIELD if scheme.field else Clause.PLACES, _points_of(rank, field, scheme), "for the place")
    if not scheme.split:
        return _Price(Clause.SHARED_PLACE, _points_of(rank, field, scheme), "for the place")
    together = sum(_points_of(rank + behind, field, scheme) for behind in range(shared))
    return _Price(Clause.SPLIT, Fraction(together, shared), f"as a share of {together}")


def _sum(prices: Sequence[_Price]) -> Points:
    return sum([price.points for price in prices])


def _points_of(rank: int, field: int, scheme: Scheme) -> int:
    """Return what a place brings if nobody shares it."""
    if scheme.field:
        begun = -(-field // scheme.field)
        return max(0, begun + 1 - rank)
    return scheme.places[rank - 1] if rank <= len(scheme.places) else 0


def _explained(event: Showing, part: Part, prices: Sequence[_Price], scheme: Scheme) -> tuple[str, list[Clause]]:
    """Explain the points of an event, “2nd of 12 at March: 3 points”, and return the clauses that brought them."""
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
    """Return the remarks about a whole line: its average, and that it is not ranked."""
    remarks = []
    if scheme.average and row.counting:
        points = in_points(row.total * row.counting)
        remarks.append(Remark(Clause.AVERAGE, f"{points} in {counted(row.counting, 'event')} that count"))
    if row.evenings < (scheme.evenings or 0):
        needed = f"at least {counted(scheme.evenings or 0, 'event')} to be ranked"
        remarks.append(Remark(Clause.TOO_FEW, f"Not ranked: {counted(row.evenings, 'event')} played, {needed}"))
    return tuple(remarks)


def _tie(above: _Standing, below: _Standing, scheme: Scheme, names: Mapping[Hashable, str]) -> Tie | None:
    """Explain the order of two neighbors that have the same points; return None if they do not."""
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
    """Return the ties of a line with its neighbors: the one above and the one below."""
    near = (*ties[index - 1 : index], *ties[index : index + 1])
    return tuple(tie for tie in near if tie is not None)
