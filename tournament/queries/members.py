"""The members of a season: the list, a pasted list of names read into rows, and what a member who is deleted owes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from scoring.standings.season import TEAM, scheme_of
from tournament.errors import Fault
from tournament.models import Membership, Person, Player, Season, Substitution, Team
from tournament.queries.dues import members_of
from tournament.queries.people import by_name, events_by_person, living, people_near
from tournament.queries.season_events import around, events_of
from tournament.words.phrases import money
from tournament.words.texts import Refused, clean_name, name_key, near_key

NEW, SKIP = "new", "skip"
MOST_LINES = 1000
# A number or a dot in front of a name: “12. Ann Hill”, “- Ann Hill”.
BULLET = re.compile(r"^\s*(?:\d{1,4}[.)]|[-–•*])\s+")
# The team follows the name. A comma is part of a name: “Reed, Otis”.
BETWEEN = re.compile(r"\t+| +[/|] +|;")


def has_teams(season: Season) -> bool:
    """Whether its members play for fixed teams."""
    return scheme_of(season.scheme).whose == TEAM


# The list.


@dataclass(frozen=True, slots=True)
class Listed:
    """A member on the list: of which fixed team, and what was paid."""

    person: Person
    team: str
    paid: str
    is_namesake: bool


def listed_members(season: Season) -> list[Listed]:
    """The members by name, with merged persons replaced: a constant number of queries."""
    teams = teams_by_member(season)
    members = [one for one in members_of(season, list(teams)) if one.is_member and not one.person.deleted_at]
    alike = Counter(one.person.key for one in members)
    return [
        Listed(
            one.person,
            teams[one.person.pk],
            money(one.paid_cents, season.currency) if one.paid_cents else "",
            alike[one.person.key] > 1,
        )
        for one in members
    ]


def teams_by_member(season: Season) -> dict[int, str]:
    """The fixed team of each member, empty if there is none, by the key of the person, with merged persons replaced."""
    teams: dict[int, str] = {}
    for row in memberships_of(season):
        pk = meant(row.person)
        teams[pk] = teams.get(pk) or row.team
    return teams


def memberships_of(season: Season) -> list[Membership]:
    return list(season.memberships.select_related("person").order_by("pk"))


def meant(person: Person) -> int:
    """The key of a person, or of the person it was merged into."""
    return person.merged_into_id or person.pk


def who_played(season: Season) -> set[int]:
    """The persons with a row in an event of the season, or of one inside it; merged persons are replaced."""
    return set(events_by_person(team__event__in=events_of(season)))


def last_season(season: Season) -> Season | None:
    """The latest other season that has members."""
    return Season.objects.exclude(pk=season.pk).filter(memberships__isnull=False).distinct().order_by("-pk").first()


# Who can be drawn for a partner: the members, and which of them are present.

# Somebody who checked in longer ago than this is not here tonight.
TONIGHT = timedelta(hours=12)


def drawable_members(season: Season) -> list[Person]:
    """The members who are not deleted, by name; those of the season around it if it has no list of its own."""
    for holder in around(season):
        if keys := list(teams_by_member(holder)):
            return list(by_name(living(Person.objects.filter(pk__in=keys))))
    return []


def present_tonight(season: Season) -> set[int]:
    """The persons of the teams that have checked in tonight at an event of the season, by key."""
    here = Team.objects.filter(event__in=events_of(season), here_at__gte=timezone.now() - TONIGHT, status="playing")
    return set(events_by_person(team__in=here))


# A pasted list: each line is a name, followed by a team if the season is for fixed teams.


@dataclass(frozen=True, slots=True)
class ListLine:
    """A nonempty line of the list as typed: its name and its team. `turned` means that “Reed, Otis” was turned."""

    number: int
    text: str
    name: str
    team: str = ""
    turned: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A person who may be meant, with where that person played."""

    person: Person
    played: str


@dataclass(frozen=True, slots=True)
class LineQuestion:
    """A line with who may be meant. `answer` is a person's key, “new”, “skip”, or empty while nobody has answered.

    It `is_certain` if exactly one person has the name, or nobody has it or a similar one.
    """

    line: ListLine
    choices: tuple[Choice, ...]
    is_certain: bool
    answer: str


def read_lines(text: str, *, with_teams: bool) -> tuple[list[ListLine], list[Fault]]:
    """The lines of a list, and a fault for each one that names nobody."""
    lines, faults = list[ListLine](), list[Fault]()
    typed = [(number, row) for number, row in enumerate(text.splitlines(), start=1) if row.strip()]
    if not typed:
        return [], [Fault("names", "There are no names in this list.")]
    if len(typed) > MOST_LINES:
        return [], [Fault("names", f"Paste at most {MOST_LINES:,} names at once; this list has {len(typed):,}.")]
    for number, row in typed:
        name, *rest = (part.strip() for part in BETWEEN.split(BULLET.sub("", row).strip()))
        parts = [part for part in rest if part]
        try:
            if parts and not with_teams:
                raise Refused("one name on a line. This season has no fixed teams.")
            if len(parts) > 1:
                raise Refused("a name, then one team.")
            team = clean_name(parts[0]) if parts else ""
            lines.append(ListLine(number, row.strip(), clean_name(name), team, _turned(name)))
        except Refused as refusal:
            faults.append(Fault(f"names:{number}", f"Line {number}: {refusal}"))
    return lines, faults


