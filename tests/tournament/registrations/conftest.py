"""An event that players can enter by themselves, and entries as they type them."""

from __future__ import annotations

from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from tests.factories import make_event
from tournament.access import NOBODY
from tournament.models import Event, Player, Registration
from tournament.queries.registrations import entry_of
from tournament.services.registrations import enter

FIRST = ("Al", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kay", "Lou")


def open_event(director: User | None = None, **fields: Any) -> Event:
    """Entries have been open for an hour, each is in at once unless `entries_wait`, and nothing is drawn."""
    now = timezone.now()
    settings: dict[str, Any] = {"entries_wait": False, "entries_from": now - timedelta(hours=1)}
    return make_event(director=director, **settings | fields)


def team(name: str, **fields: Any) -> dict[str, Any]:
    typed = {"players": [f"{name} One", f"{name} Two"], "contact": f"{name.lower()}@example.com"} | fields
    return {"name": name} | typed


def alone(name: str, note: str = "plays on Fridays", **fields: Any) -> dict[str, Any]:
    return {"name": "", "players": [name], "contact": "555-0100", "note": note} | fields


def entered(event: Event, *wanted: dict[str, Any]) -> list[Registration]:
    """These entries, made one after another, as they are stored when the last one has come in."""
    created = [entry_of(enter(NOBODY, event, token_urlsafe(24), **row)[0]) for row in wanted]
    return [Registration.objects.select_related("team", "event").get(pk=row.pk) for row in created]


def own(entry: Registration) -> Player:
    """The row of the player who made an entry and has its private link."""
    return entry.players.exclude(token_hash="").order_by("position")[0]


def states(event: Event) -> list[str]:
    """Every entry of an event: its place, its name, its state and the number of its team, if it has one."""
    rows = event.registrations.values_list("position", "name", "state", "team__number")
    return [" ".join(str(fact) for fact in row if fact is not None) for row in rows]


def log_of(event: Event) -> list[str]:
    """What the log has of entries and teams, the first act first."""
    return [act.text for act in event.journal.filter(action__in=["entry", "enter"]).order_by("pk")]
