"""Players enter themselves: an entry, what the desk makes of it, and two who came alone."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from django.db.models import Max

from tournament.access import Actor, strictest
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Player, Registration
from tournament.queries.devices import fingerprint
from tournament.queries.entering import OPEN, comes_alone, may_rename, shown_single
from tournament.queries.roster import RosterRow, cleaned_row, players_wanted, roster_faults, row_of
from tournament.services import teams
from tournament.services.transactions import announce, writing
from tournament.texts import name_key

CLOSED = "Entries are closed. Ask the desk whether there is still a place."
CHANGED = "This entry has changed meanwhile. Look at it again."
NO_SURNAMES = {"jr", "sr", "ii", "iii", "iv"}


class Wanted(NamedTuple):
    """What was typed. Whoever comes alone has no team's name, and says a line about himself."""

    name: str
    players: tuple[str, ...]
    contact: str
    note: str = ""
    show: str = "full"


def wanted_of(entry: Registration) -> Wanted:
    return Wanted(entry.name, tuple(entry.players), entry.contact, entry.note, entry.show)


def enter(actor: Actor, event: Event, wanted: Wanted) -> tuple[Registration, str]:
    """Take an entry at the end of the line. Gives it with the token of its private link, which is kept nowhere.

    It waits for the desk, or is a team at once as long as there is room.
    """
    with writing(event) as event:
        _must_be_open(event)
        token = secrets.token_urlsafe(24)
        entry = Registration(event=event, token_hash=fingerprint(token))
        _fill(entry, wanted)
        _put_last(actor, entry)
    return entry, token


def change(actor: Actor, entry: Registration, wanted: Wanted) -> Registration:
    """Change an entry by its private link. Names only as long as `may_rename` says so."""
    with _locked(entry) as entry:
        event, before = entry.event, wanted_of(entry)
        if wanted[:2] + wanted[3:4] != before[:2] + before[3:4] and not may_rename(event, entry):
            raise Conflict("Names can no longer be changed here: tell the desk.")
        _fill(entry, wanted)
        entry.save()
        now = entry.name, entry.players, entry.show
        if entry.team and entry.state == "in" and now != (before.name, [*before.players], before.show):
            row = replace(row_of(entry.team), name=entry.name, players=tuple(entry.players))
            teams.change_team(actor, event, entry.team.number, row, marks=(), wishes=teams.wishes_of(entry))
        _announce(actor, entry, "changed")
    return entry


def withdraw(actor: Actor, entry: Registration) -> None:
    """Withdraw an entry by its private link: the next on the waiting list moves up. A second press changes nothing.

    A team that is drawn, or has money in the books, stays on the list as one that left.
    """
    with _locked(entry) as entry:
        event, team = entry.event, entry.team
        if entry.state == "withdrawn":
            return
        if entry.state not in (*OPEN, "in"):
            raise Conflict(CHANGED)
        _announce(actor, entry, "withdrawn")
        if entry.state != "in" or team is None:
            entry.state = "withdrawn"
            entry.save(update_fields=["state"])
        elif event.frozen_at is not None:
            raise Conflict("Game 1 has begun: tell the desk that you leave.")
        elif event.rounds.exists() or event.ledger.filter(team=team).exists():
            teams.withdraw_team(actor, event, team.number, 0)
        else:
            teams.remove_team(actor, event, team.number)


def enter_again(actor: Actor, entry: Registration) -> None:
    """One who had withdrawn enters again, at the end of the line."""
    with _locked(entry) as entry:
        if entry.state != "withdrawn":
            raise Conflict(CHANGED)
        _must_be_open(entry.event)
        _fill(entry, wanted_of(entry))
        _put_last(actor, entry)


def accept(actor: Actor, event: Event, position: int | None = None, until: int = 0) -> list[Registration]:
    """The desk accepts one entry, or all that it saw: those `until` a place. What is beyond the limit waits."""
    with writing(event) as event:
        asked = event.registrations.filter(state="asked")
        found = [*(asked.filter(position__lte=until) if position is None else asked.filter(position=position))]
        if not found or event.stage in ("playoffs", "over"):
            raise Conflict("These entries no longer wait for the desk.")
        _let_in(actor, event, found)
        for entry in found:
            _announce(actor, entry, "accepted")
            entry.refresh_from_db(fields=["state"])
    return found


def refuse(actor: Actor, event: Event, position: int) -> Registration:
    with writing(event) as event:
        entry = event.registrations.filter(state="asked", position=position).first()
        if entry is None:
            raise Conflict("This entry no longer waits for the desk.")
        entry.state = "refused"
        entry.save(update_fields=["state"])
        _announce(actor, entry, "refused")
    return entry


# Two who came alone become a team: each has pressed for the other, or the desk joins them.


def choose(actor: Actor, entry: Registration, position: int | None) -> None:
    """Somebody who looks for a partner presses for another one, or takes that back."""
    with _locked(entry) as entry:
        if entry.state != "single" or entry.event.frozen_at is not None:
            raise Conflict("You no longer look for a partner.")
        before = entry.wants
        other = None if position is None else _single_at(entry.event, position)
        entry.wants = other
        entry.save(update_fields=["wants"])
        if partner := other or before:
            _announce(actor, entry, "wants" if other else "alone", partner=partner.name)
        if other is not None and other.wants_id == entry.pk:
            _join(actor, entry, other)


