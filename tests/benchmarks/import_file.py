"""How long an event file takes to come in: the club's 24 teams, and 500 teams × 6 games.

Run from the project folder: python -m tests.benchmarks import_file. Goals: 500 teams in 30 s or less; linear.
"""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

from tests.benchmarks.hall import RUNS, machine, seconds
from tests.evenings import evening_text, write_evening
from tournament.access import Actor
from tournament.archive.store import export_event, import_event

CLUB = Path(__file__).parents[2] / "fixtures" / "golden" / "club-24" / "event.json"


def main() -> int:
    club = export_event(write_evening(json.loads(CLUB.read_text(encoding="utf-8"))))
    print(f"{machine()}; median of {RUNS}, of 3 at 500 teams")
    print(f"club-24, 24 teams × 6 games: {seconds(partial(import_event, Actor(), club)):.2f} s")
    taken = {}
    for teams, runs in ((50, RUNS), (500, 3)):
        file = export_event(write_evening(evening_text(teams)))
        taken[teams] = seconds(partial(import_event, Actor(), file), runs)
        print(f"{teams} teams × 6 games: {taken[teams]:.2f} s")
    print(f"growth from 50 to 500 teams: exponent {math.log10(taken[500] / taken[50]):.2f} (goal 1.1)")
    return 0 if taken[500] <= 30 else 1
