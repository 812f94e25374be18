"""Players enter themselves: an entry, what the desk makes of it, and two who came alone."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from operator import attrgetter
from typing import Any

from django.db.models import Max

from tournament.access import Actor, strictest
from tournament.errors import Conflict, Fault, ValidationFailed
from tournament.models import Event, Player, Registration
from tournament.queries.devices import fingerprint
from tournament.queries.entering import OPEN, comes_alone, may_rename, shown_single
from tournament.queries.leaving import is_drawn, team_of
from tournament.queries.roster import RosterRow, cleaned_row, roster_faults, row_of
from tournament.services import teams
from tournament.services.draws import draw_again
from tournament.services.transactions import announce, writing
from tournament.texts import SUFFIX, name_key

CLOSED = "Entries are closed. Ask the desk whether there is still a place."
CHANGED = "This entry has changed meanwhile. Look at it again."


def enter(actor: Actor, event: Event, **typed: Any) -> tuple[Registration, str]:
    """Take an entry at the end of the line, with name, players, contact, note and show as they were `typed`.

    It waits for the desk, or is a team at once as long as there is room. Gives it with the token of its private link,
    which is kept nowhere.
    """
    with writing(event) as event:
        token = secrets.token_urlsafe(24)
        entry = Registration(event=event, token_hash=fingerprint(token), **typed)
        _put_last(actor, entry)
    return entry, token


def change(actor: Actor, entry: Registration, **typed: Any) -> None:
    """Change an entry by its private link; name, players and note only as long as `may_rename` says so."""
    with _locked(entry) as entry:
        if not {"name", "players", "note"}.isdisjoint(typed) and not may_rename(entry):
            raise Conflict("Names can no longer be changed here: tell the desk.")
        before = entry.name, entry.players, entry.show
        for name, value in typed.items():
            setattr(entry, name, value)
        _clean(entry)
        entry.save()
        now = entry.name, entry.players, entry.show
        if entry.state == "in" and entry.team and now != before:
            row = replace(row_of(entry.team), name=entry.name, players=tuple(entry.players))
            teams.change_team(actor, entry.event, entry.team.number, row, marks=(), wishes=teams.wishes_of(entry))
        _log(actor, entry, "changed")


def withdraw(actor: Actor, entry: Registration) -> None:
    """Withdraw an entry by its private link: the next on the waiting list moves up. A second press changes nothing.

    A team that has money in the books stays on the list as one that left. One that is drawn plays on until the desk
    decides: see `services/leaving.py`.
    """
    with _locked(entry) as entry:
        event, team = entry.event, team_of(entry)
        if entry.state in ("withdrawn", "leaving"):
            return
        if team is not None and event.frozen_at is not None:
            raise Conflict("Game 1 has begun: tell the desk that you leave.")
        if team is not None and is_drawn(event):
            entry.state = "leaving"
            entry.save(update_fields=["state"])
            _log(actor, entry, "leaving")
            return
        if entry.state not in (*OPEN, "in"):
            raise Conflict(CHANGED)
        _log(actor, entry, "withdrawn")
        if team is None:
            entry.state, entry.wants = "withdrawn", None
            entry.save(update_fields=["state", "wants"])
        elif event.ledger.filter(team=team).exists():
            teams.withdraw_team(actor, event, team.number, 0)
        else:
            teams.remove_team(actor, event, team.number)


def enter_again(actor: Actor, entry: Registration) -> None:
    """One who had withdrawn enters again, at the end of the line."""
    with _locked(entry) as entry:
        if entry.state != "withdrawn":
            raise Conflict(CHANGED)
        _put_last(actor, entry)


def decide(
    actor: Actor,
    event: Event,
    first: int,
    last: int,
    *,
    accepted: bool,
    seed: int | None = None,
    confirmed: str | None = None,
) -> list[Registration]:
    """The desk accepts the entries from one place to another, as it saw them, or does not. The limit still holds.

    With a `seed` the games are drawn in the same act; where somebody has drawn them already, only as it was
    `confirmed`: None asks nothing.
    """
    with writing(event) as event:
        asked = [*event.registrations.filter(state="asked", position__range=(first, last))]
        if not asked or event.stage in ("playoffs", "over"):
            raise Conflict("This no longer waits for the desk.")
        for entry in asked:
            entry.state = _in_line(entry) if accepted else "refused"
            entry.save(update_fields=["state"])
            _log(actor, entry, "accepted" if accepted else "refused")
        teams.make_room(actor, event)
        if seed is not None:
            draw_again(actor, event, seed=seed, confirmed=confirmed, asks=True)
    return asked


# Two who came alone become a team: each has pressed for the other, or the desk joins them.


def choose(actor: Actor, entry: Registration, position: int = 0) -> None:
    """Somebody who looks for a partner presses for another one; without a position, takes that back."""
    with _locked(entry) as entry:
        if entry.state != "single" or entry.event.frozen_at is not None:
            raise Conflict("You no longer look for a partner.")
        other = _single_at(entry.event, position) if position else None
        if partner := other or entry.wants:
            _log(actor, entry, "wants" if other else "alone", partner=partner.name)
        entry.wants = other
        entry.save(update_fields=["wants"])
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


def _join(actor: Actor, entry: Registration, other: Registration, name: str = "") -> Registration:
    """The earlier of two entries is the team's: its place in the line counts."""
    first, second = sorted((entry, other), key=attrgetter("position"))
    _log(actor, first, "joined", partner=second.name)
    second.state, second.wants = "joined", first
    second.save(update_fields=["state", "wants"])
    first.state, first.wants, first.note = "waiting", None, ""
    first.players = [*first.players, *second.players]
    first.name, first.show = name or _free_name(first), strictest([first.show, second.show])
    _clean(first)
    first.save()
    teams.make_room(actor, first.event)
    first.refresh_from_db()
    return first


