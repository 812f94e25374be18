"""What happens in a round besides hands; the same round of the same evening always has the same.

At some table a team comes late, the director is called, a card is reneged, or somebody wins all the books.
"""

from __future__ import annotations

from collections.abc import Collection
from random import Random
from typing import NamedTuple


class Incidents(NamedTuple):
    """Each a table, or 0 for none."""

    late: int = 0
    call: int = 0
    renege: int = 0
    boston: int = 0


def incidents(seed: str, tables: Collection[int]) -> Incidents:
    """One of each at different tables, where there are enough of them."""
    drawn = Random(seed).sample(sorted(tables), min(len(tables), len(Incidents._fields)))
    return Incidents(*drawn) if len(drawn) == len(Incidents._fields) else Incidents()
