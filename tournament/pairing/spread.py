"""The order of seats for a draw with a fixed schedule, changed until neighbours from one place seldom meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tournament.pairing.plan import Draw, Entrant, drawn_order, pairs_of

Plan = Callable[[Sequence[int]], tuple[Draw, ...]]

# Each trial reads the whole plan once; this keeps the largest fields within a second.
MOST_TRIALS = 4000
PAIRS_READ = 600_000


def spread(entrants: Sequence[Entrant], plan: Plan, seed: int | None, apart: Sequence[str] = ()) -> list[int]:
    """Return the numbers in seat order: by number or seed, changed only where `apart` asks for it.

    Seats are exchanged, two at a time and by the seed, as long as fewer pairs of one city or club meet in `plan`.
    """
    order = [entrant.number for entrant in drawn_order(entrants, seed)]
    if not apart or len(order) < 3:
        return order
    homes = {entrant.number: tuple(entrant.home(wish) for wish in apart) for entrant in entrants}
    fewest = _together(plan(order), homes)
    chance = Random(f"{seed}/spread")  # noqa: S311
    pairs = sum(len(draw.tables) for draw in plan(order)) or 1
    for _ in range(min(MOST_TRIALS, PAIRS_READ // pairs)):
        if not fewest:
            break
        one, other = chance.sample(range(len(order)), 2)
        order[one], order[other] = order[other], order[one]
        together = _together(plan(order), homes)
        if together > fewest:
            order[one], order[other] = order[other], order[one]
        else:
            fewest = together
    return order


def _together(draws: tuple[Draw, ...], homes: dict[int, tuple[str, ...]]) -> int:
    return sum(
        any(own and own == other for own, other in zip(homes[first], homes[second], strict=True))
        for draw in draws
        for table in draw.tables
        for first, second in pairs_of(table)
    )
