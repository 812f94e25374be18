"""Who is invited to the last event of a season: the best of its table, or winners of an evening; and their list.

An invitation contains its persons. It travels signed in the form of the new event, so that an unchanged name of its
list is exactly the invited person, even if two people of the club have the same name.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import cast

from django.core.signing import BadSignature, dumps, loads

from scoring.ledger import listed
from scoring.standings.season import TEAM, scheme_of
from scoring.standings.tiebreaks import ordinal
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Person, Player, Season
from tournament.queries.roster import RosterRow, players_wanted
from tournament.queries.season import SeasonFacts, season_facts
from tournament.queries.season_events import events_of
from tournament.queries.season_parts import Listed, brought_by, showing_of, team_key
from tournament.words.texts import LONGEST_NAME, is_placeholder, name_key

SALT = "uptown.invitation"
OLD = "This invitation is too old, or was changed. Start again from the season’s page."
# A line of a list holds at most this many players.
MOST_PLAYERS = 4


# The part of the table that can be invited.


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the season's table. `person` is None if fixed teams are ranked, by their `name`.

    `words` are its place and points: “3rd, 7 points”. `won` means that it was first in an event; `players` are those of
    a fixed team by name, each with the key of the person if it is known.
    """

    person: Person | None
    name: str
    rank: int
    words: str
    won: bool
    players: tuple[tuple[str, int], ...] = ()

    @property
    def key(self) -> str:
        """Its name in a form."""
        return str(self.person.pk) if self.person else self.name


@dataclass(frozen=True, slots=True)
class Table:
    """The places of a season, best first. `unnamed` are the events whose winners are not among them."""

    places: tuple[Place, ...]
    unnamed: tuple[str, ...] = ()

    @property
    def winners(self) -> tuple[Place, ...]:
        return tuple(place for place in self.places if place.won)


def places_of(season: Season) -> Table:
    """The table with whole names, without deleted persons and those with too few events for a place."""
    facts = season_facts(season, whole=True)
    for_teams = facts.scheme.whose == TEAM
    first = [(event.name, _first_in(event, facts)) for event in facts.over]
    players = _players_of_teams(facts) if for_teams else {}
    keys = [] if for_teams else [cast("int", line.ranked.key) for line in facts.lines]
    people = Person.objects.filter(deleted_at=None).in_bulk(keys)
    places, ranked = [], set[Hashable]()
    for line in facts.lines:
        key = line.ranked.key
        person = None if for_teams else people.get(cast("int", key))
        if line.ranked.rank is None or (person is None and not for_teams):
            continue
        won = any(key in winners for _, winners in first)
        places.append(Place(person, line.name, line.ranked.rank, line.standing, won, players.get(key, ())))
        ranked.add(key)
    return Table(tuple(places), tuple(name for name, winners in first if not winners & ranked))


def _first_in(event: Event, facts: SeasonFacts) -> set[Hashable]:
    """Which lines of the table were first in an event, as the season counts it."""
    brought = brought_by(event)
    if brought is None:
        return set()
    parts = showing_of(brought, event.name, event.counts, facts.scheme, facts.members).parts
    return {key for key, part in parts.items() if part.rank == 1}


def _players_of_teams(facts: SeasonFacts) -> dict[Hashable, tuple[tuple[str, int], ...]]:
    """The players of each fixed team: the members on its list, or else as it last played."""
    players: dict[Hashable, tuple[tuple[str, int], ...]] = {}
    for event in facts.over:
        brought = brought_by(event)
        if brought is None:
            continue
        for team in brought.teams.values():
            named = tuple((name, pk or 0) for name, pk in team.called.players if not is_placeholder(name))
            players[team_key(team, brought.seats, facts.members.lists)] = named
    members = Person.objects.filter(deleted_at=None).in_bulk({pk for own in facts.members.lists.values() for pk in own})
    for name, own in facts.members.lists.items():
        there = sorted((members[pk] for pk in own if pk in members), key=lambda person: person.key)
        players[Listed(name)] = tuple((person.name, person.pk) for person in there)
    return players


# Who is in, and who is tied for the last place.


