"""How, why and by which rule a game ended."""

from __future__ import annotations

from typing import NamedTuple


class Verdict(NamedTuple):
    """The end of a game. `winner` is a side, or None where nobody won; `how` is one word of the game's RULES.md."""

    winner: int | None
    how: str
    rule: str
    text: str
