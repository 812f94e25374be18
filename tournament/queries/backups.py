"""The backups of this installation: where they are, which of them stay, how old the newest is, what changed since."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.models import Count, Max, Sum
from django.utils import timezone

from tournament.models import Event, Journal, Round

# What is made by the clock is thinned out. All others but those before a deletion stay until somebody deletes them.
BY_CLOCK = "uptown"
ROUND, BY_HAND, REPLACED, DAMAGED = "round", "by-hand", "replaced", "damaged-uptown"
# Made before an event is deleted; it goes with the last backup by the clock that holds the event.
DELETING = "before-deletion"
# Up to which age how many are kept: all of them, then the last one of every hour, of every day; older ones go.
KEPT = (
    (timedelta(hours=4), timedelta(0)),
    (timedelta(days=2), timedelta(hours=1)),
    (timedelta(days=31), timedelta(days=1)),
)
AMBER, RED = timedelta(minutes=15), timedelta(minutes=30)
MOMENT = "%Y%m%d-%H%M%S-%f"
CHECKSUM_SIGNS = 16
NAMED = re.compile(rf"(.+)-(\d{{8}}-\d{{6}}-\d{{6}})(?:-([0-9a-f]{{{CHECKSUM_SIGNS}}}))?\.sqlite3")
# Why the last copy to the second disk failed.
FAILED = "second-disk.txt"
GONE = "{} is not there"
TAKEN_OVER = "another laptop took over"
FOUND = "The newest backup is not as the program wrote it: {}{}"


class Backup(NamedTuple):
    """A finished backup as its name tells it: of which kind, when it was made, and how its SHA-256 begins."""

    path: Path
    kind: str
    made: datetime
    checksum: str


class Changes(NamedTuple):
    """Numbers of which one at least is another after anything was written; `closed` counts the closed rounds."""

    events: int
    versions: int
    journal: int
    closed: int


@dataclass(frozen=True, slots=True)
class BackupAge:
    """When a backup last held everything (None: there is no backup), and how worrying that is.

    `elsewhere` says that the database's own programs make the backups, `trouble` why there is no newer one.
    """

    at: datetime | None
    tone: str
    elsewhere: bool = False
    trouble: str = ""


def database_file() -> Path | None:
    """The file of the database; None where it is a server or lives in memory."""
    database = connections[DEFAULT_DB_ALIAS]
    if not isinstance(database, DatabaseWrapper) or database.is_in_memory_db():
        return None
    return Path(database.settings_dict["NAME"])


def backup_folder() -> Path:
    return Path(settings.DATA) / "backups"


def second_folder() -> Path | None:
    """The folder on a second disk into which every backup is copied, too; None where none was named."""
    return Path(settings.BACKUPS) if settings.BACKUPS else None


def backup_of(path: Path) -> Backup | None:
    """What the name of a file tells, where it is that of a backup."""
    named = NAMED.fullmatch(path.name)
    if named is None:
        return None
    with suppress(ValueError):
        return Backup(path, named[1], datetime.strptime(named[2], MOMENT).replace(tzinfo=UTC), named[3] or "")
    return None


def moment_of(path: Path) -> datetime:
    """When a backup was made: by its name, or by the file itself."""
    backup = backup_of(path)
    return backup.made if backup else datetime.fromtimestamp(path.stat().st_mtime, UTC)


def checksum_in_name(path: Path) -> str:
    """What a file's name says of its content; empty where it says nothing."""
    backup = backup_of(path)
    return backup.checksum if backup else ""


def backup_files(folder: Path | None = None) -> list[Backup]:
    """Every finished backup of a folder, the oldest first."""
    backups = (backup_of(path) for path in (folder or backup_folder()).glob("*.sqlite3"))
    return sorted((backup for backup in backups if backup), key=lambda backup: (backup.made, backup.path.name))


def newest_backup(folder: Path | None = None) -> Backup | None:
    """The newest good one that holds what the site then went on with."""
    return next((backup for backup in newest_first(folder) if not findings_file(backup.path).exists()), None)


def newest_first(folder: Path | None = None) -> Iterator[Backup]:
    """What a restore set aside is left out: the site did not go on with it."""
    return (backup for backup in reversed(backup_files(folder)) if backup.kind not in (REPLACED, DAMAGED))


def findings_file(path: Path) -> Path:
    """Where it says what a look at this backup found; there is none beside a good one."""
    return path.with_name(f"{path.name}.findings.txt")


def checksum(path: Path) -> str:
    """How the SHA-256 of a file begins."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:CHECKSUM_SIGNS]


def surplus(backups: Iterable[Backup], now: datetime) -> list[Backup]:
    """The backups that can go by their age; of those by the clock the newest one always stays."""
    backups, places = list(backups), set()
    going = [backup for backup in backups if backup.kind == DELETING and now - backup.made > KEPT[-1][0]]
    for backup in sorted(
        (backup for backup in backups if backup.kind == BY_CLOCK), key=lambda backup: backup.made, reverse=True
    )[1:]:
        step = next((step for age, step in KEPT if now - backup.made <= age), None)
        slot = (step, (backup.made - datetime(1970, 1, 1, tzinfo=UTC)) // step) if step else None
        if step is None or slot in places:
            going.append(backup)
        places.add(slot if slot else (backup.path,))
    return going


def backup_age(now: datetime | None = None) -> BackupAge | None:
    """How long ago a backup held everything; None where everything is kept in memory."""
    if connections[DEFAULT_DB_ALIAS].vendor != "sqlite":
        return BackupAge(None, "", elsewhere=True)
    if database_file() is None:
        return None
    return _age(backup_folder(), now or timezone.now(), _findings())


def _findings() -> str:
    """What a look at the newest backup of all found."""
    newest = next(newest_first(), None)
    if newest is None or not findings_file(newest.path).exists():
        return ""
    lines = findings_file(newest.path).read_text(encoding="utf-8").splitlines()
    return FOUND.format(lines[0], f" and {len(lines) - 1} more" if len(lines) > 1 else "")


def second_age() -> BackupAge | None:
    """The same of the second disk; None where none was named."""
    folder = second_folder()
    if folder is None or database_file() is None:
        return None
    if not folder.is_dir():
        return BackupAge(None, "heart", trouble=GONE.format(folder))
    failed = backup_folder() / FAILED
    return _age(folder, timezone.now(), failed.read_text(encoding="utf-8") if failed.exists() else "")


def _age(folder: Path, now: datetime, trouble: str = "") -> BackupAge:
    newest = newest_backup(folder)
    if newest is None:
        return BackupAge(None, "heart", trouble=trouble)
    at = datetime.fromtimestamp(newest.path.stat().st_mtime, UTC)
    tone = "heart" if now - at >= RED or trouble else "gold" if now - at >= AMBER else ""
    return BackupAge(at, tone, trouble=trouble)


def changes() -> Changes:
    """What the database has now, in four numbers: three queries."""
    events = Event.objects.aggregate(count=Count("pk"), versions=Sum("version"))
    journal = Journal.objects.aggregate(last=Max("pk"))["last"]
    closed = Round.objects.filter(state="closed").count()
    return Changes(events["count"], events["versions"] or 0, journal or 0, closed)
