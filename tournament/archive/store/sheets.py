"""The sheets of an event file: every revision of every line, signatures, looks, calls and notices, written as told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from django.utils import timezone

from tournament.access import Actor
from tournament.archive.changes import FileSignature
from tournament.archive.games import TIMES, FileGame
from tournament.archive.lines import IMPORT
from tournament.models import Call, Entry, Event, Game, Notice, Result, Signature, Substitution, Team, Verification
from tournament.phrases import BY_IMPORT
from tournament.services.results import refresh_results

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
