"""Backups of a SQLite database while it is in use, and restoring one. Afterward the tablets send everything again."""

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

from tournament.errors import Unavailable, ValidationFailed
from tournament.models import Event, Installation
from tournament.queries.backups import (
    ACT,
    BY_CLOCK,
    DAMAGED,
    DELETING,
    MOMENT,
    REPLACED,
    Backup,
    backup_files,
    backup_folder,
    checksum,
    checksum_in_name,
    database_file,
    findings_file,
    moment_of,
    newest_first,
    surplus,
)
from tournament.services.accounts import KeptAdmission, admission, keep_admission
from tournament.services.laptops import begin_epoch, forget_other, look_at_mark
from tournament.site.data_folder import COMMAND
from tournament.site.database import at_file, copy_database, copy_in_pieces, into_one_file, opened, why_refused

DIFFERS = "What was written to {} reads differently"
# A backup that is still being written. A crash, or a disk that was pulled out, leaves it behind.
UNFINISHED, UNFINISHED_SECONDS = ".unfinished", 3600
NO_BACKUP = "{} is not a backup of Uptown, or it is damaged: {}."
CHANGED = "{} was changed since it was made: its content no longer matches the checksum in its name. Take another one."
POSTGRESQL = (
    "This site keeps its data in PostgreSQL: back it up with pg_dump. To go back, stop the site, run pg_restore, then "
    f"`{COMMAND} restore --already-restored`, and start the site."
)


def make_backup(kind: str = BY_CLOCK) -> Path:
    """Copy the database as it is at this moment, check the copy, and only then give it its name. Raises Unavailable.

    The name ends with the checksum. Backups by the clock are thinned out by age; all others are kept.
    """
    with _unfinished(_folder_for_backups()) as copy:
        try:
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(copy)])
        except OperationalError as fault:
            raise Unavailable(f"The backup could not be written: {fault}.") from fault
        _sync(copy)
        check_backup(copy)
        path = _named(copy, kind)
    _sync(path.parent)
    thin_out(path.parent)
    return path


def copy_after_acts() -> Path:
    """Make a backup that delays hands at the tables as little as possible. Only the newest few of this kind stay.

    The database is copied page by page, and the slowest checks are skipped. Nothing is forced to the disk, because that
    would delay hands that are being written. A copy that a crash leaves half written no longer matches its name. Raises
    OSError or sqlite3.Error.
    """
    with _unfinished(_folder_for_backups()) as copy:
        copy_in_pieces(_must_be_a_file(), copy)
        into_one_file(copy)
        check_backup(copy, "quick_check")
        path = _named(copy, ACT)
    thin_out(path.parent)
    return path


def _folder_for_backups() -> Path:
    if not _must_be_a_file().exists():
        raise ValidationFailed(f"There is nothing to back up yet: {settings.DATA} holds no database.")
    backup_folder().mkdir(parents=True, exist_ok=True)
    return backup_folder()


def _named(copy: Path, kind: str) -> Path:
    return copy.replace(backup_folder() / _new_name(kind, f"-{checksum(copy)}"))


def backup_before_deletion(event: Event, export: Callable[[Event], Any]) -> Path:
    """Make a backup before an event is deleted: of the database if it is a file, otherwise the event's file."""
    if database_file() is not None:
        return make_backup(DELETING)
    backup_folder().mkdir(parents=True, exist_ok=True)
    path = backup_folder() / f"{DELETING}-{event.slug}-{timezone.now():{MOMENT}}.json"
    path.write_text(json.dumps(export(event)), encoding="utf-8")
    _sync(path)
    return path


def may_copy_to(folder: Path) -> bool:
    """Return whether copies of this laptop still belong there.

    They do not once another laptop has taken these events over.

    This laptop then accepts nothing more until its director says which of the two goes on.
    """
    return look_at_mark(folder)


def thin_out(folder: Path) -> None:
    """Delete expired backups and unfinished ones. Files with any other name are left alone."""
    now = timezone.now()
    for old in surplus(backup_files(folder), now):
        # Windows does not delete a file while it is being copied to another disk. It is deleted the next time.
        with suppress(PermissionError):
            old.path.unlink(missing_ok=True)
            findings_file(old.path).unlink(missing_ok=True)
    for path in folder.glob(f"*{UNFINISHED}"):
        with suppress(FileNotFoundError, PermissionError):
            if now.timestamp() - path.stat().st_mtime > UNFINISHED_SECONDS:
                path.unlink()


