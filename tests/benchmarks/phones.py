"""500 phones that ask as often as pages do while 500 teams play, against as many that ask for “hello”: the site's CPU.

Run from the project folder: python -m tests.benchmarks phones [--teams N]. Each page is asked for by all phones for a
while, in which three hands a second are written and signed; what that costs is not counted. Goals: 12 times the CPU of
“hello”, and 12% of a core for every page.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from tests.benchmarks.hall import (
    PAGES,
    Caller,
    machine,
    teams_asked,
    version_shown,
)
from tests.evenings import evening_text, hands_of_a_game, write_evening
from tests.factories import make_user
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.services.draws import draw_rounds
from tournament.services.entries import record_entry
from tournament.services.rounds import seat_everybody, start_round
from tournament.services.signatures import sign_for_all
from tournament.site.polling import CALMLY

TEAMS, PHONES, EVERY, HANDS, SECONDS = teams_asked(), 500, CALMLY // 1000, 3, 30
# Times the CPU of “hello”; and of a core.
GOAL, OF_A_CORE = 12, 0.12
POLL = {"HTTP_HX_REQUEST": "true", "HTTP_ACCEPT_ENCODING": "gzip"}


def main() -> int:
    play = Play(make_user("dana"))
    caller = Caller()
    print(f"{machine()}; {TEAMS} teams, {PHONES} phones every {EVERY} s, {HANDS} hands a second for {SECONDS} s a page")
    asked = PHONES // EVERY * SECONDS
    hello = sum(ask(caller, "/hello/")[0] for _ in range(asked))
    print(f"hello: {hello / SECONDS:.1%} of a core")
    missed = 0
    for name, path in PAGES.items():
        used, full, versions = asking(caller, play, f"/e/{play.event.slug}/{path}")
        missed += used > GOAL * hello or used > OF_A_CORE * SECONDS
        print(f"{name}: {used / SECONDS:.1%} of a core, {used / hello:.1f} × hello (goals {OF_A_CORE:.0%}, {GOAL})")
        print(f"    {full / asked:.0%} got the part; {versions} public versions; {play.finished} games final by then")
    return missed


class Play:
    """Game 6 of 500 teams: every table somewhere in its game, and the next hand at any of them."""

    def __init__(self, dana: Any) -> None:
        self.chance, self.finished = random.Random(7), 0
        self.dana = Actor(dana)
        self.event = write_evening(evening_text(TEAMS, 5) | {"rounds_planned": 6}, dana)
        draw_rounds(self.dana, self.event, seed=7)
        start_round(self.dana, self.event, 6)
        seat_everybody(self.dana, self.event, 6)
        games = Game.objects.select_related("round").filter(round__event=self.event, round__number=6)
        self.tables = [(game, hands_of_a_game(self.chance)) for game in games]
        for table in list(self.tables):
            for _ in range(self.chance.randrange(8)):
                self._write(table)
        self.event = Event.objects.get(pk=self.event.pk)
        self.finished = 0

    def hand(self) -> None:
        if self.tables:
            self._write(self.chance.choice(self.tables))

    def _write(self, table: tuple[Any, Iterator[dict[str, Any]]]) -> None:
        """The next hand; a game that is over is signed, and its table has gone."""
        game, hands = table
        if (facts := next(hands, None)) is not None:
            record_entry(self.dana, game, facts)
        elif table in self.tables:
            sign_for_all(self.dana, game, "the benchmark")
            self.tables.remove(table)
            self.finished += 1


def asking(caller: Caller, play: Play, path: str) -> tuple[float, int, int]:
    """What all phones cost in CPU seconds, how many answers were the part, how often what is public changed."""

    def version() -> int:
        return Event.objects.values_list("public_version", flat=True).get(pk=play.event.pk)

    begun, used, full = version(), 0.0, 0
    shown = ["0"] * PHONES
    for phone in range(PHONES):
        # Every phone has its page open.
        shown[phone] = version_shown(caller.get(path.format(phone % TEAMS + 1), "version=0", 200, 204, **POLL)) or "0"
    for second in range(SECONDS):
        for tick in range(HANDS):
            play.hand()
            first = (second * HANDS + tick) * (PHONES // EVERY) // HANDS
            for asked in range(first, (second * HANDS + tick + 1) * (PHONES // EVERY) // HANDS):
                phone = asked % PHONES
                query = f"version={shown[phone]}"
                took, body = ask(caller, path.format(phone % TEAMS + 1), query, 200, 204, **POLL)
                used += took
                if body:
                    full += 1
                    shown[phone] = version_shown(body)
    return used, full, version() - begun


def ask(caller: Caller, path: str, query: str = "", *expect: int, **headers: str) -> tuple[float, bytes]:
    """The CPU seconds of one call, and what came."""
    started = time.process_time()
    body = caller.get(path, query, *expect, **headers)
    return time.process_time() - started, body
