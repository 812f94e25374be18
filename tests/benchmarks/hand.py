"""One hand as a tablet with scripts sends it: its work, statements and bytes at the server; and many tablets at once.

Run from the project folder: python -m tests.benchmarks hand [tablets]. The reference is a bare view that inserts a row.
Work is the processor time of the server's process. Bytes are headers and content of the answers, compressed as for a
browser. Goals: at most 18 times the work of a bare insert, 25 statements, 12 KB; complete hands at 15% of the rate of
bare inserts; at that rate, evenly spread, the slowest hundredth is on the page again within half a second; no errors.
Games are as long as an evening's; their scores stay within those that the printed sheet plays to, so that tables stand
alike as often as in a hall. What a tablet sends is what `tests/browser/test_tablet_states.py` sees one send.
"""

from __future__ import annotations

import gzip
import html
import http.client
import json
import re
import statistics
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User

from tests.benchmarks.hall import machine
from tests.beside import beside
from tests.evenings import HANDS, OPTIONS, SHEET
from tests.factories import make_event, make_round, make_teams
from tests.halls import ROOT
from tests.journeys.server import Connection
from tournament.access import Actor
from tournament.demo.hands import after, choose_hand
from tournament.demo.tablet import Lost, Messages
from tournament.models import Game
from tournament.queries.rules import ruleset, ruleset_of
from tournament.services.devices import issue_cards, pair_device
from tournament.services.rounds import choose_first_dealer, seat_everybody
from tournament.serving.server import serve as run_server

Send = Callable[[Connection, int], bool]

PORT = 8765
# Each tablet sends this many in a run. Sets and points never end such a game.
SENT = 6
SERVER = "import django; django.setup(); from tests.benchmarks.hand import serve; serve()"


@contextmanager
def serving() -> Iterator[None]:
    """The server on the site of `open_site`, in a process of its own."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], cwd=ROOT)
    try:
        _wait_for_server()
        yield
    finally:
        server.terminate()
        server.wait(timeout=20)


def serve() -> None:
    """The site's own server and settings, with the bare views beside the site's addresses."""
    settings.ROOT_URLCONF = "tests.benchmarks.bare"
    settings.MIDDLEWARE.insert(0, "tests.benchmarks.bare.StatementsMiddleware")
    run_server(PORT, host="127.0.0.1")


class Result(NamedTuple):
    """One run: answers a second, and how many went wrong."""

    rate: float
    wrong: int


def run(senders: list[Send]) -> Result:
    """All at once, each on a connection of its own that stays open, as a browser's does."""
    start = threading.Barrier(len(senders) + 1)
    wrong: list[bool] = []

    def tablet(send: Send) -> None:
        line = Connection("127.0.0.1", PORT)
        line.open()
        start.wait()
        for number in range(SENT):
            wrong.append(not send(line, number))
        line.close()

    with beside([partial(tablet, send) for send in senders]):
        start.wait()
        begun = time.perf_counter()
    return Result(len(wrong) / (time.perf_counter() - begun), sum(wrong))


def evening(tablets: int) -> list[tuple[str, Messages]]:
    """An event in play with this many tables; for each its tablet's key, and what the tablet writes in its game."""
    dana = User.objects.create_user("dana")
    event = make_event("Benchmark", dana, options=OPTIONS)
    teams = make_teams(event, 2 * tablets)
    round_ = make_round(event, [(teams[2 * one], teams[2 * one + 1]) for one in range(tablets)])
    seat_everybody(Actor(dana), event, 1)
    codes = issue_cards(Actor(dana), event, list(range(1, tablets + 1)))
    keys = []
    for game in round_.games.order_by("table"):
        choose_first_dealer(Actor(dana), game, 0)
        keys.append((pair_device(Actor(), codes[game.table]), Messages(game.pk, "benchmark")))
    return keys


def hand_sender(token: str, messages: Messages) -> Send:

    def send(line: Connection, number: int) -> bool:
        books = 9 if number % 2 else 8
        facts = {"entry": "hand", "seat": number % 4, "bid": "3", "books": books}
        messages.add("hand", position=len(messages.items) + 1, facts=facts)
        answer = line.post("submissions", token, {"items": messages.items[-1:], "unsent": 1, "battery": 50})
        return bool(answer["results"][0]["status"] == "applied")

    return send


def send_row(line: Connection, number: int) -> bool:
    return line.send("/insert/", {"text": f"row {number}"}, {}).status == 200


def _wait_for_server() -> None:
    for _ in range(100):
        try:
            Connection("127.0.0.1", PORT).send("/hello/", {}, {})
            return
        except Lost:
            time.sleep(0.1)
    raise SystemExit("The server did not start.")