def _free_name(entry: Registration) -> str:
    """“Reed / Hall”; with a number where that is taken."""
    name = " / ".join(SUFFIX.sub("", player).split()[-1][:17] for player in entry.players)
    names = (f"{name} {number}".removesuffix(" 1") for number in count(1))
    taken = {*entry.event.teams.values_list("key", flat=True)}
    taken |= {*entry.event.registrations.filter(state__in=OPEN).values_list("key", flat=True)}
    return next(name for name in names if name_key(name) not in taken)


@contextmanager
def _locked(entry: Registration) -> Iterator[Registration]:
    """The entry as it is now, while its event is held. Of an event that is over none changes any more."""
    with writing(entry.event_id) as event:
        if event.stage == "over":
            raise Conflict("This event is over.")
        yield event.registrations.select_related("team", "wants__team").get(pk=entry.pk)


def _clean(entry: Registration) -> None:
    """Make its names clean. Raises ValidationFailed for a name that cannot be, or that somebody has already."""
    event = entry.event
    row, faults = cleaned_row(RosterRow(name=entry.name, players=tuple(entry.players)))
    entry.name, entry.key, entry.players = row.name, name_key(row.name), [*row.players]
    faults += roster_faults(event, [row], instead_of=[entry.team_id] if entry.team_id else ())
    others = event.registrations.filter(state__in=OPEN).exclude(pk=entry.pk)
    names = [*others.values_list("key", "players")]
    if entry.key in {key for key, _ in names}:
        faults.append(Fault("name", f"“{row.name}” is already entered."))
    seated = Player.objects.filter(team__event=event, team__status="playing").exclude(team=entry.team_id)
    taken = {*seated.values_list("key", flat=True), *(name_key(name) for _, players in names for name in players)}
    faults += [
        Fault(f"player{seat}", f"{name} is entered already. Is this somebody else? Then add an initial to the name.")
        for seat, name in enumerate(row.players, start=1)
        if name_key(name) in taken
    ]
    if faults:
        raise ValidationFailed(faults)


def _put_last(actor: Actor, entry: Registration) -> None:
    event = entry.event
    if not event.takes_entries:
        raise Conflict(CLOSED)
    _clean(entry)
    entry.position = 1 + (event.registrations.aggregate(last=Max("position"))["last"] or 0)
    entry.state, entry.wants = "asked" if event.entries_wait else _in_line(entry), None
    entry.save()
    _log(actor, entry, "made")
    teams.make_room(actor, event, entry)


def _in_line(entry: Registration) -> str:
    return "single" if comes_alone(entry) else "waiting"


def _log(actor: Actor, entry: Registration, code: str, **facts: str) -> None:
    announce(actor, entry.event, "entry", "entry", entry.position, code, {"name": entry.name, **facts})
