"""Write a whole event into a file, or read one into the database.

An import stores everything or nothing: the rules score every line, and at the end the event is compared with its
sheets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import DateTimeField

from tournament.access import Actor
from tournament.archive.export import event_file
from tournament.archive.inserting import store
from tournament.archive.parts import KEYS_OF_ROWS, PARTS
from tournament.archive.reading import EventFile, read_event_file
from tournament.archive.rows import Rows
from tournament.errors import DomainError, Fault, ValidationFailed
from tournament.models import (
    Entry,
    Event,
    Game,
    Journal,
    Official,
    Player,
    Result,
    Side,
    Substitution,
    Team,
)
from tournament.services.events import free_slug
from tournament.services.people import link, show_names
from tournament.services.signatures import write_results
from tournament.services.transactions import announce, writing
from tournament.services.verifying import findings_of
from tournament.words.journal import IMPORTED
from tournament.words.sentences import say
from tournament.words.texts import name_key

# What is being done, how far it is, and out of how much.
Progress = Callable[[str, int, int], None]
UNREADABLE = "What the file tells cannot be read as an event: {}"
# The times at which entries open and close are announced in advance; they have not happened yet.
ANNOUNCED = frozenset({"entries_from", "entries_until"})


class HasFindings(DomainError):
    """The event does not match its sheets. It is imported only after somebody has seen that."""

    status = 409


def export_event(event: Event) -> dict[str, Any]:
    """The event file: importing it anywhere gives identical books."""
    return event_file(event)


def summary(file: EventFile) -> str:
    """The content of an event file, in one clause."""
    return say(IMPORTED, file.counts)


def import_event(
    actor: Actor,
    data: Any,
    progress: Progress | None = None,
    *,
    name: str = "",
    day: date | None = None,
    ends_at: datetime | None = None,
    epoch: UUID | None = None,
    findings_seen: bool = False,
) -> Event:
    """Create an event from a file; the importer becomes its director. One transaction: everything or nothing.

    The file itself is never edited: another `name`, another `day`, and the time of its last event are passed
    separately. With `epoch` it is imported once: sending it a second time returns the event that the first import made.
    `progress` is called with what is being done, how far it is, and out of how much.

    Raises ValidationFailed with a sentence for every fault of the file, and HasFindings if it does not match its
    sheets, unless the importer has seen that.
    """
    tell = progress or _silent
    file = read_event_file(data, lambda done, total: tell("checked", done, total))
    file.event.name = name or file.event.name
    file.event.date = day or file.event.date
    if ends_at is not None:
        _move(file.rows, ends_at)
    with transaction.atomic():
        if epoch is not None and (made := _made(actor, epoch)):
            return made
        event = _write_event(actor, file, epoch or uuid4())
        with writing(event):
            _write_rows(event, file.rows, tell)
            write_results(event, lambda done, total: tell("games computed", done, total))
            announce(actor, event, "import", "event", event.pk, "file", file.counts)
            _take_statistics()
            _compare(event, findings_seen=findings_seen)
    event.refresh_from_db()
    return event


def _silent(what: str, done: int, total: int) -> None:
    pass


def _move(rows: Rows, ends_at: datetime) -> None:
    """Shift every time so that the last thing that happened is at this time."""
    times = [(row, name, at) for row, name, at in _times(rows) if at is not None]
    last = max((at for _, name, at in times if name not in ANNOUNCED), default=ends_at)
    later: timedelta = ends_at - last
    for row, name, at in times:
        setattr(row, name, at + later)


def _times(rows: Rows) -> Iterable[tuple[Any, str, datetime | None]]:
    for part in PARTS:
        names = [field.name for field in part.fields if isinstance(field, DateTimeField)]
        for row in rows.of(part.model):
            for name in names:
                yield row, name, getattr(row, name)


def _made(actor: Actor, epoch: UUID) -> Event | None:
    """The event that this import began; two attempts wait for each other."""
    User.objects.select_for_update().get(pk=actor.account.pk)
    return Event.objects.filter(epoch=epoch).first()


def _write_event(actor: Actor, file: EventFile, epoch: UUID) -> Event:
    event = file.event
    event.slug, event.epoch = free_slug(event.name), epoch
    store([event])
    if actor.person is not None:
        Official.objects.create(event=event, user=actor.person, role="director")
    return event


def _write_rows(event: Event, rows: Rows, tell: Progress) -> None:
    """Write the rows model by model: models that others link to come first."""
    parts = [part for part in PARTS if part.model is not Event]
    total = sum(len(rows.of(part.model)) for part in parts)
    written = 0
    for part in parts:
        if part.model is Player:
            link(event, [player for player in rows.of(Player) if player.team is not None])
        if part.model is Substitution:
            _link_substitutes(event, rows.of(Substitution))
        if part.model is Journal:
            _key_acts(rows)
        store(rows.of(part.model))
        written += len(rows.of(part.model))
        tell("rows written", written, total)
    show_names(event)


def _link_substitutes(event: Event, substitutes: Sequence[Substitution]) -> None:
    """Link the substitutes to people, as players are linked, once the players are stored."""
    players = [Player(team=row.team, name=row.into, key=name_key(row.into)) for row in substitutes]
    link(event, players)
    for row, player in zip(substitutes, players, strict=True):
        row.person = player.person


def _key_acts(rows: Rows) -> None:
    """Give the acts of the log the keys that the rows have here."""
    for act in rows.of(Journal):
        model = KEYS_OF_ROWS.get(act.noun)
        if model is not None and act.key:
            act.key = str(rows.of(model)[int(act.key) - 1].pk)


def _compare(event: Event, *, findings_seen: bool) -> None:
    """Compare what was written with what follows from it, as `verify` does."""
    try:
        found = findings_of(event)
    except DomainError as fault:
        raise ValidationFailed(UNREADABLE.format(" ".join(fault.texts))) from fault
    except Exception as fault:
        # Forged rows may break any page: what cannot even be compared is not stored.
        raise ValidationFailed(UNREADABLE.format(fault)) from fault
    if found and not findings_seen:
        raise HasFindings(Fault("findings", line) for line in found)


def _take_statistics() -> None:
    """Have PostgreSQL analyze what was written: until it does so by itself, it plans for empty tables."""
    if connection.vendor == "postgresql":
        tables = (model._meta.db_table for model in (Team, Game, Side, Result, Entry))
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {', '.join(map(connection.ops.quote_name, tables))}")
