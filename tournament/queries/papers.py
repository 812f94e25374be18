"""What can be printed and downloaded of an event, for the page that offers it."""

from __future__ import annotations

from django.conf import settings

from tournament.models import Event, Game, Journal
from tournament.queries.book import event_sheets
from tournament.queries.sheetfacts import GameSheet


def game_count(event: Event) -> int:
    return Game.objects.filter(round__event=event).count()


def is_large(event: Event) -> bool:
    """Whether its files take so long that one wants to see how far they are."""
    return game_count(event) > settings.LARGE_EVENT_GAMES


def printed_codes(event: Event) -> frozenset[str]:
    """The codes of all sheets that were printed, as they stood then."""
    acts = Journal.objects.filter(event=event, action="print").values_list("after", flat=True)
    found = (after.get("codes") for after in acts if isinstance(after, dict))
    return frozenset(code for codes in found if isinstance(codes, list) for code in codes if isinstance(code, str))


def unprinted_sheets(event: Event) -> list[GameSheet]:
    """The sheets that were never printed, or were changed since."""
    printed = printed_codes(event)
    return [sheet for sheet in event_sheets(event) if sheet.code not in printed]
