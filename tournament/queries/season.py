"""Seasons: the table, who is left out of it and why, and what a correction changes in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q

from scoring.ledger import counted, listed
from scoring.standings.season import TEAM, Clause, Scheme, SeasonPlace, Tie, figure, in_points, scheme_of, season_table
from scoring.standings.tiebreaks import ordinal
from tournament.access import name_at_most, shown_name, shown_team, strictest
from tournament.models import Event, PartnerDraw, Person, Round, Season, Team
from tournament.pairing.draw import LEFT_OVER
from tournament.queries.people import persons_by_team
from tournament.queries.rules import ruleset_of
from tournament.queries.season_events import around, events_of
from tournament.queries.season_parts import (
    Brought,
    Called,
    Listed,
    Members,
    bring,
    brought_by,
    members_for,
    showing_of,
    team_key,
)
from tournament.queries.standings import Standings
from tournament.site.cache import VersionedCache
from tournament.words.phrases import A_PLAYER, day

# The table.


class SeasonLine(NamedTuple):
    """A line of the table. `person` is the person whose page the name links to, if that page shows only this name."""

    ranked: SeasonPlace
    name: str
    person: int | None

    @property
    def total(self) -> int | float:
        """The points as they are shown: whole, or with at most two decimals."""
        return figure(self.ranked.total)

    def points_of(self, index: int) -> int | float | None:
        """The points from one event, rounded in the same way; None if the line has no part in it."""
        credit = self.ranked.credits[index]
        return None if credit is None else figure(credit.points)

    def points_before(self, index: int) -> int | float | None:
        """The counted points from the events before this one; None if the line has no part in any of them."""
        credits = [credit for credit in self.ranked.credits[:index] if credit is not None]
        return figure(sum((credit.points for credit in credits if credit.counts), Fraction())) if credits else None

    def told_since(self, index: int) -> tuple[str, ...]:
        """A sentence for every point from this event on, then the remarks about the whole line."""
        credits = [credit.text for credit in self.ranked.credits[index:] if credit is not None]
        return (*credits, *(remark.text for remark in self.ranked.remarks))

    @property
    def told_ties(self) -> tuple[Tie, ...]:
        """The ties that something decided. That level lines share a rank is said once for the whole table."""
        return tuple(tie for tie in self.ranked.ties if tie.rule is not Clause.SHARED_RANK)

    @property
    def standing(self) -> str:
        """The line in words: “3rd, 7 points”."""
        ranked = self.ranked
        place = "Not ranked" if ranked.rank is None else f"{ordinal(ranked.rank)}{' (shared)' * ranked.shared}"
        return f"{place}, {in_points(ranked.total)}"


class LeftOut(NamedTuple):
    """Somebody who is left out: why (a key of `LEFT_OUT`), who, and the sentence for the season's owners.

    `event` names the event, if it is about one.
    """

    why: str
    who: Hashable
    text: str
    event: str = ""


# Why somebody is left out, as everybody reads it: without names, for one and for several people.
LEFT_OUT = {
    "guest": ("1 guest is not ranked.", "{} guests are not ranked."),
    "too-few-events": ("1 {who} has too few events to be ranked.", "{} {who}s have too few events to be ranked."),
    "too-few-games": ("1 player had too few games in an event.", "{} players had too few games in an event."),
    "unsaid": ("1 player has no part: nobody said they played.", "{} players have no part: nobody said they played."),
    "unknown": (
        "1 player has no points yet: nobody has said who that is.",
        "{} players have no points yet: nobody has said who they are.",
    ),
}


@dataclass(frozen=True, slots=True)
class SeasonFacts:
    """The current state of a season: its events by date. Credits of a line have a value for each event that is `over`.

    `open` are the other events, each with the reason why it does not count yet. `unknown` are events with the names of
    players who were not matched to a person. `left_out` is everybody who is left out of the table or of an event.
    """

    season: Season
    scheme: Scheme
    members: Members
    events: tuple[Event, ...]
    over: tuple[Event, ...]
    lines: tuple[SeasonLine, ...]
    open: tuple[tuple[Event, str], ...] = ()
    unknown: tuple[tuple[Event, tuple[str, ...]], ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def state(self) -> str:
        """How far the season is: “After 3 of 5 events”."""
        return f"After {len(self.over)} of {counted(len(self.events), 'event')}" if self.events else "No events yet"

    @property
    def words(self) -> tuple[str, ...]:
        """How the season counts, one sentence each: its options, then the events that do not count once."""
        weights = [f"{event} counts {TIMES.get(event.counts, f'{event.counts} times')}." for event in self.weighed]
        return (*self.scheme.words, *weights)

    @property
    def weighed(self) -> tuple[Event, ...]:
        return tuple(event for event in self.events if event.counts != 1)

    @property
    def left_out_in_words(self) -> tuple[str, ...]:
        """How many are left out and why, without names."""
        people = {why: len({row.who for row in self.left_out if row.why == why}) for why in LEFT_OUT}
        who = "team" if self.scheme.whose == TEAM else "player"
        return tuple(
            one.format(who=who) if people[why] == 1 else several.format(people[why], who=who)
            for why, (one, several) in LEFT_OUT.items()
            if people[why]
        )

    @property
    def told_left_out(self) -> tuple[LeftOut, ...]:
        """Who is left out and why, for owners. Unknown players are shown with their event instead."""
        return tuple(row for row in self.left_out if row.why != "unknown")

    @property
    def lacks_members(self) -> bool:
        """Whether only members are ranked, but there are no members yet."""
        return self.scheme.members and not self.members.persons

    @property
    def games(self) -> str:
        """A sentence about the games that are played, if the events do not all play the same one."""
        games = sorted({ruleset_of(event).game.title for event in self.events})
        return f"{listed(games)} count together in this season." if len(games) > 1 else ""


TIMES = {0: "for no points", 2: "double"}


# Computed seasons by version: projector, people's pages and files all ask for them.
_seasons: VersionedCache[SeasonFacts] = VersionedCache(32)


def season_facts(season: Season, *, whole: bool = False) -> SeasonFacts:
    """The season as everybody may see it, or with whole names and all events for its owners."""
    if whole:
        # The season's version does not cover events that are hidden from the public.
        return _season_facts(season, whole=True)
    facts = _seasons.get((season.pk, season.created_at, season.version), lambda: _season_facts(season, whole=False))
    season.time_zone = facts.season.time_zone
    return facts


def _season_facts(season: Season, *, whole: bool) -> SeasonFacts:
    drawn = Exists(Round.objects.filter(event=OuterRef("pk")))
    rows = events_of(season).select_related("season").annotate(drawn=drawn)
    events = [event for event in rows if whole or event.stage != "setup" or event.drawn]
    return facts_of(season, events, {event.pk: brought_by(event) for event in events}, whole=whole)


def facts_of(
    season: Season, events: Sequence[Event], brought: Mapping[int, Brought | None], *, whole: bool
) -> SeasonFacts:
    """The season, computed from what each of its events brings."""
    scheme = scheme_of(season.scheme)
    members = members_for(season, scheme)
    finished = [(event, row) for event in events if (row := brought[event.pk])]
    names, pages = _names(scheme, members, [row for _, row in finished], [event.names for event in events], whole)
    alike = Counter(event.name for event, _ in finished)
    showings = []
    for event, row in finished:
        name = event.name if alike[event.name] == 1 else f"{event.name} ({day(event.date)})"
        showings.append(showing_of(row, name, event.counts, scheme, members))
    lines = tuple(
        SeasonLine(ranked, names[ranked.key], pages.get(ranked.key)) for ranked in season_table(showings, scheme, names)
    )
    if events:
        season.time_zone = events[-1].time_zone
    return SeasonFacts(
        season,
        scheme,
        members,
        tuple(events),
        tuple(event for event, _ in finished),
        lines,
        tuple((event, _why_open(event)) for event in events if not brought[event.pk]),
        tuple((event, row.unknown) for event, row in finished if row.unknown and scheme.whose != TEAM),
        tuple(_left_out(finished, scheme, members, lines, names)),
    )


def _why_open(event: Event) -> str:
    if event.stage == "over":
        return f"{event} waits for its champion: the director decides."
    in_play = "is not played yet" if event.stage == "setup" else "is in play"
    return f"{event} {in_play}: it counts when it is finished."


def _left_out(
    finished: Sequence[tuple[Event, Brought]],
    scheme: Scheme,
    members: Members,
    lines: Sequence[SeasonLine],
    names: Mapping[Hashable, str],
) -> Iterable[LeftOut]:
    """Who is left out and why, as owners read it: guests first, then by event."""
    if scheme.whose == TEAM:
        yield from _too_few_events(lines)
        # Who sat for a team matters only where the season has lists of its teams.
        if members.lists:
            for event, row in finished:
                yield from _unsaid(event, row)
        return
    if scheme.members:
        yield from _guests(finished, members, names)
    yield from _too_few_events(lines)
    for event, row in finished:
        yield from _too_few_games(event, row, scheme, names)
        yield from _unsaid(event, row)
        yield from (LeftOut("unknown", (event.pk, number), "") for number, _ in enumerate(row.unknown))


def _guests(
    finished: Sequence[tuple[Event, Brought]], members: Members, names: Mapping[Hashable, str]
) -> Iterable[LeftOut]:
    """Who took part without being a member, by name."""
    took_part: set[int] = set()
    for _, row in finished:
        took_part |= row.persons.keys()
    for pk in sorted(took_part - members.persons, key=lambda pk: (names[pk], pk)):
        yield LeftOut("guest", pk, f"{names[pk]}: not a member, so not ranked.")


def _too_few_events(lines: Sequence[SeasonLine]) -> Iterable[LeftOut]:
    """Who has a line in the table without a rank."""
    for line in lines:
        if line.ranked.rank is None:
            why = line.ranked.remarks[-1].text
            yield LeftOut("too-few-events", line.ranked.key, f"{line.name}: {why[:1].lower()}{why[1:]}.")


def _unsaid(event: Event, row: Brought) -> Iterable[LeftOut]:
    """Who was never reported to have sat, and did not take part in the event for another team either."""
    for unsaid in row.unsaid:
        if unsaid.person not in row.persons:
            yield LeftOut("unsaid", unsaid.person or (event.pk, unsaid.name), unsaid.words, event.name)


def _too_few_games(event: Event, row: Brought, scheme: Scheme, names: Mapping[Hashable, str]) -> Iterable[LeftOut]:
    """Who took part in an event but played fewer games in it than the season requires."""
    needed = scheme.games or 0
    for pk, did in row.persons.items():
        if did.games < needed:
            played = f"{counted(did.games, 'game')} played, at least {needed} needed"
            yield LeftOut("too-few-games", pk, f"{names[pk]}: {played}.", event.name)


def _names(
    scheme: Scheme, members: Members, brought: Sequence[Brought], shows: Sequence[str], whole: bool
) -> tuple[dict[Hashable, str], dict[Hashable, int]]:
    """The name of each line, and the person whose page it links to. If any event hides a name, it is hidden here."""
    if scheme.whose == TEAM:
        return _names_of_teams(_called(members, brought), shows, whole), {}
    keys = {pk for row in brought for pk in row.persons}
    people, wishes = _people_and_wishes(keys)
    if whole:
        return {pk: name_at_most(people[pk].name, "full") for pk in keys}, {pk: pk for pk in keys}
    names: dict[Hashable, str] = {}
    pages: dict[Hashable, int] = {}
    for pk in keys:
        names[pk] = name_at_most(people[pk].name, strictest([*shows, *wishes[pk]]))
        own_name = name_at_most(people[pk].name, strictest(wishes[pk]))
        # If a person's own page shows more of the name than this table, the table does not link to it.
        if names[pk] == own_name != A_PLAYER:
            pages[pk] = pk
    return names, pages


def _names_of_teams(called: Mapping[Hashable, Called], shows: Sequence[str], whole: bool) -> dict[Hashable, str]:
    """The names of fixed teams, with their players as the events and the players themselves show them."""
    people, wishes = _people_and_wishes({pk for team in called.values() for _, pk in team.players if pk})
    names: dict[Hashable, str] = {}
    for key, team in called.items():
        players = []
        for typed, pk in team.players:
            most = "full" if whole else strictest([*shows, *(wishes[pk] if pk else [])])
            players.append((typed or people[pk or 0].name, most))
        names[key] = shown_team(team.name, team.shown_as, players)
    return names


def _people_and_wishes(keys: Set[int]) -> tuple[dict[int, Person], Mapping[int, Sequence[str]]]:
    """People by key, and how each wishes to be shown, including the wishes of people who were merged into them."""
    people = {person.pk: person for person in Person.objects.filter(Q(pk__in=keys) | Q(merged_into__in=keys))}
    wishes = defaultdict[int, list[str]](list)
    for person in people.values():
        wishes[person.merged_into_id or person.pk].append(person.show)
    return people, wishes


def _called(members: Members, brought: Sequence[Brought]) -> dict[Hashable, Called]:
    """The fixed teams with the name on their list, or their own latest name. Lists name players by key."""
    called = {}
    for row in brought:
        for team in row.teams.values():
            key = team_key(team, row.seats, members.lists)
            called[key] = team.called
            if isinstance(key, Listed):
                called[key] = Called(key.name, "", tuple(("", pk) for pk in sorted(members.lists[key.name])))
    return called


# Where seasons are named: front page, a person's page, projector, preview of a correction.


def seasons(*, whole: bool = False) -> list[Season]:
    """The seasons with an event that everybody may see, or all of them, the newest first, with their events."""
    rows = Season.objects.select_related("within").prefetch_related("events")
    if whole:
        return list(rows)
    hidden = Q(slug__startswith=Event.REHEARSAL) | Q(stage="setup", rounds=None)
    shown = rows.filter(events__in=Event.objects.exclude(hidden)).distinct()
    return _with_those_around(shown)


def seasons_with_counts() -> list[tuple[Season, int]]:
    """All seasons, the newest first, each with the number of events that count in it."""
    rows, counts = seasons(whole=True), Counter[int]()
    for season in rows:
        own = sum(not event.is_rehearsal for event in season.events.all())
        counts.update({outer.pk: own for outer in around(season)})
    return [(season, counts[season.pk]) for season in rows]


def _with_those_around(rows: Iterable[Season]) -> list[Season]:
    """These seasons and those that contain them, the newest first, each once."""
    found = {outer.pk: outer for season in rows for outer in around(season)}
    return [found[pk] for pk in sorted(found, reverse=True)]


def events_to_put_in(season: Season) -> list[Event]:
    """The events that do not count in this season, the newest first, each with the season in which it counts."""
    there = events_of(season).values("pk")
    rows = Event.objects.exclude(slug__startswith=Event.REHEARSAL).exclude(pk__in=there)
    return list(rows.select_related("season"))


def seasons_of(person: Person, title: str) -> list[tuple[SeasonFacts, SeasonLine]]:
    """The seasons that show a person under the title of the person's page, the newest first, with the person's line."""
    people = [person.pk, *(row.pk for row in person.merged.all())]
    played = Q(players__person__in=people) | Q(substitutions__person__in=people)
    rows = Season.objects.filter(events__stage="over", events__teams__in=Team.objects.filter(played)).distinct()
    all_rows = _with_those_around(rows.select_related("within"))
    lines = ((facts, line) for facts in map(season_facts, all_rows) for line in facts.lines)
    return [(facts, line) for facts, line in lines if line.person == person.pk and line.name == title]


class Others(NamedTuple):
    """A season with what its other events bring, read before one of them changes."""

    season: Season
    events: tuple[Event, ...]
    brought: Mapping[int, Brought | None]


def others_in_season(event: Event) -> tuple[Others, ...]:
    """What the other events bring in each season in which an event counts, cached if possible.

    Empty while the event is not over.
    """
    if event.season is None or event.stage != "over":
        return ()
    found = []
    for season in around(event.season):
        events = tuple(events_of(season))
        found.append(Others(season, events, {row.pk: brought_by(row) for row in events if row.pk != event.pk}))
    return tuple(found)


def season_words(others: Sequence[Others], event: Event, table: Standings) -> dict[str, str]:
    """Everybody's line, in words, in the seasons of an event, computed with the event's current results."""
    words: dict[str, str] = {}
    own = bring(event, table) if others else None
    for each in others:
        facts = facts_of(each.season, each.events, {**each.brought, event.pk: own}, whole=True)
        alike = Counter(line.name for line in facts.lines)
        for line in facts.lines:
            name = line.name + f" (No. {line.ranked.key})" * (alike[line.name] > 1)
            words[f"{facts.season}: {name}"] = line.standing
    return words


# Partners by lot.


def last_partners(season: Season) -> set[tuple[int, int]]:
    """Last time's partners: from the last draw, with 0 as the partner of the one left over, and from the last event."""
    merged = Person.objects.exclude(merged_into=None)
    meant: dict[int, int] = {person.pk: person.merged_into_id or person.pk for person in merged}
    draw, pairs = season.draws.last(), set[tuple[int, int]]()
    if draw is not None:
        drawn = [*draw.pairs, *([(LEFT_OVER, draw.alone_id)] if draw.alone_id else [])]
        pairs |= {(meant.get(first, first), meant.get(second, second)) for first, second in drawn}
    for event in events_of(season).reverse():
        if teams := [row for row in persons_by_team(event).values() if len(row) > 1]:
            return pairs | {pair for row in teams for pair in combinations(row, 2)}
    return pairs


class Pair(NamedTuple):
    """Two people who were drawn as partners: public names and persons. `again`: they were partners last time."""

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
    """How the events of a season show names; the strictest choice wins."""
    return [*events_of(season).values_list("names", flat=True), "full"]


def shown_person(person: Person, shows: Sequence[str], number: int) -> str:
    """A person's name as everybody may read it. Expects the merged people to be loaded."""
    meant = person.merged_into or person
    wishes = [person.show, meant.show, *(other.show for other in meant.merged.all())]
    return A_PLAYER if meant.deleted_at else shown_name(meant.name, strictest([*shows, *wishes]), number)


def _with_wishes(people: Iterable[int]) -> Iterable[Person]:
    rows = Person.objects.filter(pk__in=set(people)).select_related("merged_into")
    return rows.prefetch_related("merged", "merged_into__merged")
