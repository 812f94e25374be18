"""What is deleted with a person, and which unlinked rows have that name: shown before it is done."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Q

from tournament.models import Event, Person, Player, Substitution
from tournament.queries.people import by_name, nobodys_rows
from tournament.words.phrases import ENTRY_STATES

ON_THE_WAITING_LIST = "waiting list"


@dataclass(frozen=True, slots=True)
class Seat:
    """Where somebody of a name plays or wants to play: the team or the entry, with whom, and its state."""

    row: int
    name: str
    event: Event
    place: str
    partners: tuple[str, ...]
    state: str


@dataclass(frozen=True, slots=True)
class Deletion:
    """What is deleted with a person, and the rows of the same name that are linked to nobody."""

    seats: tuple[Seat, ...]
    nobodys: tuple[Seat, ...]

    @property
    def events(self) -> int:
        return len({seat.event.pk for seat in self.seats})


def deletion_of(person: Person) -> Deletion:
    """Read what the deletion of a person removes, and what it may remove: a constant number of queries."""
    people = [person, *person.merged.all()]
    own = Player.objects.filter(person__in=people).select_related("team__event", "entry__event")
    read = ("team__players", "entry__players", "entry__wants__players", "entry__wanted_by__players")
    seats = [_seat(player) for player in own.prefetch_related(*read)]
    seats += _sat_in(people)
    nobodys = [_seat(player) for player in nobodys_rows(people).prefetch_related(*read)]
    return Deletion(tuple(sorted(seats, key=_order)), tuple(sorted(nobodys, key=_order)))


def _order(seat: Seat) -> tuple[str, int]:
    return seat.event.date.isoformat(), seat.row


def _sat_in(people: Collection[Person]) -> list[Seat]:
    """Where these people were substitutes."""
    rows = Substitution.objects.filter(person__in=people).select_related("team__event")
    return [Seat(0, row.into, row.team.event, row.team.in_full, (), f"substitute for {row.out}") for row in rows]


def _seat(player: Player) -> Seat:
    others = tuple(other.full_name for other in _with(player) if other.pk != player.pk)
    if player.team is not None:
        return Seat(player.pk, player.full_name, player.event, player.team.in_full, others, "")
    assert player.entry is not None
    state = player.entry.state
    words = ON_THE_WAITING_LIST if state == "waiting" else ENTRY_STATES[state].lower()
    return Seat(player.pk, player.full_name, player.event, f"entry {player.entry.position}", others, words)


def _with(player: Player) -> list[Player]:
    """Everybody who plays together with somebody who is one of them."""
    if player.team is not None:
        return list(player.team.players.all())
    entry = player.entry
    assert entry is not None
    entries = [entry, *(other for other in entry.wanted_by.all() if other.state == "joined")]
    if entry.state == "joined" and entry.wants is not None:
        entries.append(entry.wants)
    return [other for each in entries for other in each.players.all()]


def people_of_near_names(person: Person) -> list[Person]:
    """Others with this person's name, or a similar one."""
    others = Person.objects.filter(Q(near=person.near), deleted_at=None, merged_into=None).exclude(pk=person.pk)
    return by_name(others.exclude(near=""))
