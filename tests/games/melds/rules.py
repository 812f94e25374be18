"""The options of the game, and its rule sheet."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.game import Sheet
from scoring.options import EventRules, option


@dataclass(frozen=True, kw_only=True)
class Rules(EventRules):
    game_to: int = option(200, "The game is won with", low=100, high=1000, unit="points", group="end")


SHEETS = (Sheet("melds/standard", "Melds to 200", "The kitchen table", Rules(first_dealer="by-lot")),)