def copy_once(backup: Backup, folder: Path) -> None:
    """Copy a backup, and give the copy its name only after reading it back."""
    path, target = backup.path, folder / backup.path.name
    if target.exists():
        return
    with _unfinished(folder) as copy:
        try:
            shutil.copyfile(path, copy)
        except FileNotFoundError:
            if path.exists():
                raise
            # It has been thinned out since.
            return
        _sync(copy)
        if checksum(copy) != (checksum_in_name(path) or checksum(path)):
            raise OSError(DIFFERS.format(folder))
        copy.replace(target)
        # Its age is the age of its data.
        made = path.stat().st_mtime if path.exists() else backup.made.timestamp()
        with suppress(OSError):
            os.utime(target, (made, made))
    _sync(folder)


def judge_backup(path: Path, found: Sequence[str]) -> None:
    """Store next to a backup what a check found wrong with it: from then on it does not count as a good one."""
    if found:
        findings_file(path).write_text("\n".join(found), encoding="utf-8")


def pack_up(made: Path, folder: Path) -> Path:
    """Put a backup into a folder with the key and certificates that another laptop needs. Returns the copy."""
    pack_key(folder)
    return Path(shutil.copy(made, folder))


def pack_key(folder: Path) -> None:
    """Put this site's key and certificates into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    _take(Path(settings.DATA), folder)


def unpack(folder: Path) -> bool:
    """Replace the key and certificates here with packed ones. Returns whether there was a key."""
    _take(folder, Path(settings.DATA))
    return (folder / "secret-key").is_file()


def packed(folder: Path) -> Path:
    """Return the database in a packed folder or in another installation's data folder.

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
            # A USB stick has no file modes.
            with suppress(OSError):
                copy.chmod(0o600)


def check_backup(path: Path, check: str = "integrity_check") -> None:
    """Open a backup and read all of it, as thoroughly as SQLite's `check` does.

    Raises ValidationFailed if it is incomplete, not ours, or not as it was written.
    """
    check_checksum(path)
    try:
        with opened(path) as backup:
            found = backup.execute(f"PRAGMA {check}").fetchone()[0]
            backup.execute("SELECT count(*) FROM tournament_event").fetchone()
    except sqlite3.Error as fault:
        raise ValidationFailed(NO_BACKUP.format(path, fault)) from fault
    if found != "ok":
        raise ValidationFailed(f"{path} is damaged: {found}.")


def check_checksum(path: Path) -> None:
    """Raise ValidationFailed if a file does not match its name."""
    if (told := checksum_in_name(path)) and told != checksum(path):
        raise ValidationFailed(CHANGED.format(path))


class Restored(NamedTuple):
    """How many events there are, which access is still valid (None: not known), and where the old database is."""

    events: int
    kept: KeptAdmission | None
    aside: Path | None


def restore_backup(path: Path, after: Iterable[UUID] = ()) -> Restored:
    """Replace the database with a backup and set the old one aside. The new epoch is later than the epochs `after`.

    Every sign-in ends, and access that was revoked since the backup stays revoked. The site must not be running. A
    crash leaves either the old database or the new one, because one whole file replaces the other.
    """
    live = _must_be_a_file()
    if not path.is_file():
        raise ValidationFailed(f"There is no file {path}.")
    if live.exists() and path.samefile(live):
        raise ValidationFailed(f"{path} is the database that this site uses: there is nothing to restore.")
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
    """The epoch of the current database: the one that replaces it gets a later epoch."""
    with suppress(DatabaseError):
        return list(Installation.objects.values_list("epoch", flat=True))
    return []


def _must_be_a_file() -> Path:
    live = database_file()
    if live is None:
        raise ValidationFailed(POSTGRESQL)
    return live


def _set_aside(live: Path) -> Path:
    """Back up the current database, or rename its file if it is damaged. Raises Unavailable."""
    try:
        aside = make_backup(REPLACED)
        connection.close()
        into_one_file(live)
    except sqlite3.OperationalError as fault:
        raise Unavailable(f"Another program is using the database: {fault}. Nothing was changed.") from fault
    except (ValidationFailed, DatabaseError, sqlite3.DatabaseError):
        connection.close()
        aside = live.with_name(_new_name(DAMAGED))
        shutil.copyfile(live, aside)
        _sync(aside)
    return aside


def _remove_logs(path: Path) -> None:
    """Remove the files that SQLite leaves next to a database: they would be read into the one that replaces it."""
    for ending in ("-journal", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def _new_name(kind: str, ending: str = "") -> str:
    return f"{kind}-{timezone.now():{MOMENT}}{ending}.sqlite3"


@contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """An empty file that only we may read. It is deleted at the end unless it was renamed."""
    descriptor, name = tempfile.mkstemp(suffix=UNFINISHED, dir=folder)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
        _remove_logs(Path(name))


def _sync(path: Path) -> None:
    """Force it to the disk. Not every system can force a folder."""
    if path.is_dir() and os.name == "nt":
        return
    opened = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
