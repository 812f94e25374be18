"""Template filters of the desk: clocks, times of the hall, what the journal keeps."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django import template

from tournament.models import Event
from tournament.queries.clocks import clock_words
from tournament.queries.verification import PaperFacts

register = template.Library()
register.filter("clock", clock_words)


@register.filter
def local(moment: datetime | None, event: Event) -> datetime | None:
    """A moment by the clock of the event's hall: `{{ row.at|local:event|time:"g:i a" }}`.

    It comes without its zone, so that no other filter turns it again.
    """
    return moment.astimezone(ZoneInfo(event.time_zone)).replace(tzinfo=None) if moment else None


@register.filter
def paper_said(paper: PaperFacts, event: Event) -> str:
    """Who typed a sheet from paper and who verified it: `{{ sheet.paper|paper_said:event }}`."""
    return paper.said(event.time_zone)


@register.filter
def facts(value: object) -> str:
    """What the journal keeps of before and after, short enough for a line: “bid 4 · books 11”."""
    if isinstance(value, dict):
        return " · ".join(f"{name} {_plain(one)}" for name, one in value.items() if one not in (None, "", []))[:300]
    return _plain(value)[:300]


def _plain(value: object) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)
