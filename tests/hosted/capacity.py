"""What a hand's message and a phone cost a hosted site, at one, two and four web processes; and whether that adds up.

    python -m tests.hosted.capacity [--seconds 20]

Cost is processor time of the web processes, nginx and PostgreSQL with its standby, not time by the clock: what else the
machine does changes it little. `--hands 12` are messages of tablets a second, `--phones 80` questions of phones.
Tablets and phones run on the same machine and are not counted. The model of CAPACITY.md is fitted to hands alone and
phones alone; then both together are predicted for four processes, and measured.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.beside import beside
from tests.halls import options
from tests.hosted.browser import VERSION, Browser
from tests.hosted.stack import Stack, told
from tests.journeys.server import Network
from tournament.demo.tablet import Lost

if TYPE_CHECKING:
    from tests.journeys.evening import Evening

TICK = os.sysconf("SC_CLK_TCK")
TABLES, PHONES = 24, 40
PARTS = ("web", "database", "nginx")


class Work(NamedTuple):
    """Processor seconds of each part, and how much was done in that time."""

    parts: dict[str, float]
    hands: int
    asked: int
    seconds: float

    @property
    def total(self) -> float:
        return sum(self.parts.values())


def main() -> int:
    chosen = options(__doc__, seconds=20.0, hands=12.0, phones=80.0)
    costs: dict[int, tuple[float, float]] = {}
    with Stack(webs=4) as stack, told(stack):
        _measure(stack, chosen.seconds / 2, hands=chosen.hands, phones=chosen.phones)
        both = _measure(stack, chosen.seconds, hands=chosen.hands, phones=chosen.phones)
        for webs in (4, 2, 1):
            while len(stack.webs) > webs:
                stack.kill(stack.webs.pop())
            costs[webs] = _cost(stack, webs, chosen)
    hand, phone = costs[1]
    said = (both.hands * hand + both.asked * phone) / 1000 / both.seconds
    seen = both.total / both.seconds
    print(
        f"both, four processes: {both.hands} messages and {both.asked} questions in {both.seconds:.0f} s: predicted",
        end=" ",
    )
    print(f"from one process {said:.2f} cores, measured {seen:.2f} ({seen / said - 1:+.0%})")
    return 0


def _cost(stack: Stack, webs: int, chosen: argparse.Namespace) -> tuple[float, float]:
    """Processor milliseconds of a tablet's message with its page, and of a phone's question in a quiet hall."""
    hands = _measure(stack, chosen.seconds, hands=chosen.hands)
    phones = _measure(stack, chosen.seconds, phones=chosen.phones)
    each = {part: 1000 * hands.parts[part] / hands.hands for part in PARTS}
    hand, phone = sum(each.values()), 1000 * phones.total / phones.asked
    parts = ", ".join(f"{part} {took:.1f}" for part, took in each.items())
    print(f"{webs} web processes: a message {hand:.1f} ms ({parts}; {hands.hands} messages),", end=" ")
    print(f"a question of a phone {phone:.2f} ms ({phones.asked})", flush=True)
    return hand, phone


def _measure(stack: Stack, seconds: float, hands: float = 0, phones: float = 0) -> Work:
    """This many messages and requests a second, evenly spread, for a while."""
    from tests.journeys.evening import Evening

    evening = Evening(TABLES, 1, random.randrange(1_000_000))
    plans = evening.next_round(1)
    over = time.perf_counter() + seconds
    done, asked = [0] * TABLES, [0] * PHONES
    runs: list[Callable[[], None]] = []
    if hands:
        rate = hands / TABLES
        runs += [partial(_tablet, stack, evening, number, plans[number], rate, over, done) for number in range(TABLES)]
    if phones:
        runs += [partial(_phone, stack, evening, number, phones / PHONES, over, asked) for number in range(PHONES)]
    before, began = _spent(stack), time.perf_counter()
    with beside(runs):
        pass
    after = _spent(stack)
    parts = {part: after[part] - before[part] for part in PARTS}
    return Work(parts, sum(done), sum(asked), time.perf_counter() - began)


def _tablet(
    stack: Stack, evening: Evening, number: int, plan: list[dict[str, Any]], rate: float, over: float, done: list[int]
) -> None:
    """A table's tablet: every message by itself, its page with it, until the game or the time is over."""
    network, began = Network(stack.port, 0.0, random.Random(number)), time.perf_counter()
    for index, item in enumerate(plan):
        time.sleep(max(0.0, began + (index + number / TABLES) / rate - time.perf_counter()))
        if time.perf_counter() > over:
            return
        try:
            network.post("submissions", evening.tokens[number], {"items": [item], "unsent": 1, "page": True})
        except Lost as fault:
            raise SystemExit(f"a message was lost: {fault}") from fault
        done[number] += 1


def _phone(stack: Stack, evening: Evening, number: int, rate: float, over: float, asked: list[int]) -> None:
    phone, version, began = Browser(stack.port), "0", time.perf_counter()
    while time.perf_counter() < over:
        time.sleep(max(0.0, began + (asked[number] + number / PHONES) / rate - time.perf_counter()))
        page = phone.get(f"/e/{evening.event.slug}/?version={version}", **{"HX-Request": "true"})
        if shown := VERSION.search(page.text):
            version = shown[1]
        asked[number] += 1


def _spent(stack: Stack) -> dict[str, float]:
    """Processor seconds until now, by part."""
    roots = {"web": stack.webs, "nginx": ["nginx"]}
    spent = {part: sum(_tree(stack.running[name].pid) for name in names) for part, names in roots.items()}
    clusters = [one for one in (stack.database, stack.standby) if one is not None]
    spent["database"] = sum(_tree(cluster.server.pid) for cluster in clusters if cluster.server is not None)
    return spent


def _tree(pid: int) -> float:
    """A process, those it waited for, and those that it has."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0.0
    own: float = sum(int(field) for field in fields[11:15]) / TICK
    return own + sum(_tree(int(child)) for child in children)


if __name__ == "__main__":
    sys.exit(main())
