"""A season: what its members owe and have paid, the partners drawn for it, and who qualifies for its last event."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from tournament.access import shown_name, strictest
from tournament.models import Dues, Event, PartnerDraw, Person, Player, Season, Substitution, Team
from tournament.pairing.draw import LEFT_OVER
from tournament.phrases import A_PLAYER, day_time, money
from tournament.queries.people import events_by_person
from tournament.queries.places import final_places

# Dues. A member is who plays in an event of the season, or has paid for it; who was merged counts as one.


@dataclass(frozen=True, slots=True)
class Member:
    """A person with the lines of all that were merged into it, oldest first. `due` is what the season asks of each."""

    person: Person
    season: Season
    events: int
    lines: tuple[Dues, ...]

    @property
    def paid_cents(self) -> int:
        return sum(line.cents for line in self.lines)

    @property
    def owes(self) -> int:
        return max(0, self.season.dues_cents - self.paid_cents)

    @property
    def words(self) -> str:
        """When and where it was paid: “$20 on Nov 21, 8:07 p.m., at March, receipt 4”."""
        lines = (line for line in self.lines if line.stands)
        return "; ".join(f"{money(line.cents, self.season.currency)} {where_paid(line)}" for line in lines)


def where_paid(line: Dues) -> str:
    zone, desk = (line.at.time_zone, f" at {line.at},") if line.at else (Event().time_zone, "")
    return f"on {day_time(line.taken_at, zone)},{desk} receipt {line.number}"


def members_of(season: Season, only: Collection[int] = ()) -> list[Member]:
    """Every member by name, or `only` some by key: a constant number of queries."""
    events, lines = events_by_person(team__event__season=season), defaultdict(list)
    for line in season.dues.select_related("person", "at", "reversed_by"):
        lines[line.person.merged_into_id or line.person_id].append(line)
    people = Person.objects.filter(pk__in=only or {*events, *lines})
    return [
        Member(person, season, len(events[person.pk]), tuple(lines[person.pk]))
        for person in people
        if not person.deleted_at or (lines[person.pk] and not only)
    ]


class DeskDues(NamedTuple):
    """Dues at the desk of an event: who owes, by team, and what was taken here, which is not in the event's cash."""

    season: Season
    owing: dict[Team, list[Member]]
    lines: tuple[Dues, ...]

    @property
    def debtors(self) -> int:
        return sum(map(len, self.owing.values()))

    @property
    def taken(self) -> int:
        return sum(line.cents for line in self.lines)


def desk_dues(event: Event) -> DeskDues | None:
    """None where the event is of no season, or that one has no dues."""
    season = event.season
    if season is None or not (season.dues_cents or season.dues.exists()):
        return None
    seats = persons_by_team(event)
    people = {person for row in seats.values() for person in row}
    owes = {member.person.pk: member for member in members_of(season, people or {0}) if member.owes}
    owing = {team: [owes[person] for person in row if person in owes] for team, row in seats.items()}
    lines = season.dues.filter(at=event).select_related("person", "reversed_by")
    return DeskDues(season, owing, tuple(lines))


def persons_by_team(event: Event) -> dict[Team, list[int]]:
    """The persons who play for each team, merged ones followed, substitutes last."""
    seats: dict[Team, list[int]] = defaultdict(list)
    for rows in (Player.objects.order_by("team__number", "position"), Substitution.objects.order_by("team__number")):
        for row in rows.filter(team__event=event, person__isnull=False).select_related("team", "person"):
            person = row.person and (row.person.merged_into_id or row.person.pk)
            if person and person not in seats[row.team]:
                seats[row.team].append(person)
    return seats


# Partners by lot.


