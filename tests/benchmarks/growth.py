"""How the standings and the other lists grow from 20 to 2,000 teams.

Run from the project folder: python -m tests.benchmarks growth. Goal: an exponent of at most 1.1.
"""

from __future__ import annotations

import math
from functools import partial

from django.db.models import F

from tests.benchmarks.hall import RUNS, Caller, machine, seconds
from tests.evenings import evening_text, write_evening
from tournament.archive.export import event_file
from tournament.models import Event
from tournament.queries.standings import standings

SIZES = (20, 200, 2000)
# Two games each: what grows is the number of teams.
GAMES = 2
PAGES = {"standings": "/e/{}/", "teams": "/e/{}/teams/", "schedule": "/e/{}/schedule/"}


def main() -> int:
    caller = Caller()
    taken: dict[str, list[float]] = {}
    for size in SIZES:
        event = write_evening(evening_text(size, GAMES))
        for name, address in PAGES.items():
            path = address.format(event.slug)

            def page(path: str = path, pk: int = event.pk) -> None:
                Event.objects.filter(pk=pk).update(version=F("version") + 1)
                caller.get(path)

            taken.setdefault(f"page of the {name} after a change", []).append(seconds(page))
        taken.setdefault("standings computed", []).append(seconds(partial(standings, event)))
        taken.setdefault("event file written", []).append(seconds(partial(event_file, event), 3))
    print(f"{machine()}; median of {RUNS} (event file: 3); {GAMES} games a team")
    for name, times in taken.items():
        figures = ", ".join(f"{size:,}: {time * 1000:,.1f} ms" for size, time in zip(SIZES, times, strict=True))
        exponent = math.log(times[-1] / times[0]) / math.log(SIZES[-1] / SIZES[0])
        print(f"{name}: {figures}; exponent {exponent:.2f}")
    return 0
