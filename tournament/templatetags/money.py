"""What the money pages need: a key for each button, a sum as it is typed, a time in the event's zone."""

from __future__ import annotations

import uuid
from datetime import datetime
from zoneinfo import ZoneInfo

from django import template

register = template.Library()


@register.simple_tag
def fresh_key() -> str:
    """A key for one press of one button: pressed twice, it counts once."""
    return str(uuid.uuid4())


@register.filter
def amount(cents: int) -> str:
    """A sum as it is typed into a form."""
    return f"{cents // 100}.{cents % 100:02d}"


@register.filter
def zoned(at: datetime, zone: str) -> str:
    """A time where the event is held."""
    return f"{at.astimezone(ZoneInfo(zone)):%b %-d, %H:%M}"
