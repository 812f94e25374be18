"""Backups by themselves while the site runs: after five minutes if something changed, and when a round was closed."""

from __future__ import annotations

import logging
import math
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.db import DatabaseError, connection

from tournament.database import at_file
from tournament.place import start_words
from tournament.queries.backups import BY_CLOCK, ROUND, Changes, changes, database_file, newest_backup
from tournament.services.backups import copy_to_second_disk, judge_backup, make_backup

LOOK_SECONDS = 10
BACKUP_SECONDS = 300
log = logging.getLogger(__name__)


class Keeper:
    """Remembers what the newest backup holds, and since when it is known to hold everything.

    At a start it asks that backup itself: a site that is started again and again makes no more of them.
    """

    def __init__(self, look_through: Callable[[Path], list[str]] | None = None) -> None:
        self.look_through = look_through or looked_through
        self.kept: Changes | None = None
        self.good = True
        self.at = -math.inf

    def look(self, now: float) -> None:
        """Make a backup if it is time for one and something changed; if nothing did, the newest one is still right."""
        if self.kept is None:
            self._ask_newest(now)
        found, newest = changes(), newest_backup()
        due = now - self.at >= BACKUP_SECONDS
        closed = self.kept is not None and found.closed != self.kept.closed
        if newest is not None and found == self.kept:
            if not due:
                return
            if self.good:
                newest.path.touch()
        elif due or closed:
            self._make(ROUND if closed else BY_CLOCK)
        else:
            return
        self.kept, self.at = found, now
        copy_to_second_disk()

    def _make(self, kind: str) -> None:
        made = make_backup(kind)
        wrong = self.look_through(made)
        judge_backup(made, wrong)
        self.good = not wrong
        if wrong:
            log.error("%s is not as the program wrote it: %s", made, "; ".join(wrong))

    def _ask_newest(self, now: float) -> None:
        newest = newest_backup()
        if newest is None:
            return
        with suppress(DatabaseError), at_file(newest.path):
            self.kept = changes()
            self.at = now - max(0.0, time.time() - newest.path.stat().st_mtime)


def looked_through(made: Path) -> list[str]:
    """What a look through a backup finds, in a process of its own, behind everybody who waits for an answer."""
    done = subprocess.run(  # noqa: S603 - this program, and a name that it gave
        [*start_words(), "verify", str(made), "--behind"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return (done.stdout.splitlines() or ["It could not be looked through"]) if done.returncode else []


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
