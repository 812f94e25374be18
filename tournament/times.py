"""Moments in words: a time is written one way everywhere, by the clock of the event's hall."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.dateformat import format as written


def hall_time(moment: datetime, zone: str) -> datetime:
    """The moment by the clock of the hall, with its offset: what files keep."""
    return moment.astimezone(ZoneInfo(zone))


def clock_time(moment: datetime, zone: str) -> str:
    """8:07 p.m."""
    return written(hall_time(moment, zone), "g:i a")


def day_time(moment: datetime, zone: str) -> str:
    """Nov 21, 8:07 p.m."""
    return written(hall_time(moment, zone), "M j, g:i a")


def clock_words(seconds: int | None) -> str:
    """4:10, 1:05:00; a clock that ran out stands at 0:00."""
    minutes, rest = divmod(max(0, seconds or 0), 60)
    hours, within = divmod(minutes, 60)
    return f"{hours}:{within:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