# One hand is measured in so many games; in a game more nothing is measured.
GAMES = 6
RUNS = 3
WORK, STATEMENTS, BYTES, RATE, SLOWEST = 18, 25, 12_000, 0.15, 0.5
COUNT = {"X-Statements": "1"}


class Answered(NamedTuple):
    """A request of a hand and what its answer took."""

    kind: str
    work: float
    statements: int
    bytes: int


class Browser:
    """A tablet's line to the site, which stays open; `asked` is what one hand sent."""

    def __init__(self, token: str, game: Any, seed: int, clock: int = 0) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
        self.game, self.chance, self.clock, self.token = game.pk, Random(seed), clock, token
        self.rules, printed = ruleset_of(game.round.event), asdict(ruleset(SHEET).rules)
        self.lowest, self.highest = printed["lose_at"], printed["win_at"]
        self.carry = self.rules.game.begin(self.rules.rules)
        self.position, self.last, self.coming, self.headers = 1, "", "", dict[str, str]()
        self.asked: list[Answered] = []

    def ask(self, kind: str, path: str, headers: dict[str, str], body: str | None = None) -> bytes:
        said = {"Accept-Encoding": "gzip", **headers, **self.headers}
        before = self._work()
        self.line.request("GET" if body is None else "POST", path, body, said)
        answer = self.line.getresponse()
        content = answer.read()
        work = self._work() - before
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status}")
        head = 17 + sum(len(name) + len(value) + 4 for name, value in answer.getheaders())
        count = int(answer.getheader("X-Statements") or 0)
        self.asked.append(Answered(kind, work, count, head + len(content)))
        return gzip.decompress(content) if answer.getheader("Content-Encoding") == "gzip" else content

    def talk(self, name: str, body: Any = None) -> dict[str, Any]:
        headers = {"Authorization": f"Table {self.token}", "Content-Type": "application/json"}
        answer: dict[str, Any] = json.loads(
            self.ask(name, f"/t/api/{name}/", headers, None if body is None else json.dumps(body))
        )
        return answer

    def hand(self) -> bool:
        """Everything that one hand makes a tablet send, in its order; whether it is on the page then."""
        facts = choose_hand(self.rules, self.carry, self.chance)
        while not self._goes_on(after(self.rules, self.carry, facts)):
            facts = choose_hand(self.rules, self.carry, self.chance)
        uid, said = str(uuid.uuid4()), {"unsent": 1, "battery": 50, "page": True, "ahead": self.coming or None}
        about = {"uid": uid, "kind": "hand", "game": self.game, "after": self.last or None, "at": 0, "n": self.position}
        item = about | {"position": self.position, "facts": facts}
        answer = self.talk("submissions", {"items": [item], **said})
        page = state_of(answer["page"])
        if page["coming"] != self.coming:
            self.coming = self.talk("state")["coming"]
        self.carry, self.last, self.position = after(self.rules, self.carry, facts), uid, self.position + 1
        return answer["results"][0]["status"] == "applied" and any(uid == key for _, key in page["lines"])

    def _goes_on(self, carry: Any) -> bool:
        """Whether the game goes on, also by the printed score, so that its tables are like those of a hall."""
        return carry.verdict is None and all(self.lowest < score < self.highest for score in carry.scores)

    def _work(self) -> float:
        return time.clock_gettime(self.clock) if self.clock else 0.0


def state_of(page: str) -> dict[str, Any]:
    """What a page of the table says to its script."""
    found = re.search(r'data-state="([^"]*)"', page)
    state: dict[str, Any] = json.loads(html.unescape(found[1])) if found else {}
    return state


def main() -> int:
    tablets = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    keys = evening(tablets * (RUNS + 1) + 2 * GAMES + 1)
    print(f"{machine()}; tablets run here, too")
    with serving():
        missed = _one_hand(keys[tablets * (RUNS + 1) :]) + _many(keys, tablets)
    print(f"not met: {', '.join(missed)}" if missed else "all goals are met")
    return len(missed)


