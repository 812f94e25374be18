"""Seasons: set up, changed and deleted, and which events count in them."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import RestrictedError

from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, Season
from tournament.services.events import change_event, free_slug, note_site
from tournament.services.transactions import in_line, look_again_at, writing

# Seasons and their events. One event counts in one season; events of several games may count in the same.


def create_season(actor: Actor, fields: dict[str, Any]) -> Season:
    with in_line(), transaction.atomic():
        season = Season.objects.create(slug=free_slug(fields["name"], Season), **fields)
        note_site(actor, season, "new")
    return season


def change_season(actor: Actor, season: Season, fields: dict[str, Any]) -> Season:
    """Change a season; its address stays. Its table follows at once, also where games were played."""
    with in_line(), transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season.pk)
        changed = [name for name, value in fields.items() if getattr(season, name) != value]
        for name in changed:
            setattr(season, name, fields[name])
        if changed:
            season.save(update_fields=changed)
            note_site(actor, season, "change")
            look_again_at(season.pk)
    return season


def delete_season(actor: Actor, season: Season) -> None:
    """Delete a season; its events stay. Raises Conflict where something hangs on it."""
    with in_line(), transaction.atomic():
        for event in season.events.all():
            take_out(actor, season, event)
        try:
            season.delete()
        except RestrictedError:
            raise Conflict("Dues were paid or partners drawn for this season: it stays.") from None
        note_site(actor, season, "delete")


def put_in(actor: Actor, season: Season, event: Event) -> Event:
    """Let an event count in a season, whatever its state is. Raises Conflict where it counts in another one."""
    with writing(event) as event:
        if event.is_rehearsal:
            raise Conflict("A rehearsal counts in no season.")
        if event.season is not None and event.season != season:
            raise Conflict(f"{event} counts in {event.season} already. Take it out there first.")
        return change_event(actor, event, {"season": season}, confirmed=True)


def take_out(actor: Actor, season: Season, event: Event) -> Event:
    """Let an event no longer count in a season: its points go. Raises Conflict where it does not count there."""
    with writing(event) as event:
        if event.season_id != season.pk:
            raise Conflict(f"{event} no longer counts in {season}. Load the page again.")
        return change_event(actor, event, {"season": None}, confirmed=True)
