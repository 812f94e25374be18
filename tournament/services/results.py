"""The result of a game, computed from its entries: the only writer of the Result cache and of a game's state."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet, prefetch_related_objects
from django.utils import timezone

from tournament.models import Event, Game, Result
from tournament.phrases import VOID
from tournament.queries.scored import ScoredGame, scored_game, sheet_code, sides_with_teams
from tournament.queries.signatures import standing_signatures
from tournament.services.transactions import Shown, locked_game, show, show_results, writing

BATCH = 200
STATE = ["state", "version", "finished_at", "last_entry_at"]
SHEET = (sides_with_teams(), "entries")
FACTS = ["over", "winner", "how", "rule", "points", "scores", "sets", "bostons", "hands", "code"]


def locked_sheet(event: Event, pk: int) -> Game:
    """A game of a locked event with all that its result is computed from; Changed where it was drawn anew."""
    return locked_game(event, pk, _facts())


def read_sheet(game: Game) -> Game:
    """Make a `locked_game` a `locked_sheet`."""
    prefetch_related_objects([game], *SHEET)
    return game


def refresh_result(game: Game, scored: ScoredGame | None = None, *, signed: bool = False) -> Result:
    """Compute a game's result and state anew from its entries and signatures.

    Whoever holds its `locked_sheet` gives the game as it is scored now, and nothing is read a second time; nor are
    signatures by whoever has `signed` it for all sides just now.
    """
    if scored is None:
        return refresh_results(game.round.event, [game.pk])[0]
    return _store([game], [result_of(game, scored)], signed)[0]


def refresh_results(event: Event, games: Sequence[int]) -> list[Result]:
    """The same for many games of an event (by key), in a constant number of queries for every two hundred."""
    done = []
    for first in range(0, len(games), BATCH):
        found = _facts().filter(round__event=event, pk__in=games[first : first + BATCH])
        loaded = list(found.select_related("round__event").prefetch_related("signatures"))
        done += _store(loaded, [result_of(game, scored_game(game)) for game in loaded])
    return done


def rebuild_results(event: Event) -> int:
    """Throw every cached result of an event away and compute it again; returns how many games there are.

    Raises Damaged where a sheet cannot be read; every result then stays as it was.
    """
    with writing(event):
        Result.objects.filter(game__round__event=event).delete()
        games = Game.objects.filter(round__event=event).exclude(state="planned").values_list("pk", flat=True)
        return len(refresh_results(event, list(games)))


def _facts() -> QuerySet[Game]:
    """Games with what a result is computed from, and no more: this is read while the event is locked."""
    return Game.objects.select_related("round").prefetch_related(*SHEET)


def result_of(game: Game, scored: ScoredGame) -> Result:
    carry, verdict = scored.carry, scored.verdict
    return Result(
        game=game,
        over=verdict is not None,
        winner=verdict.winner if verdict else None,
        how=verdict.how if verdict else "",
        rule=verdict.rule if verdict else "",
        points=list(scored.points),
        scores=list(carry.scores),
        sets=list(carry.sets),
        bostons=list(carry.bostons),
        hands=carry.hands,
        code=sheet_code(game, scored),
    )


def _store(games: list[Game], results: list[Result], signed: bool = False) -> list[Result]:
    stored = Result.objects.bulk_create(results, update_conflicts=True, unique_fields=["game"], update_fields=FACTS)
    _refresh_states(games, results, signed)
    if len(games) == 1:
        # What a hand does, all evening long: one row is written without a list of cases.
        games[0].save(update_fields=STATE)
    else:
        Game.objects.bulk_update(games, STATE)
    return stored


def _refresh_states(games: list[Game], results: list[Result], signed: bool) -> None:
    now, seen = timezone.now(), set()
    for game, result in zip(games, results, strict=True):
        before, game.state = game.state, state_of(game, result, signed)
        if before != game.state:
            show(Shown.PUBLIC)
        if "final" in (before, game.state):
            seen.add(game.round_id)
        game.finished_at = (game.finished_at or now) if game.state == "final" else None
        game.version += 1
    if seen:
        show_results(seen)


def state_of(game: Game, result: Result, signed: bool) -> str:
    if game.state == VOID:
        return VOID
    if not result.over:
        return "playing"
    if signed:
        return "final"
    standing = standing_signatures(game.signatures.all(), result.code)
    return "to-sign" if len(standing) < len(game.sides.all()) else "final"
