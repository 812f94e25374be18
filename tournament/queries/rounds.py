"""The rounds of an event: which tables keep one from being closed, and why."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.models import Round
from tournament.queries.sides import sides_with_teams


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table whose game is not final yet, with the reason as a sentence."""

    table: int
    text: str


def open_tables(round_: Round) -> tuple[OpenTable, ...]:
    """The tables of a round whose game is not final, in order."""
    games = (
        round_.games.exclude(state="final").select_related("result").prefetch_related(sides_with_teams(), "signatures")
    )
    return tuple(OpenTable(game.table, f"Table {game.table}: {_why(game)}") for game in games)


def _why(game: object) -> str:
    sides = list(game.sides.all())
    teams = " – ".join(side.team.name for side in sides)
    if game.state != "to-sign":
        hands = game.result.hands if hasattr(game, "result") else 0
        written = f"{hands} hand{'' if hands == 1 else 's'} written" if hands else "no hand written yet"
        return f"{teams} are still playing, {written}."
    signed = {one.side for one in game.signatures.all() if one.code == game.result.code}
    missing = " and ".join(side.team.name for side in sides if side.index not in signed)
    return f"{missing} {'has' if len(sides) - len(signed) == 1 else 'have'} not signed."
