"""Before the site starts: the data folder, and the database as this version of the program needs it."""

from __future__ import annotations

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from rich.console import Console

from tournament.database import weak_settings
from tournament.queries.backups import database_file
from tournament.services.backups import make_backup
from tournament.wire.storage import made_files


def prepare(console: Console) -> None:
    """Make the data folder, bring the database up to date, with a backup before that, and make the site's files."""
    settings.DATA.mkdir(parents=True, exist_ok=True)
    with console.status("Preparing the site"):
        if _will_change():
            make_backup()
        call_command("migrate", verbosity=0, interactive=False)
        made_files()
    check_durability()


def _will_change() -> bool:
    """Whether a newer version of the program is about to change tables that hold something."""
    file = database_file()
    if file is None or not file.exists() or "tournament_event" not in connection.introspection.table_names():
        return False
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def check_durability() -> None:
    """Read the database's effective settings back: a setting that does not hold is refused, not hoped for."""

    def ask(question: str) -> object:
        cursor.execute(question)
        return cursor.fetchone()[0]

    with connection.cursor() as cursor:
        weak = weak_settings(connection.vendor, ask, connection.settings_dict["OPTIONS"])
    if weak:
        raise SystemExit(f"The database would not keep every hand: {'; '.join(weak)}.")
