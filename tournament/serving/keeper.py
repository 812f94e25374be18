"""Backups by themselves while the site runs: after five minutes if something changed, and when a round was closed."""

from __future__ import annotations

import logging
import math
import threading
import time

from django.db import connection

from tournament.queries.backups import Changes, backup_files, changes, database_file
from tournament.services.backups import make_backup

LOOK_SECONDS = 10
BACKUP_SECONDS = 300
log = logging.getLogger(__name__)


class Keeper:
    """Remembers what the newest backup holds, and since when it is known to hold everything."""

    def __init__(self) -> None:
        self.kept: Changes | None = None
        self.at = -math.inf

    def look(self, now: float) -> None:
        """Make a backup if it is time for one and something changed; if nothing did, the newest one is still right."""
        found, files = changes(), backup_files()
        same = found == self.kept and files
        due = now - self.at >= BACKUP_SECONDS
        closed = self.kept is not None and found.closed != self.kept.closed
        if not due and (same or not closed):
            return
        if same:
            files[-1].touch()
        else:
            make_backup()
        self.kept, self.at = found, now


def start() -> None:
    """Look every few seconds, until the process ends; PostgreSQL has its own ways."""
    if database_file() is not None:
        threading.Thread(target=_run, args=(Keeper(),), daemon=True).start()


def _run(keeper: Keeper) -> None:
    while True:
        wait = LOOK_SECONDS
        try:
            keeper.look(time.monotonic())
        except Exception as fault:
            # The desk sees the age of the newest backup; here is why.
            log.error("The backup failed: %s", fault)
            wait = 60
        finally:
            connection.close()
        time.sleep(wait)
