"""The members of a season: ticked on the page, or added from its players, another season or a list of names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.ledger import counted
from tournament.access import Actor
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Membership, Person, Season
from tournament.queries.dues import Member, members_of
from tournament.queries.members import (
    NEW,
    SKIP,
    LineQuestion,
    ListLine,
    ask_about,
    faults_of,
    has_teams,
    last_season,
    meant,
    memberships_of,
    teams_by_member,
    who_played,
)
from tournament.queries.people import living
from tournament.services.dues import holding
from tournament.services.transactions import note_site, raise_seasons
from tournament.words.phrases import money
from tournament.words.texts import Refused, clean_name, name_key, near_key

# At most this many people are named by number in a line of the log.
MOST_NUMBERS = 2


class Changed(NamedTuple):
    """What happened to the members, in sentences for the person who did it."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.words)


def save_members(
    actor: Actor, season: Season, shown: Collection[int], ticked: Collection[int], teams: Mapping[int, str]
) -> Changed:
    """Keep the ticked members and remove the others that the page has `shown`; set the fixed teams.

    Members added in the meantime stay. What somebody paid stays in the book even if they are no longer a member.
    """
    with holding(season) as season:
        before = teams_by_member(season)
        gone = {pk for pk in shown if pk in before and pk not in ticked}
        staying = before.keys() - gone
        cleaned = _clean_teams({pk: team for pk, team in teams.items() if pk in staying})
        moved = {pk: team for pk, team in cleaned.items() if team != before[pk]} if has_teams(season) else {}
        paid = _paid_in(season, gone)
        rows = memberships_of(season)
        Membership.objects.filter(pk__in=[row.pk for row in rows if meant(row.person) in gone]).delete()
        _set_teams(rows, moved)
        _note(actor, season, taken_off=gone, moved=moved)
    words = []
    if gone:
        words.append(f"{counted(len(gone), 'member')} removed.")
    if moved:
        words.append(f"{counted(len(moved), 'team')} changed.")
    for member in paid:
        sum_paid = money(member.paid_cents, season.currency)
        words.append(f"{member.person} paid {sum_paid}: that stays in the dues, and can be given back there.")
    return Changed(tuple(words) or ("Nothing changed.",))


def _paid_in(season: Season, people: Collection[int]) -> list[Member]:
    """The members among these people who have paid something."""
    if not people:
        return []
    return [member for member in members_of(season, people) if member.paid_cents]


def _set_teams(rows: Iterable[Membership], teams: Mapping[int, str]) -> None:
    """Set the fixed teams of the members whose person has an entry in `teams`."""
    changed = []
    for row in rows:
        person = meant(row.person)
        if person in teams:
            row.team = teams[person]
            changed.append(row)
    Membership.objects.bulk_update(changed, ["team"])


def _clean_teams(teams: Mapping[int, str]) -> dict[int, str]:
    """The names of teams as they are stored. Raises ValidationFailed with a fault for each impossible name."""
    cleaned, faults = dict[int, str](), list[Fault]()
    for pk, text in teams.items():
        try:
            cleaned[pk] = clean_name(text) if text.strip() else ""
        except Refused as refusal:
            faults.append(Fault(f"team-{pk}", str(refusal)))
    if faults:
        raise ValidationFailed(faults)
    return cleaned


def add_who_played(actor: Actor, season: Season) -> Changed:
    """Make everybody who has played in the season a member."""
    with holding(season) as season:
        played = Person.objects.filter(pk__in=who_played(season), deleted_at=None).values_list("pk", flat=True)
        return _added(*_add(actor, season, dict.fromkeys(played, "")))


def add_from_last_season(actor: Actor, season: Season) -> Changed:
    """Add the members of the latest other season that has some, with their teams if both seasons have fixed teams."""
    with holding(season) as season:
        other = last_season(season)
        if other is None:
            raise Conflict("No other season has members.")
        teams = teams_by_member(other)
        there = Person.objects.filter(pk__in=list(teams), deleted_at=None).values_list("pk", flat=True)
        return _added(*_add(actor, season, {pk: teams[pk] if has_teams(season) else "" for pk in there}))


def add_listed(actor: Actor, season: Season, lines: Sequence[ListLine], answers: Mapping[int, str]) -> Changed:
    """Make everybody on a list of names a member, or nobody.

    Raises ValidationFailed while it is not clear who a line means, or if two lines mean the same person.
    """
    with holding(season, [line.name for line in lines]) as season:
        asked = ask_about(lines, answers)
        if faults := faults_of(asked):
            raise ValidationFailed(faults)
        wanted = {int(row.answer): row.line.team for row in asked if row.answer not in (NEW, SKIP)}
        new = _make_new([row for row in asked if row.answer == NEW])
        added, before = _add(actor, season, wanted | new)
        words = _added(added, before).words
        if new:
            words = (*words, f"New in the club: {', '.join(row.line.name for row in asked if row.answer == NEW)}.")
    return Changed(words)


def _make_new(rows: Sequence[LineQuestion]) -> dict[int, str]:
    """Create a person for each of these lines; return the team of each by key."""
    names = [row.line.name for row in rows]
    people = Person.objects.bulk_create(Person(name=name, key=name_key(name), near=near_key(name)) for name in names)
    return {person.pk: row.line.team for person, row in zip(people, rows, strict=True)}


def _add(actor: Actor, season: Season, wanted: Mapping[int, str]) -> tuple[int, int]:
    """Make these people members, by key with the team of each; return how many are new and how many already were.

    A team is also set for people who already were members. The caller holds the season.
    """
    before = teams_by_member(season)
    if len(living(Person.objects.filter(pk__in=list(wanted), merged_into=None))) < len(wanted):
        raise Conflict("Somebody on this page has been merged or deleted. Load the page again.")
    added = {pk: team for pk, team in wanted.items() if pk not in before}
    moved = {pk: team for pk, team in wanted.items() if team and before.get(pk, team) != team}
    Membership.objects.bulk_create(Membership(season=season, person_id=pk, team=team) for pk, team in added.items())
    _set_teams(memberships_of(season), moved)
    _note(actor, season, added=added, moved=moved)
    return len(added), len(wanted) - len(added)


def _added(added: int, before: int) -> Changed:
    words = [f"{counted(added, 'member')} added." if added else "Nobody added."]
    if before:
        words.append(f"{before} of them {'was a member' if before == 1 else 'were members'} already.")
    return Changed(tuple(words))


def _note(
    actor: Actor,
    season: Season,
    added: Collection[int] = (),
    taken_off: Collection[int] = (),
    moved: Collection[int] = (),
) -> None:
    """Log who was added and removed, by number, and have the season's pages read the members again."""
    if not (added or taken_off or moved):
        return
    parts = []
    for people, word in ((added, "in"), (taken_off, "out"), (moved, "moved")):
        if people:
            parts.append(f"{_numbers(people)} {word}")
    about = f"Members, {', '.join(parts)}: {season}"
    note_site(actor, "change", about, season.slug)
    raise_seasons(season.pk)


def _numbers(people: Collection[int]) -> str:
    """A few people by number, many only as a count, so that a line of the log stays short."""
    if len(people) > MOST_NUMBERS:
        return str(len(people))
    return " and ".join(f"No. {pk}" for pk in sorted(people))
