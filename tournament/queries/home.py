"""The events of the club as the home page lists them, and one point of a game explained as an example."""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.dateformat import format as written

from tournament.access import Actor
from tournament.errors import Damaged
from tournament.models import Event, Round
from tournament.queries.events import EventCard, listed_events, once_a_version
from tournament.queries.final_places import PlaceLine, final_places
from tournament.queries.sheet import effect_of_hand, game_sheet
from tournament.queries.tablet import Practice, practice_game
from tournament.words.phrases import signed

# How many events are shown in full; the others are listed by name and date.
SHOWN = 12


EVENING_BEGINS = 16


NEAR = ("tonight", "today")


class HomeCard(NamedTuple):
    """An event on the home page: `state` and `tone` are its chip, `when` its day in words."""

    card: EventCard
    state: str
    tone: str
    when: str
    champion: PlaceLine | None

    @property
    def about(self) -> tuple[str, ...]:
        """When and where, and how many play: the text next to the chip."""
        card = self.card
        size = f"{card.teams} {card.unit}{'' if card.teams == 1 else 's'}"
        places = dict.fromkeys((card.event.place, card.apart))
        return (self.when, size, *filter(None, places))


class Home(NamedTuple):
    """The newest events in full, the ones before them, and how many are archived."""

    cards: tuple[HomeCard, ...]
    earlier: tuple[EventCard, ...]
    archived: int

    @property
    def tonight(self) -> HomeCard | None:
        """The event that is being played or begins today: what a visitor of the club's own page looks for."""
        near = (card for card in self.cards if card.when in NEAR and card.card.event.stage != "over")
        return next(near, None)


def home_events(actor: Actor) -> Home:
    """Every event that the actor may see, newest first. Few queries, however many there are."""
    listed = listed_events(actor)
    cards = [card for card in listed if not card.event.archived_at]
    shown = cards[:SHOWN]
    # The round in play of each event, or else the last one that was closed: the one in play sorts last.
    started = Round.objects.filter(event__in=[card.event for card in shown]).exclude(state="planned")
    rounds = {
        round_.event_id: round_
        for round_ in sorted(started, key=lambda round_: (round_.state == "running", round_.number))
    }
    return Home(
        tuple(_card(card, rounds.get(card.event.pk)) for card in shown), tuple(cards[SHOWN:]), len(listed) - len(cards)
    )


def day_words(day: date, now: datetime) -> str:
    """“tonight”, “yesterday” or the date, by the clock of the hall."""
    evening = "tonight" if now.hour >= EVENING_BEGINS else "today"
    near = {0: evening, -1: "yesterday", 1: "tomorrow"}
    return near.get((day - now.date()).days) or written(day, "F j, Y")


def _card(card: EventCard, last: Round | None) -> HomeCard:
    event = card.event
    state, tone = _state(event, last)
    when = day_words(event.date, timezone.localtime(timezone=ZoneInfo(event.time_zone)))
    return HomeCard(
        card,
        state,
        tone,
        when,
        once_a_version(event, "champion", None, lambda: _champion(event)) if event.stage == "over" else None,
    )


def _state(event: Event, last: Round | None) -> tuple[str, str]:
    if event.stage in ("setup", "over"):
        return event.get_stage_display(), "gold" if event.stage == "setup" else "plain"
    if last is None or (event.stage == "playoffs" and last.stage == "qualifying"):
        return event.get_stage_display(), "sky"
    of = f" of {event.rounds_planned}" if last.stage == "qualifying" and not last.title else ""
    return (f"{last}{of}", "") if last.state == "running" else (f"After {last.inside}{of}", "sky")


def _champion(event: Event) -> PlaceLine | None:
    try:
        return final_places(event).champion
    except Damaged:
        return None


# Two hands and a misdeal; then Cal, in the second seat, bids.
BEFORE = (
    {"entry": "hand", "seat": 1, "bid": "2-special", "books": 8},
    {"entry": "hand", "seat": 0, "bid": "3", "books": 9},
    {"entry": "void", "rule": "17"},
)


HAND = {"entry": "hand", "seat": 1, "bid": "3-no", "books": 9}


class Example(NamedTuple):
    """A hand: its line on the sheet, the points it gave to whom, and why."""

    title: str
    side: str
    points: str
    why: tuple[str, ...]


@cache
def example() -> Example:
    """The last hand of a game."""
    practice = Practice(dealer=0, entries=BEFORE)
    effect = effect_of_hand(practice_game(practice), HAND)
    sheet = game_sheet(practice_game(practice.with_entry(HAND)))
    row = sheet.rows[-1]
    written = row.written
    assert effect is not None and written.who is not None
    title = f"Hand {row.number} · {written.who_name} bid {written.bid} and took {written.took} {sheet.word}"
    return Example(title, sheet.sides[written.who].name, signed(row.deltas[written.who]), effect.lines)
