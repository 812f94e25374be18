"""An event as one file: settings, teams, rounds, every game with all its lines, decisions, money and the journal."""

from __future__ import annotations

import json
from typing import Any

from tournament.archive.changes import (
    calls_of,
    changes_of_team,
    clock_of_round,
    filled,
    journal_of,
    lines_of,
    notices_of,
    seen_of_game,
)
from tournament.archive.games import TIMES
from tournament.archive.money import ledger_of, placings_of
from tournament.archive.reading import VERSION, sealed
from tournament.models import Decision, Event, Game, Round, Team
from tournament.models.stored import author
from tournament.phrases import VOID
from tournament.queries.rules import officials_named
from tournament.queries.scored import document_of
from tournament.queries.sheet import sheet_games

# What the file says as the event's row does.
SETTINGS = (
    "place time_zone sheet options rounds_planned movement keep_apart seed fee_cents currency cut best_of third_place"
    " paper verify_own verify_closing stage board_shows".split()
)


def event_file(event: Event) -> dict[str, Any]:
    """Everything that an empty installation needs for identical books, in a constant number of queries."""
    rounds = list(event.rounds.prefetch_related("byes__team"))
    games: dict[int, list[Game]] = {round_.pk: [] for round_ in rounds}
    whole = sheet_games().prefetch_related("notices__team").filter(round__event=event)
    for game in whole.order_by("round__number", "table", "leg"):
        games[game.round_id].append(game)
    qualifying = [round_ for round_ in rounds if round_.stage == "qualifying"]
    data = _settings(event)
    data["teams"] = [_team(team) for team in event.teams.prefetch_related("players", "substitutions")]
    data["rounds"] = [_round(round_) | {"tables": _tables(games[round_.pk])} for round_ in qualifying]
    for stage, key in (("tiebreak", "tiebreaks"), ("playoff", "playoffs")):
        extra = [_extra(round_, game) for round_ in rounds if round_.stage == stage for game in games[round_.pk]]
        if extra:
            data[key] = {"games": extra}
    decisions = Decision.objects.filter(event=event).select_related("made_by")
    more = {
        "decisions": [_decision(one) for one in decisions],
        "placings": placings_of(event),
        "prizes": event.prizes,
        "officials": officials_named(event),
        "journal": journal_of(event),
    }
    return sealed(data | {key: said for key, said in more.items() if said} | {"ledger": ledger_of(event)})


def _settings(event: Event) -> dict[str, Any]:
    said = {"version": VERSION, "event": event.name, "date": event.date.isoformat()}
    said |= {"pot_per_team_cents": event.pot_cents} | {name: getattr(event, name) for name in SETTINGS}
    return said | filled({"by_number": event.by_number or None} | _start(event))


def _start(event: Event) -> dict[str, Any]:
    """When the event started, and what its rule sheet printed then."""
    if event.frozen_at is None:
        return {}
    return {"frozen_at": event.frozen_at.isoformat(), "printed": json.loads(event.printed)}


def _team(team: Team) -> dict[str, Any]:
    said = {
        "number": team.number,
        "name": team.name,
        "players": [player.name for player in team.players.all()],
        "city": team.city,
        "paid": team.paid,
        "boston_pot": team.in_pot,
    }
    if team.club:
        said["club"] = team.club
    if team.status != "playing":
        said |= {"status": team.status, "left_after": team.left_after}
    if team.joined_in > 1:
        said["joined_in"] = team.joined_in
    return said | changes_of_team(team)


def _round(round_: Round) -> dict[str, Any]:
    said: dict[str, Any] = {"round": round_.number, "state": round_.state}
    if round_.title:
        said["title"] = round_.title
    if byes := sorted(bye.team.number for bye in round_.byes.all()):
        said["byes"] = byes
    if round_.notes:
        said["notes"] = round_.notes
    if round_.by_hand:
        said["by_hand"] = True
    for name in ("started_at", "closed_at"):
        if (at := getattr(round_, name)) is not None:
            said[name] = at.isoformat()
    return said | clock_of_round(round_)


def _extra(round_: Round, game: Game) -> dict[str, Any]:
    """A game of a tie-break or a playoff carries its round with it."""
    return _round(round_) | {"match": game.match, "leg": game.leg} | _table(game)


def _tables(games: list[Game]) -> list[dict[str, Any]]:
    return [_table(game) for game in games]


def _table(game: Game) -> dict[str, Any]:
    sides = sorted(game.sides.all(), key=lambda side: side.index)
    said: dict[str, Any] = {"table": game.table, "teams": [side.team.number for side in sides]}
    if game.state == VOID:
        said["void"] = True
    if game.first_dealer:
        said["first_dealer"] = game.first_dealer
    if game.state == "planned":
        return said
    said["seated"] = [{"side": side.index, "at": side.seated_at.isoformat()} for side in sides if side.seated_at]
    said["game"], said["lines"] = document_of(game), lines_of(game)
    said |= seen_of_game(game) | filled({"calls": calls_of(game), "notices": notices_of(game)})
    return said | {name: at.isoformat() for name in TIMES if (at := getattr(game, name)) is not None}


def _decision(one: Decision) -> dict[str, Any]:
    said: dict[str, Any] = {"number": one.number, "method": one.method, "teams": one.teams}
    if one.seed is not None:
        said["seed"] = one.seed
    by = author(one.by, one.made_by)
    return said | filled({"witness": one.witness, "by": by, "at": one.made_at.isoformat()})
