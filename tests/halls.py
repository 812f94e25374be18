"""A hall of its own for a test: a data folder, the commands of `manage.py`, and the running site, which can be killed.

`python -m tests.halls` makes the database of the folder that UPTOWN_DATA names, with an event: one game in play,
everybody seated; it prints the code of the table's card.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import shutil
import sqlite3
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import django
from django.conf import settings
from django.core.management import call_command

from tests.programs import begin, end, own_port
from tournament.site.network import free_port, lan_address

ROOT = Path(__file__).parents[1]
# What a start does before it serves.
PREPARE = """
import django
django.setup()
from rich.console import Console
from tournament.serving.server import alone
from tournament.serving.preparing import prepare
with alone():
    prepare(Console())
"""
# Long enough for a busy machine: a test that gets there has failed.
LONGEST = 120


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    content: bytes


class Hall:
    """One data folder, and the site on it."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder, self.output = folder, folder / "output"
        self.process: subprocess.Popen[bytes] | None = None
        self.words: tuple[str, ...] = ()
        self.port = 0
        known = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
        self.environment = known | {"UPTOWN_DATA": str(folder)} | environment

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of Python in this hall, to its end."""
        command = [sys.executable, *words]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=LONGEST, check=False
        )

    def manage(self, *words: str) -> str:
        """A command of `manage.py` that must end well; what it printed."""
        done = self.run("manage.py", *words)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    def program(self, text: str, *words: str) -> str:
        """A program that must end well; what it printed."""
        done = self.run("-c", text, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def prepare(self) -> str:
        """An event with a game in play; the code of its table's card."""
        done = self.run("-m", "tests.halls")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self, *words: str, port: int = 0, answering: int = 0) -> None:
        """Start `manage.py venue` and wait until it answers; the second time as the first, on the same port.

        `answering` is where it answers if that is not the port it is given.
        """
        self.words = words or self.words
        self.port = port or self.port or own_port("0.0.0.0")
        command = [sys.executable, "manage.py", "venue", "--port", str(self.port), *self.words]
        self.port = answering or self.port
        self.output.unlink(missing_ok=True)
        self._begin(command)

    def take_over(self, *words: str, port: int) -> None:
        """Start `manage.py takeover` on plain http, and wait until it answers at this port."""
        self.words, self.port = ("--http",), port
        self._begin([sys.executable, "manage.py", "takeover", *words])

    def _begin(self, command: list[str]) -> None:
        self.folder.mkdir(exist_ok=True)
        self.process = begin(command, self.output, cwd=ROOT, env=self.environment)
        eventually(self.answers, self.said)

    def answers(self) -> bool:
        """Whether the site answers; over https only to somebody who trusts its authority, by its rules."""
        assert self.process is not None and self.process.poll() is None, self.said()
        try:
            return self.ask("/t/").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def ask(self, path: str, *, plain: int = 0, host: str = "") -> Answer:
        """A page of the site; or of what answers on another port, over plain http."""
        line: http.client.HTTPConnection
        if plain or "--http" in self.words:
            line = http.client.HTTPConnection("127.0.0.1", plain or self.port, timeout=20)
        else:
            context = ssl.create_default_context(cafile=self.folder / "certificates" / "root.pem")
            line = http.client.HTTPSConnection(lan_address(), self.port, timeout=20, context=context)
        with contextlib.closing(line):
            # As a proxy says it for a site on the internet; a hall has none, and believes nobody.
            line.request("GET", path, headers={"X-Forwarded-Proto": "https"} | ({"Host": host} if host else {}))
            answer = line.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())

    def said(self) -> str:
        """What the command printed until now."""
        return self.output.read_text(encoding="utf-8", errors="replace")

    def kill(self) -> None:
        """The battery of the laptop is empty."""
        if self.process is not None:
            end(self.process)
            eventually(lambda: free_port(self.port, "0.0.0.0") == self.port, self.said)

    def rows(self, question: str) -> list[Any]:
        """What the database answers, one value a row."""
        return [row[0] for row in self.lists(question)]

    def lists(self, question: str) -> list[tuple[Any, ...]]:
        """The same with every value of a row."""
        with contextlib.closing(sqlite3.connect(self.folder / "uptown.sqlite3", timeout=20)) as opened:
            return opened.execute(question).fetchall()

    def stored(self) -> tuple[list[int], str, int, set[str]]:
        """The books of every entry in order, the game's state, signatures, and what became of what was sent."""
        facts = self.rows("SELECT facts FROM tournament_entry ORDER BY position, revision")
        return (
            [json.loads(fact).get("books", 0) for fact in facts],
            self.rows("SELECT state FROM tournament_game")[0],
            self.rows("SELECT count(*) FROM tournament_signature")[0],
            set(self.rows("SELECT status FROM tournament_submission")),
        )


class Prepared(NamedTuple):
    """A folder with an event in it, and the code of its table's card: made once, copied for each test."""

    folder: Path
    code: str

    def copy(self, folder: Path, **environment: str) -> Hall:
        return Hall(Path(shutil.copytree(self.folder, folder)), **environment)


def eventually(holds: Callable[[], bool], words: Callable[[], object]) -> None:
    """Wait until something holds; what is the case instead, if it never does."""
    latest = time.monotonic() + LONGEST
    while not holds():
        assert time.monotonic() < latest, words()
        time.sleep(0.05)


def options(about: str | None, **defaults: Any) -> argparse.Namespace:
    """What was typed behind a command that says so much `about` itself: `--walks 50`. A default tells the type."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in defaults.items():
        if default is False:
            parser.add_argument(f"--{name}", action="store_true")
        else:
            parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def make_evening() -> str:
    from tests.factories import make_event, make_round, make_teams, make_user, seat_all
    from tournament.access import Actor
    from tournament.services.devices import issue_card
    from tournament.services.transactions import writing

    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    dana = make_user("dana")
    event = make_event(director=dana)
    with writing(event):
        game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    seat_all(game)
    return issue_card(Actor(dana), event, 1)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    django.setup()
    from tournament.site.static_files import made_files

    call_command("migrate", verbosity=0)
    # Once, for all halls that are copied from this one.
    made_files()
    print(make_evening())
