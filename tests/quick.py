"""What makes a run quick: the tables of SQLite's test database, made by the migrations once and then copied.

Applying every migration takes longer than most files of tests. What they made is kept in `build/` under a name that
changes with any of them; Django then finds nothing left to apply. On PostgreSQL, and in every data folder that a test
starts from nothing, the migrations run each time.
"""

from __future__ import annotations

import copy
import functools
import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar

import django
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.color import Style
from django.core.signals import setting_changed
from django.db import connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.postgresql.operations import DatabaseOperations
from django.db.backends.sqlite3.creation import DatabaseCreation
from django.db.migrations.loader import MigrationLoader
from django.test.client import ClientHandler

ROOT = Path(__file__).parents[1]
MIGRATIONS, BUILD = ROOT / "tournament" / "migrations", ROOT / "build"


class KeptTables(NamedTuple):
    """The file in which the tables are kept that certain migrations make, and these migrations."""

    file: Path
    migrations: frozenset[tuple[str, str]]


def kept_tables(folder: Path = MIGRATIONS, build: Path = BUILD) -> KeptTables:
    """Name the tables by what is written in the migrations; the name changes with any of them.

    The files are read before Django imports them: an edit in between then shows as another name later.
    """
    version = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    for file in sorted(folder.glob("*.py")):
        version.update(file.name.encode() + file.read_bytes())
    migrations = frozenset(MigrationLoader(None).disk_migrations)
    for migration in sorted(map(str, migrations)):
        version.update(migration.encode())
    return KeptTables(build / f"tables-{version.hexdigest()[:16]}.sqlite3", migrations)


@contextmanager
def migrated_once(named: KeptTables) -> Iterator[None]:
    """While it lasts, a test database in memory begins with the tables that are kept, or keeps its own.

    Somebody may edit a migration while tests run. So the tables are named before they are made, and before any test
    file imports a migration.
    """
    untyped: Any = DatabaseCreation  # one of the two is not in its published types
    begin, finish = untyped._create_test_db, untyped.create_test_db

    def begun(creation: Any, *args: Any, **kwargs: Any) -> str:
        name = begin(creation, *args, **kwargs)
        if has_tables(named):
            creation.connection.settings_dict["NAME"] = name
            creation.connection.ensure_connection()
            with closing(sqlite3.connect(named.file)) as copy:
                copy.backup(creation.connection.connection)
        return name

    def finished(creation: Any, *args: Any, **kwargs: Any) -> str:
        name = finish(creation, *args, **kwargs)
        if kept_tables() == named and not has_tables(named):
            keep(creation.connection.connection, named)
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseCreation, "_create_test_db", begun)
        patch.setattr(DatabaseCreation, "create_test_db", finished)
        yield


def has_tables(named: KeptTables) -> bool:
    """Whether the file is there and holds tables that exactly these migrations made."""
    if not named.file.exists():
        return False
    try:
        with closing(sqlite3.connect(named.file)) as copy:
            applied = frozenset(copy.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.DatabaseError:
        return False
    return applied == named.migrations


def keep(tables: sqlite3.Connection, named: KeptTables) -> None:
    """Keep these tables instead of older ones; two processes at once may each do it."""
    named.file.parent.mkdir(exist_ok=True)
    for old in set(named.file.parent.glob("tables-*.sqlite3")) - {named.file}:
        old.unlink(missing_ok=True)
    mine = named.file.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(mine)) as copy:
        tables.backup(copy)
    mine.replace(named.file)


# A test database on PostgreSQL that is emptied row by row.
# Django empties it with TRUNCATE after every test that commits: a new file for each table and index takes a second
# on a busy machine, where deleting the few rows of a test takes some milliseconds.


@contextmanager
def emptied_by_rows() -> Iterator[None]:
    """While it lasts, tables are emptied by DELETE; what rows point at is looked at when all of them are gone."""

    def sql_flush(
        operations: BaseDatabaseOperations, _style: Style, tables: Sequence[str], **_options: bool
    ) -> list[str]:
        return [f"DELETE FROM {operations.quote_name(table)}" for table in tables]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        yield


# One chain of middleware for all test clients: Django builds it again for every client, and WhiteNoise then lists and
# reads the dates of every static file, which took longer than most pages.


PARTS = ("_view_middleware", "_template_response_middleware", "_exception_middleware", "_middleware_chain")


@contextmanager
def one_chain() -> Iterator[None]:
    """Every client asks the chain that the first one built; where a test changes a setting, a new one is built."""
    built: dict[tuple[str, ...], list[Any]] = {}
    build = ClientHandler.load_middleware

    def load(handler: ClientHandler, is_async: bool = False) -> None:
        key = tuple(settings.MIDDLEWARE)
        if key not in built:
            build(handler, is_async)
            built[key] = [getattr(handler, part) for part in PARTS]
        for part, value in zip(PARTS, built[key], strict=True):
            setattr(handler, part, value)

    def forget(**changed: Any) -> None:
        built.clear()

    setting_changed.connect(forget)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClientHandler, "load_middleware", load)
        yield
    setting_changed.disconnect(forget)


# Evenings that many tests prepare: played once in a process, then put back row by row.


Rows = dict[str, dict[Any, tuple[Any, ...]]]
P = ParamSpec("P")
T = TypeVar("T")


class Kept(NamedTuple):
    """What a builder wrote and returned."""

    rows: Rows
    value: Any


def remembered(build: Callable[P, T]) -> Callable[P, T]:
    """A builder of rows that builds only once.

    The second time, in a database that holds the same as the first time, its rows are written as they then were, and
    what it returned is returned as a copy. It takes people, words and numbers; whatever else it is given, where it
    changed a row that stood before, and on PostgreSQL, whose keys go on counting, it builds again.
    """
    kept: dict[Any, Kept] = {}

    @functools.wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> T:
        key = known(args, kwargs) if connection.vendor == "sqlite" else None
        if key is None:
            return build(*args, **kwargs)
        before = all_rows()
        key_of_state = key, frozenset((table, frozenset(rows)) for table, rows in before.items() if rows)
        if key_of_state in kept:
            put_back(kept[key_of_state].rows)
            return copy.deepcopy(kept[key_of_state].value)
        value = build(*args, **kwargs)
        after = all_rows()
        if all(rows.items() <= after[table].items() for table, rows in before.items()):
            new = {
                table: {pk: row for pk, row in rows.items() if pk not in before[table]} for table, rows in after.items()
            }
            kept[key_of_state] = Kept(new, copy.deepcopy(value))
        return value

    return built


def known(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[str, ...] | None:
    """What a builder is given, as a key; none where rows hang on it that may differ."""
    given = [*args, *kwargs, *kwargs.values()]
    if not all(isinstance(value, User | str | int | float | dict | list | tuple | None) for value in given):
        return None
    return tuple(f"{value.pk}/{value.username}" if isinstance(value, User) else repr(value) for value in given)


def all_rows() -> Rows:
    state: Rows = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            meta = model._meta
            cursor.execute(f'SELECT * FROM "{meta.db_table}"')
            index = [column[0] for column in cursor.description].index(meta.pk.column)
            state[meta.db_table] = {row[index]: tuple(row) for row in cursor.fetchall()}
    return state


def put_back(rows: Rows) -> None:
    """Write rows as they were; what points at one another is checked at the end, as everywhere."""
    with transaction.atomic(), connection.cursor() as cursor:
        for table, keys in rows.items():
            if keys:
                places = ", ".join(["%s"] * len(next(iter(keys.values()))))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({places})', list(keys.values()))
