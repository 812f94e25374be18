"""The laptop dies in the middle of an evening, and another one takes over from the stick:

    python -m tests.journeys.takeover_drill --times 30 --seed 7

A hall of eight tables is in play on `manage.py serve`, its tablets write a hand every few seconds, and about once a
second something happens at the desk or from a phone: an entry, a check-in, a payment, a ruling. At a moment of chance
the laptop is killed and its data folder deleted. `manage.py takeover STICK` is then typed with an empty data folder, at
the same address, and the tablets go on.

Prints a line for each drill: the seconds from the command to the first hand that is taken, hands lost, what was
acknowledged more than ten seconds before the end and lost, what is younger and lost, and how much of that the desk does
not name as possibly missing; whether `verify` finds anything. Ends with 1 where a promise is broken. Copies for the
stick are those that the site makes; with `--by-hand` this program makes one every ten seconds.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import django
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client

from tests.beside import beside
from tests.halls import ROOT, options
from tests.journeys.server import Connection, Network
from tests.programs import begin, end, own_port
from tournament.demo.tablet import Lost, Tablet

TABLES = 8
# The evening goes on for so many seconds before its laptop dies, and a table writes a line in so many: slowly enough
# that no table has its whole game on the copy by then.
LASTS, WRITES = (25.0, 45.0), (4.0, 9.0)
SAFE_SECONDS, PROMISED_SECONDS = 10.0, 60.0
APPLIED, PENDING = "applied", "parked"
ENTRY, CHECK_IN, PAYMENT, RULING = "entry", "check-in", "payment", "ruling"
RULE = {"rule": "41", "choice": "game", "side": "1"}
KINDS = (ENTRY, CHECK_IN, PAYMENT, RULING)
MOST_OF_A_KIND = 60
LONGEST = 120


class Act(NamedTuple):
    """What was acknowledged: the how manieth of its kind, when by the wall, and the receipt it got."""

    kind: str
    number: int
    at: float


def main() -> int:
    chosen = options(__doc__, times=3, seed=random.SystemRandom().randrange(1_000_000), one=False, by_hand=False)
    if chosen.one:
        return drill(chosen.seed, by_hand=chosen.by_hand)
    print(f"seed {chosen.seed}: {chosen.times} drills", flush=True)
    faults = 0
    for number in range(chosen.times):
        words = [sys.executable, "-m", "tests.journeys.takeover_drill", "--one", "--seed", str(chosen.seed + number)]
        faults += subprocess.run([*words, *["--by_hand"] * chosen.by_hand], cwd=ROOT, check=False).returncode != 0
    print(f"{chosen.times - faults} of {chosen.times} drills kept every promise")
    return 1 if faults else 0


def drill(seed: int, *, by_hand: bool) -> int:
    """One evening in a folder of its own."""
    place = Path(tempfile.mkdtemp(prefix="uptown-drill-"))
    try:
        for name in ("first", "second", "stick"):
            (place / name).mkdir()
        known = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
        os.environ.clear()
        here = {"DJANGO_SETTINGS_MODULE": "tournament.settings", "UPTOWN_DATA": str(place / "first")}
        os.environ.update(known | here)
        django.setup()
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        call_command("migrate", verbosity=0, interactive=False)
        return Drill(place, seed, by_hand).run()
    finally:
        connection.close()
        shutil.rmtree(place, ignore_errors=True)


class Line(Network):
    """The network of a table's tablet; notes what was acknowledged, and when the first answer came after a moment."""

    def __init__(self, port: int, chance: random.Random, drill: Drill) -> None:
        super().__init__(port, 0.0, chance)
        self.drill = drill

    def post(self, path: str, token: str, body: Any) -> dict[str, Any]:
        answer = super().post(path, token, body)
        for one in answer.get("results", ()):
            self.drill.acknowledged[one["uid"]] = one["status"]
            hand = any(item["uid"] == one["uid"] and item["kind"] == "hand" for item in body["items"])
            if self.drill.typed and hand and one["status"] == "applied" and not self.drill.first_hand:
                self.drill.first_hand = time.monotonic()
        return answer


