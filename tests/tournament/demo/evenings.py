"""Small evenings for the player, and a line to this process instead of one over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams
from tests.remembered import remembered
from tournament.access import Actor
from tournament.demo.evenings import TABLE
from tournament.demo.player import Evening, Pace, Step
from tournament.demo.tablet import Answer, Connection, Lost, read_message
from tournament.models import Event

AT_ONCE = Pace(0, 0, 0, 0)
# More steps than an evening of these tests takes.
MOST_STEPS = 800


class InProcess(Connection):
    """What a line sends, answered by this process."""

    def __init__(self) -> None:
        super().__init__("", 0)
        self.client = Client()

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        self.client.cookies.clear()
        answer = self.client.post(
            f"/t/api/{path}/", body, content_type="application/json", headers={"Authorization": f"Table {token}"}
        )
        if answer.status_code != 200:
            raise Lost(f"status {answer.status_code}")
        return read_message(answer.content)

    def send(self, path: str, fields: Mapping[str, Any], cookies: Mapping[str, str]) -> Answer:
        self.client.cookies.clear()
        self.client.cookies.load(dict(cookies))
        answer = self.client.post(path, fields)
        kept = {name: morsel.value for name, morsel in answer.cookies.items()}
        return Answer(answer.status_code, answer.headers.get("Location", ""), kept, answer.content.decode())


@remembered
def small_evening(dana: User, *, teams: int = 12, rounds: int = 2, cut: int = 4, **fields: Any) -> Event:
    """The first of two rounds is in play, and nobody sits."""
    fields = {"slug": "autumn-evening", "rounds_planned": rounds, "cut": cut, "movement": "moving", **fields}
    event = make_event("Autumn Evening", dana, **fields)
    Event.objects.filter(pk=event.pk).update(date=timezone.localdate(timezone=ZoneInfo(event.time_zone)))
    entered = make_teams(event, teams)
    half = teams // 2
    make_round(event, list(zip(entered[:half], entered[half:], strict=True)))
    event.refresh_from_db()
    return event


def player_of(event: Event, dana: User, pace: Pace = AT_ONCE, *, directs: bool = False) -> Evening:
    """The player of an evening; Dana's password is that of the tests."""
    person = (dana.username, "a long enough password")
    evening = Evening(event, InProcess(), pace, person, Actor(dana), TABLE)
    evening.directs = directs
    return evening


def play_until(evening: Evening, words: str) -> list[Step]:
    """Steps up to the one that waits for something, or is over."""
    steps = []
    for _ in range(MOST_STEPS):
        steps.append(evening.step())
        if words in steps[-1].waits or steps[-1].over:
            return steps
    raise AssertionError([step for step in steps if step.waits][-3:])
