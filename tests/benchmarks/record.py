"""Hands over HTTP from many tablets at once, against a bare view that inserts a row; the real server on one machine.

Run from the project folder: python -m tests.benchmarks.record [tablets]. Goals: at least 60% of the bare view's rate,
its slowest hundredth at most twice as slow, no errors.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.hall import machine, open_site
from tests.beside import beside
from tournament.demo.tablet import Connection, Lost

if TYPE_CHECKING:
    from tournament.demo.tablet import Messages

Send = Callable[[Connection, int], bool]

RUNS = 5
PORT = 8765
# Each tablet sends this many in a run. Sets and points never end such a game.
SENT = 6
OPTIONS = {"win_at": 100, "lose_at": -100, "set_limit": "none", "odd_scope": "one-bid"}
SERVER = """
import tests.benchmarks.record as here
here.serve(int({port}))
"""


def main() -> int:
    tablets = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    folder = open_site()
    keys = evening(tablets)
    with serving(folder):
        hands, rows = [], []
        for _ in range(RUNS):
            hands.append(run([_hand_sender(*key) for key in keys]))
            rows.append(run([send_row] * tablets))
    _print(tablets, hands, rows)
    return 0


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """The server on the site of `open_site`, in a process of its own."""
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER.format(port=PORT)],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"UPTOWN_DATA": str(folder)},
    )
    try:
        _wait_for_server()
        yield
    finally:
        server.terminate()
        server.wait(timeout=20)


def serve(port: int) -> None:
    """The site's own server and settings, with the bare views beside the site's addresses."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    import django
    from django.conf import settings

    django.setup()
    settings.ROOT_URLCONF = "tests.benchmarks.bare"
    settings.MIDDLEWARE.insert(0, "tests.benchmarks.bare.StatementsMiddleware")
    from tournament.serving.server import serve as run_server

    run_server(port, host="127.0.0.1")


class Result:
    """One run: answers a second, the slowest hundredth, how many went wrong."""

    def __init__(self, taken: list[float], whole: float, wrong: int) -> None:
        self.rate = len(taken) / whole
        self.p50 = statistics.median(taken)
        self.p99 = sorted(taken)[max(0, int(len(taken) * 0.99) - 1)]
        self.wrong = wrong


def run(senders: list[Send]) -> Result:
    """All at once, each on a connection of its own that stays open, as a browser's does."""
    start = threading.Barrier(len(senders) + 1)
    taken: list[float] = []
    wrong: list[int] = []

    def tablet(send: Send) -> None:
        line = Connection("127.0.0.1", PORT)
        line.open()
        start.wait()
        for number in range(SENT):
            begun = time.perf_counter()
            ok = send(line, number)
            taken.append(time.perf_counter() - begun)
            wrong.append(not ok)
        line.close()

    with beside([partial(tablet, send) for send in senders]):
        start.wait()
        begun = time.perf_counter()
    return Result(taken, time.perf_counter() - begun, sum(wrong))


def evening(tablets: int) -> list[tuple[str, Messages]]:
    """An event in play with so many tables; for each its tablet's key, and what that writes in its game."""
    from django.contrib.auth.models import User

    from tests.factories import make_event, make_round, make_teams
    from tournament.access import Actor
    from tournament.demo.tablet import Messages
    from tournament.services.devices import issue_cards, pair_device
    from tournament.services.rounds import choose_first_dealer, seat_everybody

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


def _hand_sender(token: str, messages: Messages) -> Send:
    """Sends a hand as the tablet does."""

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


def _print(tablets: int, hands: list[Result], rows: list[Result]) -> None:
    rate, bare = (statistics.median(one.rate for one in results) for results in (hands, rows))
    slow, slow_bare = (statistics.median(one.p99 for one in results) for results in (hands, rows))
    middle, middle_bare = (statistics.median(one.p50 for one in results) for results in (hands, rows))
    wrong = sum(one.wrong for one in (*hands, *rows))
    print(f"{machine()}; median of {RUNS} runs of {tablets} tablets at once, {SENT} hands each, clients here too")
    print(f"hands a second: {rate:.0f}, bare insert {bare:.0f}: {rate / bare:.0%} (goal 60%)")
    print(f"half of them within {middle * 1000:.0f} ms, bare {middle_bare * 1000:.0f} ms")
    print(f"99% within {slow * 1000:.0f} ms, bare {slow_bare * 1000:.0f} ms: {slow / slow_bare:.1f} times (goal 2)")
    print(f"errors: {wrong} (goal 0)")


if __name__ == "__main__":
    sys.exit(main())
