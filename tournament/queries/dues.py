"""Dues: what members of a season owe and have paid, and what players of an event's teams owe."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournament.models import Event, Ledger, Person, Player, Season, Substitution, Team
from tournament.queries.people import as_merged, by_name, events_by_person, matches
from tournament.queries.season_events import around, events_of
from tournament.words.phrases import day_time, money


@dataclass(frozen=True, slots=True)
class Member:
    """A person with the lines of all who were merged into it, oldest first. A member owes what the season asks.

    A former member owes nothing; what was paid stays.
    """

    person: Person
    season: Season
    is_member: bool
    lines: tuple[Ledger, ...]

    @property
    def paid_cents(self) -> int:
        return sum(line.cents for line in self.lines)

    @property
    def owes(self) -> int:
        if not self.is_member or self.person.deleted_at:
            return 0
        return max(0, self.season.dues_cents - self.paid_cents)

    @property
    def words(self) -> str:
        """When and where it was paid: “$20 on Nov 21, 8:07 p.m., at March, receipt 4”."""
        lines = (line for line in self.lines if line.stands)
        return ", and ".join(f"{money(line.cents, self.season.currency)} {where_paid(line)}" for line in lines)


def where_paid(line: Ledger) -> str:
    zone = line.event.time_zone if line.event else Event().time_zone
    desk = str(line.event) if line.event else line.desk
    return f"on {day_time(line.made_at, zone)},{f' at {desk},' if desk else ''} receipt {line.number}"


def dues_lines(season: Season) -> list[Ledger]:
    """All that was paid for a season and given back, in the order in which it was written."""
    known = ("event", "season", "member__merged_into", "reverses", "reversed_by")
    return list(season.dues.select_related(*known).order_by("pk"))


def members_of(season: Season, only: Collection[int] | None = None) -> list[Member]:
    """Every member of a season, and everybody who has paid for it, by name; or `only` some by key. Two queries.

    A merged person counts as the one they were merged into. Of a deleted person only the payments remain.
    """
    people: dict[int, Person] = {}
    members, lines = set[int](), defaultdict[int, list[Ledger]](list)
    for row in season.memberships.select_related("person__merged_into"):
        person = as_merged(row.person)
        people[person.pk] = person
        members.add(person.pk)
    for line in dues_lines(season):
        assert line.member is not None
        person = as_merged(line.member)
        people[person.pk] = person
        lines[person.pk].append(line)
    return [
        Member(person, season, person.pk in members, tuple(lines[person.pk]))
        for person in by_name(people.values())
        if (only is None or person.pk in only) and (person.deleted_at is None or person.pk in lines)
    ]


def events_played(season: Season) -> dict[int, int]:
    """How many events of a season each person plays in, by key."""
    events = events_by_person(team__event__in=events_of(season))
    return {person: len(played) for person, played in events.items()}


def seasons_with_dues(event: Event) -> list[Season]:
    """The seasons whose dues are paid at the desk of an event: its own, and those that contain it."""
    if event.is_rehearsal:
        return []
    return [season for season in around(event.season) if season.dues_cents]


def dues_by_team(event: Event, teams: Sequence[Team]) -> dict[int, list[Member]]:
    """The players in these teams of an event who still owe dues, by the key of the team.

    An unlinked player counts as the one person that the desk's next act would link. Somebody who plays for two teams
    owes at the first of them. A constant number of queries; few if no season has dues.
    """
    seasons = seasons_with_dues(event)
    if not seasons:
        return {}
    persons = _persons_of(event, teams)
    everybody = {pk for row in persons.values() for pk in row}
    owing = [
        {member.person.pk: member for member in members_of(season, everybody) if member.owes} for season in seasons
    ]
    owed: dict[int, list[Member]] = {}
    seen: set[int] = set()
    for team in teams:
        people = [pk for pk in persons[team.pk] if pk not in seen]
        seen.update(people)
        owed[team.pk] = [members[pk] for pk in people for members in owing if pk in members]
    return owed


def _persons_of(event: Event, teams: Sequence[Team]) -> dict[int, list[int]]:
    """The persons of each team, by its key: players in seat order, then substitutes; nobody twice in a team."""
    keys = [team.pk for team in teams]
    players = Player.objects.filter(team__in=keys).order_by("team__number", "position")
    players = players.select_related("person__merged_into", "instead_of__merged_into")
    certain = _certain(event, [player for player in players if player.person is None])
    substitutes = Substitution.objects.filter(team__in=keys, person__isnull=False).order_by("team__number", "pk")
    persons: dict[int, dict[int, None]] = {pk: {} for pk in keys}
    for player in players:
        person = as_merged(player.person).pk if player.person else certain.get(player.pk)
        if person and player.team_id:
            persons[player.team_id][person] = None
    for row in substitutes.select_related("person__merged_into"):
        if row.person is not None:
            persons[row.team_id][as_merged(row.person).pk] = None
    return {pk: list(people) for pk, people in persons.items()}


def _certain(event: Event, unknown: Sequence[Player]) -> dict[int, int]:
    """The one person that the desk's next act would link to an unlinked player."""
    if not unknown:
        return {}
    return {
        match.player.pk: match.candidates[0].pk
        for match in matches(event, unknown)
        if match.is_certain and match.candidates
    }