def _one_hand(keys: list[Any]) -> list[str]:
    """What one hand takes, request by request, and in all: of what is not sent with every hand its share."""
    clock = _clock_of_server()
    tablets = [_browser(key, seed, clock) for seed, key in enumerate(keys)]
    _write(tablets[:1])
    counted, timed = _write(tablets[1 : GAMES + 1], COUNT), _write(tablets[GAMES + 1 :])
    reference = statistics.median(_bare(tablets[0]) for _ in range(GAMES * HANDS))
    work = statements = weight = 0.0
    for kind in dict.fromkeys(one.kind for one in timed):
        share = sum(one.kind == kind for one in timed) / (GAMES * HANDS)
        took = statistics.median(one.work for one in timed if one.kind == kind)
        count = statistics.median(one.statements for one in counted if one.kind == kind)
        size = statistics.median(one.bytes for one in timed if one.kind == kind)
        print(f"  {kind}, {share:g} a hand: {took * 1000:.1f} ms, {count:g} statements, {size / 1000:.1f} KB")
        work, statements, weight = work + share * took, statements + share * count, weight + share * size
    print(f"one hand: {work / reference:.1f} times a bare insert ({reference * 1000:.2f} ms; goal {WORK})")
    print(
        f"one hand: {statements:.1f} statements (goal {STATEMENTS}), {weight / 1000:.1f} KB (goal {BYTES / 1000:.0f})"
    )
    over = {"work": work > WORK * reference, "statements": statements > STATEMENTS, "bytes": weight > BYTES}
    return [name for name, is_over in over.items() if is_over]


def _write(tablets: list[Browser], headers: Mapping[str, str] | None = None) -> list[Answered]:
    """What a game at each of these tables makes its tablet send."""
    for tablet in tablets:
        tablet.headers = dict(headers or {})
        if not all([tablet.hand() for _ in range(HANDS)]):  # noqa: C419 - every hand is written
            raise SystemExit("A hand was not taken.")
    return [one for tablet in tablets for one in tablet.asked]


def _bare(tablet: Browser) -> float:
    tablet.asked, tablet.headers = [], {"Content-Type": "application/x-www-form-urlencoded"}
    tablet.ask("bare", "/insert/", {}, "text=row")
    return tablet.asked[0].work


def _many(keys: list[Any], tablets: int) -> list[str]:
    """All tablets at once, as fast as they can, in a new game each time; then spread at the rate of the goal."""
    games = [keys[first * tablets : (first + 1) * tablets] for first in range(RUNS + 1)]
    rates, rows = [], []
    for number in range(RUNS):
        browsers = [_browser(key, seed) for seed, key in enumerate(games[number], number * tablets)]
        rows.append(run([send_row] * tablets).rate)
        done = run([lambda _line, _number, one=one: one.hand() for one in browsers])  # type: ignore[misc]
        rates.append((done.rate, done.wrong))
    bare, rate, wrong = statistics.median(rows), statistics.median(one for one, _ in rates), sum(x for _, x in rates)
    print(f"{tablets} tablets: {rate:.0f} complete hands a second, bare insert {bare:.0f}")
    print(f"{rate / bare:.1%} of bare inserts (goal {RATE:.0%})")
    browsers = [_browser(key, seed) for seed, key in enumerate(games[-1], RUNS * tablets)]
    slowest, late_wrong = _paced(browsers, RATE * bare)
    print(f"at {RATE * bare:.0f} a second, evenly spread: 99% within {slowest * 1000:.0f} ms (goal {SLOWEST:g} s)")
    print(f"errors: {wrong + late_wrong} (goal 0)")
    over = {"rate": rate < RATE * bare, "slowest": slowest > SLOWEST, "errors": bool(wrong + late_wrong)}
    return [name for name, is_over in over.items() if is_over]


def _paced(browsers: list[Browser], rate: float) -> tuple[float, int]:
    """The slowest hundredth of complete hands that begin at a rate, and how many went wrong."""
    taken: list[float] = []
    wrong: list[bool] = []
    began = time.perf_counter()

    def tablet(place: int, one: Browser) -> None:
        for number in range(SENT):
            due = began + (number * len(browsers) + place) / rate
            time.sleep(max(0.0, due - time.perf_counter()))
            wrong.append(not one.hand())
            # From when it was due: who waits for the hand before it waits, too.
            taken.append(time.perf_counter() - due)

    with beside([partial(tablet, place, one) for place, one in enumerate(browsers)]):
        pass
    return sorted(taken)[max(0, int(len(taken) * 0.99) - 1)], sum(wrong)


def _browser(key: Any, seed: int, clock: int = 0) -> Browser:
    token, messages = key
    return Browser(token, Game.objects.select_related("round__event").get(pk=messages.game), seed, clock)


def _clock_of_server() -> int:
    """The clock of the processor time of the process that answers (Linux: made from its number)."""
    line = http.client.HTTPConnection("127.0.0.1", PORT)
    line.request("GET", "/process/")
    return ~int(line.getresponse().read()) << 3 | 2
