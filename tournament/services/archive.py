"""A whole event in and out as one file: everything or nothing, every entry checked by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournament.access import Actor
from tournament.models import (
    Bye,
    Decision,
    Entry,
    Event,
    Game,
    Official,
    Player,
    Result,
    Round,
    Side,
    Signature,
    Substitution,
    Team,
    Verification,
)
from tournament.models.entry import OPENING
from tournament.queries.event_file import event_file
from tournament.queries.event_games import FileGame, FileRound
from tournament.queries.event_reading import EventFile, read_event_file
from tournament.queries.verification import PAPER
from tournament.services.events import free_slug
from tournament.services.filed_money import write_money
from tournament.services.journal import note
from tournament.services.results import refresh_results
from tournament.texts import name_key

Progress = Callable[[str, int, int], None]

SIGNER = "by import"
REASON = "The game was finished in the event file"
BATCH = 500


def export_event(event: Event) -> dict[str, Any]:
    """The event file: importing it anywhere gives identical books."""
    return event_file(event)


def import_event(actor: Actor, data: Any, progress: Progress | None = None, *, name: str = "") -> Event:
    """Make an event from a file; whoever imports it becomes its director. One transaction: everything or nothing.

    Raises Invalid with a sentence for every fault of the file. `progress` is told what is done, how far, of how much.
    """
    tell = progress or _silent
    file = read_event_file(data, timezone.localdate())
    if name:
        file.fields["name"] = name
    tell("checked", 1, 1)
    with transaction.atomic():
        event = _write_event(actor, file)
        teams = _write_teams(event, file)
        write_money(actor, event, file, teams)
        games = _write_rounds(event, file, teams)
        _write_entries(actor, games, tell)
        _sign(actor, event, games, tell)
        text = f"Imported from an event file: {summary(file)}"
        note(actor, event, "import", "event", event.pk, text)
    event.refresh_from_db()
    return event


def summary(file: EventFile) -> str:
    """What stands in an event file, in one clause."""
    counts = [(len(file.teams), "team"), (len(file.rounds), "round"), (file.games, "game"), (file.entries, "entry")]
    words = [f"{count:,} {_plural(word, count)}" for count, word in counts]
    return ", ".join(words) + f"; {file.finished:,} games finished"


def _silent(what: str, done: int, total: int) -> None:
    pass


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return "entries" if word == "entry" else f"{word}s"


def _write_event(actor: Actor, file: EventFile) -> Event:
    started = [round_.started_at for round_ in file.rounds if round_.started_at]
    frozen = min(started, default=timezone.now()) if file.stage != "setup" else None
    event = Event.objects.create(
        slug=free_slug(file.fields["name"]), options=file.options, stage=file.stage, frozen_at=frozen, **file.fields
    )
    if actor.person is not None:
        Official.objects.create(event=event, user=actor.person, role="director")
    Decision.objects.bulk_create(
        Decision(
            event=event,
            number=one.number,
            method=one.method,
            teams=list(one.teams),
            seed=one.seed,
            witness=one.witness,
            made_by=actor.person,
        )
        for one in file.decisions
    )
    return event


def _write_teams(event: Event, file: EventFile) -> dict[int, Team]:
    teams = Team.objects.bulk_create(
        Team(
            event=event,
            number=team.number,
            name=team.name,
            key=name_key(team.name),
            city=team.row.city,
            club=team.row.club,
            paid=team.row.paid,
            in_pot=team.row.in_pot,
            status=team.status,
            left_after=team.left_after,
            joined_in=team.joined_in,
        )
        for team in file.teams
    )
    Player.objects.bulk_create(
        Player(team=made, position=position, name=name, key=name_key(name))
        for team, made in zip(file.teams, teams, strict=True)
        for position, name in enumerate(team.row.players)
    )
    Substitution.objects.bulk_create(
        Substitution(
            team=made,
            position=one.position,
            out=one.out,
            into=one.into,
            from_round=one.from_round,
            to_round=one.to_round,
            reason=one.reason,
        )
        for team, made in zip(file.teams, teams, strict=True)
        for one in team.substitutes
    )
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
        state="planned" if row.state == "planned" else "playing",
        begun_at=row.started_at if written else None,
        last_entry_at=(row.closed_at or now) if game.entries else None,
        finished_at=row.closed_at,
    )


def _side_rows(row: Game, game: FileGame, teams: dict[int, Team], now: datetime) -> Iterable[Side]:
    """Where hands are written everybody is seated, unless the file says otherwise."""
    seated = set(game.seated) if game.seated is not None else set(range(len(game.teams))) if game.entries else set()
    for index, number in enumerate(game.teams):
        at = (row.round.started_at or now) if index in seated else None
        yield Side(game=row, round=row.round, leg=game.leg, index=index, team=teams[number], seated_at=at)


def _write_entries(actor: Actor, games: list[tuple[Game, FileGame]], tell: Progress) -> None:
    """The reader has scored every game of the file from its first entry to its last: these rows are possible."""
    rows: list[Entry] = []
    for done, (game, said) in enumerate(games, start=1):
        facts = [{"entry": OPENING, **said.opening}] if said.opening else []
        first = 0 if said.opening else 1
        for position, one in enumerate([*facts, *said.entries], start=first):
            kind = one["entry"].replace("-", "_")
            # Who typed a line from paper is not in the file: it was not whoever imports it.
            typed = position in said.paper
            by, source = (None, PAPER) if typed else (actor.person, "import")
            rows.append(Entry(game=game, position=position, kind=kind, facts=one, entered_by=by, source=source))
        if len(rows) >= BATCH or done == len(games):
            Entry.objects.bulk_create(rows)
            rows = []
            tell("games written", done, len(games))


def _sign(actor: Actor, event: Event, games: list[tuple[Game, FileGame]], tell: Progress) -> None:
    """Results first: a signature stands under the code of the sheet that was computed."""
    started = {game.pk: said for game, said in games if game.state != "planned"}
    refresh_results(event, list(started))
    codes = dict(Result.objects.filter(game__in=started).values_list("game", "code"))
    Verification.objects.bulk_create(
        Verification(game_id=pk, code=codes[pk], accepted=one.accepted, name=one.by, reason=one.reason, made_at=one.at)
        for pk, said in started.items()
        for one in said.looks
    )
    over = Result.objects.filter(game__in=started, over=True).values_list("game", "code")
    Signature.objects.bulk_create(
        (
            Signature(game_id=pk, side=side, code=code, name=name, witness=actor.person, reason=reason)
            for pk, code in over
            for side, name, reason in _signed(started[pk])
        ),
        batch_size=BATCH,
    )
    refresh_results(event, [pk for pk, _ in over])
    tell("games signed", len(over), len(over))


def _signed(game: FileGame) -> Iterable[tuple[int, str, str]]:
    if game.signed is None:
        return [(side, SIGNER, REASON) for side in range(len(game.teams))]
    return [(side, name or SIGNER, reason or REASON) for side, name, reason in game.signed]
