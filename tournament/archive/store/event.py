"""A whole event in and out as one file: everything or nothing, every entry checked by the rules."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from tournament.access import Actor
from tournament.archive.export import event_file
from tournament.archive.games import FileGame, FileRound
from tournament.archive.reading import EventFile, read_event_file
from tournament.archive.store.journal import write_journal
from tournament.archive.store.money import dated, write_money
from tournament.archive.store.sheets import BATCH, Progress, write_sheets, write_substitutes
from tournament.models import Bye, Decision, Entry, Event, Game, Official, Result, Round, Side, Team
from tournament.phrases import VOID
from tournament.services.events import free_slug
from tournament.services.journal import note
from tournament.services.teams import add_players, team_row
from tournament.services.transactions import writing
from tournament.words.journal import IMPORTED
from tournament.words.saying import say

# What an import tells of itself, in this order.
PHASES = ("checked", "games written", "games signed")


def export_event(event: Event) -> dict[str, Any]:
    """The event file: importing it anywhere gives identical books."""
    return event_file(event)


def import_event(
    actor: Actor, data: Any, progress: Progress | None = None, *, name: str = "", epoch: UUID | None = None
) -> Event:
    """Make an event from a file; whoever imports it becomes its director. One transaction: everything or nothing.

    Raises Invalid with a sentence for every fault of the file. `progress` is told what is done, how far, of how much.
    With `epoch` it is done once: whoever sends the same file a second time gets the event that the first one made.
    """
    tell = progress or _silent
    file = read_event_file(data, timezone.localdate(), lambda done, total: tell("checked", done, total))
    if name:
        file.fields["name"] = name
    with transaction.atomic(), ExitStack() as act:
        if epoch is not None and (made := _made(actor, epoch)):
            return made
        event = _write_event(actor, file, epoch or uuid4())
        act.enter_context(writing(event))
        Decision.objects.bulk_create(Decision(event=event, **dated(actor, one)) for one in file.decisions)
        teams = _write_teams(event, file)
        write_money(actor, event, file, teams)
        games = _write_rounds(event, file, teams)
        write_sheets(actor, event, games, teams, tell)
        write_journal(event, file.journal, games)
        note(actor, event, "import", "event", event.pk, "file", counts_of(file))
        _take_statistics()
    event.refresh_from_db()
    return event


def _take_statistics() -> None:
    """Have PostgreSQL look at what was written: until it does by itself, it plans as for tables that are empty."""
    if connection.vendor == "postgresql":
        tables = (model._meta.db_table for model in (Team, Game, Side, Result, Entry))
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(map(connection.ops.quote_name, tables))}")


def summary(file: EventFile) -> str:
    """What stands in an event file, in one clause."""
    return say(IMPORTED, counts_of(file))


def counts_of(file: EventFile) -> dict[str, int]:
    counts = {"teams": len(file.teams), "rounds": len(file.rounds), "games": file.games}
    return counts | {"entries": file.entries, "finished": file.finished}


def _silent(what: str, done: int, total: int) -> None:
    pass


def _made(actor: Actor, epoch: UUID) -> Event | None:
    """The event that began with this import; two tries at it wait for each other."""
    User.objects.select_for_update().get(pk=actor.account.pk)
    return Event.objects.filter(epoch=epoch).first()


def _write_event(actor: Actor, file: EventFile, epoch: UUID) -> Event:
    started = [round_.started_at for round_ in file.rounds if round_.started_at]
    if file.fields["frozen_at"] is None and file.stage != "setup":
        file.fields["frozen_at"] = min(started, default=timezone.now())
    kept = {"options": file.options, "printed": file.printed if file.fields["frozen_at"] else ""}
    event = Event.objects.create(
        slug=free_slug(file.fields["name"]), stage=file.stage, epoch=epoch, **kept, **file.fields
    )
    if actor.person is not None:
        Official.objects.create(event=event, user=actor.person, role="director")
    return event


def _write_teams(event: Event, file: EventFile) -> dict[int, Team]:
    teams = []
    for said in file.teams:
        team = team_row(event, said.row, said.joined_in)
        team.status, team.left_after = said.status, said.left_after
        teams.append(team)
    teams = Team.objects.bulk_create(teams)
    add_players(teams, [said.row for said in file.teams])
    write_substitutes((made, one) for said, made in zip(file.teams, teams, strict=True) for one in said.substitutes)
    return {team.number: team for team in teams}


def _write_rounds(event: Event, file: EventFile, teams: dict[int, Team]) -> list[tuple[Game, FileGame]]:
    now = timezone.now()
    rounds = Round.objects.bulk_create(_round_row(event, round_, now) for round_ in file.rounds)
    Bye.objects.bulk_create(
        Bye(round=row, team=teams[number])
        for row, round_ in zip(rounds, file.rounds, strict=True)
        for number in round_.byes
    )
    pairs = [
        (_game_row(row, game, now), game)
        for row, round_ in zip(rounds, file.rounds, strict=True)
        for game in round_.games
    ]
    Game.objects.bulk_create((row for row, _ in pairs), batch_size=BATCH)
    Side.objects.bulk_create(
        (side for row, game in pairs for side in _side_rows(row, game, teams, now)), batch_size=BATCH
    )
    return pairs


def _round_row(event: Event, round_: FileRound, now: datetime) -> Round:
    started = (round_.started_at or now) if round_.state != "planned" else None
    closed = (round_.closed_at or now) if round_.state == "closed" else None
    return Round(
        event=event,
        number=round_.number,
        stage=round_.stage,
        title=round_.title,
        state=round_.state,
        notes=round_.notes,
        by_hand=round_.by_hand,
        started_at=started,
        closed_at=closed,
        **round_.clock,
    )


def _game_row(row: Round, game: FileGame, now: datetime) -> Game:
    written = bool(game.entries or game.opening)
    return Game(
        round=row,
        table=game.table,
        match=game.match,
        leg=game.leg,
        first_dealer=game.first_dealer,
        state="planned" if row.state == "planned" else VOID if game.void else "playing",
        begun_at=row.started_at if written else None,
        last_entry_at=(row.closed_at or now) if game.entries else None,
        finished_at=row.closed_at,
    )


def _side_rows(row: Game, game: FileGame, teams: dict[int, Team], now: datetime) -> Iterable[Side]:
    for index, number in enumerate(game.teams):
        at = game.seated_at(index, row.round.started_at or now)
        yield Side(game=row, round=row.round, leg=game.leg, index=index, team=teams[number], seated_at=at)
