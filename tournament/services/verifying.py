"""Looking for what somebody changed behind the program's back: chain, seal, results and money of every event.

Nothing is written. What it tells is that something was changed, not what is true: the paper sheets are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from django.db import DatabaseError, connection, transaction

from tournament import PROGRAM
from tournament.database import OLDER, at_file, copy_database, why_other
from tournament.models import Decision, Entry, Event, Game, Journal, Ledger, Placing, Signature, Verification
from tournament.models.stored import Chained, canonical, linked
from tournament.models.triggers import missing_triggers
from tournament.queries.backups import Anchor, anchors, backup_of, database_file
from tournament.queries.cash import cash
from tournament.queries.scored import scored_game
from tournament.queries.seal import broken_parts
from tournament.refusals import Damaged, Invalid
from tournament.services.results import FACTS, SHEET, result_of, state_of
from tournament.times import day_time

IN_GAME = "game__round__event"
# Where the event of a link is.
LINKED: tuple[tuple[type[Chained], str], ...] = (
    (Entry, IN_GAME),
    (Signature, IN_GAME),
    (Verification, IN_GAME),
    (Decision, "event"),
    (Placing, "event"),
    (Ledger, "event"),
    (Journal, "event"),
)
BEFORE = f"{{}} was written by an older version than {PROGRAM}: it can be restored, and then it is verified."
UNGUARDED = "{}: the database no longer refuses changes of written rows. Start the site once."


@contextmanager
def reading() -> Iterator[None]:
    """One state of the database, to which nothing can be written; SQLite's file is opened for that."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def findings_in(path: Path) -> list[str]:
    """What is found in a file. Raises Invalid where another version wrote it."""
    with at_file(path), reading():
        if why := _other_version():
            raise Invalid(BEFORE.format(path) if why == OLDER else f"{path}: {why}")
        told = backup_of(path)
        return list(findings(anchors(told.made) if told else ()))


def findings_here() -> list[str]:
    """What is found in the site's own database; of SQLite in a copy, so that nobody who writes waits for the answer.

    Raises Invalid where another version wrote it.
    """
    if why := _other_version():
        raise Invalid(why)
    live = database_file()
    if live is None:
        with reading():
            return list(findings())
    with TemporaryDirectory() as folder:
        copy = Path(folder) / live.name
        copy_database(live, copy)
        told = anchors()
        with at_file(copy), reading():
            return list(findings(told))


def _other_version() -> str:
    """What cannot even be asked is found behind it."""
    with suppress(DatabaseError):
        return why_other()
    return ""


class Link(NamedTuple):
    """A row of the chain: its number, its digest as stored, which row it is, and its facts."""

    link: int | None
    digest: str
    model: type[Chained]
    pk: int
    facts: dict[str, Any]


def findings(anchored: Sequence[Anchor] = (), *, chained: bool = True) -> Iterator[str]:
    """Everything that is not as the program wrote it, one line each; it ends early where nothing can be read.

    Without `chained` only what is computed is compared: a test asks what the chain is good for.
    """
    try:
        yield from _of_database()
        for event in Event.objects.order_by("pk"):
            written = (partial(_of_chain, anchored), _of_seal) if chained else ()
            for look in (*written, _of_results, _of_money):
                yield from (f"{event}: {said}" for said in _told(look, event))
    # Bytes may be changed in every way: whatever cannot be read is a finding and no fault of this command.
    except Exception as fault:
        yield f"The database cannot be read: {_brief(fault)}"


def _told(look: Callable[[Event], Iterator[str]], event: Event) -> Iterator[str]:
    try:
        yield from look(event)
    except Exception as fault:
        yield f"cannot be read: {_brief(fault)}"


def _brief(fault: Exception) -> str:
    return f"{type(fault).__name__}: {' '.join(str(fault).split())[:200]}"


def _of_database() -> Iterator[str]:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check(20)")
            yield from (f"The file is damaged: {said}" for (said,) in cursor.fetchall() if said != "ok")
            cursor.execute("PRAGMA foreign_key_check")
            yield from (f"{table}, row {row}: belongs to nothing" for table, row, *_ in cursor.fetchall()[:20])
    yield from (UNGUARDED.format(table) for table in missing_triggers())


