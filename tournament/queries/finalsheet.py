"""A final game's sheet for the public; of a game that is not final, or not shown yet, only who plays (rule 42)."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.models import Game
from tournament.queries.rules import ruleset_at
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.sides import state_words
from tournament.queries.visibility import Visibility


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """`sheet` is None unless it may be seen; then `why` says why not."""

    pk: int
    title: str
    table: int
    teams: tuple[tuple[int, str], ...]
    state_words: str
    sheet: GameSheet | None
    why: str


def final_sheet(game: Game, seen: Visibility) -> FinalSheet:
    full = sheet_games().get(pk=game.pk)
    shown = full.state == "final" and seen.shows(full.round.stage, full.round.state)
    why = ""
    if not shown:
        cited = ruleset_at(full).cited("42, 45")
        why = seen.why if full.state == "final" else f"The sheet is shown when every side has signed it{cited}."
    return FinalSheet(
        full.pk,
        str(full.round),
        full.table,
        tuple((side.team.number, side.team.name) for side in full.sides.all()),
        state_words(full),
        game_sheet(full) if shown else None,
        why,
    )
