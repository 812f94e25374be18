"""Seasons: what each event brings to whom, the table, and what a correction changes in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, cast

from django.db.models import Exists, OuterRef, Q

from scoring.ledger import counted, listed
from scoring.standings.season import TEAM, Part, Scheme, SeasonPlace, Showing, scheme_of, season_table
from scoring.standings.tiebreaks import ordinal
from tournament.access import name_at_most, shown_name, shown_team, strictest
from tournament.cache import VersionedCache
from tournament.models import Dues, Event, PartnerDraw, Person, Player, Round, Season, Substitution, Team
from tournament.pairing.draw import LEFT_OVER
from tournament.phrases import A_PLAYER, day, day_time, money
from tournament.queries.bracket import bracket
from tournament.queries.events import PublicState
from tournament.queries.people import NAMED, by_name, events_by_person
from tournament.queries.places import final_places
from tournament.queries.rules import EVERYTHING, ruleset_of
from tournament.queries.scored import seated
from tournament.queries.standings import Standings, full_standings
from tournament.queries.wording import BY_DEFAULT
from tournament.texts import is_placeholder

# What an event brings to its season.
#
# Whoever played no game of it has no part in it. A person counts in an event for the team with which most games were
# played, for the team that entered the person where these are as many; games and wins are those with this team. A game
# won by default is won, and not played; a bye is neither. The games of the playoffs that count are games, too. A fixed
# team is the same persons in any order, whatever they call themselves; of players who are not known, the same name.


class Called(NamedTuple):
    """A fixed team as it was called last: its whole name, what the club typed in its place, its players by name."""

    name: str
    shown_as: str
    players: tuple[tuple[str, int | None], ...]


class Brought(NamedTuple):
    """What an event that is over brings: how many have a place, and the parts of persons and of fixed teams, by key.

    `unknown` are the whole names of players of whom nobody has said who they are, for owners.
    """

    field: int
    persons: Mapping[int, Part]
    teams: Mapping[Hashable, Part]
    called: Mapping[Hashable, Called]
    unknown: tuple[str, ...]


class Game(NamedTuple):
    """A game of a team: the number of its round, whether it was won, and whether anybody played it."""

    round: int
    won: bool
    played: bool


# What each event brings, by its public version: a season asks for all of its events at once.
_brought: VersionedCache[Brought | None] = VersionedCache(512)


def brought_by(event: Event) -> Brought | None:
    """What an event brings; nothing while it is not over, or while its champion is still to be decided."""
    if event.stage != "over":
        return None
    key = PublicState(event.pk, event.epoch, event.public_version)
    return _brought.get(key, lambda: bring(event, full_standings(event)))


def bring(event: Event, table: Standings) -> Brought | None:
    """The same computed anew, from standings that are computed already."""
    placed = final_places(event, EVERYTHING, table)
    if event.stage != "over" or not placed.lines:
        return None
    sharing = Counter(line.rank for line in placed.lines)
    teams = {team.number: team for team in event.teams.prefetch_related(*NAMED)}
    # Who never played has no place, and no part.
    games = {number: own for number, own in _games(event, table).items() if number in placed.by_number}

    def part(number: int, games: Sequence[Game]) -> Part:
        rank = placed.by_number[number].rank
        played, won = (sum(getattr(game, name) for game in games) for name in ("played", "won"))
        return Part(rank, 1 if rank is None else sharing[rank], played, won, rank == 1)

    fixed = {_fixed(teams[line.number]): line.number for line in reversed(placed.lines)}
    parts = {key: part(number, games[number]) for key, number in fixed.items()}
    persons = {person: part(number, own) for person, (number, own) in _persons(teams, games).items()}
    return Brought(
        sum(line.rank is not None for line in placed.lines),
        {person: row for person, row in persons.items() if row.games},
        {key: row for key, row in parts.items() if row.games},
        {key: _called(teams[number]) for key, number in fixed.items()},
        _unknown(teams.values()),
    )


def _unknown(teams: Iterable[Team]) -> tuple[str, ...]:
    """Players of whom nobody has said who they are, each with the team."""
    return tuple(
        f"{player.full_name} ({team.full_name})" if team.named else player.full_name
        for team in teams
        for player in team.players.all()
        if player.person is None and not is_placeholder(player.full_name)
    )


def _games(event: Event, table: Standings) -> dict[int, list[Game]]:
    """The games of each team: those of the standings, and those that count in the bracket."""
    games = {
        number: [Game(mark.round, mark.sign == "W", mark.how not in BY_DEFAULT) for mark in marks if mark.game]
        for number, marks in table.books.marks.items()
    }
    drawn = bracket(event, table) if event.cut else None
    for game in (game for match in drawn.matches for game in match.counted) if drawn else ():
        for number in game.teams:
            games[number].append(Game(game.round, game.winner == number, not game.by_default))
    return games


def _persons(teams: Mapping[int, Team], games: Mapping[int, Sequence[Game]]) -> dict[int, tuple[int, list[Game]]]:
    """Every person with the team for which it counts, and its games with that team."""
    sat: dict[int, dict[int, list[Game]]] = defaultdict(lambda: defaultdict(list))
    for number, own in games.items():
        for game in own:
            for row in seated(teams[number], game.round) or teams[number].players.all():
                if row.person is not None:
                    sat[_meant(row)][number].append(game)
    entered = {(_meant(player), player.team_id) for player in _players(teams.values()) if player.person}

    def most(person: int, number: int) -> tuple[int, bool, int]:
        played = sum(game.played for game in sat[person][number])
        return played, (person, teams[number].pk) in entered, -number

    chosen = {person: max(own, key=lambda number: most(person, number)) for person, own in sat.items()}
    return {person: (number, sat[person][number]) for person, number in chosen.items()}


def _meant(row: Player | Substitution) -> int:
    """The key of a person, merged ones followed."""
    return (row.person and row.person.merged_into_id) or row.person_id or 0


def _players(teams: Iterable[Team]) -> list[Player]:
    return [player for team in teams for player in team.players.all()]


def _fixed(team: Team) -> Hashable:
    players = list(team.players.all())
    linked = players and all(player.person for player in players)
    return tuple(sorted(map(_meant, players))) if linked else team.key


def _called(team: Team) -> Called:
    players = tuple((player.full_name, _meant(player) or None) for player in team.players.all())
    return Called(team.full_name, team.shown_as, players)


# The table.


class SeasonLine(NamedTuple):
    """A line of the table. `person` is whose page the name leads to, where that page shows no more than the name."""

    ranked: SeasonPlace
    name: str
    person: int | None

    @property
    def standing(self) -> str:
        """The line in words: “3rd, 7 points”."""
        return f"{ordinal(self.ranked.rank)}{' (shared)' * self.ranked.shared}, {counted(self.ranked.total, 'point')}"


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """A season as it stands: its events in order of date, those that are `over` with a value in every line's credits.

    `open` are the other events, each with why it does not count yet; `unknown` are events with players of whom nobody
    has said who they are, and how many.
    """

    season: Season
    scheme: Scheme
    events: tuple[Event, ...]
    over: tuple[Event, ...]
    lines: tuple[SeasonLine, ...]
    open: tuple[tuple[Event, str], ...] = ()
    unknown: tuple[tuple[Event, tuple[str, ...]], ...] = ()

    @property
    def state(self) -> str:
        """How far it is: “After 3 of 5 events”."""
        return f"After {len(self.over)} of {counted(len(self.events), 'event')}" if self.events else "No events yet"

    @property
    def games(self) -> str:
        """Which games are played, where they are not the same in all events."""
        games = sorted({ruleset_of(event).game.title for event in self.events})
        return f"{listed(games)} count together in this season." if len(games) > 1 else ""


def season_facts(season: Season, *, whole: bool = False) -> SeasonFacts:
    """The season as everybody may see it, or with whole names and all events for those who run it."""
    drawn = Exists(Round.objects.filter(event=OuterRef("pk")))
    rows = season.events.exclude(slug__startswith=Event.REHEARSAL).annotate(drawn=drawn).order_by("date", "pk")
    events = [event for event in rows if whole or event.stage != "setup" or event.drawn]
    return facts_of(season, events, {event.pk: brought_by(event) for event in events}, whole=whole)


def facts_of(
    season: Season, events: Sequence[Event], brought: Mapping[int, Brought | None], *, whole: bool
) -> SeasonFacts:
    """The same from what each of its events brings."""
    scheme = scheme_of(season.scheme)
    finished = [(event, row) for event in events if (row := brought[event.pk])]
    names, pages = _names(scheme, [row for _, row in finished], [event.names for event in events], whole)
    alike = Counter(event.name for event, _ in finished)
    showings = [
        Showing(
            event.name if alike[event.name] == 1 else f"{event.name} ({day(event.date)})",
            row.field,
            row.teams if scheme.whose == TEAM else row.persons,
        )
        for event, row in finished
    ]
    lines = tuple(
        SeasonLine(ranked, names[ranked.key], pages.get(ranked.key)) for ranked in season_table(showings, scheme, names)
    )
    if events:
        season.time_zone = events[-1].time_zone
    return SeasonFacts(
        season,
        scheme,
        tuple(events),
        tuple(event for event, _ in finished),
        lines,
        tuple((event, _why_open(event)) for event in events if not brought[event.pk]),
        tuple((event, row.unknown) for event, row in finished if row.unknown and scheme.whose != TEAM),
    )


def _why_open(event: Event) -> str:
    if event.stage == "over":
        return f"{event} waits for its champion: the director decides."
    in_play = "is not played yet" if event.stage == "setup" else "is in play"
    return f"{event} {in_play}: it counts when it is finished."


def _names(
    scheme: Scheme, brought: Sequence[Brought], shows: Sequence[str], whole: bool
) -> tuple[dict[Hashable, str], dict[Hashable, int]]:
    """What each line is called, and the person to whose page it leads. No event shows a name for which one does not."""
    called = {key: name for row in brought for key, name in row.called.items()} if scheme.whose == TEAM else {}
    keys = {pk for row in brought for pk in row.persons if scheme.whose != TEAM}
    keys |= {pk for team in called.values() for _, pk in team.players if pk}
    people = {person.pk: person for person in Person.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys))}
    wishes = defaultdict[int, list[str]](list)
    for person in people.values():
        wishes[person.merged_into_id or person.pk].append(person.show)
    most = ["full"] if whole else list(shows)

    def show(pk: int | None) -> str:
        return strictest(most if whole or pk is None else [*most, *wishes[pk]])

    if scheme.whose == TEAM:
        players = {key: [(name, show(pk)) for name, pk in team.players] for key, team in called.items()}
        return {key: shown_team(team.name, team.shown_as, players[key]) for key, team in called.items()}, {}
    names: dict[Hashable, str] = {pk: name_at_most(people[pk].name, show(pk)) for pk in keys}
    if whole:
        return names, {pk: pk for pk in keys}
    # Their own page may say more than this table: it is not led to then.
    own = {pk: name_at_most(people[pk].name, strictest(wishes[pk])) for pk in keys}
    return names, {pk: pk for pk in keys if names[pk] == own[pk] != A_PLAYER}


# Where seasons are named: the front page, a person's page, a correction that is previewed.


def seasons(*, whole: bool = False) -> list[Season]:
    """The seasons of which everybody may see an event, or all of them, the newest first, with their events."""
    hidden = Q(slug__startswith=Event.REHEARSAL) | Q(stage="setup", rounds=None)
    seen = Q() if whole else Q(events__in=Event.objects.exclude(hidden))
    return list(Season.objects.filter(seen).distinct().prefetch_related("events"))


def events_to_put_in(season: Season) -> list[Event]:
    """The events that do not count in this season, the newest first, each with the season in which it does."""
    counts = Q(slug__startswith=Event.REHEARSAL) | Q(season=season)
    return list(Event.objects.exclude(counts).select_related("season"))


def seasons_of(person: Person, title: str) -> list[tuple[SeasonFacts, SeasonLine]]:
    """The seasons that show a person by the title of its page, the newest first, each with its line."""
    people = [person.pk, *(row.pk for row in person.merged.all())]
    played = Q(players__person__in=people) | Q(substitutions__person__in=people)
    rows = Season.objects.filter(events__stage="over", events__teams__in=Team.objects.filter(played)).distinct()
    lines = ((facts, line) for facts in map(season_facts, rows) for line in facts.lines)
    return [(facts, line) for facts, line in lines if line.person == person.pk and line.name == title]


class Others(NamedTuple):
    """A season with what its other events bring, read before one of them changes."""

    season: Season
    events: tuple[Event, ...]
    brought: Mapping[int, Brought | None]


def others_in_season(event: Event) -> Others | None:
    """What the other events of its season bring, remembered as far as they are; nothing while this one is not over."""
    if event.season is None or event.stage != "over":
        return None
    events = tuple(event.season.events.exclude(slug__startswith=Event.REHEARSAL).order_by("date", "pk"))
    return Others(event.season, events, {row.pk: brought_by(row) for row in events if row.pk != event.pk})


def season_words(others: Others | None, event: Event, table: Standings) -> dict[str, str]:
    """The line of everybody in the season of an event, in words, with this event as it stands now."""
    if others is None:
        return {}
    facts = facts_of(others.season, others.events, {**others.brought, event.pk: bring(event, table)}, whole=True)
    alike = Counter(line.name for line in facts.lines)
    return {
        f"{facts.season}: {line.name}" + f" (No. {line.ranked.key})" * (alike[line.name] > 1): line.standing
        for line in facts.lines
    }


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
        for person in by_name(people)
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
    for rows in (
        Player.objects.order_by("team__number", "position"),
        Substitution.objects.order_by("team__number", "pk"),
    ):
        for row in rows.filter(team__event=event, person__isnull=False).select_related("team", "person"):
            person = row.person and (row.person.merged_into_id or row.person.pk)
            if row.team is not None and person and person not in seats[row.team]:
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
    total: int

    @property
    def key(self) -> str:
        """By which a form names it."""
        return str(self.person.pk) if self.person else self.name


def ranked(season: Season) -> list[Ranked]:
    """The season's table by whole names, best first; who was deleted is not in it."""
    facts = season_facts(season, whole=True)
    lines = [(line.ranked, line.name) for line in facts.lines]
    if facts.scheme.whose == TEAM:
        return [Ranked(None, name, line.rank, line.total) for line, name in lines]
    people = Person.objects.filter(deleted_at=None).in_bulk([line.key for line, _ in lines])
    living = ((people.get(cast("int", line.key)), line, name) for line, name in lines)
    return [Ranked(person, name, line.rank, line.total) for person, line, name in living if person]


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
