"""A whole event in and out as one file: everything or nothing, every entry checked by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from tournament.access import Actor
from tournament.archive.changes import GAME, IMPORT, FileSignature, game_name
from tournament.archive.export import event_file
from tournament.archive.games import TIMES, FileGame, FileRound
from tournament.archive.money import FileLine
from tournament.archive.reading import EventFile, read_event_file
from tournament.models import (
    Bye,
    Call,
    Decision,
    Entry,
    Event,
    Game,
    Journal,
    Ledger,
    Notice,
    Official,
    Placing,
    Result,
    Round,
    Side,
    Signature,
    Substitution,
    Team,
    Verification,
)
from tournament.models.team import BEFORE
from tournament.phrases import BY_IMPORT, VOID
from tournament.services.events import free_slug
from tournament.services.ledger import book_paid
from tournament.services.signatures import refresh_results
from tournament.services.teams import add_players, team_row
from tournament.services.transactions import note, writing
from tournament.words.journal import IMPORTED
from tournament.words.sentences import say

# The journal of an event file: what happened before the event came here.


JOURNAL_BATCH = 1000


def write_journal(event: Event, acts: Iterable[Journal], games: Iterable[tuple[Game, FileGame]]) -> None:
    """Write the acts with the names that the file has for who did them; nobody here is said to have done them."""
    keys = {game_name(game.round.number, game.table, game.leg): str(game.pk) for game, _ in games}
    rows = []
    for one in acts:
        one.event, one.key = event, keys.get(one.key, "") if one.noun == GAME else one.key
        rows.append(one)
    Journal.objects.bulk_create(rows, batch_size=JOURNAL_BATCH)


# The ledger and the decisions about the bracket of an event file, written as they are in it.


def write_money(actor: Actor, event: Event, file: EventFile, teams: Mapping[int, Team]) -> None:
    """Write the ledger with its receipt numbers. A file without one gets lines for the teams that it says have paid."""
    Placing.objects.bulk_create(Placing(event=event, **dated(actor, one)) for one in file.placings)
    if file.ledger is None:
        book_paid(actor, event, list(teams.values()), "Paid as the event file says", BEFORE)
        return
    first = Ledger.objects.bulk_create(_row(actor, event, one, teams) for one in file.ledger if one.reverses is None)
    written = {row.number: row for row in first}
    Ledger.objects.bulk_create(
        _row(actor, event, one, teams, written[one.reverses]) for one in file.ledger if one.reverses is not None
    )


def dated(actor: Actor, said: Mapping[str, Any]) -> dict[str, Any]:
    """What a file says of an act; whoever imports a file that does not say when, does it now."""
    told = said["made_at"] is not None
    by = {"made_by": None if told else actor.person, "made_at": said["made_at"] or timezone.now()}
    return dict(said) | by


def _row(
    actor: Actor, event: Event, one: FileLine, teams: Mapping[int, Team], reverses: Ledger | None = None
) -> Ledger:
    return Ledger(
        event=event,
        number=one.receipt,
        kind=one.kind,
        purpose=one.purpose,
        cents=one.cents,
        team=teams[one.team] if one.team is not None else None,
        payee=one.payee,
        person=one.person,
        reason=one.reason,
        how=one.how,
        by=one.by,
        made_by=actor.person if one.at is None else None,
        made_at=one.at or timezone.now(),
        reverses=reverses,
    )


# The sheets of an event file: every revision of every line, signatures, looks, calls and notices, written as told.

Progress = Callable[[str, int, int], None]
Games = Sequence[tuple[Game, FileGame]]

REASON = "The game was finished in the event file"
BATCH = 500


def write_sheets(actor: Actor, event: Event, games: Games, teams: Mapping[int, Team], tell: Progress) -> None:
    """Write what stands on the sheets and under them, and compute every result from it."""
    _write_lines(actor, games, tell)
    started = {game.pk: said for game, said in games if game.state != "planned"}
    calls, notices = [], []
    for pk, said in started.items():
        for call in said.calls:
            call.game_id = pk
            calls.append(call)
        for number, notice in said.notices:
            notice.game_id, notice.team = pk, teams[number]
            notices.append(notice)
    Call.objects.bulk_create(calls)
    Notice.objects.bulk_create(notices)
    _sign(actor, event, started, tell)
    _set_times([game for game, said in games if said.told], {game.pk: said for game, said in games})


def write_substitutes(substitutes: Iterable[tuple[Team, Substitution]]) -> None:
    rows = []
    for team, one in substitutes:
        one.team = team
        rows.append(one)
    Substitution.objects.bulk_create(rows)


def _write_lines(actor: Actor, games: Games, tell: Progress) -> None:
    """The reader has scored every game of the file from its first entry to its last: these rows are possible.

    A revision names the one that it replaces, so first lines are written first.
    """
    for first in range(0, len(games), BATCH):
        part = games[first : first + BATCH]
        written: dict[tuple[int, int], Entry] = {}
        revision = 0
        while rows := list(_revision(actor, part, revision, written)):
            Entry.objects.bulk_create(rows)
            written = {(row.game_id, row.position): row for row in rows}
            revision += 1
        tell("games written", min(first + BATCH, len(games)), len(games))


def _revision(actor: Actor, games: Games, revision: int, before: Mapping[tuple[int, int], Entry]) -> Iterable[Entry]:
    now = timezone.now()
    for game, said in games:
        # Who typed a line from paper is not in a short file: it was not whoever imports it.
        person = None if said.told else actor.person
        for line in said.lines:
            if line.revision == revision:
                yield Entry(
                    game=game,
                    position=line.position,
                    revision=revision,
                    replaces=before.get((game.pk, line.position)) if revision else None,
                    kind=line.kind,
                    facts=line.facts,
                    entered_by=person if line.source == IMPORT else None,
                    source=line.source,
                    by=line.by,
                    reason=line.reason,
                    cause=line.cause,
                    entered_at=line.at or now,
                )


def _sign(actor: Actor, event: Event, started: Mapping[int, FileGame], tell: Progress) -> None:
    """Results first: a signature stands under the code of the sheet that was computed."""
    tell("games signed", 0, 1)
    refresh_results(event, list(started))
    codes = dict(Result.objects.filter(game__in=started).values_list("game", "code"))
    over = set(Result.objects.filter(game__in=started, over=True).values_list("game", flat=True))
    looks = []
    for pk, said in started.items():
        for look in said.looks:
            look.game_id, look.code = pk, look.code or codes[pk]
            looks.append(look)
    Verification.objects.bulk_create(looks)
    signatures = [
        _signature(actor, pk, one, one.code or codes[pk])
        for pk, said in started.items()
        for one in _signed(said, over=pk in over)
    ]
    Signature.objects.bulk_create(signatures, batch_size=BATCH)
    refresh_results(event, sorted(over))
    tell("games signed", 1, 1)


def _set_times(games: Sequence[Game], said: Mapping[int, FileGame]) -> None:
    """The times that the file tells take the place of those of the import; computing results has set them."""
    for game in games:
        for name in TIMES:
            setattr(game, name, said[game.pk].times[name])
    Game.objects.bulk_update(games, TIMES, batch_size=BATCH)


def _signed(game: FileGame, *, over: bool) -> Iterable[FileSignature]:
    if game.signed is None:
        return [FileSignature(side) for side in range(len(game.teams))] if over else []
    return game.signed


def _signature(actor: Actor, game: int, one: FileSignature, code: str) -> Signature:
    """A signature without its time is a word of the file: whoever imports it is its witness."""
    signature = Signature(game_id=game, side=one.side, code=code, how=one.how, revision=one.revision)
    if one.at is None:
        signature.name, signature.reason, signature.witness = one.name or BY_IMPORT, one.reason or REASON, actor.person
    else:
        signature.name, signature.reason, signature.by, signature.signed_at = one.name, one.reason, one.by, one.at
    return signature


def export_event(event: Event) -> dict[str, Any]:
    """The event file: importing it anywhere gives identical books."""
    return event_file(event)


def import_event(
    actor: Actor, data: Any, progress: Progress | None = None, *, name: str = "", epoch: UUID | None = None
) -> Event:
    """Make an event from a file; whoever imports it becomes its director. One transaction: everything or nothing.

    Raises ValidationFailed with a sentence for every fault of the file. `progress` is told what is done, how far, of
    how much. With `epoch` it is done once: whoever sends the same file a second time gets the event that the first one
    made.
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
