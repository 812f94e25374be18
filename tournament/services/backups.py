"""Backups of a SQLite database, while it is in use; and going back to one, after which the tablets offer all again."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone

from tournament.database import at_file, copy_database, into_one_file, opened, why_refused
from tournament.errors import Unavailable, ValidationFailed
from tournament.models import Event, Installation
from tournament.place import COMMAND
from tournament.queries.backups import (
    BY_CLOCK,
    DAMAGED,
    DELETING,
    FAILED,
    GONE,
    MOMENT,
    REPLACED,
    TAKEN_OVER,
    Backup,
    backup_files,
    backup_folder,
    checksum,
    checksum_in_name,
    database_file,
    findings_file,
    moment_of,
    newest_backup,
    newest_first,
    second_folder,
    surplus,
)
from tournament.services.accounts import KeptAdmission, admission, keep_admission
from tournament.services.laptops import begin_epoch, forget_other, look_at_mark

NO_BACKUP = "{} is not a backup of Uptown, or it is damaged: {}."
CHANGED = "{} was changed since it was made: its content no longer has the checksum in its name. Take another backup."
POSTGRESQL = (
    "This site keeps its data in PostgreSQL: back it up with pg_dump. To go back, stop the site, run pg_restore, then "
    f"`{COMMAND} restore --already-restored`, and start the site."
)


def make_backup(kind: str = BY_CLOCK) -> Path:
    """Copy the database as it is at this moment, check the copy, and only then give it its name. Raises Unavailable.

    Its name ends with its checksum. Backups by the clock are thinned out by age, and all others kept.
    """
    if not _must_be_a_file().exists():
        raise ValidationFailed(f"There is nothing to back up yet: {settings.DATA} holds no database.")
    backup_folder().mkdir(parents=True, exist_ok=True)
    with _unfinished(backup_folder()) as copy:
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(copy)])
        except OperationalError as fault:
            raise Unavailable(f"The backup could not be written: {fault}.") from fault
        _sync(copy)
        check_backup(copy)
        path = backup_folder() / _new_name(kind, f"-{checksum(copy)}")
        copy.replace(path)
    _sync(backup_folder())
    _thin_out(backup_folder())
    return path


def backup_before_deletion(event: Event, export: Callable[[Event], Any]) -> Path:
    """A backup of its own before an event is deleted: of the database where that is a file, else the event's file."""
    if database_file() is not None:
        return make_backup(DELETING)
    backup_folder().mkdir(parents=True, exist_ok=True)
    path = backup_folder() / f"{DELETING}-{event.slug}-{timezone.now():{MOMENT}}.json"
    path.write_text(json.dumps(export(event)), encoding="utf-8")
    _sync(path)
    return path


def copy_to_second_disk() -> None:
    """Copy every good backup that stays to the second disk, where one was named, and thin out what is there.

    So it gets what it missed while away. Why that failed is kept for the desk, until it succeeds. Raises OSError.
    """
    folder, newest, failed = second_folder(), newest_backup(), backup_folder() / FAILED
    if folder is None or newest is None:
        return
    try:
        if not folder.is_dir():
            # Not made here: where a stick is missing, it would be made on the first disk.
            raise OSError(GONE.format(folder))
        if not may_copy_to(folder):
            raise OSError(TAKEN_OVER)
        _copy_once(newest.path, folder / newest.path.name)
        for missed in _missed(folder):
            _copy_once(missed.path, folder / missed.path.name)
        _thin_out(folder)
    except OSError as fault:
        failed.write_text(fault.strerror or str(fault), encoding="utf-8")
        raise
    failed.unlink(missing_ok=True)


def may_copy_to(folder: Path) -> bool:
    """Whether copies of this laptop still belong there: not where another one took these events over since.

    Then this laptop takes nothing more, until its director says which of the two goes on.
    """
    return look_at_mark(folder)


def _missed(folder: Path) -> list[Backup]:
    """The backups, the newest first, that a second disk lacks and would not thin out again."""
    here, there = backup_files(), backup_files(folder)
    names = {one.path.name for one in there}
    lacking = [one for one in here if one.path.name not in names and not findings_file(one.path).exists()]
    going = surplus([*there, *lacking], timezone.now())
    return [one for one in reversed(lacking) if one not in going]


def _copy_once(path: Path, target: Path) -> None:
    """Copy a backup and read the copy back before it gets its name. One that is there still holds everything."""
    if target.exists():
        target.touch()
        return
    with _unfinished(target.parent) as copy:
        shutil.copyfile(path, copy)
        _sync(copy)
        if checksum(copy) != checksum(path):
            raise OSError(f"What was written to {target.parent} reads differently")
        copy.replace(target)
    _sync(target.parent)


def _thin_out(folder: Path) -> None:
    for old in surplus(backup_files(folder), timezone.now()):
        old.path.unlink(missing_ok=True)
        findings_file(old.path).unlink(missing_ok=True)


def judge_backup(path: Path, found: Sequence[str]) -> None:
    """Keep what a look at a backup found beside it: from then on it counts as no good one."""
    if found:
        findings_file(path).write_text("\n".join(found), encoding="utf-8")


def pack_up(made: Path, folder: Path) -> Path:
    """Put a backup into a folder, with the key and certificates that another laptop needs. Gives the copy."""
    pack_key(folder)
    return Path(shutil.copy(made, folder))


