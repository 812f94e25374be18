"""1,000 entries of players for 60 places, from 40 connections with 40 addresses; then the same with withdrawals.

Run from the project folder: python -m tests.benchmarks entries. Goals: 60 are in, the others in order, no place twice,
and no answer takes longer than 5 s. The site is a process of its own behind a proxy, as far as it can tell.
"""

from __future__ import annotations

import http.client
import re
import statistics
import time
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db import connection
from django.utils import timezone

from tests.benchmarks.hall import machine
from tests.beside import beside
from tests.halls import Hall
from tests.sure import sure
from tournament.models import Event

CONNECTIONS, EACH, PLACES, GOAL = 40, 25, 60, 5.0


def main() -> int:
    event = Event.objects.create(name="Big Open", slug="big-open", date=timezone.localdate(), **_open())
    other = Event.objects.create(name="Other Open", slug="other-open", date=timezone.localdate(), **_open())
    connection.close()
    hall = Hall(Path(settings.DATA), UPTOWN_BEHIND_PROXY="1")
    hall.start("--http")
    try:
        print(f"{machine()}; {CONNECTIONS} connections, {CONNECTIONS * EACH:,} entries for {PLACES} places")
        wrong = [run(hall, event, withdrawing=False), run(hall, other, withdrawing=True)]
    finally:
        hall.kill()
    return any(wrong)


def _open() -> dict[str, Any]:
    return {"entries_wait": False, "entry_limit": PLACES, "entries_from": timezone.now() - timedelta(hours=1)}


def run(hall: Hall, event: Event, *, withdrawing: bool) -> bool:
    """Let all of them enter; whether anything is not as it must be."""
    taken: list[float] = []
    started = time.perf_counter()
    with beside([partial(enter, hall, event, index, withdrawing, taken) for index in range(CONNECTIONS)]):
        pass
    whole = time.perf_counter() - started
    rows = list(event.registrations.values_list("position", "state", "team__number"))
    inside, waiting = ([row for row in rows if row[1] == state] for state in ("in", "waiting"))
    gone = [row for row in rows if row[1] == "withdrawn"]
    numbers = {number for _, _, number in inside}
    faults = {
        "places": (len(rows), sorted(row[0] for row in rows)) != (CONNECTIONS * EACH, [*range(1, len(rows) + 1)]),
        "in": len(inside) != PLACES or len(numbers) != PLACES or event.teams.filter(status="playing").count() != PLACES,
        "order": max(inside)[0] > min(waiting)[0],
        "rest": len(inside) + len(waiting) + len(gone) != len(rows) or bool(gone) != withdrawing,
        "slow": max(taken) > GOAL,
    }
    print(f"{len(inside)} in, {len(waiting)} wait, {len(gone)} withdrew; {whole:.1f} s in all, an answer", end=" ")
    print(f"{statistics.median(taken):.2f} s, the slowest {max(taken):.2f} s (goal {GOAL:.0f})")
    print("wrong: " + (", ".join(name for name, is_wrong in faults.items() if is_wrong) or "nothing"))
    return any(faults.values())


def enter(hall: Hall, event: Event, number: int, withdrawing: bool, taken: list[float]) -> None:
    """One connection: it reads the page once and sends entry after entry; every fifth it withdraws again."""
    line = http.client.HTTPConnection("127.0.0.1", hall.port, timeout=60)
    head = {
        "X-Forwarded-For": f"10.{int(withdrawing)}.0.{number + 1}",
        "Content-Type": "application/x-www-form-urlencoded",
    }

    def ask(method: str, path: str, **typed: str) -> http.client.HTTPResponse:
        started = time.perf_counter()
        line.request(method, path, urlencode(typed) if typed else None, head)
        answer = line.getresponse()
        page.append(answer.read().decode())
        taken.append(time.perf_counter() - started)
        return answer

    page: list[str] = []
    path = f"/e/{event.slug}/enter/"
    cookie = ask("GET", path).headers["Set-Cookie"].partition(";")[0]
    token = sure(re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page[-1]))[1]
    head["Cookie"] = cookie
    for count in range(EACH):
        name = f"Team {number} {count}"
        typed = {"player1": f"Al {name}", "player2": f"Bo {name}", "contact": "555-0100", "show": "full"}
        answer = ask("POST", path, csrfmiddlewaretoken=token, name=name, **typed)
        assert answer.status == 302, page[-1]
        if withdrawing and count % 5 == 0:
            link = sure(answer.headers["Location"])
            assert ask("POST", link, csrfmiddlewaretoken=token, what="withdraw").status == 302, page[-1]
    line.close()
