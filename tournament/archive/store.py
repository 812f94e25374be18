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
from tournament.archive.declared import row_of
from tournament.archive.export import GAME, event_file, game_name
from tournament.archive.games import IMPORT
from tournament.archive.reading import read_event_file
from tournament.archive.things import Act, EventFile, LedgerLine, RoundFacts, Settings
from tournament.archive.things import Round as FileRound
from tournament.archive.things import Signature as FileSignature
from tournament.archive.things import Table as FileTable
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
    Player,
    Registration,
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
from tournament.services.people import link, show_names
from tournament.services.signatures import refresh_results
from tournament.services.teams import add_players, team_row
from tournament.services.transactions import announce, writing
from tournament.texts import name_key
from tournament.words.journal import IMPORTED
from tournament.words.sentences import say

# The journal of an event file: what happened before the event came here.


JOURNAL_BATCH = 1000


def write_journal(event: Event, acts: Iterable[Act], games: Iterable[tuple[Game, FileTable]]) -> None:
    """Write the acts with the names that the file has for who did them; nobody here is said to have done them."""
    keys = {game_name(game.round.number, game.table, game.leg): str(game.pk) for game, _ in games}
    rows = []
    for act in acts:
        key = keys.get(act.key, "") if act.noun == GAME else act.key
        rows.append(Journal(event=event, **row_of(act) | {"key": key}))
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


def dated(actor: Actor, thing: Any) -> dict[str, Any]:
    """The row of an act; whoever imports a file that does not say when, does it now."""
    if thing.made_at is not None:
        return row_of(thing)
    return row_of(thing) | {"made_by": actor.person, "made_at": timezone.now()}


def _row(
    actor: Actor, event: Event, line: LedgerLine, teams: Mapping[int, Team], reverses: Ledger | None = None
) -> Ledger:
    team = teams[line.team] if line.team is not None else None
    return Ledger(event=event, team=team, reverses=reverses, **dated(actor, line))


# The sheets of an event file: every revision of every line, signatures, looks, calls and notices, written as told.

Progress = Callable[[str, int, int], None]
Games = Sequence[tuple[Game, FileTable]]

REASON = "The game was finished in the event file"
TIMES = ("begun_at", "last_entry_at", "finished_at")
BATCH = 500


def write_sheets(actor: Actor, event: Event, games: Games, teams: Mapping[int, Team], tell: Progress) -> None:
    """Write what stands on the sheets and under them, and compute every result from it."""
    _write_lines(actor, games, tell)
    started = {game.pk: said for game, said in games if game.state != "planned"}
    calls, notices = [], []
    for pk, said in started.items():
        calls += [Call(game_id=pk, **row_of(call)) for call in said.calls]
        notices += [Notice(game_id=pk, team=teams[notice.team], **row_of(notice)) for notice in said.notices]
    Call.objects.bulk_create(calls)
    Notice.objects.bulk_create(notices)
    _sign(actor, event, started, tell)
    _set_times([(game, said) for game, said in games if said.revisions is not None])


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
        person = None if said.revisions is not None else actor.person
        for line in said.lines:
            if line.revision == revision:
                by = {"entered_at": line.entered_at or now, "entered_by": person if line.source == IMPORT else None}
                replaces = before.get((game.pk, line.position)) if revision else None
                row = row_of(line) | by
                yield Entry(game=game, revision=revision, replaces=replaces, kind=line.kind, **row)


def _sign(actor: Actor, event: Event, started: Mapping[int, FileTable], tell: Progress) -> None:
    """Results first: a signature stands under the code of the sheet that was computed."""
    tell("games signed", 0, 1)
    refresh_results(event, list(started))
    codes = dict(Result.objects.filter(game__in=started).values_list("game", "code"))
    over = set(Result.objects.filter(game__in=started, over=True).values_list("game", flat=True))
    looks = []
    for pk, said in started.items():
        looks += [Verification(game_id=pk, **row_of(look) | {"code": look.code or codes[pk]}) for look in said.looks]
    Verification.objects.bulk_create(looks)
    signatures = [
        _signature(actor, pk, one, one.code or codes[pk])
        for pk, said in started.items()
        for one in _signed(said, over=pk in over)
    ]
    Signature.objects.bulk_create(signatures, batch_size=BATCH)
    refresh_results(event, sorted(over))
    tell("games signed", 1, 1)


def _set_times(games: Games) -> None:
    """The times that the file tells take the place of those of the import; computing results has set them."""
    for game, said in games:
        for name in TIMES:
            setattr(game, name, getattr(said, name))
    Game.objects.bulk_update((game for game, _ in games), TIMES, batch_size=BATCH)


def _signed(game: FileTable, *, over: bool) -> Iterable[FileSignature]:
    if game.signed is None:
        return [FileSignature(side=side) for side in range(len(game.teams))] if over else []
    return game.signed


