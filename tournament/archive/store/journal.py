"""The journal of an event file: what happened before the event came here."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.archive.games import FileGame
from tournament.archive.journal import GAME, game_name
from tournament.models import Event, Game, Journal

BATCH = 1000


def write_journal(event: Event, acts: Iterable[Journal], games: Iterable[tuple[Game, FileGame]]) -> None:
    """Write the acts with the names that the file has for who did them; nobody here is said to have done them."""
    keys = {game_name(game.round.number, game.table, game.leg): str(game.pk) for game, _ in games}
    rows = []
    for one in acts:
        one.event, one.key = event, keys.get(one.key, "") if one.noun == GAME else one.key
        rows.append(one)
    Journal.objects.bulk_create(rows, batch_size=BATCH)
