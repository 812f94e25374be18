"""The result of a game, computed from its entries: the only writer of the Result cache and of a game's state."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils import timezone

from scoring.points import game_points
from tournament.models import Event, Game, Result
from tournament.queries.lines import active_entries, carry_of, sheet_code
from tournament.queries.rules import ruleset_at
from tournament.queries.sides import sides_with_teams

BATCH = 200
FACTS = ["over", "winner", "how", "rule", "text", "points", "scores", "sets", "bostons", "hands", "code"]


def refresh_result(game: Game) -> Result:
    """Compute a game's result and state anew from its entries and signatures."""
    return refresh_results(game.round.event, [game.pk])[0]


def refresh_results(event: Event, games: Sequence[int]) -> list[Result]:
    """The same for many games of an event (by key), in a constant number of queries for every two hundred."""
    done = []
    for first in range(0, len(games), BATCH):
        loaded = list(_facts().filter(round__event=event, pk__in=games[first : first + BATCH]))
        results = [_result_of(game) for game in loaded]
        done += Result.objects.bulk_create(results, update_conflicts=True, unique_fields=["game"], update_fields=FACTS)
        _refresh_states(loaded, results)
    return done


def rebuild_results(event: Event) -> int:
    """Throw every cached result of an event away and compute it again; returns how many games there are."""
    Result.objects.filter(game__round__event=event).delete()
    games = Game.objects.filter(round__event=event).exclude(state="planned").values_list("pk", flat=True)
    return len(refresh_results(event, list(games)))


def _facts() -> QuerySet[Game]:
    """Games with what a result is computed from, and no more: this is read while the event is locked."""
    games = Game.objects.select_related("round__event")
    return games.prefetch_related(sides_with_teams(), "entries", "signatures")


def _result_of(game: Game) -> Result:
    rules = ruleset_at(game)
    entries = list(game.entries.all())
    carry = carry_of(rules, entries)
    verdict = carry.verdict
    return Result(
        game=game,
        over=verdict is not None,
        winner=verdict.winner if verdict else None,
        how=verdict.how if verdict else "",
        rule=verdict.rule if verdict else "",
        text=verdict.text if verdict else "",
        points=list(game_points(rules.rules, carry)),
        scores=list(carry.scores),
        sets=list(carry.sets),
        bostons=list(carry.bostons),
        hands=carry.hands,
        code=sheet_code(game, active_entries(entries)),
    )


def _refresh_states(games: list[Game], results: list[Result]) -> None:
    now = timezone.now()
    for game, result in zip(games, results, strict=True):
        signed = {one.side for one in game.signatures.all() if one.code == result.code}
        if not result.over:
            game.state = "playing"
        elif len(signed) < len(game.sides.all()):
            game.state = "to-sign"
        else:
            game.state = "final"
        game.finished_at = (game.finished_at or now) if game.state == "final" else None
        game.version += 1
    Game.objects.bulk_update(games, ["state", "version", "finished_at"])
