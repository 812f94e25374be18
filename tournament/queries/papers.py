"""What can be printed and downloaded of an event, for the page that offers it."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Q

from tournament.models import Event, Game, Journal, Round
from tournament.queries.book import event_sheets
from tournament.queries.sheetfacts import GameSheet


@dataclass(frozen=True, slots=True)
class RoundPapers:
    """A round with how many games it has, and how many of them are final."""

    number: int
    title: str
    state: str
    state_words: str
    games: int
    final: int


def round_papers(event: Event) -> list[RoundPapers]:
    final = Count("games", filter=Q(games__state="final"))
    rounds = Round.objects.filter(event=event).annotate(game_count=Count("games"), final_count=final)
    return [
        RoundPapers(one.number, str(one), one.state, one.get_state_display(), one.game_count, one.final_count)
        for one in rounds.order_by("number")
    ]


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
