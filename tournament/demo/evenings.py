"""The sample evenings: which one is in play, and how one is begun again beside what was played."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from tournament.access import Actor
from tournament.archive.store.event import import_event
from tournament.demo.people import VERIFIER, director, verifier
from tournament.models import Event, Game
from tournament.place import FIXTURES
from tournament.services.calls import call_director
from tournament.services.officials import appoint_official

FOLDER: Path = FIXTURES / "demo"
# A table in the middle of its game: the one that a visitor sits down at.
TABLE = 6


class Sample(NamedTuple):
    """A sample evening: its file, and how many days before the day it is begun on it is dated."""

    file: str
    days_ago: int = 0


FINISHED = Sample("autumn-open", days_ago=1)
EVENING = Sample("autumn-evening")
SPADES = Sample("spades-night")
SAMPLES = (FINISHED, SPADES, EVENING)
# While the evening is in play this table calls the director about a renege.
CALLS_AT = 10


def evening_in_play() -> Event | None:
    """The evening that doors and hall lead to: the one that was begun last."""
    return Event.objects.filter(slug__startswith=EVENING.file).order_by("-pk").first()


def is_over(event: Event) -> bool:
    """Whether an evening is finished or of another day: it can be begun again."""
    return event.stage == "over" or event.date != _today(event.time_zone)


def load_samples() -> None:
    """Every sample evening that is not there yet."""
    for sample in SAMPLES:
        if not Event.objects.filter(slug__startswith=sample.file).exists():
            begin(sample)


def begin_again() -> Event:
    """Begin the evening in play once more; the same one for everybody who asks at one time."""
    with transaction.atomic():
        event = evening_in_play()
        return event if event is not None and not is_over(event) else begin(EVENING)


def begin(sample: Sample) -> Event:
    """Begin a sample evening today, beside what was played; Dana directs it and Vic verifies."""
    data = json.loads((FOLDER / f"{sample.file}.json").read_text(encoding="utf-8"))
    day = _today(data["time_zone"]) - timedelta(days=sample.days_ago)
    dana, _ = Actor(director()), verifier()
    event = import_event(dana, data | {"date": day.isoformat()}, name=_free_name(data["event"]))
    appoint_official(dana, event, VERIFIER, "verifier")
    for game in Game.objects.filter(round__event=event, round__state="running", table=CALLS_AT):
        call_director(Actor(), game, "renege")
    return event


def _free_name(name: str) -> str:
    """“Autumn Evening”, then “Autumn Evening 2”."""
    taken = set(Event.objects.filter(name__startswith=name).values_list("name", flat=True))
    names = (name, *(f"{name} {count}" for count in range(2, len(taken) + 2)))
    return next(one for one in names if one not in taken)


def _today(zone: str) -> date:
    return timezone.localdate(timezone=ZoneInfo(zone))
