"""A random draw: chance decides, except that nobody meets twice where it can be avoided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tournament.pairing.plan import NOTHING_PLAYED, Draw, Entrant, History
from tournament.pairing.swiss import pair_in_order


def random_draw(
    entrants: Sequence[Entrant], history: History = NOTHING_PLAYED, seed: int | None = None, apart: Sequence[str] = ()
) -> Draw:
    """Shuffle the entrants by the seed and the round's number, and pair those who stand together."""
    shuffled = [replace(entrant, won=0, points=0) for entrant in sorted(entrants, key=lambda entrant: entrant.number)]
    Random(f"{seed}/random/{history.next_round}").shuffle(shuffled)  # noqa: S311
    return pair_in_order(shuffled, history, apart)