def pack_key(folder: Path) -> None:
    """Put the key and the certificates of this site into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    _take(Path(settings.DATA), folder)


def unpack(folder: Path) -> bool:
    """Put the key and the certificates that were packed up in the place of those here. Says whether a key was there."""
    _take(folder, Path(settings.DATA))
    return (folder / "secret-key").is_file()


def packed(folder: Path) -> Path:
    """The database in a folder that was packed up, or in another installation's data folder.

    Raises ValidationFailed.
    """
    if (live := folder / "uptown.sqlite3").is_file():
        return live
    if (newest := next(newest_first(folder), None)) is None:
        raise ValidationFailed(f"{folder} holds no database of Uptown.")
    if findings_file(newest.path).exists():
        raise ValidationFailed(
            f"{newest.path} is not as the program wrote it. Restore it, or an older one, by its own name."
        )
    return newest.path


def _take(source: Path, target: Path) -> None:
    for path in [source / "secret-key", *(source / "certificates").glob("*.pem")]:
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(exist_ok=True)
            shutil.copyfile(path, copy)
            # A stick knows no modes.
            with suppress(OSError):
                copy.chmod(0o600)


def check_backup(path: Path) -> None:
    """Open a backup and read all of it.

    Raises ValidationFailed where it is not whole, not ours, or not as it was made.
    """
    check_checksum(path)
    try:
        with opened(path) as backup:
            found = backup.execute("PRAGMA integrity_check").fetchone()[0]
            backup.execute("SELECT count(*) FROM tournament_event").fetchone()
    except sqlite3.Error as fault:
        raise ValidationFailed(NO_BACKUP.format(path, fault)) from fault
    if found != "ok":
        raise ValidationFailed(f"{path} is damaged: {found}.")


def check_checksum(path: Path) -> None:
    """Raises ValidationFailed where a file is not as its name says."""
    if (told := checksum_in_name(path)) and told != checksum(path):
        raise ValidationFailed(CHANGED.format(path))


class Restored(NamedTuple):
    """How many events there are, what of before still holds (None: nobody knows), and where the rest of it is."""

    events: int
    kept: KeptAdmission | None
    aside: Path | None


def restore_backup(path: Path, after: Iterable[UUID] = ()) -> Restored:
    """Put a backup in the place of the database; what was there is set aside. It is later than the epochs `after`.

    Every sign-in ends, and what was taken from somebody since the backup stays taken. The site must not run meanwhile.
    A crash leaves the old database or the new one, because one whole file takes the place of the other.
    """
    live = _must_be_a_file()
    if not path.is_file():
        raise ValidationFailed(f"There is no file {path}.")
    if live.exists() and path.samefile(live):
        raise ValidationFailed(f"{path} is what this site works with: there is nothing to restore.")
    check_backup(path)
    before, epochs = (admission(), _epochs()) if live.exists() else (None, [])
    with _unfinished(live.parent) as copy:
        copy_database(path, copy)
        with at_file(copy, writable=True):
            if refusal := why_refused():
                raise ValidationFailed(f"{path}: {refusal}")
            try:
                call_command("migrate", verbosity=0, interactive=False)
            except DatabaseError as fault:
                raise ValidationFailed(NO_BACKUP.format(path, fault)) from fault
            kept = keep_admission(before)
            copied = moment_of(path)
            events = begin_epoch(path.name, known=kept is not None, copied=copied, after=[*epochs, *after])
        into_one_file(copy)
        _sync(copy)
        aside = _set_aside(live) if live.exists() else None
        _remove_logs(live)
        copy.replace(live)
    forget_other()
    _sync(live.parent)
    return Restored(events, kept, aside)


def _epochs() -> list[UUID | None]:
    """The epoch of the database that stands there: what takes its place is later."""
    with suppress(DatabaseError):
        return list(Installation.objects.values_list("epoch", flat=True))
    return []


def _must_be_a_file() -> Path:
    live = database_file()
    if live is None:
        raise ValidationFailed(POSTGRESQL)
    return live


def _set_aside(live: Path) -> Path:
    """A backup of what is there now; where that is damaged, the file itself under another name. Raises Unavailable."""
    try:
        aside = make_backup(REPLACED)
        connection.close()
        into_one_file(live)
    except sqlite3.OperationalError as fault:
        raise Unavailable(f"Another program works with the database: {fault}. Nothing was changed.") from fault
    except (ValidationFailed, DatabaseError, sqlite3.DatabaseError):
        connection.close()
        aside = live.with_name(_new_name(DAMAGED))
        shutil.copyfile(live, aside)
        _sync(aside)
    return aside


def _remove_logs(path: Path) -> None:
    """Remove what SQLite leaves beside a file: it would be read into the file that takes its place."""
    for ending in ("-journal", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def _new_name(kind: str, ending: str = "") -> str:
    return f"{kind}-{timezone.now():{MOMENT}}{ending}.sqlite3"


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """An empty file that only we may read, gone at the end unless it got another name."""
    descriptor, name = tempfile.mkstemp(suffix=".unfinished", dir=folder)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
        _remove_logs(Path(name))


def _sync(path: Path) -> None:
    """Force it to the disk; folders cannot be forced everywhere."""
    if path.is_dir() and os.name == "nt":
        return
    opened = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
