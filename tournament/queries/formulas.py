"""What the formulas of a workbook take from the rules of an event: its prices, its counters, the pot."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hand import Field
from scoring.ledger import Carry
from scoring.tariff import Key, Tariff, Worth
from tournament.models import Event
from tournament.queries.rules import ruleset_of

# What a workbook reads of the prices, too.
__all__ = ["Carry", "Field", "Formulas", "Key", "Tariff", "Worth", "formulas_of", "price_cells"]


@dataclass(frozen=True, slots=True)
class Formulas:
    """What the formulas need to know of the rules.

    `tariff` are the prices that the game declares, None where it declares none; `losers` says which points the losers
    keep. The pot looks at games 1 to `pot_window`, then at the best record, by points too where `record_by_points`.
    `columns` are those of a sheet, `counters` what it counts. `seats` and `sides` are those of the largest table.
    """

    pot_window: int
    record_by_points: bool
    columns: tuple[Field, ...]
    counters: tuple[str, ...]
    tariff: Tariff | None
    losers: str
    seats: int
    sides: int

    @property
    def one_bids(self) -> bool:
        """Whether the lines have columns for the side that won the bid."""
        return not any(field.everybody for field in self.columns)


def price_cells(tariff: Tariff, side: int, bidders: int) -> tuple[str, ...]:
    """The hidden cells of a side: where what was said stands in the tables, and their sum and its row."""
    calls = tuple(f"call-{side}-{place}" for place in range(bidders))
    return (*calls, f"sum-{side}", f"row-{side}") if tariff.adds else calls


def formulas_of(event: Event, rounds: int) -> Formulas:
    """The numbers of an event that is played over so many rounds."""
    played = ruleset_of(event)
    rules = played.rules
    window = rules.boston_window
    return Formulas(
        pot_window=rounds if window is None else min(window, rounds),
        record_by_points=rules.best_record == "points",
        columns=played.columns,
        counters=tuple(one.key for one in played.game.counters(rules) if one.key != "bostons" or rules.counts_bostons),
        tariff=played.game.tariff(rules),
        losers=rules.loser_points,
        seats=played.seating.seats,
        sides=played.table_sizes[-1],
    )
