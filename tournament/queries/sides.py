"""The sides of games with their teams, in one query; and whether all of them have sat down."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Prefetch, QuerySet

from tournament.models import Game, Side
from tournament.phrases import GAME_STATES, NOT_SEATED


def sides_with_teams() -> Prefetch[str, QuerySet[Side], str]:
    """The sides of a game with their teams, to prefetch with games.

    Fetching the teams by themselves names every one of them, which SQLite refuses beyond a thousand (“Expression tree
    is too large”).
    """
    return Prefetch("sides", queryset=Side.objects.select_related("team"))


def state_words(game: Game) -> str:
    """What a table is doing, the same on every page: a game whose round has begun is not played before all sit."""
    return NOT_SEATED if waits_for_seats(game) else GAME_STATES[game.state]


def waits_for_seats(game: Game) -> bool:
    return game.state == "playing" and not all(is_here(side.seated_at, game) for side in game.sides.all())


def is_here(seated_at: datetime | None, game: Game) -> bool:
    """Whether a side was tapped as seated, or play has begun: nobody writes a hand with an empty seat."""
    return game.last_entry_at is not None or seated_at is not None
