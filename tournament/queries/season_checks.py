"""Questions and messages for a season's owners: who sat for a fixed team, and what an upgrade counts differently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from typing import NamedTuple

from scoring.ledger import listed
from scoring.standings.season import TEAM, figure
from tournament.models import Person
from tournament.queries.season import SeasonFacts, SeasonLine, facts_of
from tournament.queries.season_parts import Brought, Did, Listed, brought_by, team_key


class StandIn(NamedTuple):
    """A person who sat for a fixed team without being listed for it, where one more would have made it that team."""

    person: Person
    team: str
    event: str

    @property
    def words(self) -> str:
        return f"{self.person} sat for {self.team}: add them?"


def stand_ins(facts: SeasonFacts) -> list[StandIn]:
    """Whom the owner is asked about, each once for a team.

    Nobody is asked about if the list has its own team in the event: then a member played with a guest.
    """
    lists = facts.members.lists
    if facts.scheme.whose != TEAM or not lists:
        return []
    listed_persons = {person for persons in lists.values() for person in persons}
    asked: dict[tuple[int, str], str] = {}
    for event in facts.over:
        brought = brought_by(event)
        if brought is None or brought.seats < 2:
            continue
        there = {team_key(team, brought.seats, lists) for team in brought.teams.values()}
        for team in brought.teams.values():
            for name, persons in lists.items():
                if len(team.sat & persons) == brought.seats - 1 and Listed(name) not in there:
                    asked |= {(person, name): event.name for person in sorted(team.sat - listed_persons)}
    people = Person.objects.filter(deleted_at=None).in_bulk({person for person, _ in asked})
    return [StandIn(people[person], name, event) for (person, name), event in asked.items() if person in people]


def told_changes(facts: SeasonFacts) -> list[str]:
    """Each line that an upgrade counts differently, with its earlier state and the reason; `facts` have whole names."""
    if facts.season.told:
        return []
    # New options would be compared with themselves: they are left out of both.
    season = copy(facts.season)
    season.scheme = {key: value for key, value in season.scheme.items() if key not in ("members", "evenings", "games")}
    now = {event.pk: brought_by(event) for event in facts.events}
    before = {event.pk: brought_by(event, as_before=True) for event in facts.events}
    lines = {line.ranked.key: line for line in facts_of(season, facts.events, now, whole=True).lines}
    old = {line.ranked.key: line for line in facts_of(season, facts.events, before, whole=True).lines}
    reasons: dict[Hashable, list[str]] = defaultdict(list)
    for event in facts.events:
        new_facts, old_facts = now[event.pk], before[event.pk]
        if new_facts and old_facts:
            for key, why in _reasons(facts, new_facts, old_facts):
                reasons[key].append(why.format(event))
    ranked = [key for key in {**old, **lines} if _is_ranked(facts, key)]
    return [
        _change(old.get(key), lines.get(key), reasons[key])
        for key in ranked
        if _points(old.get(key)) != _points(lines.get(key))
    ]


def _is_ranked(facts: SeasonFacts, key: Hashable) -> bool:
    """Whether a line can be in the table: guests are in none if only members are ranked."""
    return facts.scheme.whose == TEAM or not facts.scheme.members or key in facts.members.persons


def _reasons(facts: SeasonFacts, now: Brought, before: Brought) -> Iterator[tuple[Hashable, str]]:
    """Why an event counts differently for whom: sentences in which the event's name is still to be filled in."""
    if facts.scheme.whose == TEAM:
        for number in sorted({*now.teams, *before.teams}):
            new, old = now.teams.get(number), before.teams.get(number)
            either = new or old
            if either is not None and (new and new.did) != (old and old.did):
                key = team_key(either, now.seats, facts.members.lists)
                yield key, _reason(new and new.did, old and old.did, unsaid=False)
        return
    unsaid = {row.person for row in now.unsaid}
    for person in sorted({*now.persons, *before.persons}):
        new_did, old_did = now.persons.get(person), before.persons.get(person)
        if new_did != old_did:
            yield person, _reason(new_did, old_did, unsaid=person in unsaid)


def _reason(new: Did | None, old: Did | None, *, unsaid: bool) -> str:
    if new is None:
        return "nobody said they played in {}" if unsaid else "no part in {}"
    if old is None:
        return "in {} they were there, and a game won by default counts now"
    if new.team != old.team:
        return "in {} they count for another team now"
    if new.games > old.games:
        return "in {} a game awarded after hands were played counts now"
    return "in {} only the games count in which they sat"


def _change(old: SeasonLine | None, new: SeasonLine | None, why: Sequence[str]) -> str:
    either = old or new
    assert either is not None
    before = f"{figure(old.ranked.total)} before" if old else "not in the table before"
    after = f"{figure(new.ranked.total)} now" if new else "not in the table now"
    because = f": {listed(why)}" if why else ""
    return f"{either.name}: {before}, {after}{because}."


def _points(line: SeasonLine | None) -> object:
    return None if line is None else line.ranked.total
