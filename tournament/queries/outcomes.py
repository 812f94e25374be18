"""What the tablet is sent ahead, so that it needs no connection: what every hand would come to, and the hands to come.

Only where one side wins the auction can all hands be listed; where everybody bids there are too many.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from scoring.hand import Field
from scoring.ledger import BySide, Carry
from tournament.models import Game
from tournament.queries.deals import LINES
from tournament.queries.preview import Effect, effect_of_line
from tournament.queries.rules import Ruleset
from tournament.queries.scored import NotPossible, ScoredLine, scored_game
from tournament.queries.sheet import game_sheet
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.tablet import TabletPage

# Endings that ask for no counting: such a hand ends the game whatever was written before it.
BY_ITSELF = frozenset({"odd", "boston"})


@dataclass(frozen=True, slots=True)
class Outcome(Effect):
    """A hand's effect: `scores` after it, one value per side, and whether the game is over then.

    `ends` says that it ends the game whatever stands before it. `sets` is what a side that has one set has after it:
    one more, none any more, or the same; empty where sets end no game.
    """

    scores: tuple[int, ...]
    over: bool
    ends: bool
    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """At which counts the game is over, for a tablet that has nobody to ask; None where nothing of it ends the game.

    `hands` are those that are still to be played, `sets_now` the sets that count now. A game won by a lead, or as one
    of a rubber, is not known by a single sum: nothing is said of it.
    """

    win_at: int | None
    lose_at: int | None
    sets: int | None
    sets_now: tuple[int, ...]
    hands: int | None


def outcomes(game: Game) -> dict[str, Outcome]:
    """Every legal next hand of a game from `sheet_games()`, by “side|bid|books”; empty where everybody bids."""
    sheet = game_sheet(game)
    fields = [field for field in sheet.next.fields if field.needed] if sheet.next else []
    if not fields or any(field.of != "bidder" for field in fields):
        return {}
    found = {}
    for said in product(*(_answers(sheet, field) for field in fields)):
        facts = {"entry": "hand"} | {field.key: one for field, one in zip(fields, said, strict=True)}
        try:
            line = sheet.scored.with_entry(facts).lines[-1]
        except NotPossible:
            continue
        effect, verdict = effect_of_line(sheet, line), line.after.verdict
        found["|".join(map(str, said))] = Outcome(
            effect.headline,
            effect.lines,
            effect.outcome,
            tuple(line.after.scores),
            verdict is not None,
            verdict is not None and verdict.how in BY_ITSELF,
            _sets_after(sheet.rules, line),
        )
    return found


def _answers(sheet: GameSheet, field: Field) -> list[Any]:
    """Every answer to a field; of the players of a side one stands for all."""
    if field.layout == "seats":
        return list(range(len(sheet.sides)))
    return [int(one.value) if field.layout == "count" else one.value for one in field.offered()]


def limits(game: Game) -> Limits:
    """The counts at which a game from `sheet_games()` is over."""
    scored = scored_game(game)
    rules, carry = scored.rules, scored.carry
    said = rules.rules
    planned = rules.game.hands_planned(said)
    hands = None if planned is None else max(planned - carry.hands, 0)
    if getattr(said, "win_rule", "lead") == "lead" or getattr(said, "rubber_games", 1) > 1:
        return Limits(None, None, None, (), hands)
    win_at, lose_at = getattr(said, "win_at", None), getattr(said, "lose_at", None)
    return Limits(win_at, lose_at, _set_limit(rules), tuple(_counted_sets(rules, carry)), hands)


def _set_limit(rules: Ruleset) -> int | None:
    found: int | None = getattr(rules.rules, "set_limit", None)
    return found


def _counted_sets(rules: Ruleset, carry: Carry) -> BySide[int]:
    return carry.sets_running if getattr(rules.rules, "sets_consecutive", False) else carry.sets


def _sets_after(rules: Ruleset, line: ScoredLine) -> tuple[int, ...]:
    if _set_limit(rules) is None:
        return ()
    one = BySide.each(len(line.before.scores), 1)
    _, after = rules.game.score_entry(rules.rules, line.before._replace(sets=one, sets_running=one), line.entry)
    return tuple(_counted_sets(rules, after))


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
    """The sheet as the entry form needs it for the next hand and those after it.

    To the end of the schedule, where the game has one, else for as many as stand on a sheet of paper.
    """
    sheet = game_sheet(game)
    if sheet.next is None:
        return ()
    rules, carry = sheet.rules, sheet.scored.carry
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
