"""What can be printed and downloaded of an event, for the page that offers it."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import datetime

from tournament.models import Event, Journal
from tournament.queries.book import event_sheets
from tournament.queries.sheetfacts import GameSheet


def file_state(event: Event) -> Hashable:
    """What decides the files of an event: the same state gives the same files. Not every act in its log raises it."""
    newest = Journal.objects.filter(event=event).order_by("-pk").values_list("pk", flat=True).first()
    return event.pk, event.epoch, event.version, newest


def printed_sheets(event: Event) -> dict[str, datetime]:
    """When sheets were printed last, by their fingerprints as they stood then."""
    acts = Journal.objects.filter(event=event, action="print").order_by("pk").values_list("at", "after")
    found = ((at, after.get("codes")) for at, after in acts if isinstance(after, dict))
    return {code: at for at, codes in found if isinstance(codes, list) for code in codes if isinstance(code, str)}


def unprinted_sheets(event: Event) -> list[GameSheet]:
    """The sheets that were never printed, or were changed since."""
    printed = printed_sheets(event)
    return [sheet for sheet in event_sheets(event) if sheet.code not in printed]