def _signature(actor: Actor, game: int, one: FileSignature, code: str) -> Signature:
    """A signature without its time is a word of the file: whoever imports it is its witness."""
    row = row_of(one) | {"code": code, "revision": one.revision}
    if one.signed_at is None:
        by = {"name": one.name or BY_IMPORT, "reason": one.reason or REASON, "by": "", "witness": actor.person}
        row |= by | {"signed_at": timezone.now()}
    return Signature(game_id=game, **row)


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
        file.name = name
    with transaction.atomic(), ExitStack() as act:
        if epoch is not None and (made := _made(actor, epoch)):
            return made
        event = _write_event(actor, file, epoch or uuid4())
        act.enter_context(writing(event))
        Decision.objects.bulk_create(Decision(event=event, **dated(actor, one)) for one in file.decisions)
        teams = _write_teams(event, file)
        _write_entries(event, file, teams)
        write_money(actor, event, file, teams)
        games = _write_rounds(event, file, teams)
        write_sheets(actor, event, games, teams, tell)
        write_journal(event, file.journal, games)
        announce(actor, event, "import", "event", event.pk, "file", counts_of(file))
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
    row = row_of(file, Settings)
    if file.frozen_at is None and file.stage != "setup":
        row["frozen_at"] = min(started, default=timezone.now())
    if row["frozen_at"] is None:
        row["printed"] = ""
    if file.seed is None:
        del row["seed"]
    event = Event.objects.create(slug=free_slug(file.name), epoch=epoch, **row)
    if actor.person is not None:
        Official.objects.create(event=event, user=actor.person, role="director")
    return event


def _write_teams(event: Event, file: EventFile) -> dict[int, Team]:
    rows = [team_row(event, said.row, said.joined_in) for said in file.teams]
    for team, said in zip(rows, file.teams, strict=True):
        team.status = said.status
        team.left_after, team.here_at = said.left_after, said.here_at
    teams = Team.objects.bulk_create(rows)
    wishes = {
        name_key(name): wish
        for team in file.teams
        for name, wish in zip(team.players or (team.name,), team.wishes, strict=False)
    }
    facts = [(row, sub) for row, team in zip(teams, file.teams, strict=True) for sub in team.substitutes]
    wishes |= {name_key(sub.into): sub.wish for _, sub in facts if sub.wish != "full"}
    players = [Player(team=row, name=sub.into, key=name_key(sub.into)) for row, sub in facts]
    add_players(event, teams, [team.row for team in file.teams], wishes=wishes)
    link(event, players, wishes)
    Substitution.objects.bulk_create(
        Substitution(team=row, person=player.person, **row_of(sub) | {"made_at": sub.made_at or timezone.now()})
        for (row, sub), player in zip(facts, players, strict=True)
    )
    show_names(event)
    return {team.number: team for team in teams}


def _write_entries(event: Event, file: EventFile, teams: Mapping[int, Team]) -> None:
    """The entries of players, without a private link; whom somebody chose is written once all are there."""
    rows = {
        entry.position: Registration(
            event=event,
            key=name_key(entry.name),
            team=teams.get(entry.team or 0),
            **row_of(entry) | {"made_at": entry.made_at or timezone.now()},
        )
        for entry in file.registrations
    }
    Registration.objects.bulk_create(rows.values())
    for entry in file.registrations:
        rows[entry.position].wants = rows.get(entry.wants or 0)
    Registration.objects.bulk_update(rows.values(), ["wants"], batch_size=BATCH)


def _write_rounds(event: Event, file: EventFile, teams: dict[int, Team]) -> list[tuple[Game, FileTable]]:
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
        for game in round_.tables
    ]
    Game.objects.bulk_create((row for row, _ in pairs), batch_size=BATCH)
    Side.objects.bulk_create(
        (side for row, game in pairs for side in _side_rows(row, game, teams, now)), batch_size=BATCH
    )
    return pairs


def _round_row(event: Event, round_: FileRound, now: datetime) -> Round:
    row = row_of(round_, RoundFacts)
    row["started_at"] = (round_.started_at or now) if round_.state != "planned" else None
    row["closed_at"] = (round_.closed_at or now) if round_.state == "closed" else None
    return Round(event=event, number=round_.number, stage=round_.stage, **row)


def _game_row(row: Round, game: FileTable, now: datetime) -> Game:
    written = bool(game.entries or game.opening)
    computed = {
        "state": "planned" if row.state == "planned" else VOID if game.void else "playing",
        "begun_at": row.started_at if written else None,
        "last_entry_at": (row.closed_at or now) if game.entries else None,
        "finished_at": row.closed_at,
    }
    return Game(**row_of(game, FileTable) | computed, round=row, match=game.match, leg=game.leg)


def _side_rows(row: Game, game: FileTable, teams: dict[int, Team], now: datetime) -> Iterable[Side]:
    for index, number in enumerate(game.teams):
        at = game.seated_at(index, row.round.started_at or now)
        yield Side(game=row, round=row.round, leg=game.leg, index=index, team=teams[number], seated_at=at)
