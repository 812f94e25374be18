"""The tables of SQLite's test database, made by the migrations once and copied from then on.

Applying every migration takes longer than most files of tests. What they made is kept in `build/` under a name that
changes with any of them; Django then finds nothing left to apply. On PostgreSQL, and in every data folder that a test
starts from nothing, the migrations run each time.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import django
import pytest
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.backends.sqlite3.creation import DatabaseCreation
from django.db.migrations.loader import MigrationLoader

ROOT = Path(__file__).parents[1]


def kept_tables() -> Path:
    """Where the tables are kept that these migrations make."""
    known = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    for name in sorted(map(str, MigrationLoader(None).disk_migrations)):
        known.update(name.encode())
    for file in sorted((ROOT / "tournament" / "migrations").glob("*.py")):
        known.update(file.read_bytes())
    return ROOT / "build" / f"tables-{known.hexdigest()[:16]}.sqlite3"


@contextmanager
def migrated_once() -> Iterator[None]:
    """While it lasts, a test database in memory begins with the tables that are kept, or keeps its own."""
    untyped: Any = DatabaseCreation  # one of the two is not in its published types
    begin, finish = untyped._create_test_db, untyped.create_test_db

    def begun(creation: Any, *args: Any, **kwargs: Any) -> str:
        name = begin(creation, *args, **kwargs)
        if (file := kept_tables()).exists():
            creation.connection.settings_dict["NAME"] = name
            creation.connection.ensure_connection()
            with closing(sqlite3.connect(file)) as kept:
                kept.backup(creation.connection.connection)
        return name

    def finished(creation: Any, *args: Any, **kwargs: Any) -> str:
        name = finish(creation, *args, **kwargs)
        if not kept_tables().exists():
            keep(creation.connection)
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseCreation, "_create_test_db", begun)
        patch.setattr(DatabaseCreation, "create_test_db", finished)
        yield


def keep(connection: DatabaseWrapper) -> None:
    """Keep these tables instead of older ones; two processes at once may each do it."""
    file = kept_tables()
    file.parent.mkdir(exist_ok=True)
    for old in set(file.parent.glob("tables-*.sqlite3")) - {file}:
        old.unlink(missing_ok=True)
    mine = file.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(mine)) as kept:
        connection.connection.backup(kept)
    mine.replace(file)
