"""A hall in play with everybody looking on: how long its hands take, on the server that a club runs (G15).

    python -m tests.nightly.busy [--minutes 30] [--tables 50] [--viewers 300] [--every 30]

Each table writes a hand about every 30 seconds, by which all else goes: several times as often as people do, with
whatever else it says between two hands; its tablet asks for news all the time. Every five minutes the tablets have no
network for a while, and then all of them send at once. Viewers ask for the news of public pages as often as these do,
and load the whole page now and then; a director makes workbook, book and event file in turn. All of them are threads of
this process, on the same machine: what they take of it the site does not have. Ends with 1 where the slowest hundredth
of the hands took longer than promised, or anything went wrong.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, count, cycle
from typing import Any

from tests.benchmarks.hall import PAGES, machine, open_site, version_shown
from tests.halls import options
from tests.journeys.server import Connection
from tournament.demo.tablet import Lost

PROMISED = 2.0
PASSWORD, TABLE_COOKIE = "a long enough password", "uptown_table"
SEAT, HAND, TABLET, LOOK = "seat", "hand", "news of a tablet", "look"
EXPORTS = ("papers/workbook.xlsx", "papers/book.pdf", "file/")
# How long in hands of a table: between two looks, and two exports; the network is there first, away, and there again.
LOOKS, EXPORTED, FIRST, AWAY, AGAIN = 1 / 6, 1 / 3, 2, 1.5, 8.5
# One of this many polls loads the whole page.
WHOLE = 13


class Page(Connection):
    """A page that stays open: it asks for what is newer than what it shows. Its line takes other things, too."""

    def __init__(self, hall: Hall, kind: str, path: str, cookies: str = "") -> None:
        super().__init__("127.0.0.1", hall.port)
        self.hall, self.kind, self.path = hall, kind, path
        self.headers = {"Accept-Encoding": "gzip", "Cookie": cookies}
        self.version = self.tag = ""

    def get(self, path: str, headers: dict[str, str]) -> tuple[int, str, bytes]:
        """Status, tag and content; Lost where there is no answer."""
        answer, content = self._ask("GET", path, "", self.headers | headers)
        return answer.status, answer.getheader("ETag", ""), content

    def look(self, *, whole: bool = False) -> None:
        """Load the page, if it is another one by now, or its part that is new."""
        address = self.path if whole else f"{self.path}?version={self.version}"
        headers = {"If-None-Match": self.tag} if whole else {"HX-Request": "true"}
        if (answer := self.hall.timed(self.kind, self.get, address, headers)) is None:
            return
        status, tag, content = answer
        self.hall.must(status in (200, 304 if whole else 204), f"{self.path} answered {status}")
        if status == 200:
            self.version, self.tag = version_shown(content), tag if whole else self.tag


class Hall:
    """Everybody in it. `taken` is how many seconds each thing took, `sent` what tablets were told that it is stored."""

    def __init__(self, port: int, evening: Any, every: float) -> None:
        self.port, self.evening, self.every = port, evening, every
        self.over, self.network = threading.Event(), threading.Event()
        self.network.set()
        self.taken: defaultdict[str, list[float]] = defaultdict(list)
        self.sent, self.wrong = list[str](), list[str]()

    def play(self, minutes: float, viewers: int) -> None:
        """Round after round, while others look on and files are made, until the time is over."""
        clock = threading.Timer(60 * minutes, self.over.set)
        clock.start()
        # Until the first game is drawn, an event is nobody's to look at.
        rounds = map(self.evening.next_round, count(1))
        first = next(rounds)
        with ThreadPoolExecutor(viewers + self.evening.tables + 2) as pool:
            others = [pool.submit(self._export), pool.submit(self._cut_off)]
            others += [pool.submit(self._look_on, number) for number in range(viewers)]
            try:
                for hands in chain([first], rounds):
                    plans = zip(self.evening.tokens, hands, strict=True)
                    for table in [pool.submit(self._write, *plan) for plan in plans]:
                        table.result()
                    if self.over.is_set():
                        break
            finally:
                clock.cancel()
                self.over.set()
            for other in others:
                other.result()
        self.wrong += ["acknowledged and lost"] * len(set(self.sent) - self.evening.stored().keys())

    def timed(self, kind: str, ask: Callable[..., Any], *said: Any) -> Any:
        """What is answered; None where nothing is."""
        began = time.perf_counter()
        try:
            answer = ask(*said)
        except Lost as fault:
            self.must(False, f"{kind}: {fault}")
            return None
        self.taken[kind].append(time.perf_counter() - began)
        return answer

    def must(self, holds: bool, otherwise: str) -> None:
        """Note what is wrong where something does not hold."""
        if not holds:
            self.wrong.append(otherwise)

    def _write(self, token: str, plan: list[dict[str, Any]]) -> None:
        """A game as its tablet writes it, trying again where it gets no answer."""
        page, chance = Page(self, TABLET, "/t/table/", f"{TABLE_COOKIE}={token}"), random.Random(token)
        for item in plan:
            kind, answer = item["kind"], None
            if kind in (SEAT, HAND):
                self._wait(page, self.every * chance.uniform(0.5, 1.5))
            while answer is None and not self.over.is_set():
                if not self.network.is_set():
                    # Nothing comes by a line for so long that the server ends it.
                    page.close()
                    self.network.wait()
                form = {"items": [item], "unsent": 1, "battery": 50, "page": True}
                answer = self.timed(kind, page.post, "submissions", token, form)
            if answer is not None:
                self.must(answer["results"][0]["status"] == "applied", f"a {kind} was not taken")
                self.sent.append(item["uid"])

    def _wait(self, page: Page, seconds: float) -> None:
        """While a hand is played the tablet asks for news."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not self.over.wait(min(left, LOOKS * self.every)):
            if self.network.is_set():
                page.look()

    def _cut_off(self) -> None:
        """The tablets' network goes away and comes back."""
        hands: float = FIRST
        while not self.over.wait(hands * self.every):
            self.network.clear()
            self.over.wait(AWAY * self.every)
            self.network.set()
            hands = AGAIN

    def _look_on(self, number: int) -> None:
        pages, team = list(PAGES.values()), number % len(self.evening.teams) + 1
        page = Page(self, LOOK, f"/e/{self.evening.event.slug}/{pages[number % len(pages)].format(team)}")
        # Not all at the same moment.
        self.over.wait(LOOKS * self.every * random.random())
        for turn in count():
            page.look(whole=turn % WHOLE == 0)
            if self.over.wait(LOOKS * self.every):
                return

    def _export(self) -> None:
        """One file of the event after the other, as its director gets it."""
        desk, who = f"/desk/{self.evening.event.slug}/", self.evening.director.username
        cookies = Page(self, "", "").send("/sign-in/", {"username": who, "password": PASSWORD}, {}).cookies
        page = Page(self, "", desk, "; ".join(f"{name}={value}" for name, value in cookies.items()))
        for file in cycle(EXPORTS):
            if self.over.wait(EXPORTED * self.every):
                return
            answer = self.timed(file, page.get, desk + file, {})
            self.must(answer is None or answer[0] == 200, f"{file} answered {answer and answer[0]}")


