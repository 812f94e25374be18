"""Compare what is stored with what follows from it: results, states, payouts, and the bracket of every event.

Nothing is written. A finding says that something was changed, not what is true: the paper sheets say that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from django.db import DatabaseError, connection, transaction

from tournament import PROGRAM
from tournament.errors import Damaged, ValidationFailed
from tournament.models import Event, Game, Journal, Ledger, Person, Season
from tournament.models.team import PAYOUT
from tournament.models.triggers import missing_triggers
from tournament.queries.backups import database_file
from tournament.queries.bracket import bracket
from tournament.queries.bracket_facts import BracketFacts
from tournament.queries.leaving import team_of
from tournament.queries.ledger import payouts
from tournament.queries.people import NAMED, shown_rows
from tournament.queries.placings import drawn_seeds, placings
from tournament.queries.schedule import Table
from tournament.queries.scored import scored_game
from tournament.services.signatures import FACTS, SHEET, result_of, state_of
from tournament.site.database import OLDER, at_file, copy_database, why_other
from tournament.words.phrases import OPEN_ENTRIES, VOID, money
from tournament.words.sentences import TEXT

BEFORE = f"{{}} was written by an older version than {PROGRAM}: it can be restored, and then it is verified."
UNGUARDED = "{}: the database no longer refuses changes of written rows. Start the site once."
UNREADABLE = "The database cannot be read."
NOTHING = "Results, games, payouts and bracket are what the sheets come to."
UNSEEN = "Not seen: a hand or another fact that was changed together with its result, a name, an amount of money."
# Acts that may change a bracket that was drawn, or a share that was paid.
MENDING = frozenset("correct correct-final decide other-hall restore return rule sign swap undo withdraw".split())
PAYING = MENDING | frozenset("change charge close draw enter merge pay pot prizes refund remove reverse".split())

Looked = TypeVar("Looked", Event, Season)


def findings_in(path: Path) -> list[str]:
    """The findings in a file. Raises ValidationFailed if another version wrote it."""
    with at_file(path):
        if why := _other_version():
            raise ValidationFailed(BEFORE.format(path) if why == OLDER else f"{path}: {why}")
        return _findings_now()


def findings_here() -> list[str]:
    """Everything wrong in the site's own database. SQLite's file is copied first, so that no writer has to wait.

    Raises ValidationFailed if another version of the program wrote it.
    """
    if why := _other_version():
        raise ValidationFailed(why)
    live = database_file()
    if live is None:
        return _findings_now()
    with TemporaryDirectory() as folder:
        copy = Path(folder) / live.name
        copy_database(live, copy)
        with at_file(copy):
            return _findings_now()


def _findings_now() -> list[str]:
    """The findings in one state of the database, to which nothing can be written; a file is opened for that."""
    lines: list[str] = []
    # Nothing is reliable in a damaged file, not even the end of a transaction that wrote nothing.
    with suppress(DatabaseError), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        lines += findings()
        return lines
    return lines or [UNREADABLE]


def _other_version() -> str:
    """Why another version wrote it. If even that cannot be read, the checks that follow report it."""
    with suppress(Exception):
        return why_other()
    return ""


def findings() -> Iterator[str]:
    """Everything that differs from what the program writes, one line each; it ends early if nothing can be read."""
    try:
        yield from _of_database()
        for event in Event.objects.order_by("pk"):
            for look in LOOKS:
                yield from (f"{event}: {line}" for line in _lines(look, event))
        for season in Season.objects.order_by("pk"):
            for find in (_of_dues, _of_partners):
                yield from (f"{season}: {line}" for line in _lines(find, season))
    # Bytes may be changed in any way: whatever cannot be read is a finding and not an error of this command.
    except Exception as fault:
        yield f"The database cannot be read: {_brief(fault)}"


def findings_of(event: Event) -> list[str]:
    """Everything in an event that differs from what the program writes. Unreadable data raises any exception."""
    return [line for look in LOOKS for line in look(event)]


def _lines(look: Callable[[Looked], Iterator[str]], row: Looked) -> Iterator[str]:
    try:
        yield from look(row)
    except Exception as fault:
        yield f"cannot be read: {_brief(fault)}"


def _brief(fault: Exception) -> str:
    return f"{type(fault).__name__}: {' '.join(str(fault).split())[:200]}"


def _of_database() -> Iterator[str]:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check(20)")
            yield from (f"The file is damaged: {text}" for (text,) in cursor.fetchall() if text != "ok")
            cursor.execute("PRAGMA foreign_key_check")
            yield from (f"{table}, row {row}: belongs to nothing" for table, row, *_ in cursor.fetchall()[:20])
    yield from (UNGUARDED.format(table) for table in missing_triggers())


def _acts(event: Event, *actions: str) -> list[Journal]:
    """These acts of the log, oldest first; of signatures only those that were withdrawn."""
    acts = Journal.objects.filter(event=event, action__in=actions).order_by("pk")
    return list(acts.exclude(action="sign", code__in=["signed", "paper"]))


def _of_results(event: Event) -> Iterator[str]:
    """Results are a cache: each is computed again and compared, and so is the state of each game."""
    voided = {act.key: act.code for act in _acts(event, "void")}
    games = Game.objects.filter(round__event=event).select_related("round__event", "result")
    for game in games.prefetch_related(*SHEET, "signatures"):
        stored, state = getattr(game, "result", None), game.state
        try:
            right = result_of(game, scored_game(game))
        except Damaged as fault:
            yield f"{_name(game)}: {fault}"
            continue
        if stored is None and game.entries.all():
            yield f"{_name(game)}: its result is missing"
        wrong = [name for name in FACTS if stored and getattr(stored, name) != getattr(right, name)]
        if wrong:
            yield f"{_name(game)}: its result is not what its lines come to ({', '.join(wrong)})"
        ruled = voided.get(str(game.pk), "counts")
        if ruled != TEXT:
            game.state = "playing" if ruled == "counts" else VOID
        due = "planned" if game.round.state == "planned" else state_of(game, right, signed=False)
        if state != due:
            yield f"{_name(game)}: is “{state}”, and by its lines, its signatures and the log “{due}”"


def _of_entries(event: Event) -> Iterator[str]:
    """An accepted entry has its team, an entry that joined another has that one, and each has its players."""
    for entry in event.registrations.select_related("team", "wants__team").prefetch_related("players"):
        if not entry.players.all() and entry.state in (*OPEN_ENTRIES, "joined"):
            yield f"entry {entry.position}, {entry.name}: nobody plays in it"
        if entry.state == "joined" and entry.team is None and entry.wants is None:
            yield f"entry {entry.position}, {entry.name}: has a partner, and nobody is one"
        if entry.state == "in" and (entry.team is None or entry.team.event_id != event.pk):
            yield f"entry {entry.position}, {entry.name}: is in, and has no team"
        if entry.state == "leaving" and team_of(entry) is None:
            yield f"entry {entry.position}, {entry.name}: wants to leave, and its team does not play"
        if entry.state in OPEN_ENTRIES and entry.team is not None and entry.team.status == "playing":
            yield f"entry {entry.position}, {entry.name}: waits, and its team plays"


def _name(game: Game) -> str:
    return f"{game.round}, table {game.table}" + (f", game {game.leg}" if game.leg > 1 else "")


def _of_payouts(event: Event) -> Iterator[str]:
    """Payouts match the log, and the results as long as nothing has changed since."""
    facts, acts = payouts(event), _acts(event, "pay-out", *PAYING)
    logged = {act.facts["receipts"][0]: act for act in acts if act.action == "pay-out" and act.code != TEXT}
    lines = {line.number: line for line in facts.books.lines if line.kind == PAYOUT and not line.reverses}
    for number, act in logged.items():
        line = lines.get(number)
        if line is None or not _is_logged(line, act):
            yield f"receipt {number}: is not the payout that the log has"
    last_change = max((act.pk for act in acts if act.action in PAYING), default=0)
    for payee in facts.payees:
        payout = logged.get(payee.receipt)
        if payout is None or payout.pk < last_change:
            # Nothing was handed over, or what is due has rightly changed since.
            continue
        if payee.paid and payee.left:
            paid, due = money(payee.paid, event.currency), money(payee.cents, event.currency)
            yield f"{payee.team}: {payee.words}, {paid} paid out, and {due} by the results"


def _is_logged(line: Ledger, act: Journal) -> bool:
    """Whether a payout is as the log has it: to whom, for what, and how much."""
    team = line.team.number if line.team else None
    return [str(team), line.purpose, -line.cents] == [act.key, act.code, act.facts["sum"][0]]


def _of_bracket(event: Event) -> Iterator[str]:
    """The drawn teams are those given by seeds, results, and decisions, as long as none of these was corrected."""
    drawn = bracket(event)
    if drawn is None:
        return
    acts, rows = _acts(event, "draw", *MENDING), placings(event)
    games = [*drawn.foreign, *(game for match in drawn.matches for game in match.games)]
    first = min(games, key=lambda game: game.round, default=None)
    seeds = drawn_seeds(rows)
    if first and seeds and seeds != drawn.seeds and not _mended(first, games, acts):
        yield "the seeds of the draw are not those of the standings"
    decided = [(act.key, act.code.partition("-")[0]) for act in acts if act.noun == "bracket"]
    if (
        decided
        and TEXT not in dict(decided).values()
        and decided != [(row.source, row.kind) for row in rows if row.kind != "drawn"]
    ):
        yield "the decisions about the bracket are not those of the log"
    yield from _wrong_teams(drawn, games, acts)
    yield from _wrong_matches(drawn, games, same_size=len(seeds) == drawn.size)


def _of_names(event: Event) -> Iterator[str]:
    """Public names show what the event and the person allow."""
    for row, name in shown_rows(event.teams.prefetch_related(*NAMED)):
        if row.name != name:
            yield f"“{row.full_name}” is shown as “{row.name}”, and is to be shown as “{name}”"


LOOKS = (_of_results, _of_entries, _of_payouts, _of_bracket, _of_names)


def _of_dues(season: Season) -> Iterator[str]:
    """A reversal is the opposite of its line, and a desk's log has every payment and refund made there."""
    acts = Journal.objects.filter(action="dues", noun="money").exclude(code=TEXT)
    logged = {(act.event_id, *act.facts["receipts"]): (act.code, act.facts["sum"][0]) for act in acts}
    for line in season.dues.select_related("reverses", "event").order_by("pk"):
        back = line.reverses
        if line.cents < 0 if back is None else (line.member_id, line.cents) != (back.member_id, -back.cents):
            yield f"receipt {line.number}: neither a payment of dues nor one that is taken back"
        code = "paid" if back is None else "back"
        if line.event is not None and logged.get((line.event_id, line.number)) != (code, abs(line.cents)):
            yield f"receipt {line.number} of {line.event}: is not what the log of the desk says"