@dataclass(frozen=True, slots=True)
class Field:
    """Who is in by the season's places, and who is tied for the remaining `seats`."""

    sure: tuple[Place, ...]
    level: tuple[Place, ...] = ()
    seats: int = 0

    @property
    def sizes(self) -> list[int]:
        """How many can be taken so that nobody is tied on the line."""
        return [size for size in (len(self.sure), len(self.sure) + len(self.level)) if size > 1]

    @property
    def words(self) -> str:
        """Say who is tied: “Gus Poe and Ida Low share 3rd place, and 1 of them can play.”."""
        names = listed(place.name for place in self.level)
        return f"{names} share {ordinal(self.level[0].rank)} place, and {self.seats} of them can play."


def field_of(places: Sequence[Place], size: int) -> Field:
    """The best `size` of a ranking; if all who share a place are in, nobody is tied. Raises ValidationFailed."""
    if len(places) < 2:
        raise ValidationFailed([Fault("size", "Two at least need a place in the season before you can invite.")])
    if not 2 <= size <= len(places):
        raise ValidationFailed([Fault("size", f"From 2 to {len(places)} can be invited.")])
    if size == len(places) or places[size - 1].rank != places[size].rank:
        return Field(tuple(places[:size]))
    rank = places[size].rank
    sure = tuple(place for place in places if place.rank < rank)
    return Field(sure, tuple(place for place in places if place.rank == rank), size - len(sure))


def drawn_of(field: Field, lot: int) -> list[str]:
    """Which of the tied ones are drawn for the seats, by key; the same number draws the same ones."""
    return Random(lot).sample([place.key for place in field.level], field.seats)  # noqa: S311


def invited_of(field: Field, chosen: Sequence[str]) -> list[Place]:
    """Who is invited, in the order of the table. Raises ValidationFailed unless as many are chosen as there are seats.

    Raises Conflict if a chosen one is not tied: the table was different then.
    """
    if not {*chosen} <= {place.key for place in field.level}:
        raise Conflict("The season’s table has changed. Look at who is tied again.")
    tied_in = [place for place in field.level if place.key in chosen]
    if len(tied_in) != field.seats:
        raise ValidationFailed([Fault("chosen", f"{field.words} Tick {field.seats}; you ticked {len(tied_in)}.")])
    return [*field.sure, *tied_in]


# The invitation: the list in order, with the person of each player.


@dataclass(frozen=True, slots=True)
class InvitedRow:
    """A line of the list: the team's name if it has one, and its players by name, each with the person if known."""

    name: str
    players: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Invitation:
    """The invited, line by line: the first line is the first seed.

    `like` is the season's last event, whose rules the new one begins with; `lot` the number with which tied ones were
    drawn; `notes` are for the user who sets up the event.
    """

    season: Season
    like: Event
    rows: tuple[InvitedRow, ...]
    lot: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def signed(self) -> str:
        rows = [[row.name, row.players] for row in self.rows]
        told = [self.season.pk, self.like.pk, rows, self.lot, self.notes]
        return dumps(told, salt=SALT, compress=True)


def invitation_from(signed: str) -> Invitation:
    """The invitation as it was signed.

    Raises Conflict if the signature is wrong, or its season or last event is gone.
    """
    try:
        season, like, rows, lot, notes = loads(signed, salt=SALT)
        found = Season.objects.get(pk=season), Event.objects.select_related("season").get(pk=like)
    except (BadSignature, Season.DoesNotExist, Event.DoesNotExist):
        raise Conflict(OLD) from None
    read = (InvitedRow(name, tuple((typed, pk) for typed, pk in players)) for name, players in rows)
    return Invitation(*found, tuple(read), lot, tuple(notes))


def invite(season: Season, invited: Sequence[Place], lot: int | None = None, *, by_size: bool = True) -> Invitation:
    """Write the list of the invited, for the game of the season's last event."""
    like, notes = list(events_of(season))[-1], list[str]()
    wanted = players_wanted(like)
    if lot is not None:
        notes.append(f"Drawn by lot, number {lot}.")
    if scheme_of(season.scheme).whose == TEAM:
        rows = list(_team_rows(invited, wanted, notes))
    else:
        rows = [InvitedRow("", players) for players in _in_teams(_named_apart(invited), wanted)]
        if rest := len(invited) % wanted:
            alone = listed(row.players[0][0] for row in rows[-rest:])
            notes.append(
                f"{len(invited)} players do not fill sides of {wanted}: no partner for {alone}."
                " Add one to the line, or take the line out."
            )
            if by_size:
                notes.append(f"Or invite {len(invited) - rest} or {len(invited) - rest + wanted}.")
    return Invitation(season, like, tuple(rows), lot, tuple(notes))


