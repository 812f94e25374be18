"""The events of the club as the home page lists them, and one point of a game explained as an example."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.dateformat import format as written

from tournament.access import Actor
from tournament.kept import Kept
from tournament.models import Event, Round
from tournament.phrases import signed
from tournament.queries.events import EventCard, known_events, public_state_of
from tournament.queries.places import final_places
from tournament.queries.practice import Practice, practice_game
from tournament.queries.preview import effect_of_hand
from tournament.queries.sheet import game_sheet
from tournament.refusals import Damaged

# So many events are told in full, and the others by name and date.
SHOWN = 12
EVENING_BEGINS = 16


class Champion(NamedTuple):
    name: str
    players: tuple[str, ...]


class HomeCard(NamedTuple):
    """An event on the home page: `state` and `tone` are its chip, `when` its day as people say it."""

    event: EventCard
    state: str
    tone: str
    when: str
    champion: Champion | None

    @property
    def about(self) -> tuple[str, ...]:
        """When and where, and how many play: what stands beside the chip."""
        event = self.event
        size = f"{event.teams} {event.unit}{'' if event.teams == 1 else 's'}"
        places = dict.fromkeys((event.place, event.apart))
        return (self.when, size, *filter(None, places))


# A finished event is looked at once: nothing of it changes without its version.
_kept: Kept[Champion | None] = Kept(256)


class Home(NamedTuple):
    """The newest events in full, and those before them."""

    cards: tuple[HomeCard, ...]
    earlier: tuple[EventCard, ...]


def home_events(actor: Actor) -> Home:
    """Every event that the actor may see, the newest first. Few queries, however many there are."""
    found = known_events(actor)
    shown = [event for event, _ in found[:SHOWN]]
    rounds = _rounds(shown)
    cards = tuple(_card(event, card, rounds.get(event.pk)) for event, card in found[:SHOWN])
    return Home(cards, tuple(card for _, card in found[SHOWN:]))


def day_words(day: date, now: datetime) -> str:
    """“tonight”, “yesterday” or the date, by the clock of the hall."""
    evening = "tonight" if now.hour >= EVENING_BEGINS else "today"
    near = {0: evening, -1: "yesterday", 1: "tomorrow"}
    return near.get((day - now.date()).days) or written(day, "F j, Y")


def _card(event: Event, card: EventCard, last: Round | None) -> HomeCard:
    state, tone = _state(event, last)
    when = day_words(event.date, timezone.localtime(timezone=ZoneInfo(event.time_zone)))
    return HomeCard(
        card,
        state,
        tone,
        when,
        _kept.get(public_state_of(event), lambda: _champion(event)) if event.stage == "over" else None,
    )


def _state(event: Event, last: Round | None) -> tuple[str, str]:
    if event.stage in ("setup", "over"):
        return event.get_stage_display(), "gold" if event.stage == "setup" else "plain"
    if last is None or (event.stage == "playoffs" and last.stage == "qualifying"):
        return event.get_stage_display(), "sky"
    of = f" of {event.rounds_planned}" if last.stage == "qualifying" and not last.title else ""
    return (f"{last}{of}", "") if last.state == "running" else (f"After {_small(str(last))}{of}", "sky")


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def _rounds(events: Iterable[Event]) -> dict[int, Round]:
    """The round in play of each event, or else the last one that was closed."""
    begun = Round.objects.filter(event__in=list(events)).exclude(state="planned")
    # The one in play comes last, whatever its number.
    return {one.event_id: one for one in sorted(begun, key=lambda one: (one.state == "running", one.number))}


def _champion(event: Event) -> Champion | None:
    try:
        first = final_places(event).champion
    except Damaged:
        return None
    return None if first is None else Champion(first.team, () if first.players == (first.team,) else first.players)


# Two hands and a misdeal; then Cal, who sits second, bids.
BEFORE = (
    {"entry": "hand", "seat": 1, "bid": "2-special", "books": 8},
    {"entry": "hand", "seat": 0, "bid": "3", "books": 9},
    {"entry": "void", "rule": "17"},
)
HAND = {"entry": "hand", "seat": 1, "bid": "3-no", "books": 9}


class Example(NamedTuple):
    """A hand: its line on the sheet, what it gave to whom, and why."""

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
    told = row.written
    assert effect is not None and told.who is not None
    title = f"Hand {row.number} · {told.who_name} bid {told.bid} and took {told.took} {sheet.word}"
    return Example(title, sheet.sides[told.who].name, signed(row.deltas[told.who]), effect.lines)