def last_partners(season: Season) -> set[tuple[int, int]]:
    """Who were partners last: in the last draw, with 0 beside who was left over, and in the last event's teams."""
    merged = Person.objects.exclude(merged_into=None)
    meant: dict[int, int] = {person.pk: person.merged_into_id or person.pk for person in merged}
    draw, pairs = season.draws.last(), set[tuple[int, int]]()
    if draw is not None:
        drawn = [*draw.pairs, *([(LEFT_OVER, draw.alone_id)] if draw.alone_id else [])]
        pairs |= {(meant.get(first, first), meant.get(second, second)) for first, second in drawn}
    for event in season.events.order_by("-date", "-id"):
        if teams := [row for row in persons_by_team(event).values() if len(row) > 1]:
            return pairs | {pair for row in teams for pair in combinations(row, 2)}
    return pairs


class Pair(NamedTuple):
    """Two who were drawn: by name as everybody reads it, and the persons. `again` says that they were partners last."""

    number: int
    names: tuple[str, str]
    persons: tuple[Person, Person]
    again: bool


def drawn_pairs(draw: PartnerDraw) -> list[Pair]:
    """The pairs in the order in which they were drawn."""
    rows = _with_wishes(pk for pair in draw.pairs for pk in pair)
    people = {person.pk: person.merged_into or person for person in rows}
    shows, pairs = season_shows(draw.season), []
    for number, (first, second) in enumerate(draw.pairs, start=1):
        persons = people[first], people[second]
        names = (shown_person(persons[0], shows, 2 * number - 1), shown_person(persons[1], shows, 2 * number))
        pairs.append(Pair(number, names, persons, number in draw.again))
    return pairs


def season_shows(season: Season) -> list[str]:
    """How the events of a season show names: the strictest holds."""
    return [*season.events.values_list("names", flat=True), "full"]


def shown_person(person: Person, shows: Sequence[str], number: int) -> str:
    """A person as everybody reads the name, loaded with whom was merged and into whom."""
    meant = person.merged_into or person
    wishes = [person.show, meant.show, *(other.show for other in meant.merged.all())]
    return A_PLAYER if meant.deleted_at else shown_name(meant.name, strictest([*shows, *wishes]), number)


def _with_wishes(people: Iterable[int]) -> Iterable[Person]:
    rows = Person.objects.filter(pk__in=set(people)).select_related("merged_into")
    return rows.prefetch_related("merged", "merged_into__merged")


# The champions' event.


@dataclass(frozen=True, slots=True)
class Ranked:
    """A place of the season. `person` is None where fixed teams are ranked, by their `name`."""

    person: Person | None
    name: str
    rank: int
    total: object

    @property
    def key(self) -> str:
        """By which a form names it."""
        return str(self.person.pk) if self.person else self.name


def ranked(season: Season) -> list[Ranked]:
    """The season’s ranking by its final places, best first; who was deleted is not in it."""
    points: dict[int, int] = defaultdict(int)
    for event in season.events.filter(stage="over"):
        teams = {team.number: row for team, row in persons_by_team(event).items()}
        for line in final_places(event).lines:
            for person in teams.get(line.number, ()):
                points[person] += {1: 6, 2: 3, 3: 1}.get(line.rank or 0, 0)
    people = sorted(Person.objects.filter(pk__in=points), key=lambda person: (-points[person.pk], person.key))
    totals = sorted(points.values(), reverse=True)
    return [
        Ranked(person, person.name, totals.index(points[person.pk]) + 1, points[person.pk])
        for person in people
        if not person.deleted_at
    ]


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who is in by the season's places, and who are tied for the `seats` that are left."""

    sure: tuple[Ranked, ...]
    level: tuple[Ranked, ...]
    seats: int


def qualified(places: Sequence[Ranked], count: int) -> Qualified:
    """The first `count` of a ranking. Nobody is tied where all who share a place are in."""
    if count >= len(places) or places[count - 1].rank != places[count].rank:
        return Qualified(tuple(places[:count]), (), 0)
    rank = places[count].rank
    sure = tuple(row for row in places if row.rank < rank)
    return Qualified(sure, tuple(row for row in places if row.rank == rank), count - len(sure))
