"""Before the site starts: the data folder, and the database as this version of the program needs it."""

from __future__ import annotations

import os
import shutil
from zoneinfo import available_timezones

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from rich.console import Console

from tournament import __version__
from tournament.database import is_older, weak_settings, why_refused
from tournament.place import NOT_WRITABLE, own_folder
from tournament.queries.backups import database_file
from tournament.services.backups import make_backup
from tournament.wire.storage import made_files

UPGRADED = "The database is now up to date for version {}. A backup from before, which is kept: {}"
NO_ZONES = (
    "This system does not know the time zones, which every event needs. Install them (on Debian and Ubuntu: sudo apt "
    "install tzdata) and start again."
)


def prepare(console: Console) -> None:
    """Make the data folder, bring the database up to date, with a backup before that, and make the site's files.

    Raises SystemExit where the database is newer than the program, or too old for it, and where the system lacks what
    an event needs.
    """
    if not available_timezones():
        raise SystemExit(NO_ZONES)
    own_folder(settings.DATA)
    if (file := database_file()) is not None:
        # Hashes of passwords and sign-ins are in it. Beside PostgreSQL it may be shared with a web server.
        settings.DATA.chmod(0o700)
        os.umask(0o077)
        if file.exists() and not os.access(file, os.W_OK):
            raise SystemExit(NOT_WRITABLE.format(file, "it is read-only"))
    if refusal := why_refused():
        raise SystemExit(refusal)
    # Large files that an earlier version made lay there until they were fetched.
    shutil.rmtree(settings.DATA / "works", ignore_errors=True)
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
