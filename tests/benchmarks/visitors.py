"""16 visitors who open the standings of 500 teams at once, right after a change, against one visitor.

Run from the project folder: python -m tests.benchmarks visitors. Goals: 1 computation, 3 times the time of one.
"""

from __future__ import annotations

import statistics
import threading
import time
from functools import partial
from typing import Any

from django.db import connection

from tests.benchmarks.hall import Caller, machine
from tests.beside import beside
from tests.evenings import evening_text, write_evening
from tournament.services.transactions import Shown, writing

TEAMS, VISITORS, RUNS, GOAL = 500, 16, 7, 3


def main() -> int:
    event, caller = write_evening(evening_text(TEAMS)), Caller()
    path = f"/e/{event.slug}/"
    caller.get(path)
    one, many = [], []
    for _ in range(RUNS):
        one.append(at_once(caller, event, path, 1))
        many.append(at_once(caller, event, path, VISITORS))
    alone, together = (statistics.median(seconds for seconds, _ in runs) for runs in (one, many))
    computed = max(count for _, count in many)
    print(f"{machine()}; median of {RUNS}; {TEAMS} teams × 6 games, each time after a change")
    print(f"one visitor: {alone * 1000:.0f} ms; {VISITORS} at once: {together * 1000:.0f} ms, all of them answered")
    print(f"{together / alone:.2f} times one (goal {GOAL}); computed {computed} times at most (goal 1)")
    return together > GOAL * alone or computed > 1


def at_once(caller: Caller, event: Any, path: str, visitors: int) -> tuple[float, int]:
    """Change something, then send this many requests: the time for all answers, and how many of them read the teams."""
    with writing(event, Shown.PUBLIC):
        pass
    start, computed = threading.Barrier(visitors + 1), set[int]()

    def visit(number: int) -> None:
        def note(run: Any, sql: str, *rest: Any) -> Any:
            if 'FROM "tournament_team"' in sql:
                computed.add(number)
            return run(sql, *rest)

        connection.ensure_connection()
        with connection.execute_wrapper(note):
            start.wait()
            caller.get(path)
        connection.close()

    with beside([partial(visit, number) for number in range(visitors)]):
        start.wait()
        started = time.perf_counter()
    return time.perf_counter() - started, len(computed)
