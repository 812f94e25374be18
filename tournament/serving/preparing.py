"""Before the site starts: the data folder, and the database as this version of the program needs it."""

from __future__ import annotations

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from rich.console import Console

from tournament import __version__
from tournament.database import is_older, weak_settings, why_refused
from tournament.queries.backups import database_file
from tournament.services.backups import make_backup
from tournament.wire.storage import made_files

UPGRADED = "The database is now up to date for version {}. A backup from before, which is kept: {}"


def prepare(console: Console) -> None:
    """Make the data folder, bring the database up to date, with a backup before that, and make the site's files.

    Raises SystemExit where the database is newer than the program, or too old for it.
    """
    settings.DATA.mkdir(parents=True, exist_ok=True)
    if refusal := why_refused():
        raise SystemExit(refusal)
    before = None
    with console.status("Preparing the site"):
        if _will_change():
            before = make_backup(f"before-{__version__}")
        call_command("migrate", verbosity=0, interactive=False)
        made_files()
    if before is not None:
        console.print(UPGRADED.format(__version__, before), highlight=False, markup=False, soft_wrap=True)
    check_durability()


def _will_change() -> bool:
    """Whether a newer version of the program is about to change tables that hold something."""
    file = database_file()
    if file is None or not file.exists() or "tournament_event" not in connection.introspection.table_names():
        return False
    return is_older()


def check_durability() -> None:
    """Read the database's effective settings back: a setting that does not hold is refused, not hoped for."""

    def ask(question: str) -> object:
        cursor.execute(question)
        return cursor.fetchone()[0]

    with connection.cursor() as cursor:
        weak = weak_settings(connection.vendor, ask, connection.settings_dict["OPTIONS"])
    if weak:
        raise SystemExit(f"The database would not keep every hand: {'; '.join(weak)}.")
