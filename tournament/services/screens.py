"""The screens of the tables that are in play: each shows what it has until its game has a new version."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from tournament.models import Event, Game


def look_again(event: Event, **which: Any) -> None:
    """What these tables show has changed beside their sheet: names, or the clock."""
    Game.objects.filter(round__event=event, round__state="running", **which).update(version=F("version") + 1)