def invite_winners(season: Season, table: Table) -> Invitation:
    """The same for everybody who has won an event of the season. Raises ValidationFailed if nobody has."""
    if not table.winners:
        raise ValidationFailed([Fault("winners", "Nobody in the table has won an event of this season yet.")])
    told = invite(season, table.winners, by_size=False)
    missing = tuple(f"{event}: the winner is not ranked in this season." for event in table.unnamed)
    return replace(told, notes=(*told.notes, *missing))


def _team_rows(invited: Sequence[Place], wanted: int, notes: list[str]) -> Iterator[InvitedRow]:
    """Fixed teams with their players; a team with more players than fit on a line is named in the notes."""
    for place in invited:
        if len(place.players) > MOST_PLAYERS:
            left = listed(name for name, _ in place.players[MOST_PLAYERS:])
            notes.append(f"{place.name}: only {MOST_PLAYERS} players go on a line. Left off: {left}.")
        yield InvitedRow(place.name, place.players[:MOST_PLAYERS] if wanted > 1 else ())


def _named_apart(invited: Sequence[Place]) -> list[tuple[str, int]]:
    """The invited persons with the names that are typed for them: a second Ann Hill is “Ann Hill 2”."""
    taken, people = set[str](), []
    for place in invited:
        assert place.person is not None
        name = place.person.name
        more = (f"{name[: LONGEST_NAME - 4]} {number}" for number in range(2, 999))
        typed = next(one for one in (name, *more) if name_key(one) not in taken)
        taken.add(name_key(typed))
        people.append((typed, place.person.pk))
    return people


def _in_teams(people: Sequence[tuple[str, int]], wanted: int) -> list[tuple[tuple[str, int], ...]]:
    """Teams of this many players: the 1st with the last, the 2nd with the one before. A leftover player stays alone."""
    count = len(people) // wanted
    full, rest = people[: count * wanted], people[count * wanted :]
    teams = [list[tuple[str, int]]() for _ in range(count)]
    for turn in range(wanted):
        group = full[turn * count : (turn + 1) * count]
        for team, person in zip(teams, group if turn % 2 == 0 else group[::-1], strict=True):
            team.append(person)
    return [tuple(team) for team in teams] + [(person,) for person in rest]


# What was typed of it: who the players of the new event are.


def known_players(invitation: Invitation, rows: Sequence[RosterRow]) -> list[list[Player]]:
    """For each row of the new event's list, the invited persons among its players: those with an unchanged name.

    If two were invited under one name, it belongs to the line with the same players; elsewhere it is not known whose it
    is.
    """
    now = _living({pk for row in invitation.rows for _, pk in row.players})
    left = [(row, dict(_keys(row))) for row in invitation.rows]
    found = list[list[Player]]()
    for row in rows:
        names = row.players or (row.name,)
        own = next((people for _, people in left if people.keys() == {name_key(name) for name in names}), None)
        known = []
        for name in names:
            holders = [people for _, people in left if name_key(name) in people]
            people = own if own is not None and name_key(name) in own else (holders[0] if len(holders) == 1 else {})
            person = now.get(people.pop(name_key(name), 0))
            if person is not None:
                known.append(Player(name=name, key=name_key(name), person=person))
        found.append(known)
    return found


def _keys(row: InvitedRow) -> Iterator[tuple[str, int]]:
    return ((name_key(name), pk) for name, pk in row.players if pk)


def _living(people: Iterable[int]) -> dict[int, Person]:
    """The current persons: merged ones as the person they were merged into; deleted ones are nobody."""
    rows = Person.objects.filter(pk__in=set(people)).select_related("merged_into")
    now = {row.pk: row.merged_into or row for row in rows}
    return {pk: person for pk, person in now.items() if not person.deleted_at}
