"""What the tablet is sent ahead, so that it needs no connection: what every hand would come to, and the hands to come.

Only where one side wins the auction can all hands be listed; where everybody bids there are too many.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any

from scoring.document import read_entry
from tournament.models import Game
from tournament.queries.deals import LINES
from tournament.queries.lines import carry_of
from tournament.queries.preview import effect_between
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import GameSheet, game_sheet
from tournament.queries.tablet import TabletPage

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


def ahead_key(page: TabletPage) -> str:
    """Changes with what is sent ahead, and with nothing else: not when somebody sits down or calls the director."""
    sheet = page.sheet
    if sheet is None:
        return ""
    seats = sorted((seat.seat, seat.name, seat.team) for seat in sheet.seats)
    dealer = None if sheet.unbegun else sheet.seats[0].seat
    said = (sheet.pk, sheet.code, sheet.options, sheet.next, sheet.next_position, seats, dealer, page.writes)
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


def coming_sheets(game: Game) -> tuple[GameSheet, ...]:
    """The sheet as the entry form needs it for the next hand and those after it: to the end of the schedule, where the
    game has one, else for as many as stand on a sheet of paper."""
    sheet = game_sheet(game)
    if sheet.next is None:
        return ()
    rules, carry = ruleset_at(game), carry_of(ruleset_at(game), game.entries.all())
    planned = rules.game.hands_planned(rules.rules)
    count = LINES if planned is None else planned - carry.hands
    return tuple(
        replace(
            sheet,
            next=rules.game.next_hand(rules.rules, carry._replace(hands=carry.hands + k, deals=carry.deals + k)),
            next_position=sheet.next_position + k,
        )
        for k in range(max(count, 1))
    )
