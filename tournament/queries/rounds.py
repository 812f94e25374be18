"""The rounds of an event: which tables keep one from being started or closed, and why."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from tournament.models import Event, Game, Round
from tournament.phrases import DONE
from tournament.queries.rules import ruleset_of
from tournament.queries.sides import sides_with_teams
from tournament.queries.signatures import standing_signatures


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that holds its round up, with the reason as a sentence."""

    table: int
    text: str


def wrong_tables(event: Event, round_: Round) -> tuple[OpenTable, ...]:
    """The tables of a drawn round at which more or fewer sit than the rule sheet knows."""
    rules = ruleset_of(event)
    sizes = " or ".join(str(size) for size in rules.table_sizes)
    text = "Table {} is drawn for {} {}s, and by this rule sheet {} play at a table. Draw again."
    return tuple(
        OpenTable(table, text.format(table, sides, rules.unit, sizes))
        for table, sides in round_.games.annotate(count=Count("sides")).order_by("table").values_list("table", "count")
        if sides not in rules.table_sizes
    )


def open_tables(round_: Round) -> tuple[OpenTable, ...]:
    """The tables of a round whose game is not final, in order."""
    games = round_.games.exclude(state__in=DONE).select_related("result")
    games = games.prefetch_related(sides_with_teams(), "signatures")
    return tuple(OpenTable(game.table, f"Table {game.table}: {_why(game)}") for game in games)


def _why(game: Game) -> str:
    sides = list(game.sides.all())
    teams = " – ".join(side.team.name for side in sides)
    if game.state != "to-sign":
        hands = game.result.hands if hasattr(game, "result") else 0
        written = f"{hands} hand{'' if hands == 1 else 's'} so far" if hands else "no hand yet"
        return f"still playing, {written} ({teams})."
    signed = {one.side for one in standing_signatures(game.signatures.all(), game.result.code)}
    missing = " and ".join(side.team.name for side in sides if side.index not in signed)
    return f"no signature yet from {missing}."
