"""Hours of play with a second disk: what it holds, how soon, and whether the tables' hands are any slower for it.

    python -m tests.journeys.long_evening --minutes 240 --seed 7

The real server runs as in a hall, with eight tables in play; every five seconds somebody pays at the desk. The second
disk is memory under a mount, which takes root. Games are played in turns with copies and without; `--always` makes them
in all. Prints how many backups of each kind lie in both folders as time goes on, the longest time from an answer at the
desk until the payment was on the second disk, and how long hands took. Ends with 1 where more lies there than should,
or where an act took longer than it may. `--hand 4` are the seconds from a line of a table to its next, `--act 5` those
from one payment to the next.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sqlite3
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import Any
from uuid import uuid4

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.beside import beside
from tests.disks import other_disk
from tests.halls import options
from tests.journeys.chaos import own_database
from tests.journeys.server import RUN, Connection, Network, Server
from tournament.demo.tablet import Lost, Tablet

TABLES, GAMES, PAYERS = 8, 6, 60
# What a copy takes at most until it holds an act.
SAFE_SECONDS = 10.0
WITH, WITHOUT = "with copies", "without"
RUN_WITHOUT = """
import django; django.setup()
from tournament.serving import server
server.SITE = "tests.journeys.long_evening:site_without_copies"
server.serve({port}, host="127.0.0.1")
"""


def site_without_copies() -> Any:
    """The site as the server loads it, with the backups by the clock alone."""
    from tournament.serving.keeping import ActKeeper
    from tournament.serving.site import site

    ActKeeper.run = lambda keeper, is_over: None  # type: ignore[assignment, method-assign]
    return site()


def main() -> int:
    seed = random.SystemRandom().randrange(1_000_000)
    chosen = options(__doc__, minutes=10.0, hand=4.0, act=5.0, seed=seed, always=False)
    with own_database("") as environment, other_disk("2g") as disk:
        os.environ.update(environment)
        django.setup()
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        call_command("migrate", verbosity=0, interactive=False)
        print(f"seed {chosen.seed}: {TABLES} tables, a payment every {chosen.act:.0f} s", flush=True)
        return Long(chosen, disk / "copies").run()


class Timed(Network):
    """A line without trouble, of which every answer is timed."""

    took: list[float]

    def post(self, path: str, token: str, body: Any) -> dict[str, Any]:
        began = time.perf_counter()
        answer = super().post(path, token, body)
        self.took.append(time.perf_counter() - began)
        return answer


class Long:
    """An evening after the other, until the time is up."""

    def __init__(self, chosen: argparse.Namespace, disk: Path) -> None:
        self.chosen, self.disk = chosen, disk
        self.backups = Path(os.environ["UPTOWN_DATA"]) / "backups"
        self.began = time.monotonic()
        # When each payment was answered, and which of them copies must hold: those of games that are played with them.
        self.paid: list[float] = []
        self.due: list[int] = []
        self.lags: list[float] = []
        self.most = {disk: Counter[str](), self.backups: Counter[str]()}
        self.took: dict[str, list[float]] = defaultdict(list)
        self.faults: list[str] = []

    def run(self) -> int:
        from django.test import Client

        from tests.factories import make_event, make_teams, make_user

        director = make_user("dana")
        self.door = make_event("Door", director)
        make_teams(self.door, PAYERS)
        # Nobody has paid the fee yet, which is enough for hours.
        self.door.teams.update(paid=False)
        self.door.fee_cents = 10_000_00
        self.door.save()
        browser = Client()
        browser.force_login(director)
        self.cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
        number = 0
        while self.minutes() < self.chosen.minutes:
            number = self.play_evening(number)
        return self.report()

    def minutes(self) -> float:
        return (time.monotonic() - self.began) / 60

    def play_evening(self, number: int) -> int:
        """Games of one event, in turns with copies and without; counts all games of the run."""
        from tests.journeys.evening import Evening

        evening = Evening(TABLES, GAMES, self.chosen.seed + number)
        for game in range(1, GAMES + 1):
            plans = evening.next_round(game)
            connection.close()
            mode = WITH if self.chosen.always or number % 2 == 0 else WITHOUT
            self.play_game(mode, evening.tokens, plans)
            number += 1
            print(f"{self.minutes():6.1f} min, game {number} {mode}: {self.holds(self.disk)}", flush=True)
            if self.minutes() >= self.chosen.minutes:
                break
        return number

    def holds(self, folder: Path) -> str:
        files = list(folder.glob("*.sqlite3")) if folder.is_dir() else []
        size = sum(file.stat().st_size for file in files) / 2**20
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(counted(folder).items()))
        return f"{kinds or 'nothing'} ({size:.0f} MB)"

    def play_game(self, mode: str, tokens: list[str], plans: list[list[dict[str, Any]]]) -> None:
        environment = dict(os.environ) | ({"UPTOWN_BACKUPS": str(self.disk)} if mode == WITH else {})
        server = Server(environment, RUN if mode == WITH else RUN_WITHOUT)
        is_over = threading.Event()
        try:
            with beside(
                [lambda: self.pay(server.port, mode, is_over), *([lambda: self.watch(is_over)] * (mode == WITH))]
            ):
                try:
                    with beside([self.table(server.port, mode, *table) for table in zip(tokens, plans, strict=True)]):
                        pass
                finally:
                    is_over.set()
        finally:
            server.kill()
            self.faults += server.errors()[:3]
            # What was paid just before the end was not on the second disk yet: nobody waited for it.
            self.due.clear()

    def table(self, port: int, mode: str, token: str, plan: list[dict[str, Any]]) -> Any:
        line = Timed(port, 0.0, random.Random(f"{self.chosen.seed}/{token}"))
        line.took = self.took[mode]
        tablet = Tablet(token, line, line.chance)

        def play() -> None:
            for item in plan:
                time.sleep(self.chosen.hand * line.chance.uniform(0.5, 1.5))
                tablet.write([item])
                while tablet.queue:
                    try:
                        tablet.send()
                    except Lost as fault:
                        self.faults.append(f"a hand: {fault}")
                        time.sleep(0.5)
            if wrong := Counter(status for status in tablet.answered.values() if status != "applied"):
                self.faults.append(f"not applied: {dict(wrong)}")

        return play

    def pay(self, port: int, mode: str, is_over: threading.Event) -> None:
        """Somebody pays at the desk, again and again."""
        line = Connection("127.0.0.1", port)
        while not is_over.wait(self.chosen.act):
            team = len(self.paid) % PAYERS + 1
            path = f"/desk/{self.door.slug}/money/teams/{team}/payments/"
            answer = line.send(path, {"key": uuid4(), "cents": "1"}, self.cookies)
            if answer.status != 302:
                self.faults.append(f"a payment was answered with {answer.status}")
                continue
            self.paid.append(time.monotonic())
            if mode == WITH:
                self.due.append(len(self.paid))
        line.close()

    def watch(self, is_over: threading.Event) -> None:
        """Look at both folders several times a second, and into each new copy."""
        newest = ""
        while not is_over.wait(0.2):
            for folder, most in self.most.items():
                most |= counted(folder)
            copies = sorted(self.disk.glob("act-*.sqlite3")) if self.disk.is_dir() else []
            if copies and copies[-1].name != newest:
                newest = copies[-1].name
                held, now = payments_in(copies[-1]), time.monotonic()
                safe = [one for one in self.due if one <= held]
                self.lags += [now - self.paid[one - 1] for one in safe]
                self.due = [one for one in self.due if one > held]
            late = [one for one in self.due if time.monotonic() - self.paid[one - 1] > 3 * SAFE_SECONDS]
            if late:
                self.faults.append(f"payment {late[0]} is not on the second disk after {3 * SAFE_SECONDS:.0f} s")
                self.due = [one for one in self.due if one not in late]

    def report(self) -> int:
        print(f"data folder: {self.holds(self.backups)}; second disk: {self.holds(self.disk)}")
        for folder, most in self.most.items():
            print(f"most at a time in {folder.parent.name}/{folder.name}: {dict(sorted(most.items()))}")
            # For a moment there is an extra one: the new one is there before the oldest is deleted.
            if most["act"] > 4:
                self.faults.append(f"{most['act']} copies after acts at a time")
        if self.lags:
            longest = max(self.lags)
            print(f"{len(self.paid)} payments; on the second disk after {longest:.1f} s at the longest")
            if longest > SAFE_SECONDS:
                self.faults.append("a payment was not on the second disk in time")
        for mode, took in sorted(self.took.items()):
            cuts = [1000 * cut for cut in quantiles(took, n=1000)]
            slowest = ", ".join(f"{1000 * one:.0f}" for one in sorted(took)[-5:])
            print(
                f"hands {mode}: {len(took)}, in ms p50 {cuts[499]:.1f}, p95 {cuts[949]:.1f}, p99 {cuts[989]:.1f}, "
                f"slowest five {slowest}"
            )
        print("\n".join(self.faults) or "nothing wrong")
        return 1 if self.faults else 0


def counted(folder: Path) -> Counter[str]:
    """How many finished backups of each kind lie there."""
    return Counter(path.name.partition("-")[0] for path in files_in(folder))


def files_in(folder: Path) -> Iterator[Path]:
    return folder.glob("*.sqlite3")


def payments_in(copy: Path) -> int:
    with contextlib.closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as opened:
        return int(opened.execute("SELECT count(*) FROM tournament_ledger").fetchone()[0])


if __name__ == "__main__":
    sys.exit(main())
