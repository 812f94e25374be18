"""Ranking 2,000 teams with every tie explained, against Python's `sorted` on the same keys.

Run from the project folder: python -m tests.benchmarks ranking. Goal: at most 20 times and 50 ms.
"""

from __future__ import annotations

import random
from functools import partial

from scoring.standings.ranking import rank
from scoring.standings.tiebreaks import GameRecord, Record
from tests.benchmarks.hall import machine, seconds

ORDER = ("games-won", "points", "playoff")
RUNS = 15


def field(teams: int, rounds: int, seed: int = 7) -> list[Record]:
    """Teams with records as an evening gives them: half of the games won, points from −6 to 12."""
    chance = random.Random(seed)
    records = []
    for team in range(1, teams + 1):
        games = []
        for game in range(1, rounds + 1):
            won = chance.random() < 0.5
            points = chance.randint(5, 12) if won else chance.randint(-6, 4)
            games.append(GameRecord(game, (chance.randint(1, teams),), won, points))
        records.append(Record(team, tuple(games)))
    return records


def main() -> None:
    """Print the ratio for each size, and the machine."""
    print(f"{machine()}; median of {RUNS}")
    for teams in (20, 200, 2000):
        records = field(teams, 6)
        names = {record.team: f"The Team {record.team}" for record in records}
        places = rank(records, ORDER, names=names)
        explained = sum(len(place.ties) for place in places) // 2
        ranked = 1000 * seconds(partial(rank, records, ORDER, names=names), RUNS)
        plain = 1000 * seconds(partial(sorted, records, key=lambda r: (-r.won, -r.points, r.team)), RUNS)
        ratio = f"{ranked / plain:.1f} times"
        print(f"{teams:5} teams, {explained} ties: rank {ranked:.2f} ms, sorted {plain:.2f} ms, {ratio}")
