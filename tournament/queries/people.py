"""Names as everybody reads them, for rows and for texts that were copied; who among the club's people a player is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from tournament.access import show_of, shown_name, shown_names
from tournament.models import Event, Journal, Notice, Person, Player, Round, Side, Substitution, Team
from tournament.phrases import A_PLAYER
from tournament.queries.scored import seated
from tournament.texts import name_key

# How the rows of an event are to be shown.

NAMED = (
    Prefetch("players", Player.objects.select_related("person__merged_into")),
    Prefetch("substitutions", Substitution.objects.select_related("person__merged_into")),
)


def shown_rows(event: Event, teams: Iterable[Team]) -> Iterator[tuple[Team | Player | Substitution, str]]:
    """The rows of teams that were read with `NAMED`, each with the name that everybody reads."""
    for team in teams:
        name, names = shown_names(event, team)
        yield team, name
        yield from zip(team.players.all(), names, strict=True)
        for one in team.substitutions.all():
            deleted = one.person is not None and one.person.deleted_at is not None
            yield one, A_PLAYER if deleted else shown_name(one.into, show_of(event, one), one.position + 1)


# Texts that were copied, in notices, corrections, under sheets. Officials read them as they were written.


# Values with these names in a text name a team or a player, whoever that was.
WHO = frozenset("team teams first second late side sides name player out joining".split())


class Names:
    """The names of some teams and of those who play for them, loaded with players and substitutes.

    Whole values alone are looked up, never a word within a sentence. Where a name of these teams is hidden, nobody
    knows whose name a text has that is none of those shown now: it is “a player”.
    """

    def __init__(self, teams: Iterable[Team]) -> None:
        self.teams = {team.number: team for team in teams}
        self.shown: dict[str, str] = {}
        self.now: set[str] = set()
        self.hides = False
        for team in self.teams.values():
            rows: list[Team | Player | Substitution] = [team, *team.players.all(), *team.substitutions.all()]
            for row in rows:
                self.now |= {row.name, str(team)}
                self.hides |= row.full_name != row.name or row.name == A_PLAYER
                if row.full_name != row.name:
                    self.shown.setdefault(name_key(row.full_name), row.name)

    def of(self, text: str) -> str:
        """Whoever has this name, as everybody reads it."""
        if not self.hides:
            return text
        numbered = re.fullmatch(r"(\d{1,4}) .+", text)
        if numbered and (team := self.teams.get(int(numbered[1]))):
            return str(team)
        return self.shown.get(name_key(text)) or (text if text in self.now else A_PLAYER)

    def within(self, facts: Any, *, who: bool = False) -> Any:
        """The same facts with the names in them as everybody reads them."""
        if not self.hides:
            return facts
        if isinstance(facts, dict):
            return {key: self.within(value, who=key in WHO) for key, value in facts.items()}
        if isinstance(facts, list):
            return [self.within(value, who=who) for value in facts]
        return self.of(facts) if who and isinstance(facts, str) else self.shown.get(name_key(str(facts)), facts)


def names_in(event: Event) -> Names:
    return Names(event.teams.prefetch_related("players", "substitutions"))


def unread_notices(teams: Iterable[int]) -> list[Notice]:
    """The notices that these teams have still to read, oldest first, as everybody reads them."""
    notices = list(Notice.objects.filter(team__in=list(teams), seen_at=None).select_related("team__event"))
    if notices:
        names = names_in(notices[0].team.event)
        for notice in notices:
            notice.facts = names.within(notice.facts)
    return notices


def corrections_of(event: Event) -> list[Journal]:
    """Every correction of a final game, as everybody reads it, the newest first; `key` is that of the game."""
    acts = Journal.objects.filter(event=event, action="correct-final", noun="game").select_related("user", "device")
    names, found = names_in(event), [act for act in acts if act.key.isdecimal()]
    for act in found:
        act.facts = names.within(act.facts)
    return found


def substitutes_shown(team: Team) -> tuple[str, ...]:
    """Every substitution of a team that was read with all, as a sentence for everybody."""
    names = Names([team])
    return tuple(one.worded(one.name, names.of(one.out)) for one in team.substitutions.all())


def together(one: Person, other: Person) -> list[Round]:
    """The rounds in which both sat, each as somebody of its own."""
    rounds = _sat(one)
    return [rounds[pk] for pk in sorted(rounds.keys() & _sat(other).keys())]


def _sat(person: Person) -> dict[int, Round]:
    people = {person.pk, *person.merged.values_list("pk", flat=True)}
    plays = Q(players__person__in=people) | Q(substitutions__person__in=people)
    teams = Team.objects.filter(plays).distinct().prefetch_related("players", "substitutions")
    rounds = {}
    for side in Side.objects.filter(team__in=teams).select_related("round__event"):
        team = next(team for team in teams if team.pk == side.team_id)
        if any(row.person_id in people for row in seated(team, side.round.number)):
            rounds[side.round_id] = side.round
    return rounds


# Who a player is: the one person of the name who plays for no other team of the event; somebody new; or asked about.


@dataclass(frozen=True, slots=True)
class Match:
    """A player with whom it may be. Nobody means somebody new, one a person that is known; several are asked about.

    `person` is who it is, where that is certain.
    """

    player: Player
    candidates: tuple[Person, ...]
    busy: bool = False

    @property
    def is_certain(self) -> bool:
        return len(self.candidates) < 2 and not self.busy


def matches(event: Event, players: Sequence[Player]) -> list[Match]:
    """Whom each of these players, linked to nobody yet, may be: two queries for any number of them."""
    keys = {player.key for player in players if not is_placeholder(player.full_name)}
    people: dict[str, dict[int, Person]] = defaultdict(dict)
    for person in living(Person.objects.all()).filter(key__in=keys).select_related("merged_into"):
        meant = person.merged_into or person
        people[person.key][meant.pk] = meant
    taken = {person for _, person in seated_persons(event)}
    found, seen = [], set()
    for player in players:
        if player.key not in keys:
            continue
        candidates = tuple(people[player.key].values())
        free = tuple(person for person in candidates if person.pk not in taken)
        found.append(Match(player, candidates, busy=player.key in seen or len(free) < len(candidates)))
        seen.add(player.key)
        taken |= {person.pk for person in free} if len(free) == 1 else set()
    return found


def seated_persons(event: Event) -> set[tuple[int, int]]:
    """The teams of an event, by key, with the persons who play for them."""
    rows = Player.objects.filter(team__event=event, person__isnull=False)
    return {(team, merged or pk) for team, pk, merged in rows.values_list("team", "person", "person__merged_into")}


def living(people: QuerySet[Person]) -> QuerySet[Person]:
    return people.filter(deleted_at=None)


def is_placeholder(name: str) -> bool:
    """Whether this stands where a name is hidden or was deleted, and names nobody."""
    return re.fullmatch(r"a player|(player|team) \d{1,4}", name_key(name)) is not None
