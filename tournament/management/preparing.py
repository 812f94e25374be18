"""Before the site starts: the data folder, and the database as this version of the program needs it."""

from __future__ import annotations

import sqlite3

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from rich.console import Console

from tournament.queries.backups import database_file
from tournament.services.backups import make_backup


def prepare(console: Console) -> None:
    """Make the data folder and bring the database up to date, with a backup before that."""
    settings.DATA.mkdir(parents=True, exist_ok=True)
    with console.status("Preparing the database"):
        if _will_change():
            make_backup()
        call_command("migrate", verbosity=0, interactive=False)
    check_durability()


def _will_change() -> bool:
    """Whether a newer version of the program is about to change tables that hold something."""
    file = database_file()
    if file is None or not file.exists() or "tournament_event" not in connection.introspection.table_names():
        return False
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def check_durability() -> None:
    """Read the effective SQLite settings back: a setting that does not hold is refused, not hoped for."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        effective = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "foreign_keys")}
    if effective != {"synchronous": 2, "foreign_keys": 1}:
        raise SystemExit(f"SQLite {sqlite3.sqlite_version} did not take the safe settings: {effective}.")