def _of_partners(season: Season) -> Iterator[str]:
    people = set(Person.objects.values_list("pk", flat=True))
    for draw in season.draws.all():
        drawn = [person for pair in draw.pairs for person in pair] + [draw.alone_id] * bool(draw.alone_id)
        if len(set(drawn)) != len(drawn) or not people.issuperset(drawn):
            yield f"draw {draw.number} of partners: somebody is in it twice, or nobody"


def _wrong_teams(drawn: BracketFacts, games: Sequence[Table], acts: Sequence[Journal]) -> Iterator[str]:
    due = {match.key: {side.number for side in match.sides} for match in drawn.matches}
    for game in games:
        if due.get(game.match) != set(game.teams) and not _mended(game, games, acts):
            yield f"{_where(game)}: its teams are not those that seeds and results bring to {game.match}"


def _wrong_matches(drawn: BracketFacts, games: Sequence[Table], *, same_size: bool) -> Iterator[str]:
    """The games of a match are counted, and a round plays one round of the bracket, as long as its size is the same."""
    levels = {match.key: match.round for match in drawn.matches}
    games = [game for game in games if game.match in levels]
    for game in games:
        for other in games:
            if other.pk > game.pk and (
                (game.match, game.leg) == (other.match, other.leg)
                or (same_size and game.round == other.round and levels[game.match] != levels[other.match])
            ):
                yield f"{_where(other)}: cannot be a game of {other.match} beside {_where(game)} of {game.match}"


def _mended(game: Table, games: Sequence[Table], acts: Sequence[Journal]) -> bool:
    """Whether anything before this game was changed after its round was drawn."""
    rounds = {str(one.pk): one.round for one in games}
    drawn = next((act.pk for act in acts if act.action == "draw" and act.facts.get("round") == game.title), 0)
    return any(
        act.pk > drawn and act.action != "draw" and (act.noun != "game" or rounds.get(act.key, 0) < game.round)
        for act in acts
    )


def _where(game: Table) -> str:
    return f"{game.title}, table {game.table}" + (f", game {game.leg}" if game.leg > 1 else "")
