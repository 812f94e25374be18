"""The backups of this installation: where they are, which ones stay, how old the newest is, what has changed since."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.models import Count, Max, Sum
from django.utils import timezone

from tournament.models import Event, Journal, Round, SiteAct
from tournament.site.data_folder import COMMAND

# Backups made by the clock are thinned out. All others, except those before a deletion, stay until somebody deletes
# them.
BY_CLOCK = "uptown"
ROUND, BY_HAND, REPLACED, DAMAGED = "round", "by-hand", "replaced", "damaged-uptown"
# Made before an event is deleted. It is deleted with the last backup by the clock that holds the event.
DELETING = "before-deletion"
# Made after an act that no tablet would send again. The newest few stay.
ACT, ACTS_KEPT = "act", 3
# How many are kept up to which age: all of them, then the last one of every hour, of every day; older ones are deleted.
KEPT = (
    (timedelta(hours=4), timedelta(0)),
    (timedelta(days=2), timedelta(hours=1)),
    (timedelta(days=31), timedelta(days=1)),
)
AMBER, RED = timedelta(minutes=15), timedelta(minutes=30)
MOMENT = "%Y%m%d-%H%M%S-%f"
CHECKSUM_SIGNS = 16
NAMED = re.compile(rf"(.+)-(\d{{8}}-\d{{6}}-\d{{6}})(?:-([0-9a-f]{{{CHECKSUM_SIGNS}}}))?\.sqlite3")
GONE = "{} is not there: plug the disk in"
SAME_DISK = "{0} would be on the disk that holds the data. If you want it there, type: mkdir {1}"
ON_SAME_DISK = "on the same disk as the data"
TAKEN_OVER = "another laptop took over"
NO_KEY = "no key yet. Pack up once onto this disk: {} backup --to {}"
NO_SECOND_DISK = "none. Plug one in, stop Uptown and type: {}"
WRITING = "still writing, since {} min"
FOUND = "The newest backup is not as the program wrote it: {}{}"


class Backup(NamedTuple):
    """A finished backup as its name describes it: its kind, when it was made, and how its SHA-256 begins."""

    path: Path
    kind: str
    made: datetime
    checksum: str


class Changes(NamedTuple):
    """Numbers of which at least one changes whenever anything is written; `closed` counts the closed rounds."""

    events: int
    versions: int
    journal: int
    closed: int
    site: int


@dataclass(frozen=True, slots=True)
class BackupAge:
    """When a backup last held everything (None: there is no backup), and how worrying that is.

    `elsewhere` means that the database's own programs make the backups; `trouble` is why there is no newer one. For a
    second disk, `name` is its folder if there are several, and `note` says what else is missing.
    """

    at: datetime | None
    tone: str
    elsewhere: bool = False
    trouble: str = ""
    name: str = ""
    note: str = ""

    @property
    def why(self) -> str:
        """The line next to the age; it names the folder once."""
        said = [part for part in (self.trouble, self.note) if part]
        is_named = any(self.name in part for part in said)
        return "; ".join(said if is_named or not self.name else [self.name, *said])


@dataclass
class FolderState:
    """What the copying thread last saw of its folder.

    No page looks there itself, because a disk that does not answer would delay it. `at` is when the newest copy held
    everything, `trouble` why there is no newer one, `note` what is slow, `since` when the work in progress began;
    `same_disk` is unknown until the folder has been there.
    """

    at: datetime | None = None
    trouble: str = ""
    note: str = ""
    same_disk: bool | None = None
    has_key: bool = True
    since: datetime | None = None


# By folder, including the data folder's own backups: only that one has a `note` that copies after acts are skipped.
STATES: dict[Path, FolderState] = {}


def database_file() -> Path | None:
    """The file of the database; None if it is a server or lives in memory."""
    database = connections[DEFAULT_DB_ALIAS]
    if not isinstance(database, DatabaseWrapper) or database.is_in_memory_db():
        return None
    return Path(database.settings_dict["NAME"])


def backup_folder() -> Path:
    return Path(settings.DATA) / "backups"


def second_folders() -> list[Path]:
    """The folders on other disks into which every backup is copied, too."""
    return [Path(name).absolute() for name in settings.BACKUPS.split(os.pathsep) if name.strip()]


def is_on_data_disk(folder: Path) -> bool:
    """Whether a folder is on the same disk as the data. On Windows the number is that of the drive."""
    return folder.stat().st_dev == Path(settings.DATA).stat().st_dev


def backup_of(path: Path) -> Backup | None:
    """What a file's name says, if it is the name of a backup."""
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
    """What a file's name says about its content; empty if it says nothing."""
    backup = backup_of(path)
    return backup.checksum if backup else ""


