"""Backups of a SQLite database, while it is in use; and going back to one, after which the tablets offer all again."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import F
from django.utils import timezone

from tournament.access import NOBODY
from tournament.models import Event
from tournament.queries.backups import backup_files, backup_folder, database_file
from tournament.refusals import Busy, Invalid
from tournament.services.journal import note
from tournament.services.transactions import writing

KEEP = 48
# A page that shows an old version must never meet the same number again with another content.
VERSION_LEAP = 1_000_000
POSTGRESQL = (
    "This site keeps its data in PostgreSQL: back it up with pg_dump and go back with pg_restore, "
    "then run `manage.py restore --already-restored`."
)


def make_backup() -> Path:
    """Copy the database as it is at this moment, check the copy, and only then give it its name. Raises Busy."""
    _must_be_a_file()
    backup_folder().mkdir(parents=True, exist_ok=True)
    with _unfinished(backup_folder()) as copy:
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(copy)])
        except OperationalError as fault:
            raise Busy(f"The backup could not be written: {fault}.") from fault
        _sync(copy)
        check_backup(copy)
        path = _new_name()
        copy.replace(path)
    _sync(backup_folder())
    for old in backup_files()[:-KEEP]:
        old.unlink(missing_ok=True)
    return path


def check_backup(path: Path) -> None:
    """Open a backup and read all of it. Raises Invalid where it is not whole, or not ours."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            found = opened.execute("PRAGMA integrity_check").fetchone()[0]
            opened.execute("SELECT count(*) FROM tournament_event").fetchone()
    except sqlite3.Error as fault:
        raise Invalid(f"{path} is not a backup of Uptown, or it is damaged: {fault}.") from fault
    if found != "ok":
        raise Invalid(f"{path} is damaged: {found}.")


def restore_backup(path: Path) -> tuple[Path, int]:
    """Put a backup in the place of the database; what was there is kept. Gives where, and how many events there are.

    It may be done while the site runs: for everybody else it is one write.
    """
    live = _must_be_a_file()
    if not path.is_file():
        raise Invalid(f"There is no file {path}.")
    check_backup(path)
    with _unfinished(live.parent) as copy:
        shutil.copyfile(path, copy)
        with _instead(copy):
            _must_not_be_newer(path)
            call_command("migrate", verbosity=0, interactive=False)
            events = begin_epoch(f"Restored from the backup {path.name}; the tablets will send again what they hold")
        kept = _set_aside(live)
        with closing(sqlite3.connect(copy)) as source, closing(sqlite3.connect(live, timeout=20)) as target:
            source.backup(target)
    return kept, events


def begin_epoch(text: str) -> int:
    """A new epoch for every event: each tablet notices it and offers again whatever is not here. Counts the events."""
    events = list(Event.objects.all())
    for event in events:
        with writing(event) as locked:
            fields = {"epoch": uuid.uuid4(), "version": F("version") + VERSION_LEAP}
            Event.objects.filter(pk=locked.pk).update(**fields)
            note(NOBODY, locked, "restore", "event", locked.pk, text)
    return len(events)


def _must_be_a_file() -> Path:
    live = database_file()
    if live is None:
        raise Invalid(POSTGRESQL)
    return live


def _must_not_be_newer(path: Path) -> None:
    loader = MigrationLoader(connection)
    if set(loader.applied_migrations) - set(loader.disk_migrations):
        raise Invalid(f"{path} comes from a newer version of Uptown: install that one first.")


def _set_aside(live: Path) -> Path:
    """A backup of what is there now; where that is damaged, the file itself under another name. Raises Busy."""
    try:
        return make_backup()
    except (Invalid, DatabaseError):
        connection.close()
        damaged = live.with_name(f"damaged-{_new_name().name}")
        if live.exists():
            live.replace(damaged)
        for rest in ("-journal", "-wal", "-shm"):
            live.with_name(live.name + rest).unlink(missing_ok=True)
        return damaged


def _new_name() -> Path:
    return backup_folder() / f"uptown-{timezone.now():%Y%m%d-%H%M%S-%f}.sqlite3"


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """An empty file that only we may read, gone at the end unless it got another name."""
    descriptor, name = tempfile.mkstemp(suffix=".unfinished", dir=folder)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        for rest in ("", "-journal", "-wal", "-shm"):
            Path(name + rest).unlink(missing_ok=True)


@contextmanager
def _instead(path: Path) -> Iterator[None]:
    """Work on another file than the site's own, in a command that does nothing else."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = path
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def _sync(path: Path) -> None:
    """Force it to the disk; folders cannot be forced everywhere."""
    if path.is_dir() and os.name == "nt":
        return
    opened = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
