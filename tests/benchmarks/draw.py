"""The Swiss draw against rustworkx's matching on the same graph, and the draws with a fixed schedule.

Run from the project folder: python -m tests.benchmarks draw. Goal: at most 1.5 times rustworkx.
"""

from __future__ import annotations

import math
import random
from functools import partial

import rustworkx

from tests.benchmarks.hall import machine, seconds
from tournament.pairing.draw import Draw, Entrant, History, draw_all, draw_round
from tournament.pairing.swiss import NEAR, Positions, pair_in_order, record_order

RUNS = 5
ROUNDS_BEFORE = 5


def field(size: int, seed: int = 11) -> tuple[list[Entrant], History]:
    """Entrants after some Swiss rounds with results by chance."""
    chance = random.Random(seed)
    won = dict.fromkeys(range(1, size + 1), 0)
    points = dict.fromkeys(range(1, size + 1), 0)
    history = History()
    for number in range(ROUNDS_BEFORE):
        draw: Draw = draw_round("swiss", _entrants(won, points), history, seed=number)
        for table in draw.tables:
            winner, loser = chance.sample(table, 2)
            won[winner] += 1
            points[winner] += chance.randint(5, 12)
            points[loser] += chance.randint(-6, 4)
        history = history.after(draw)
    return _entrants(won, points), history


def main() -> None:
    """Print the ratio for each size, the growth, and the machine."""
    print(f"{machine()}; median of {RUNS}")
    drawn = {}
    for size in (20, 200, 500, 2000):
        entrants, history = field(size)
        order = record_order(entrants, "1")
        graph = Positions(order, history, ()).graph(NEAR)
        drawn[size] = 1000 * seconds(partial(pair_in_order, order, history), RUNS)
        plain = 1000 * seconds(partial(rustworkx.max_weight_matching, graph, max_cardinality=True, weight_fn=int), RUNS)
        ratio = drawn[size] / plain
        print(f"Swiss {size:5}: {drawn[size]:8.1f} ms, rustworkx on the same graph {plain:8.1f} ms, {ratio:.2f} times")
    exponent = math.log(drawn[2000] / drawn[20]) / math.log(2000 / 20)
    print(f"Growth from 20 to 2,000 entrants: exponent {exponent:.2f}")
    for method in ("moving", "round-robin"):
        for size in (500, 2000):
            entrants = [Entrant(number) for number in range(1, size + 1)]
            taken = 1000 * seconds(partial(draw_all, method, entrants, 6, seed=1), RUNS)
            print(f"{method:11} {size:5}, 6 rounds: {taken:8.1f} ms")


def _entrants(won: dict[int, int], points: dict[int, int]) -> list[Entrant]:
    return [Entrant(number, won=won[number], points=points[number]) for number in won]
