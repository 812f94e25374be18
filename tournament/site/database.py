"""Database settings that keep every acknowledged hand: from an address, or SQLite in the data folder."""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, DatabaseError, OperationalError, connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.utils import load_backend

from tournament import PROGRAM

# From this version on the write-ahead log survives the reset fault that could lose committed pages.
SAFE_WAL = (3, 51, 3)
CLOSED = "The PostgreSQL database that DATABASE_URL names cannot be opened."
INSTALL = (
    "What Python needs for that is missing. Install it: .venv/bin/python -m pip install -r tests/postgresql.txt. "
    "Where Uptown is installed from its wheel, install the wheel again with [postgresql] behind its name."
)
NEWER = (
    f"The database was written by a newer version than this one, {PROGRAM}. Nothing was changed. Install the newer "
    "version again, or go back to a backup from before it with “restore”."
)
OLDER = (
    f"The database was written by an older version than this one, {PROGRAM}. Start the site once with “serve”: that "
    "makes a backup and brings it up to date."
)
# What imports an event file that this version can no longer read.
OPEN_WITH_1_0 = (
    "Open it with Uptown 1.0 in an empty data folder, then start this version on that folder (INSTALL.md, “An event "
    "file of Uptown 1.0”)."
)
TOO_OLD = (
    f"The database is older than {PROGRAM} can read. Nothing was changed. Save each event as an event file with the "
    f"version that wrote it. {OPEN_WITH_1_0}"
)
UNREADABLE = "The database cannot be read: {}. Go back to a backup with “restore”."
BUSY = "The database is busy. Nothing was stored; please try again in a moment."
FULL = "The disk of the computer that runs this site is full. Nothing was stored: make room there, then try again."
# A copy is made in pieces of this many pages, waits this many seconds if somebody writes, and restarts this often.
PIECE, PIECE_SECONDS, RESTARTS = 1000, 0.005, 8
# The least time in milliseconds for which a writer waits for another one.
LEAST_WAIT = 10_000


def required_pragmas() -> dict[str, object]:
    """What SQLite is told on every connection, and must confirm. `synchronous` 2 is FULL."""
    return {
        "journal_mode": "wal" if sqlite3.sqlite_version_info >= SAFE_WAL else "truncate",
        "synchronous": 2,
        "foreign_keys": 1,
        "recursive_triggers": 1,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "journal_size_limit": 16777216,
    }


def weak_settings(vendor: str, ask: Callable[[str], object], options: Mapping[str, Any]) -> list[str]:
    """The settings that a database ignored: those under which an acknowledged hand could be lost.

    `ask` returns the first value of a query, `options` are the database's settings.
    """
    if vendor == "sqlite":
        required = {f"PRAGMA {name}": value for name, value in required_pragmas().items()}
        wrong = [] if options.get("transaction_mode") == "IMMEDIATE" else ["transaction_mode is not IMMEDIATE"]
        waits = int(str(ask("PRAGMA busy_timeout")))
        wrong += [] if waits >= LEAST_WAIT else [f"PRAGMA busy_timeout is {waits}, must be {LEAST_WAIT} or more"]
    else:
        required = {"SHOW fsync": "on", "SHOW full_page_writes": "on"}
        wrong = ["synchronous_commit is off"] if ask("SHOW synchronous_commit") == "off" else []
    effective = {question: ask(question) for question in required}
    return wrong + [
        f"{name} is {effective[name]}, must be {value}" for name, value in required.items() if effective[name] != value
    ]


def sqlite_settings(path: Path) -> dict[str, Any]:
    """SQLite with full synchronization; writers queue at BEGIN instead of failing with “database is locked”."""
    pragmas = "".join(f"PRAGMA {name}={value};" for name, value in required_pragmas().items())
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # Each of the server's threads keeps its connection: reopening it cost more than most answers.
        "CONN_MAX_AGE": 600,
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": pragmas},
        "TEST": {"NAME": None},
    }


def database_settings(address: str, data: Path) -> dict[str, Any]:
    """Read `postgres://user:password@host:port/name` or `sqlite:///path`; no address means SQLite in `data`.

    Several PostgreSQL servers are separated by commas: `…@first:5432,second:5432/name`. The writable one is used, so
    the site follows by itself when a standby takes over.
    """
    if not address:
        return sqlite_settings(data / "uptown.sqlite3")
    parts = urlsplit(address)
    if parts.scheme == "sqlite":
        return sqlite_settings(Path(unquote(parts.path).removeprefix("/")))
    if parts.scheme not in ("postgres", "postgresql"):
        raise ValueError(f"“{parts.scheme}” is not a database that this site can use: postgres or sqlite.")
    servers = [urlsplit(f"//{server}") for server in parts.netloc.rpartition("@")[2].split(",")]
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": ",".join(server.hostname or "" for server in servers),
        "PORT": ",".join(str(server.port or "") for server in servers),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "options": "-c lock_timeout=5000 -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000",
            **({"target_session_attrs": "read-write", "connect_timeout": 3} if len(servers) > 1 else {}),
        },
    }


def why_refused() -> str:
    """Why this version does not touch the database, or empty: a newer one wrote it, or one that is too old."""
    loader = MigrationLoader(connection)
    applied, on_disk = loader.applied_migrations.keys(), loader.disk_migrations
    replaced = {name for migration in on_disk.values() for name in migration.replaces}
    # Migrations of a package that is no longer used say nothing about the version.
    if any(app == "tournament" for app, _ in applied - on_disk.keys() - replaced):
        return NEWER
    # Some of the squashed migrations are missing: Django would create the tables a second time.
    return (
        TOO_OLD
        if any(applied & set(migration.replaces) and name not in applied for name, migration in on_disk.items())
        else ""
    )