@dataclass
class Drill:
    place: Path
    seed: int
    by_hand: bool
    acknowledged: dict[str, str] = field(default_factory=dict)
    acts: list[Act] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    # When the command was typed, and when the first hand was taken after that.
    typed: float = 0.0
    first_hand: float = 0.0
    dead: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> int:
        from tests.journeys.evening import Evening

        self.chance, self.port = random.Random(self.seed), own_port("0.0.0.0")
        evening = Evening(TABLES, 1, self.seed)
        self.epoch = str(evening.event.epoch)
        self.prepare(evening.director)
        plans = evening.next_round(1)
        networks = [Line(self.port, random.Random(f"{self.seed}/{one}"), self) for one in range(TABLES)]
        tablets = [Tablet(token, line, line.chance) for token, line in zip(evening.tokens, networks, strict=True)]
        connection.close()
        first = self.start("serve", "first", "--port", str(self.port))
        second = None
        try:
            plays = [self.playing(tablet, plan) for tablet, plan in zip(tablets, plans, strict=True)]
            with beside([*plays, self.at_desk, *([self.copying] if self.by_hand else [])]):
                time.sleep(self.chance.uniform(*LASTS))
                killed = time.time()
                end(first)
                self.dead.set()
                shutil.rmtree(self.place / "first")
                self.typed = time.monotonic()
                second = self.start("takeover", "second", str(self.place / "stick"))
            self.over.set()
            return self.report(evening, killed)
        finally:
            self.dead.set()
            for process in (first, second):
                if process is not None:
                    end(process)

    def prepare(self, director: Any) -> None:
        """Beside the event in play one that is entered, checks in and takes money, and one that is ruled on."""
        from django.utils import timezone

        from tests.factories import make_event, make_round, make_teams, seat_all
        from tournament.models import Installation
        from tournament.queries.devices import name_by_key
        from tournament.services.transactions import writing

        if not Installation.objects.exists():
            Installation.objects.create(name=name_by_key())
        self.door = make_event("Door", director, entries_from=timezone.now(), checks_in=True)
        make_teams(self.door, MOST_OF_A_KIND)
        # Nobody has paid the fee yet.
        self.door.teams.update(paid=False)
        self.door.fee_cents = 2000
        self.door.save()
        self.ruled = make_event("Rulings", director)
        teams = make_teams(self.ruled, 2 * MOST_OF_A_KIND)
        with writing(self.ruled):
            round_ = make_round(self.ruled, list(zip(teams[::2], teams[1::2], strict=True)))
        for game in round_.games.all():
            seat_all(game)
        self.games = list(round_.games.order_by("table").values_list("pk", flat=True))
        browser = Client()
        browser.force_login(director)
        self.cookies = {name: morsel.value for name, morsel in browser.cookies.items()}
        (self.place / "stick" / "copies").mkdir()
        call_command("backup", to=self.place / "stick" / "uptown", stdout=StringIO(), stderr=StringIO())

    def start(self, command: str, folder: str, *words: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {"UPTOWN_DATA": str(self.place / folder)}
        if folder == "first" and not self.by_hand:
            environment["UPTOWN_BACKUPS"] = str(self.place / "stick" / "copies")
        line = [sys.executable, "manage.py", command, *words]
        return begin(line, self.place / f"{folder}.log", cwd=ROOT, env=environment)

    def playing(self, tablet: Tablet, plan: list[dict[str, Any]]) -> Callable[[], None]:
        """A table writes its game line by line, at the pace of people as long as the first laptop lives."""

        def play() -> None:
            for item in plan:
                if not self.typed:
                    self.dead.wait(tablet.chance.uniform(*WRITES))
                tablet.write([item])
                self.try_once(tablet)
            latest = time.monotonic() + LONGEST
            while (tablet.queue or not self.has_moved(tablet)) and time.monotonic() < latest:
                self.try_once(tablet)
                time.sleep(0.2)

        return play

    def try_once(self, tablet: Tablet) -> None:
        try:
            tablet.send()
        except Lost:
            time.sleep(tablet.chance.uniform(0.2, 1.0))

    def has_moved(self, tablet: Tablet) -> bool:
        """Whether a tablet has heard of the laptop that took over: only then it offers all again."""
        return bool(self.typed) and tablet.epoch not in ("", self.epoch)

    def at_desk(self) -> None:
        """Somebody is at the desk, and others enter from their phones, until the laptop is dead."""
        line, counts = Connection("127.0.0.1", self.port), Counter[str]()
        while not self.dead.is_set():
            kind = self.chance.choice(KINDS)
            counts[kind] += 1
            if counts[kind] <= MOST_OF_A_KIND and self.acted(line, kind, counts[kind]):
                self.acts.append(Act(kind, counts[kind], time.time()))
            self.dead.wait(self.chance.uniform(0.4, 1.2))
        line.close()

    def acted(self, line: Connection, kind: str, number: int) -> bool:
        """Whether an act was acknowledged."""
        door, game = self.door.slug, self.games[number - 1]
        path, fields = {
            ENTRY: (f"/e/{door}/enter/", entry_fields(number)),
            CHECK_IN: (f"/desk/{door}/check-in/", {"number": number, "here": "yes"}),
            PAYMENT: (f"/desk/{door}/money/teams/{number}/payments/", {"key": uuid4(), "cents": "20"}),
            RULING: (f"/desk/{self.ruled.slug}/games/{game}/rulings/", RULE),
        }[kind]
        cookies = {} if kind == ENTRY else self.cookies
        try:
            answer = line.send(path, fields | ({"code": self.door.wall_code} if kind == ENTRY else {}), cookies)
        except Lost:
            return False
        if answer.status != 302:
            self.refused[f"{kind} {answer.status}"] += 1
        return answer.status == 302

    def copying(self) -> None:
        """A copy for the stick every ten seconds, as long as no site makes them."""
        while not self.dead.wait(SAFE_SECONDS):
            words = [sys.executable, "manage.py", "backup", "--to", str(self.place / "stick" / "copies")]
            subprocess.run(words, cwd=ROOT, env=os.environ, check=False, capture_output=True)

    def report(self, evening: Any, killed: float) -> int:
        """Print what came of it; 1 where a promise is broken."""
        from tournament.site.database import at_file

        with at_file(self.place / "second" / "uptown.sqlite3"):
            missing = self.missing()
            wrong = self.wrong_hands(evening)
            unnamed = [act for act in missing if not self.is_named(act)]
        old = [act for act in missing if killed - act.at > SAFE_SECONDS]
        seconds = self.first_hand - self.typed if self.first_hand else float("inf")
        found = self.verified()
        kinds = Counter(act.kind for act in self.acts)
        print(
            f"seed {self.seed}: first hand after {seconds:.1f} s; {len(self.acknowledged)} messages and "
            f"{', '.join(f'{kind} {kinds[kind]}' for kind in KINDS)} acknowledged; hands lost: {len(wrong)}; "
            f"older than {SAFE_SECONDS:.0f} s and lost: {len(old)}; younger and lost: {len(missing) - len(old)}, "
            f"of these not named: {len(unnamed)}; verify: {found or 'clean'}",
            *wrong,
            *(f"  lost: {act.kind} {act.number}, {killed - act.at:.1f} s before the end" for act in missing),
            *(f"  refused: {count} × {what}" for what, count in self.refused.items()),
            sep="\n" if wrong or missing or self.refused else "",
            flush=True,
        )
        return 1 if wrong or old or unnamed or found or seconds > PROMISED_SECONDS else 0

    def wrong_hands(self, evening: Any) -> list[str]:
        """What is missing or doubled of all that tablets sent. What was to wait for the line before it is in by now."""
        have = evening.stored()
        waited = {uid for uid, status in self.acknowledged.items() if status == PENDING and have.get(uid) == APPLIED}
        return list(evening.wrong(self.acknowledged | dict.fromkeys(waited, APPLIED)))

    def missing(self) -> list[Act]:
        """What was acknowledged and is not here."""
        from tournament.models import Ledger, Player, Result, Team

        came = Team.objects.filter(event=self.door.pk).exclude(here_at=None)
        here: dict[str, set[Any]] = {
            ENTRY: set(Player.objects.exclude(entry=None).values_list("name", flat=True)),
            CHECK_IN: set(came.values_list("number", flat=True)),
            PAYMENT: set(Ledger.objects.filter(event=self.door.pk).values_list("team__number", flat=True)),
            RULING: set(Result.objects.exclude(how="").values_list("game", flat=True)),
        }
        names: dict[str, Callable[[int], Any]] = {
            ENTRY: lambda number: entry_fields(number)["player1"],
            RULING: lambda number: self.games[number - 1],
        }
        return [act for act in self.acts if names.get(act.kind, int)(act.number) not in here[act.kind]]

    def is_named(self, act: Act) -> bool:
        """Whether the desk says that this may be missing: by its number, or as something later than the copy."""
        from tournament.models import Event

        event = Event.objects.get(pk=self.ruled.pk if act.kind == RULING else self.door.pk)
        said = event.since_copy
        if not said:
            return False
        place = [one for one in self.acts if one.kind == act.kind].index(act) + 1
        if act.kind in (ENTRY, PAYMENT):
            return place > said["entries" if act.kind == ENTRY else "receipts"]
        return datetime.fromtimestamp(act.at, UTC) > datetime.fromisoformat(said["copied"])

    def verified(self) -> str:
        environment = os.environ | {"UPTOWN_DATA": str(self.place / "second")}
        words = [sys.executable, "manage.py", "verify"]
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr).strip() if done.returncode else ""


def entry_fields(number: int) -> dict[str, Any]:
    """What somebody types who enters: no two names are alike."""
    word = "".join(chr(ord("a") + int(digit)) for digit in f"{number:03}")
    names = {"player1": f"Al {word.title()}", "player2": f"Bo {word.title()}"}
    return names | {"name": f"Reds {word}", "contact": "al@example.com", "show": "full"}


if __name__ == "__main__":
    sys.exit(main())
