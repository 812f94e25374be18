"""What is on a stick or in a shared folder: copies of which club, how recent each one is, and the key with them.

How recent a copy is comes from its rows, never from the time in its name: a clock may have been wrong.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.utils.crypto import salted_hmac

from tournament.queries.backups import DAMAGED, REPLACED, backup_of, database_file, findings_file, moment_of
from tournament.queries.laptops import MARK, Mark, mark_in
from tournament.site.database import opened
from tournament.site.epochs import moment_of as epoch_moment

# A stick has its folders in the root, or one or two further down.
DEEP = 2
LIVE, KEY = "uptown.sqlite3", "secret-key"
NO_FOLDER = "{} is not there. Plug the stick in, or check how its folder is called, and type the line again."
CLOSED = "{} cannot be read: {}."
NOT_GOOD = "a look at it found something wrong"
NOT_OURS = "it is not a database of Uptown, or it is damaged"
# A clock that is off by less is not worth a message.
CLOCKS_DIFFER = timedelta(minutes=2)
# All rows that were ever created, and every event's count: between restores and upgrades both only rise.
ROWS = "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence"
MIGRATIONS = "SELECT count(*) FROM django_migrations"
EVENTS = "SELECT name, version FROM tournament_event ORDER BY date DESC, id DESC"


class Progress(NamedTuple):
    """How recent a database is: after which restore and upgrade, how many rows it ever had, how often it changed."""

    epoch: int
    migrations: int
    rows: int
    versions: int


class Copy(NamedTuple):
    """A database according to its own rows. `address` is where its laptop served the hall, if known."""

    path: Path
    made: datetime
    installation: str
    progress: Progress
    events: tuple[str, ...]
    address: str
    epoch: UUID | None


class Skipped(NamedTuple):
    path: Path
    why: str


class Club(NamedTuple):
    """All copies of one installation, the most recent one first."""

    copies: tuple[Copy, ...]

    @property
    def newest(self) -> Copy:
        return self.copies[0]


class Found(NamedTuple):
    clubs: tuple[Club, ...]
    skipped: tuple[Skipped, ...]


def folders_within(folder: Path) -> Iterator[Path]:
    """A folder and those in it, as far down as copies may be. Raises OSError if the folder itself cannot be read."""
    yield folder
    below = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for _ in range(DEEP):
        here = [path for path in below if path.is_dir()]
        yield from here
        below = []
        for path in here:
            # Folders that the system keeps on a stick for itself may be unreadable.
            with suppress(OSError):
                below += sorted(path.iterdir())


def copies_in(folders: Iterable[Path]) -> Found:
    """Every copy in these folders, club by club in a fixed order. Raises OSError."""
    copies, skipped, own = list[Copy](), list[Skipped](), database_file()
    for path in _files(folders):
        if own is not None and own.exists() and path.samefile(own):
            continue
        if findings_file(path).exists():
            skipped.append(Skipped(path, NOT_GOOD))
            continue
        copy = read_copy(path)
        if copy is None:
            skipped.append(Skipped(path, NOT_OURS))
        else:
            copies.append(copy)
    names = sorted({copy.installation for copy in copies})
    furthest = sorted(copies, key=lambda copy: (copy.progress, copy.made), reverse=True)
    clubs = (Club(tuple(copy for copy in furthest if copy.installation == name)) for name in names)
    return Found(tuple(clubs), tuple(skipped))


def _files(folders: Iterable[Path]) -> list[Path]:
    """Possible copies: backups except those that a restore set aside, and the database of a data folder."""
    found = dict[Path, None]()
    for folder in folders:
        for place in folders_within(folder):
            for path in sorted(place.glob("*.sqlite3")):
                backup = backup_of(path)
                if path.name == LIVE or (backup is not None and backup.kind not in (REPLACED, DAMAGED)):
                    found[path.resolve()] = None
    return list(found)


def read_copy(path: Path) -> Copy | None:
    """What a database says about itself; None if it is not one of ours, or cannot be read."""
    try:
        with opened(path) as database:
            installation, address, epoch = _installation(database)
            events = database.execute(EVENTS).fetchall()
            rows = database.execute(ROWS).fetchone()[0]
            migrations = database.execute(MIGRATIONS).fetchone()[0]
    except (sqlite3.Error, OSError, ValueError):
        return None
    progress = Progress(epoch_moment(epoch), migrations, rows, sum(version for _, version in events))
    return Copy(path, moment_of(path), installation, progress, tuple(name for name, _ in events), address, epoch)


def _installation(database: sqlite3.Connection) -> tuple[str, str, UUID | None]:
    """Name, address and epoch; an earlier version kept the name alone, or nothing before its first start."""
    database.row_factory = sqlite3.Row
    row = database.execute("SELECT * FROM tournament_installation ORDER BY id").fetchone()
    database.row_factory = None
    said: dict[str, Any] = dict(row) if row is not None else {}
    epoch = said.get("epoch")
    return str(said.get("name", "")), str(said.get("address", "")), UUID(epoch) if epoch else None


def wrong_clock(copies: Sequence[Copy], now: datetime) -> bool:
    """Whether a clock was wrong: a copy from the future, or one that is more recent but older by its name."""
    if copies[0].made > now + CLOCKS_DIFFER:
        return True
    return any(later.made < earlier.made - CLOCKS_DIFFER for later, earlier in pairwise(copies))


def key_folder(folders: Iterable[Path], club: Club, clubs: int) -> Path | None:
    """The folder with the key of an installation, and perhaps its certificates; None if none is known to be its.

    An installation has its name from its key. One that was restored without its key has another key: then the only key
    there counts, unless there are copies of a second club.
    """
    places = [place for folder in folders for place in folders_within(folder) if (place / KEY).is_file()]
    for place in places:
        if name_of_key(place / KEY) == club.newest.installation:
            return place
    keys = {(place / KEY).read_bytes() for place in places}
    return places[0] if len(keys) == 1 and clubs == 1 else None


def name_of_key(file: Path) -> str:
    """The name that an installation gets from this key."""
    with suppress(OSError, UnicodeDecodeError):
        key = file.read_text(encoding="ascii")
        return salted_hmac("uptown.installation", "", secret=key).hexdigest()[:16]
    return ""


def marks_in(folders: Iterable[Path], installation: str) -> list[Mark]:
    """The laptops that already went on with this installation, according to these folders."""
    places = [place for folder in folders for place in folders_within(folder) if (place / MARK).is_file()]
    marks = [mark for place in places if (mark := mark_in(place)) is not None]
    return [mark for mark in marks if mark.installation == installation]