def is_older() -> bool:
    """Whether an older version of the program wrote the database."""
    loader = MigrationLoader(connection)
    return bool(loader.disk_migrations.keys() - loader.applied_migrations.keys())


def why_other() -> str:
    """Why this version cannot read the database as it is, or empty: another version wrote it."""
    return why_refused() or (OLDER if is_older() else "")


def why_closed(fault: Exception) -> str:
    """Why the database cannot be used, for the person who typed the command; empty if that is not the reason."""
    if isinstance(fault.__context__, ImportError) and isinstance(fault, ImproperlyConfigured):
        return f"{CLOSED} {INSTALL}"
    if isinstance(fault, OperationalError) and connection.vendor == "postgresql":
        return f"{CLOSED} {' '.join(str(fault).split())}"
    if isinstance(fault, DatabaseError) and connection.vendor == "sqlite":
        return _why_sqlite(fault)
    return ""


def _why_sqlite(fault: DatabaseError) -> str:
    if why_not_written(fault) == FULL:
        return FULL
    try:
        return why_other()
    except DatabaseError:
        return UNREADABLE.format(fault)


def why_not_written(fault: Exception) -> str:
    """Why the database could not write. SQLite and PostgreSQL have their own words for a full disk."""
    return FULL if any(words in str(fault).casefold() for words in ("full", "no space left")) else BUSY


@contextmanager
def at_file(path: Path, *, writable: bool = False) -> Iterator[None]:
    """Let this thread work on another SQLite file in place of the site's own; by default it only reads."""
    own = connections[DEFAULT_DB_ALIAS]
    read_only = {"NAME": _read_only(path), "OPTIONS": {"timeout": 20}}
    other = {**own.settings_dict, **({"NAME": path} if writable else read_only)}
    connections[DEFAULT_DB_ALIAS] = type(own)(other, DEFAULT_DB_ALIAS)
    try:
        yield
    finally:
        connection.close()
        connections[DEFAULT_DB_ALIAS] = own


@contextmanager
def scratch_database() -> Iterator[None]:
    """Let this thread work on an empty SQLite database in memory in place of the site's own, whatever that is."""
    own = connections[DEFAULT_DB_ALIAS]
    engine = "django.db.backends.sqlite3"
    settings = {**own.settings_dict, "ENGINE": engine, "NAME": ":memory:", "OPTIONS": {}}
    scratch = load_backend(engine).DatabaseWrapper(settings, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = scratch
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = own
        # Django keeps a database in memory when it closes a connection: with its last connection it is gone.
        if scratch.connection is not None:
            scratch.connection.close()


def opened(path: Path) -> closing[sqlite3.Connection]:
    """A SQLite file that is only read, bypassing Django."""
    return closing(sqlite3.connect(_read_only(path), uri=True))


def copy_database(path: Path, to: Path) -> None:
    """Copy a SQLite file with SQLite itself: after a crash the last hands are in a log next to the file."""
    with opened(path) as source, closing(sqlite3.connect(to, timeout=20)) as target:
        source.backup(target)


def copy_in_pieces(path: Path, to: Path) -> None:
    """Do the same while others write; they wait for one piece at most: a few milliseconds.

    SQLite restarts the copy if somebody writes. After some restarts everything is copied at once: then they wait.
    """
    lefts: list[int] = []

    def note(_status: int, left: int, _total: int) -> None:
        if lefts and left > lefts[-1]:
            lefts.clear()
            restarts.append(left)
        lefts.append(left)
        if len(restarts) > RESTARTS:
            raise _BegunTooOften

    restarts: list[int] = []
    with opened(path) as source, closing(sqlite3.connect(to)) as target:
        # The copy is checked before it counts.
        target.execute("PRAGMA synchronous=OFF")
        try:
            source.backup(target, pages=PIECE, progress=note, sleep=PIECE_SECONDS)
        except _BegunTooOften:
            source.backup(target)


class _BegunTooOften(Exception):
    """Others write too often for all pieces to be copied in between."""


def into_one_file(path: Path) -> None:
    """Bring the log next to a SQLite file into the file itself, so that the file alone is the database.

    Raises sqlite3.OperationalError if another program has it open.
    """
    with closing(sqlite3.connect(path)) as database:
        if database.execute("PRAGMA journal_mode=delete").fetchone()[0] != "delete":
            raise sqlite3.OperationalError("the log beside it is in use")


def _read_only(path: Path) -> str:
    return f"{path.resolve().as_uri()}?mode=ro"


class Queue:
    """First come, first served.

    SQLite lets waiting writers sleep and try again, so that unlucky ones wait for seconds while others overtake them;
    here they queue. Correctness depends on the transaction, not on this.
    """

    def __init__(self) -> None:
        self._door = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._busy = False

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for one's turn."""
        self._wait()
        try:
            yield
        finally:
            self._next()

    def _wait(self) -> None:
        with self._door:
            if not self._busy:
                self._busy = True
                return
            mine = threading.Lock()
            mine.acquire()
            self._waiting.append(mine)
        mine.acquire()

    def _next(self) -> None:
        with self._door:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._busy = False