def backup_files(folder: Path | None = None) -> list[Backup]:
    """Every finished backup in a folder, oldest first."""
    backups = (backup_of(path) for path in (folder or backup_folder()).glob("*.sqlite3"))
    return sorted((backup for backup in backups if backup), key=lambda backup: (backup.made, backup.path.name))


def newest_backup(folder: Path | None = None) -> Backup | None:
    """The newest good one with the data that the site then went on with."""
    return next((backup for backup in newest_first(folder) if not findings_file(backup.path).exists()), None)


def newest_verified(folder: Path | None = None) -> Backup | None:
    """The same among those that are checked: copies after acts are not."""
    verified = (backup for backup in newest_first(folder) if backup.kind != ACT)
    return next((backup for backup in verified if not findings_file(backup.path).exists()), None)


def newest_first(folder: Path | None = None) -> Iterator[Backup]:
    """Backups that a restore set aside are not included: the site did not go on with them."""
    return (backup for backup in reversed(backup_files(folder)) if backup.kind not in (REPLACED, DAMAGED))


def findings_file(path: Path) -> Path:
    """The file with the result of a check of this backup; a good backup has none."""
    return path.with_name(f"{path.name}.findings.txt")


def checksum(path: Path) -> str:
    """How the SHA-256 of a file begins."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:CHECKSUM_SIGNS]


def surplus(backups: Iterable[Backup], now: datetime) -> list[Backup]:
    """The backups that can be deleted because of their age; the newest one by the clock always stays.

    Of those after acts the newest few stay, whatever their age.
    """
    backups, places = list(backups), set()
    going = [backup for backup in backups if backup.kind == DELETING and now - backup.made > KEPT[-1][0]]
    after_acts = [backup for backup in backups if backup.kind == ACT]
    going += sorted(after_acts, key=lambda backup: backup.made)[:-ACTS_KEPT]
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
    """How long ago a backup held everything; None if everything is kept in memory."""
    if connections[DEFAULT_DB_ALIAS].vendor != "sqlite":
        return BackupAge(None, "", elsewhere=True)
    if database_file() is None:
        return None
    newest = newest_backup()
    at = datetime.fromtimestamp(newest.path.stat().st_mtime, UTC) if newest else None
    note = STATES[backup_folder()].note if backup_folder() in STATES else ""
    return _age(at, now or timezone.now(), _findings(), note)


def _findings() -> str:
    """The result of the check of the newest backup among those that are checked."""
    newest = next((backup for backup in newest_first() if backup.kind != ACT), None)
    if newest is None or not findings_file(newest.path).exists():
        return ""
    lines = findings_file(newest.path).read_text(encoding="utf-8").splitlines()
    return FOUND.format(lines[0], f" and {len(lines) - 1} more" if len(lines) > 1 else "")


def second_ages() -> list[BackupAge]:
    """The same for each folder on a second disk; if none was named, an entry that says so.

    There is nothing to say for PostgreSQL, for a database in memory, and in a demo.
    """
    if database_file() is None or settings.DEMO:
        return []
    folders, now = second_folders(), timezone.now()
    return [_second_age(folder, len(folders) > 1, now) for folder in folders] or [BackupAge(None, "", note=no_disk())]


def _second_age(folder: Path, is_named: bool, now: datetime) -> BackupAge:
    state = STATES.get(folder, FolderState())
    notes = [NO_KEY.format(COMMAND, folder)] if state.at and not state.has_key else []
    notes += [ON_SAME_DISK] if state.same_disk else []
    notes += [state.note] if state.note else []
    minutes = (now - state.since) // timedelta(minutes=1) if state.since else 0
    notes += [WRITING.format(minutes)] if minutes else []
    age = _age(state.at, now, state.trouble, "; ".join(notes))
    return replace(age, name=str(folder) if is_named else "")


def no_disk() -> str:
    """The text if no second disk was named, with the command to type."""
    windows = f"setx UPTOWN_BACKUPS E:\\copies, then in a new window {COMMAND} shortcut"
    return NO_SECOND_DISK.format(
        windows if os.name == "nt" else f"UPTOWN_BACKUPS=/media/DISK/copies {COMMAND} shortcut"
    )


def _age(at: datetime | None, now: datetime, trouble: str, note: str) -> BackupAge:
    if at is None:
        return BackupAge(None, "heart", trouble=trouble, note=note)
    tone = "heart" if now - at >= RED or trouble else "gold" if now - at >= AMBER or note else ""
    return BackupAge(at, tone, trouble=trouble, note=note)


def changes() -> Changes:
    """What the database has now, in five numbers: four queries."""
    events = Event.objects.aggregate(count=Count("pk"), versions=Sum("version"))
    journal = Journal.objects.aggregate(last=Max("pk"))["last"]
    closed = Round.objects.filter(state="closed").count()
    site = SiteAct.objects.aggregate(last=Max("pk"))["last"]
    return Changes(events["count"], events["versions"] or 0, journal or 0, closed, site or 0)
