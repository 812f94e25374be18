"""A demo with a small evening in play, as a site of its own: a server that can be killed, and its database."""

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

from tests.halls import ROOT, eventually
from tests.journeys.server import Server
from tournament.demo.tablet import Answer, Connection
from tournament.place import MARK

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
        """What stands beside the button."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        with contextlib.closing(line):
            line.request("GET", "/demo/play/")
            page = line.getresponse().read().decode()
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())

    def waits(self, words: str) -> None:
        """Until the page says so."""
        eventually(lambda: words in self.shows(), self.shows)

    def press(self, name: str, cookies: dict[str, str] | None = None, **fields: str) -> Answer:
        """A press on a browser of its own."""
        return Connection("127.0.0.1", self.server.port).send(name, fields, cookies or {})

    def dana(self) -> dict[str, str]:
        """The cookies of a visitor who directs."""
        return self.press("/demo/desk/").cookies

    def rows(self, question: str) -> list[Any]:
        with contextlib.closing(sqlite3.connect(self.folder / "uptown.sqlite3", timeout=20)) as opened:
            return [row[0] for row in opened.execute(question)]


def environment(folder: Path) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
    known |= {"DJANGO_SETTINGS_MODULE": "tests.tournament.demo.site_at_once"}
    return known | {"UPTOWN_DATA": str(folder), "UPTOWN_DEMO": "1"}


def prepare(folder: Path) -> Path:
    """Make the folder: 12 teams, one round in play, then two play for the cup."""
    folder.mkdir()
    (folder / MARK).touch()
    for words in (("manage.py", "migrate", "--verbosity=0"), ("-c", PREPARE)):
        subprocess.run([sys.executable, *words], cwd=ROOT, env=environment(folder), check=True)
    return folder