def report(taken: dict[str, list[float]], wrong: list[str]) -> int:
    """Print what everything took, and the figure; 1 where it is not what is promised."""
    for kind, seconds in sorted(taken.items()):
        print(f"{kind}: {len(seconds):,}, half within {slowest(seconds, 2):.3f} s, all within {max(seconds):.2f} s")
    for fault, times in Counter(wrong).most_common(10):
        print(f"{times} × {fault}")
    hands, looks, files = taken[HAND], taken[LOOK], sum(len(taken[file]) for file in EXPORTS)
    figure = f"{len(hands):,} hands, slowest hundredth within {slowest(hands, 100):.2f} s"
    print(f"{figure}; {len(looks):,} looks, {slowest(looks, 100):.2f} s; {files} exports; {len(wrong)} errors")
    return 0 if hands and looks and files and not wrong and slowest(hands, 100) <= PROMISED else 1


def slowest(seconds: list[float], part: int) -> float:
    """Within how long all were done but the slowest hundredth, or another part."""
    return sorted(seconds)[len(seconds) - len(seconds) // part - 1] if seconds else 0.0


def main() -> int:
    chosen = options(__doc__, minutes=30.0, tables=50, viewers=300, every=30.0)
    open_site()
    from tests.journeys.evening import Evening
    from tests.journeys.server import Server

    evening = Evening(chosen.tables, games=6, seed=1)
    server = Server(dict(os.environ))
    print(f"{machine()}; tablets, viewers and the director run here, too", flush=True)
    try:
        hall = Hall(server.port, evening, chosen.every)
        hall.play(chosen.minutes, chosen.viewers)
        return report(hall.taken, hall.wrong + server.errors())
    finally:
        server.kill()


if __name__ == "__main__":
    sys.exit(main())
