"""Small evenings for the player, and a demo of its own with one of them."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import sqlite3
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams
from tests.halls import ROOT, eventually
from tests.journeys.server import Connection, Server
from tests.quick import remembered
from tests.sure import fresh
from tournament.access import Actor
from tournament.demo.evenings import TABLE
from tournament.demo.player import Evening, Inside, Pace, Step
from tournament.demo.tablet import Answer
from tournament.models import Event
from tournament.site.data_folder import MARK

AT_ONCE = Pace(0, 0, 0, 0)
# More steps than an evening of these tests takes.
MOST_STEPS = 800


@remembered
def small_evening(dana: User, *, teams: int = 12, rounds: int = 2, cut: int = 4, **fields: Any) -> Event:
    """The first of two rounds is in play, and nobody sits."""
    fields = {"slug": "autumn-evening", "rounds_planned": rounds, "cut": cut, "movement": "moving", **fields}
    event = make_event("Autumn Evening", dana, **fields)
    Event.objects.filter(pk=event.pk).update(date=timezone.localdate(timezone=ZoneInfo(event.time_zone)))
    entered = make_teams(event, teams)
    half = teams // 2
    make_round(event, list(zip(entered[:half], entered[half:], strict=True)))
    return fresh(event)


def player_of(event: Event, dana: User, pace: Pace = AT_ONCE, *, directs: bool = False) -> Evening:
    """The player of an evening; Dana's password is that of the tests."""
    evening = Evening(event, Inside(dana), pace, (dana.username, "a long enough password"), Actor(dana), TABLE)
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


# A demo with a small evening in play, as a site of its own: a server that can be killed, and its database.
PREPARE = """
import django; django.setup()
from tests.tournament.demo.evenings import small_evening
from tournament.demo.evenings import director
small_evening(director(), rounds=1, cut=2)
"""


class Demo:
    """A demo with a small evening in play, and its server; the player does not wait between two hands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server = Server(environment(folder))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def shows(self) -> str:
        """What is shown beside the button."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        with contextlib.closing(line):
            line.request("GET", "/demo/play/")
            page = line.getresponse().read().decode()
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())

    def waits(self, words: str) -> None:
        eventually(lambda: words in self.shows(), self.shows)

    def press(self, name: str, cookies: dict[str, str] | None = None, **fields: str) -> Answer:
        return Connection("127.0.0.1", self.server.port).send(name, fields, cookies or {})

    def dana(self) -> dict[str, str]:
        return self.press("/demo/desk/").cookies

    def rows(self, question: str) -> list[Any]:
        with contextlib.closing(sqlite3.connect(self.folder / "uptown.sqlite3", timeout=20)) as opened:
            return [row[0] for row in opened.execute(question)]


def environment(folder: Path) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
    environment |= {"DJANGO_SETTINGS_MODULE": "tests.tournament.demo.site_at_once"}
    return environment | {"UPTOWN_DATA": str(folder), "UPTOWN_DEMO": "1"}


def prepare(folder: Path) -> Path:
    """Make the folder: 12 teams, one round in play, then two play for the cup."""
    folder.mkdir()
    (folder / MARK).touch()
    for words in (("manage.py", "migrate", "--verbosity=0"), ("-c", PREPARE)):
        subprocess.run([sys.executable, *words], cwd=ROOT, env=environment(folder), check=True)
    return folder