def _of_chain(anchored: Sequence[Anchor], event: Event) -> Iterator[str]:
    """The chain is followed from link to link; behind a changed one it goes on with what is stored."""
    rows = [link for model, path in LINKED for link in _links(model, path, event)]
    yield from (f"{_place(one)}: was not written by the program" for one in rows if one.link is None)
    chain = sorted((one for one in rows if one.link is not None), key=lambda one: one.link or 0)
    head, due, newest = "", 1, dict.fromkeys((model for model, _ in LINKED), 0)
    for one in chain:
        if one.link != due:
            yield f"{_place(one)}: what was written before it is missing (link {due})"
        elif linked(head, one.model.row_name(), one.link, one.facts) != one.digest:
            yield f"{_place(one)}: was changed after it was written"
        if one.pk <= newest[one.model]:
            yield f"{_place(one)}: is not in the order in which it was written"
        head, due, newest[one.model] = one.digest, (one.link or 0) + 1, one.pk
    if (due - 1, head) != (event.links, event.head):
        yield f"the newest rows are missing or were changed: {due - 1} links, and there were {event.links}"
    digests = {one.link: one.digest for one in chain}
    for told in anchored:
        if (told.event, told.epoch) == (event.pk, event.epoch.hex) and told.head != digests.get(told.links, ""):
            yield f"all since link {told.links} at the latest was rewritten: the backup {told.name} says something else"


def _links(model: type[Chained], path: str, event: Event) -> Iterator[Link]:
    names = model.fact_names()
    for values in model._default_manager.filter(**{path: event.pk}).values("pk", "link", "digest", *names):
        facts = {name: values[name] for name in names}
        yield Link(values["link"], values["digest"], model, values["pk"], facts)


def _place(one: Link) -> str:
    """Which row it is, as people find it."""
    facts = one.facts
    if "game_id" in facts:
        game = Game.objects.select_related("round").filter(pk=facts["game_id"]).first()
        where = _name(game) if game else f"game {facts['game_id']}"
        if one.model is Entry:
            return f"{where}, line {facts['position']}"
        return f"{where}, {one.model._meta.verbose_name} of {day_time(facts[_moment(one.model)], 'UTC')} UTC"
    if one.model is Journal:
        return f"log, {day_time(facts['at'], 'UTC')} UTC, {facts['action']}"
    noun = "receipt" if one.model is Ledger else str(one.model._meta.verbose_name)
    return f"{noun} {facts['number']}"


def _moment(model: type[Chained]) -> str:
    return "signed_at" if model is Signature else "made_at"


def _name(game: Game) -> str:
    return f"{game.round}, table {game.table}" + (f", game {game.leg}" if game.leg > 1 else "")


def _of_seal(event: Event) -> Iterator[str]:
    yield from (f"{words}: changed by something else than the program" for words in broken_parts(event))


def _of_results(event: Event) -> Iterator[str]:
    """Results are a cache: each is computed anew and compared."""
    games = Game.objects.filter(round__event=event).exclude(state="planned")
    for game in games.select_related("round__event", "result").prefetch_related(*SHEET, "signatures"):
        stored = getattr(game, "result", None)
        try:
            right = result_of(game, scored_game(game))
        except Damaged as fault:
            yield f"{_name(game)}: {fault}"
            continue
        if stored is None and game.entries.all():
            yield f"{_name(game)}: its result is missing"
        wrong = [
            name for name in FACTS if stored and canonical(getattr(stored, name)) != canonical(getattr(right, name))
        ]
        if wrong:
            yield f"{_name(game)}: its result is not what its lines come to ({', '.join(wrong)})"
        if game.state != (state := state_of(game, right, signed=False)):
            yield f"{_name(game)}: is “{game.state}”, and by its lines and signatures “{state}”"


def _of_money(event: Event) -> Iterator[str]:
    books = cash(event)
    if books.in_hand < 0:
        yield f"the ledger comes to {books.in_hand} cents in hand"
    if books.pot_left < 0:
        yield f"the Boston pot paid out {-books.pot_left} cents more than was paid into it"