def join(actor: Actor, event: Event, first: int, second: int, name: str = "") -> Registration:
    """The desk makes two who came alone a team."""
    with writing(event) as event:
        if first == second:
            raise ValidationFailed([Fault("second", "Choose two players.")])
        return _join(actor, _single_at(event, first), _single_at(event, second), name)


def _single_at(event: Event, position: int) -> Registration:
    other = event.registrations.filter(position=position).first()
    if other is None or other.state != "single":
        why = "has found a partner" if other and other.state == "joined" else "no longer looks for a partner"
        raise Conflict(f"{shown_single(other) if other else 'This player'} {why}. Choose somebody else.")
    return other


def _join(actor: Actor, one: Registration, other: Registration, name: str = "") -> Registration:
    """The earlier of two entries is the team's: its place in the line counts."""
    first, second = sorted((one, other), key=lambda entry: entry.position)
    event = first.event
    said = {"partner": second.name}
    _announce(actor, first, "joined", **said)
    second.state, second.wants = "joined", first
    second.save(update_fields=["state", "wants"])
    pair = (*first.players, *second.players)
    wanted = Wanted(name or _free_name(first, pair), pair, first.contact, "", strictest([first.show, second.show]))
    first.state, first.wants = "waiting", None
    _fill(first, wanted)
    first.save()
    teams.make_room(actor, event)
    first.refresh_from_db()
    return first


def _free_name(entry: Registration, players: tuple[str, ...]) -> str:
    """“Reed / Hall”; with a number where that is taken."""
    surnames = [[word for word in name.split() if word.strip(".").lower() not in NO_SURNAMES] for name in players]
    name = " / ".join((words or [""])[-1][:17] for words in surnames)
    taken = {*entry.event.teams.values_list("key", flat=True)}
    taken |= {*entry.event.registrations.filter(state__in=OPEN).values_list("key", flat=True)}
    names = (name, *(f"{name} {count}" for count in range(2, 100)))
    return next((one for one in names if name_key(one) not in taken), name)


@contextmanager
def _locked(entry: Registration) -> Iterator[Registration]:
    """The entry as it is now, while its event is held. Of an event that is over none changes any more."""
    with writing(entry.event_id) as event:
        locked = event.registrations.select_related("team", "wants").get(pk=entry.pk)
        locked.event = event
        if event.stage == "over":
            raise Conflict("This event is over.")
        yield locked


def _fill(entry: Registration, wanted: Wanted) -> None:
    """Take what was typed. Raises ValidationFailed for a name that cannot be, or that somebody has already."""
    row, faults = cleaned_row(RosterRow(0, None, wanted.name, wanted.players))
    event = entry.event
    if not row.players:
        faults.append(Fault("player1", "Who plays? At least one name is needed."))
    faults += roster_faults(event, [row], instead_of=[entry.team_id] if entry.team_id else ())
    others = event.registrations.filter(state__in=OPEN).exclude(pk=entry.pk)
    names, key = [*others.values_list("key", "players")], name_key(row.name)
    if any(taken == key for taken, _ in names):
        faults.append(Fault("name", f"“{row.name}” is already entered."))
    seated = Player.objects.filter(team__event=event, team__status="playing").exclude(team=entry.team_id)
    taken = {*seated.values_list("key", flat=True), *(name_key(name) for _, players in names for name in players)}
    faults += [
        Fault(f"player{seat}", f"{name} is entered already. Is this somebody else? Then add an initial to the name.")
        for seat, name in enumerate(row.players, start=1)
        if name_key(name) in taken
    ]
    if len(row.players) > players_wanted(event):
        faults.append(Fault("", f"A team of this game has {players_wanted(event)} players."))
    if faults:
        raise ValidationFailed(faults)
    entry.name, entry.key, entry.players = row.name, key, [*row.players]
    entry.contact, entry.note, entry.show = wanted.contact, wanted.note, wanted.show


def _must_be_open(event: Event) -> None:
    if not event.takes_entries:
        raise Conflict(CLOSED)


def _put_last(actor: Actor, entry: Registration) -> None:
    event = entry.event
    entry.position = 1 + (event.registrations.aggregate(last=Max("position"))["last"] or 0)
    entry.state, entry.wants = "asked", None
    entry.save()
    _announce(actor, entry, "made")
    if not event.entries_wait:
        _let_in(actor, event, [entry], entry)


def _let_in(actor: Actor, event: Event, entries: list[Registration], by_hand: Registration | None = None) -> None:
    for entry in entries:
        entry.event = event
        entry.state = "single" if comes_alone(entry) else "waiting"
        entry.save(update_fields=["state"])
    teams.make_room(actor, event, by_hand)


def _announce(actor: Actor, entry: Registration, code: str, **facts: str) -> None:
    announce(actor, entry.event, "entry", "entry", entry.position, code, {"name": entry.name, **facts})
