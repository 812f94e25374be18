"""Time is called for a round: whether a game ends with the line that was just written."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.models import Entry, Game, Result
from tournament.queries.lines import active_entries, carry_of
from tournament.queries.rules import ruleset_at

TIME = "time"


def is_last_by_time(game: Game) -> bool:
    """Whether the hand in play is the last of its game, because time was called."""
    called = game.round.time_called_at is not None
    return called and not any(one.kind == TIME for one in active_entries(game.entries.all()))


def ends_by_time(game: Game, entry: Entry, before: Sequence[Entry], source: str) -> bool:
    """Whether the game has finished its hand in play since time was called: then the end by time follows at once.

    A ruling that scores the hand finishes it, too. Hands that are typed from paper are not in play: there the desk
    writes the end where it stands on paper.
    """
    if game.round.time_called_at is None or entry.kind not in ("hand", "ruling"):
        return False
    if entry.kind == "hand" and source != "table":
        return False
    result = Result.objects.get(game=game)
    if result.over or any(one.kind == TIME for one in active_entries(before)):
        return False
    return result.hands > carry_of(ruleset_at(game), before).hands
