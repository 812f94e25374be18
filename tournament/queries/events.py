"""The events of the club, as cards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, TypeVar, cast
from zoneinfo import ZoneInfo

from django.db import connection
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from tournament.access import NOBODY, Actor, directs_everything
from tournament.errors import Damaged
from tournament.models import Event, Official, Round, SiteAct
from tournament.queries.rules import everybody_in_pot, ruleset_of
from tournament.site.cache import VersionedCache

# How many lines of the site's log are shown.
SITE_ACTS = 200


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event as the list shows it. `role` is the actor's office: director, verifier, or empty.

    `teams` counts everybody in the standings, including those who left. `apart` distinguishes two events with the same
    name and date: the place, or a number in the order of creation. `page` is where its name links to: the entry page if
    strangers see no other page yet.
    """

    event: Event
    sheet: str
    teams: int
    unit: str
    role: str
    apart: str
    page: str = "standings"

    @property
    def words(self) -> str:
        """The name with its date, and what distinguishes it from another of that name and date."""
        day = self.event.date
        return ", ".join(filter(None, (self.event.name, f"{day:%b} {day.day}, {day.year}", self.apart)))


class PublicState(NamedTuple):
    """What decides the public pages of an event: the same state shows the same page. An epoch begins with a restore.

    `season` is the version of its season, for a page that shows part of it.
    """

    pk: int
    epoch: Hashable
    version: int
    season: int = 0

    @property
    def number(self) -> str:
        """What an open page sends to ask whether there is something new."""
        return f"{self.version}.{self.season}" if self.season else str(self.version)


def shown_state(event: Event) -> PublicState:
    """The state of a page that shows part of the event's season."""
    season = event.season.version if event.season else 0
    return PublicState(event.pk, event.epoch, event.public_version, season)


# What everybody with the same rights sees of an event: standings, rounds, the end, every team's own page.
_shown: VersionedCache[Any] = VersionedCache(64)
Value = TypeVar("Value")


def once_a_version(event: Event, what: str, seen: Hashable, make: Callable[[], Value]) -> Value:
    """Compute something public once for each public version; `seen` says how much of it may be seen."""
    return once((PublicState(event.pk, event.epoch, event.public_version), what, seen), make)


def kept(event: Event, what: str, seen: Hashable) -> Any:
    """The cached value for this public version, if there is one."""
    return _shown.there((PublicState(event.pk, event.epoch, event.public_version), what, seen))


def once(key: Hashable, make: Callable[[], Value]) -> Value:
    """Compute something public once for each key, which names everything that decides it."""
    return cast("Value", _shown.get(key, make))


PUBLIC_STATE = """
SELECT event.id, event.epoch, event.public_version, COALESCE(season.version, 0)
FROM tournament_event AS event LEFT JOIN tournament_season AS season ON season.id = event.season_id
WHERE event.slug = %s AND substr(event.slug, 1, 1) <> '_'
AND (event.stage <> 'setup' OR EXISTS (SELECT 1 FROM tournament_round WHERE event_id = event.id))
"""
DESK_STATE = "SELECT id, epoch, version FROM tournament_event WHERE slug = %s"


