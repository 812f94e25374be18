"""An event as one file: settings, teams, rounds, every game with all its lines, decisions, money and the journal."""

from __future__ import annotations

import json
from typing import Any

from django.db.models import Prefetch

from tournament.archive.declared import written
from tournament.archive.reading import VERSION, sealed
from tournament.archive.things import (
    Act,
    EventFile,
    Look,
    PlayoffGame,
    Round,
    Seat,
    SheetLine,
    Signature,
    Table,
    Team,
)
from tournament.models import Bye, Event, Game, Notice
from tournament.models import Round as RoundRow
from tournament.models import Team as TeamRow
from tournament.models.game import OPENING
from tournament.phrases import VOID
from tournament.queries.people import NAMED
from tournament.queries.rules import officials_named, ruleset_of
from tournament.queries.scored import active_entries, document_of
from tournament.queries.sheet import sheet_games

# Nouns whose keys mean the same everywhere: numbers of teams, rounds, tables and places in the bracket.
LASTING = frozenset("team teams table money bracket".split())
GAME = "game"


def event_file(event: Event) -> dict[str, Any]:
    """Everything that an empty installation needs for identical books, in a constant number of queries."""
    rounds = list(event.rounds.prefetch_related(Prefetch("byes", Bye.objects.select_related("team"))))
    games: dict[int, list[Game]] = {round_.pk: [] for round_ in rounds}
    notices = Prefetch("notices", Notice.objects.select_related("team"))
    whole = sheet_games().prefetch_related(notices).filter(round__event=event)
    # As they were drawn: the draw of the next round may go by it.
    for game in whole.order_by("round__number", "pk"):
        games[game.round_id].append(game)
    teams = event.teams.prefetch_related(*NAMED)
    facts: dict[str, Any] = {
        "version": VERSION,
        "printed": json.loads(event.printed) if event.frozen_at else None,
        "ran_by": officials_named(event),
        "teams": [_team(team, singles=ruleset_of(event).singles) for team in teams],
        "rounds": [
            _round(round_) | {"tables": [_table(Table, game) for game in games[round_.pk]]}
            for round_ in rounds
            if round_.stage == "qualifying"
        ],
        "registrations": event.registrations.select_related("team", "wants"),
        "decisions": event.decisions.select_related("made_by"),
        "placings": event.placings.select_related("made_by"),
        "journal": journal_of(event),
        "ledger": event.ledger.select_related("team", "reverses"),
    }
    for stage, key in (("tiebreak", "tiebreaks"), ("playoff", "playoffs")):
        extra = [
            _table(PlayoffGame, game) | _round(round_)
            for round_ in rounds
            if round_.stage == stage
            for game in games[round_.pk]
        ]
        facts[key] = {"games": extra} if extra else None
    return sealed(written(EventFile, event, **facts))


def _team(team: TeamRow, *, singles: bool) -> dict[str, Any]:
    players, rows = team.players.all(), team.named if singles else team.players.all()
    wishes = [player.person.show if player.person else "full" for player in players]
    wishes = wishes if {*wishes} - {"full"} else []
    return written(Team, team, players=[player.full_name for player in rows], wishes=wishes or ())


def _round(round_: RoundRow) -> dict[str, Any]:
    return written(Round, round_, byes=sorted(bye.team.number for bye in round_.byes.all()))


def _table(thing: type[Table], game: Game) -> dict[str, Any]:
    sides = sorted(game.sides.all(), key=lambda side: side.index)
    facts: dict[str, Any] = {"teams": [side.team.number for side in sides], "void": game.state == VOID}
    if game.state != "planned":
        facts |= {
            "seated": [written(Seat, side) for side in sides if side.seated_at],
            "game": document_of(game),
            "revisions": _lines(game),
            **_seen(game),
            "calls": sorted(game.calls.all(), key=lambda call: call.pk),
            "notices": sorted(game.notices.all(), key=lambda notice: notice.pk),
        }
    return written(thing, game, **facts)


def _lines(game: Game) -> list[dict[str, Any]]:
    """Every revision in order. What counts stands in the game document; the facts of all others stand here."""
    entries = sorted(game.entries.all(), key=lambda entry: (entry.position, entry.revision))
    counts = {entry.pk for entry in active_entries(entries) if entry.kind != OPENING}
    return [written(SheetLine, entry, facts=None if entry.pk in counts else entry.facts) for entry in entries]


def _seen(game: Game) -> dict[str, Any]:
    """Who signed the sheet and who compared it with its paper: as it stands now, and as it stood before."""
    result = getattr(game, "result", None)
    now = result.code if result is not None else ""
    signed = sorted(game.signatures.all(), key=lambda row: (row.code != now, row.side, row.pk))
    looks = sorted(game.verifications.all(), key=lambda row: row.pk)
    return {
        name: [written(thing, row, code="" if row.code == now else row.code) for row in rows]
        for name, thing, rows in (("signed", Signature, signed), ("looks", Look, looks))
    }


def journal_of(event: Event) -> list[dict[str, Any]]:
    """The acts on games name them by round, table and leg, because keys differ elsewhere."""
    rows = Game.objects.filter(round__event=event).values_list("pk", "round__number", "table", "leg")
    games = {str(pk): game_name(*place) for pk, *place in rows}
    acts = event.journal.select_related("user", "device").order_by("pk").iterator(chunk_size=1000)
    return [
        written(Act, act, key=games.get(act.key, "") if act.noun == GAME else act.key if act.noun in LASTING else "")
        for act in acts
    ]


def game_name(number: int, table: int, leg: int) -> str:
    """A game as the journal of a file names it."""
    return f"{number}/{table}/{leg}"
