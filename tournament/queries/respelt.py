"""Seats of a team in which a known player's name was changed, and whether it is still the same person."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass

from tournament.models import Event, Person, Player, Team
from tournament.queries.people import may_wish_for, people_near
from tournament.queries.roster import RosterRow
from tournament.queries.rules import ruleset_of
from tournament.words.texts import name_key, near_key

# The same person, spelled this way from now on; the same person, spelled this way only here; somebody else.
RENAMED, HERE, OTHER = "renamed", "here", "other"
SAME_OR_NOT = (RENAMED, HERE, OTHER)


@dataclass(frozen=True, slots=True)
class Respelt:
    """A seat, counted from 0, whose `player` is known or has a private link, and gets another name.

    `near` are others with the new name or a similar one; `may_rename` says whether the actor may rename the person.
    """

    position: int
    player: Player
    was: str
    name: str
    person: Person | None
    near: tuple[Person, ...]
    may_rename: bool

    @property
    def number(self) -> int:
        return self.position + 1

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The possible answers."""
        if self.person is None:
            return [(HERE, f"The same player as {self.was}, who keeps the private link"), (OTHER, "Somebody else")]
        answers = [(HERE, f"{self.was}, spelled this way here only"), (OTHER, "Somebody else")]
        renamed = (RENAMED, f"{self.was}, spelled this way from now on, in all events")
        return [renamed, *answers] if self.may_rename else answers

    @property
    def words(self) -> str:
        return f"{self.was} sat there. Who is {self.name}?"


@dataclass(frozen=True, slots=True)
class SeatQuestions:
    """The questions. An answer is valid only for these people and these names: `key` identifies them."""

    seats: tuple[Respelt, ...]

    @property
    def key(self) -> str:
        asked = [(seat.position, seat.player.pk, seat.person and seat.person.pk, seat.name) for seat in self.seats]
        return hashlib.sha256(repr(asked).encode()).hexdigest()[:40]


def respelt_seats(team: Team, row: RosterRow, directed: Collection[int] | None) -> list[Respelt]:
    """The seats to ask about if the team is to match the row: those whose name is not in the row.

    `directed` are the events that the actor directs; None means all.
    """
    names = row.players or ((row.name,) if ruleset_of(team.event).singles else ())
    keys = [name_key(name) for name in names]
    players = list(team.players.select_related("person__merged_into"))
    known = {key for player in players for key in (player.key, name_key(player.full_name))}
    seats = []
    for player in players:
        is_named = player.key in keys or name_key(player.full_name) in keys
        if is_named or player.position >= len(names) or keys[player.position] in known:
            continue
        if player.person_id is None and not player.token_hash:
            continue
        if player.person is not None and player.person.deleted_at is not None:
            continue
        seats.append(_respelt(player, names[player.position], directed))
    return seats


def _respelt(player: Player, name: str, directed: Collection[int] | None) -> Respelt:
    person = player.person and (player.person.merged_into or player.person)
    around = people_near([Player(name=name)])[near_key(name)]
    others = {one.merged_into or one for one in around} - {person}
    near = tuple(sorted(others, key=lambda one: one.pk))
    may_rename = person is not None and may_wish_for(person, directed)
    return Respelt(player.position, player, player.full_name, name, person, near, may_rename)


def seated_in(event: Event) -> list[Player]:
    """Who is on an event's list, with team and person, to compare it with one that is pasted again."""
    return list(Player.objects.filter(team__event=event).select_related("team", "person", "instead_of"))


def respelt_in_list(before: Sequence[Player], rows: Sequence[RosterRow]) -> list[list[tuple[int, Player]]]:
    """For each row of a list that is pasted again, the seats that now have another name, with who sat there.

    These are players with a person who are no longer on the list, if the team has its name and nobody who was on the
    list has the new name.
    """
    teams: dict[str, list[Player]] = defaultdict(list)
    for player in before:
        if player.team is not None:
            teams[player.team.key].append(player)
    keys_before = {player.key for player in before} | {name_key(player.full_name) for player in before}
    keys_now = {name_key(name) for row in rows for name in row.players}
    found = []
    for row in rows:
        seats = []
        for player in teams[name_key(row.name)]:
            if _is_respelt(player, row, keys_before, keys_now):
                seats.append((player.position, player))
        found.append(seats)
    return found


def _is_respelt(player: Player, row: RosterRow, keys_before: Set[str], keys_now: Set[str]) -> bool:
    """Whether a known player of the team has left the list, and a name that is new on it is in the seat."""
    person = player.person or player.instead_of
    if person is None or person.deleted_at is not None:
        return False
    if player.position >= len(row.players):
        return False
    if player.key in keys_now or name_key(player.full_name) in keys_now:
        return False
    key = name_key(row.players[player.position])
    return key not in keys_before and key != person.key


def notes_of_list(before: Sequence[Player], rows: Sequence[RosterRow]) -> list[str]:
    """The message about such seats before the list is entered."""
    return [
        f"Row {row.row}: {row.players[position]} is in {player.full_name}’s seat now. Say who that is under People."
        for row, seats in zip(rows, respelt_in_list(before, rows), strict=True)
        for position, player in seats
    ]
