"""The events of the club, as cards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Count
from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Official
from tournament.queries.rules import ruleset_of


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event as the list shows it. `role` is what the actor may be there: director, verifier or nothing.

    `teams` counts everybody who stands in the standings, who left too.
    """

    slug: str
    name: str
    date: date
    place: str
    stage: str
    stage_words: str
    sheet: str
    teams: int
    unit: str
    role: str


def version_of(slug: str) -> int | None:
    """The number that rises with every write of an event; None where there is no such event.

    In plain SQL: every phone in the hall asks this every few seconds, and building the query takes
    longer than running it.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT version FROM tournament_event WHERE slug = %s", [slug])
        found = cursor.fetchone()
    return found[0] if found else None


def listed_events(actor: Actor) -> list[EventCard]:
    """All events, newest first; those still being set up only for their officials."""
    roles: dict[int, str] = {}
    if actor.person is not None:
        roles = dict(Official.objects.filter(user=actor.person).values_list("event_id", "role"))
    everything = actor.person is not None and actor.person.is_superuser
    # A count groups the rows, and grouped rows come in no order unless it is named.
    events = Event.objects.annotate(team_count=Count("teams")).order_by("-date", "-pk")
    return [
        _card(event, "director" if everything else roles.get(event.pk, ""))
        for event in events
        if everything or event.stage != "setup" or event.pk in roles
    ]


def directed_events(actor: Actor) -> list[tuple[str, str]]:
    """The events that the actor directs, by address and name with date, newest first."""
    return [
        (card.slug, f"{card.name}, {card.date:%b} {card.date.day}, {card.date.year}")
        for card in listed_events(actor)
        if card.role == "director"
    ]


# What cannot change any more: the sheet from round 1 on, the bracket's shape once it is played.
PINNED = {
    "setup": (),
    "playing": ("sheet",),
    "playoffs": ("sheet", "rounds_planned", "movement", "cut", "best_of", "third_place"),
}


def pinned_fields(event: Event) -> tuple[str, ...]:
    """The fields of an event that stay as they are."""
    return PINNED["playoffs" if event.stage == "over" else event.stage]


def blank_event() -> Event:
    """An event that nobody has stored yet: it is today where it is played."""
    event = Event()
    event.date = timezone.localdate(timezone=ZoneInfo(event.time_zone))
    return event


def event_fields(event: Event) -> dict[str, Any]:
    """The fields of an event as a form shows them."""
    return {field.name: getattr(event, field.name) for field in Event._meta.concrete_fields}


def _card(event: Event, role: str) -> EventCard:
    ruleset = ruleset_of(event)
    return EventCard(
        event.slug,
        event.name,
        event.date,
        event.place,
        event.stage,
        event.get_stage_display(),
        ruleset.sheet.title,
        event.team_count,
        ruleset.unit,
        role,
    )