def _turned(name: str) -> str:
    """“Otis Reed” for “Reed, Otis”; empty for any other name."""
    surname, comma, first = name.partition(",")
    return " ".join(f"{first} {surname}".split()) if comma and first.strip() and "," not in first else ""


def ask_about(lines: Sequence[ListLine], answers: Mapping[int, str]) -> list[LineQuestion]:
    """Who each line may be: a few queries for any number of them. `answers` are by line number."""
    people = people_near([Player(name=line.name, key=name_key(line.name)) for line in lines])
    offered = {line.number: _each_once(people[near_key(line.name)]) for line in lines}
    # If several people have the name, or only a similar one, show where each of them played.
    played = _where_played({person.pk for row in offered.values() for person in row})
    twice = Counter(name_key(line.name) for line in lines)
    asked = []
    for line in lines:
        same = [person for person in people[near_key(line.name)] if person.key == name_key(line.name)]
        persons = _each_once(same) or offered[line.number]
        is_certain = (bool(same) or not persons) and len(persons) < 2 and twice[name_key(line.name)] == 1
        choices = tuple(Choice(person, played.get(person.pk, "played nowhere yet")) for person in persons)
        answer = answers.get(line.number, "")
        if is_certain and not answer:
            answer = str(persons[0].pk) if persons else NEW
        asked.append(LineQuestion(line, choices, is_certain, answer))
    return asked


def suggested(asked: LineQuestion) -> str:
    """The first choice of a row: the person whom “Reed, Otis” names in the other word order, else empty."""
    if asked.answer or not asked.line.turned:
        return asked.answer
    same = [one for one in asked.choices if one.person.key == name_key(asked.line.turned)]
    return str(same[0].person.pk) if len(same) == 1 else ""


def _each_once(people: Sequence[Person]) -> list[Person]:
    """These people, with merged ones replaced by the person they were merged into."""
    now = (person.merged_into or person for person in people)
    return list({person.pk: person for person in now}.values())


def _where_played(people: Collection[int]) -> dict[int, str]:
    """Where each of these people played last, by key: “Aces at March, and 2 more events”."""
    if not people:
        return {}
    seats: dict[int, dict[int, str]] = defaultdict(dict)
    for rows in (Player.objects, Substitution.objects):
        found = rows.filter(Q(person__in=people) | Q(person__merged_into__in=people), team__isnull=False)
        found = found.select_related("person", "team__event")
        for row in found.order_by("team__event__date", "team__event_id"):
            if row.person is not None and row.team is not None and not row.team.event.is_rehearsal:
                seats[meant(row.person)][row.team.event_id] = f"{row.team.full_name} at {row.team.event}"
    words = {}
    for pk, events in seats.items():
        *before, last = events.values()
        more = f", and {len(before)} more event{'s' * (len(before) > 1)}" if before else ""
        words[pk] = f"{last}{more}"
    return words


def faults_of(asked: Sequence[LineQuestion]) -> list[Fault]:
    """What must still be answered about a list: who a line is, and two lines that are one person."""
    faults = []
    lines: dict[str, LineQuestion] = {}
    for row in asked:
        where, name = f"names:{row.line.number}", row.line.name
        known = {str(one.person.pk) for one in row.choices}
        if not row.answer:
            faults.append(Fault(where, f"Line {row.line.number}: who is {name}? {_who(row)}"))
        elif row.answer not in {NEW, SKIP, *known}:
            faults.append(Fault(where, f"Line {row.line.number}: choose who {name} is from the list."))
        elif row.answer in known and row.answer in lines:
            first = lines[row.answer].line.number
            faults.append(
                Fault(where, f"Lines {first} and {row.line.number} are the same person. Skip one, or take it out.")
            )
        if row.answer in known:
            lines.setdefault(row.answer, row)
    return faults


def _who(row: LineQuestion) -> str:
    """Why a line is asked about."""
    same = [one for one in row.choices if one.person.key == name_key(row.line.name)]
    if len(same) > 1:
        return f"{len(same)} people have this name."
    if not same and row.choices:
        return "Somebody has a similar name."
    return "This name is on the list more than once: skip one if it is the same person."


# What is deleted with a member.


def debts_of(person: Person) -> list[str]:
    """What a person owes, a sentence for each season: the debt is deleted with the name."""
    people = [person.pk, *person.merged.values_list("pk", flat=True)]
    seasons = Season.objects.filter(memberships__person__in=people, dues_cents__gt=0).distinct()
    owed = [(member.owes, season) for season in seasons for member in members_of(season, [person.pk])]
    return [
        f"Owes {money(cents, season.currency)} dues of {season}; the debt goes with the name."
        for cents, season in owed
        if cents
    ]
