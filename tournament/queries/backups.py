"""The backups of this installation: where they are, how old the newest one is, what has changed since."""

from __future__ import annotations

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

PATTERN = "uptown-*.sqlite3"
AMBER, RED = timedelta(minutes=15), timedelta(minutes=30)


class Changes(NamedTuple):
    """Numbers of which one at least is another after anything was written; `closed` counts the closed rounds."""

    events: int
    versions: int
    journal: int
    closed: int


@dataclass(frozen=True, slots=True)
class BackupAge:
    """When a backup last held everything (None: there is no backup), and how worrying that is.

    `elsewhere` says that the database's own programs make the backups.
    """

    at: datetime | None
    tone: str
    elsewhere: bool = False


def database_file() -> Path | None:
    """The file of the database; None where it is a server or lives in memory."""
    database = connections[DEFAULT_DB_ALIAS]
    if not isinstance(database, DatabaseWrapper) or database.is_in_memory_db():
        return None
    return Path(database.settings_dict["NAME"])


def backup_folder() -> Path:
    return Path(settings.DATA) / "backups"


def backup_files() -> list[Path]:
    """Every finished backup, the oldest first: their names begin with the time."""
    return sorted(backup_folder().glob(PATTERN))


def backup_age(now: datetime | None = None) -> BackupAge | None:
    """How long ago a backup held everything; None where everything is kept in memory."""
    if connections[DEFAULT_DB_ALIAS].vendor != "sqlite":
        return BackupAge(None, "", elsewhere=True)
    if database_file() is None:
        return None
    files = backup_files()
    if not files:
        return BackupAge(None, "heart")
    at = datetime.fromtimestamp(files[-1].stat().st_mtime, UTC)
    age = (now or timezone.now()) - at
    return BackupAge(at, "heart" if age >= RED else "gold" if age >= AMBER else "")


def changes() -> Changes:
    """What the database has now, in four numbers: three queries."""
    events = Event.objects.aggregate(count=Count("pk"), versions=Sum("version"))
    journal = Journal.objects.aggregate(last=Max("pk"))["last"]
    closed = Round.objects.filter(state="closed").count()
    return Changes(events["count"], events["versions"] or 0, journal or 0, closed)
