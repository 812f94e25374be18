"""The numbers in the formulas of a spreadsheet: what a hand and the pot are worth by the rules of an event."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hand import Field
from tournament.models import Event
from tournament.queries.rules import ruleset_of


@dataclass(frozen=True, slots=True)
class Formulas:
    """What the formulas need to know of the rules.

    Bid Whist: a bid made pays “books” over six, its “level”, “every” book or “one” point; a set costs the level where
    `set_costs_level`; a No counts `no_counts` times. The other games: each trick bid counts `per_trick`, each over it
    `per_over`; a set loses all that was bid, or each trick that is missing where `per_short`. The pot looks at games 1
    to `pot_window`, then at the best record, by points too where `record_by_points`. `columns` are those of a sheet.
    """

    made_pays: str
    set_costs_level: bool
    no_counts: int
    per_trick: int
    per_over: int
    per_short: bool
    pot_window: int
    record_by_points: bool
    columns: tuple[Field, ...]

    @property
    def one_bids(self) -> bool:
        """Whether the lines have columns for the side that won the bid."""
        return not any(field.everybody for field in self.columns)


def formulas_of(event: Event, rounds: int) -> Formulas:
    """The numbers of an event that is played over so many rounds."""
    played = ruleset_of(event)
    rules = played.rules
    window = rules.boston_window
    made = {"every-book": "every", "one-point": "one"}.get(getattr(rules, "made_pays", ""), "")
    return Formulas(
        made_pays=made or ("level" if getattr(rules, "score_basis", "") == "bid" else "books"),
        set_costs_level=getattr(rules, "set_pays", "") not in ("opponents-gain", "opponents-two"),
        no_counts=2 if getattr(rules, "no_doubled", False) else 1,
        per_trick=getattr(rules, "per_trick", 0) or getattr(rules, "trick_points", 0),
        per_over=getattr(rules, "over_points", 1),
        per_short=getattr(rules, "pays_undertricks", False),
        pot_window=rounds if window is None else min(window, rounds),
        record_by_points=rules.best_record == "points",
        columns=played.columns,
    )
