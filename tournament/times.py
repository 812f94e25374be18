"""Moments in words: a time is written one way everywhere, by the clock of the event's hall."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.dateformat import format as written


def hall_time(at: datetime, zone: str) -> datetime:
    """The moment by the clock of the hall, with its offset: what files keep."""
    return at.astimezone(ZoneInfo(zone))


def clock_time(at: datetime, zone: str) -> str:
    """8:07 p.m."""
    return written(hall_time(at, zone), "g:i a")


def day_time(at: datetime, zone: str) -> str:
    """Nov 21, 8:07 p.m."""
    return written(hall_time(at, zone), "M j, g:i a")
