"""All rulings of an event for the report: those that stand, waived ones, and those that were withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.models import Event, Game, Team
from tournament.models.entry import RULED
from tournament.phrases import signed
from tournament.queries.rulingtable import is_leaving
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet, Row, Struck

RULING_OUTCOMES = {"ruling", "award", "adjustment"}


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling of the report. `effect` has one clause a line of points; `withdrawn` says why it no longer stands."""

    game: int
    position: int
    round: str
    table: int
    at: datetime
    rule: str
    text: str
    side: str
    bid: str
    director: str
    effect: tuple[str, ...] = ()
    waived: bool = False
    reason: str = ""
    withdrawn: str = ""


def rulings_of(event: Event) -> tuple[RulingLine, ...]:
    """Every ruling of an event in the order of games and tables, on a sheet as it was made.

    It takes a constant number of queries.
    """
    games = sheet_games().filter(round__event=event, entries__kind__in=RULED).distinct()
    ordered = games.order_by("round__number", "table", "leg")
    sheets = (_of_sheet(game_sheet(game)) for game in ordered)
    return tuple(line for lines in sheets for line in sorted(lines, key=lambda line: (line.at, line.position)))


def team_that_goes(game: Game, facts: Mapping[str, Any]) -> Team | None:
    """The team that a ruling sends away; None for every other entry."""
    if facts.get("entry") != "ruling" or not is_leaving(str(facts.get("rule"))):
        return None
    side = game.sides.select_related("team").filter(index=facts.get("side", -1)).first()
    return side.team if side else None


def _of_sheet(sheet: GameSheet) -> list[RulingLine]:
    lines = []
    for row in sheet.rows:
        if row.kind in RULED:
            lines.append(_stands(sheet, row))
        lines += [_gone(sheet, row.position, old) for old in row.struck if _is_ruling(old)]
    lines += [_gone(sheet, 0, old) for old in sheet.removed if _is_ruling(old)]
    return lines


def _is_ruling(old: Struck) -> bool:
    return old.written.outcome in RULING_OUTCOMES


def _stands(sheet: GameSheet, row: Row) -> RulingLine:
    effect = [f"{sheet.sides[line.side].name} {signed(line.points)}: {line.text}" for line in row.lines]
    if row.ends_game:
        winner = sheet.winner_side
        who = f"{winner.name} won" if winner else "nobody won"
        effect.append(f"Game over: {who}" + (f" ({sheet.how_words})" if sheet.how_words != who else ""))
    return _line(sheet, row.position, row, effect=tuple(effect), waived=not effect, reason=row.reason)


def _gone(sheet: GameSheet, position: int, old: Struck) -> RulingLine:
    why = " · ".join(filter(None, (old.struck_by, old.struck_reason)))
    return _line(sheet, position, old, withdrawn=why or "withdrawn")


def _line(sheet: GameSheet, position: int, one: Row | Struck, **said: Any) -> RulingLine:
    return RulingLine(
        game=sheet.pk,
        position=position,
        round=sheet.round,
        table=sheet.table,
        at=one.at,
        rule=one.written.rule,
        text=one.written.text,
        side=one.written.about,
        bid=one.written.bid,
        director=one.by,
        **said,
    )