def public_state(slug: str, statement: str = PUBLIC_STATE) -> PublicState | None:
    """The public state of an event, or what decides its desk; None if there is none, or strangers may not see it.

    In plain SQL: every phone in the hall asks this every few seconds, and building the query takes longer than running
    it.
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, [slug])
        row = cursor.fetchone()
    return PublicState(*row) if row else None


def listed_events(actor: Actor) -> list[EventCard]:
    """All events except rehearsals, newest first; those without a draw only for their officials."""
    roles: dict[int, str] = {}
    if actor.person is not None:
        roles = dict(Official.objects.filter(user=actor.person).values_list("event_id", "role"))
    # The count groups the rows, and grouped rows have no order unless one is named.
    listed = Event.objects.exclude(slug__startswith=Event.REHEARSAL)
    drawn = Exists(Round.objects.filter(event=OuterRef("pk")))
    events = list(listed.annotate(team_count=Count("teams"), drawn=drawn).order_by("-date", "-pk"))
    apart = _apart(events)
    if directs_everything(actor):
        roles = {event.pk: "director" for event in events}
    pages = {
        event.pk: "standings" if event.stage != "setup" or event.drawn or event.pk in roles else "enter"
        for event in events
    }
    return [
        _card(event, event.team_count, roles.get(event.pk, ""), apart.get(event.pk, ""), pages[event.pk])
        for event in events
        if pages[event.pk] == "standings" or event.takes_entries
    ]


def directed_events(actor: Actor) -> list[tuple[str, str]]:
    """The events that the actor directs, by address and by name with date, newest first."""
    return [(card.event.slug, card.words) for card in listed_events(actor) if card.role == "director"]


def archived_events(actor: Actor) -> list[EventCard]:
    """The archived events that the actor may see, newest first."""
    return [card for card in listed_events(actor) if card.event.archived_at]


def site_log() -> list[SiteAct]:
    """What happened to whole events, newest first."""
    return list(SiteAct.objects.select_related("user")[:SITE_ACTS])


# What can no longer change: the sheet from round 1 on, the bracket's shape once it is played.
BRACKET_FORM = ("losers", "places_to", "second", "second_losers")
PINNED = {
    "setup": (),
    "playing": ("sheet",),
    "playoffs": (
        "sheet",
        "rounds_planned",
        "movement",
        "stakes_apart",
        "cut",
        "no_playoffs",
        "best_of",
        *BRACKET_FORM,
    ),
}


def pinned_fields(event: Event) -> tuple[str, ...]:
    """The fields of an event that can no longer change."""
    return PINNED["playoffs" if event.stage == "over" else event.stage]


def blank_event(actor: Actor = NOBODY) -> Event:
    """An unsaved event, run by one person, on the clock of the last one, with what only older events do without.

    That is the last event that the actor set up, or else the site's. Its date is today there. Before the first event
    only the browser knows the time zone, and so the date.
    """
    event = Event(verify_own=True, stakes_apart=True)
    if zone := _last_zone(actor):
        event.time_zone, event.date = zone, timezone.localdate(timezone=ZoneInfo(zone))
    return event


def _last_zone(actor: Actor) -> str:
    zones = Event.objects.exclude(slug__startswith=Event.REHEARSAL).order_by("-pk").values_list("time_zone", flat=True)
    own = zones.filter(officials__user=actor.person, officials__role="director") if actor.person else zones.none()
    return own.first() or zones.first() or ""


def event_fields(event: Event) -> dict[str, Any]:
    """An event's values as a form shows them first: without a pot, one for everybody is suggested before game 1."""
    has_no_pot = not event.pot_cents and event.frozen_at is None
    fields = {field.name: getattr(event, field.name) for field in Event._meta.concrete_fields}
    fields |= {"cut": 1} if event.no_playoffs else {}
    return fields | {"all_in": has_no_pot or everybody_in_pot(event)}


def same_events(name: str, day: str) -> list[EventCard]:
    """The events of this name and date: importing the same file twice creates two alike."""
    try:
        alike = Event.objects.filter(name=name, date=date.fromisoformat(day))
    except ValueError:
        return []
    events = alike.exclude(slug__startswith=Event.REHEARSAL).annotate(team_count=Count("teams"))
    return [_card(event, event.team_count, "", "") for event in events]


def _apart(events: Sequence[Event]) -> dict[int, str]:
    """What distinguishes events of one name and date: their places if these differ, else a number."""
    alike: dict[tuple[str, date], list[Event]] = defaultdict(list)
    for event in sorted(events, key=lambda event: event.pk):
        alike[event.name, event.date].append(event)
    labels: dict[int, str] = {}
    for group in (events for events in alike.values() if len(events) > 1):
        places = {event.place for event in group}
        for number, event in enumerate(group, start=1):
            labels[event.pk] = event.place if len(places) == len(group) and event.place else f"no. {number}"
    return labels


def _card(event: Event, teams: int, role: str, apart: str, page: str = "standings") -> EventCard:
    try:
        rules = ruleset_of(event)
        title, unit = rules.sheet.title, rules.unit
    except Damaged as fault:
        # One event that cannot be read must not hide the others.
        title, unit = str(fault), "team"
    return EventCard(event, title, teams, unit, role, apart, page)
