"""What every hand would come to, sent to the tablet ahead: so that it knows the score before the server answers.

Only where one side wins the auction can all hands be listed; where everybody bids there are too many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from scoring.document import read_entry
from tournament.models import Game
from tournament.queries.deals import LINES
from tournament.queries.lines import carry_of
from tournament.queries.preview import effect_between
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import GameSheet, game_sheet

BOOKS = range(14)
BIDDER = "bidder"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A hand's effect: `scores` after it, one value per side, and whether the game is over then."""

    headline: str
    lines: tuple[str, ...]
    outcome: str
    scores: tuple[int, ...]
    over: bool


def outcomes(game: Game) -> dict[str, Outcome]:
    """Every legal next hand of a game from `sheet_games()`, by “side|bid|books”; empty where they cannot be listed."""
    sheet = game_sheet(game)
    if sheet.next is None or sheet.next.by != BIDDER:
        return {}
    rules, carry = ruleset_at(game), carry_of(ruleset_at(game), game.entries.all())
    found = {}
    for side in range(len(sheet.sides)):
        for bid in sheet.next.bids[0]:
            for books in BOOKS:
                facts: dict[str, Any] = {"entry": "hand", "seat": side, "bid": bid, "books": books}
                entry, problems = read_entry(rules.game, facts)
                if problems or rules.game.problems(rules.rules, carry, entry):
                    continue
                lines, after = rules.game.score_entry(rules.rules, carry, entry)
                effect = effect_between(rules, sheet, facts, lines, carry, after)
                found[f"{side}|{bid}|{books}"] = Outcome(
                    effect.headline, effect.lines, effect.outcome, tuple(after.scores), after.verdict is not None
                )
    return found


def coming_sheets(game: Game, most: int = LINES) -> tuple[GameSheet, ...]:
    """The sheet as the entry form needs it for the next hand and those after it, as far as they can be foreseen."""
    sheet = game_sheet(game)
    if sheet.next is None:
        return ()
    rules, carry = ruleset_at(game), carry_of(ruleset_at(game), game.entries.all())
    planned = rules.game.hands_planned(rules.rules)
    count = most if planned is None else min(most, planned - carry.hands)
    return tuple(
        replace(
            sheet,
            next=rules.game.next_hand(rules.rules, carry._replace(hands=carry.hands + k, deals=carry.deals + k)),
            next_position=sheet.next_position + k,
        )
        for k in range(max(count, 1))
    )
