"""Automatic backups while the site runs: by the clock, at the end of rounds, after acts; and copies on other disks.

Each has its own thread, so that none waits for another one, and no act waits for any of them.
"""

from __future__ import annotations

import logging
import math
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from tournament.queries.backups import (
    BY_CLOCK,
    ROUND,
    STATES,
    Changes,
    FolderState,
    backup_folder,
    changes,
    database_file,
    newest_backup,
    newest_verified,
    second_folders,
)
from tournament.services.backups import copy_after_acts, judge_backup, make_backup
from tournament.services.copies import LEAST_FREE, NO_ROOM, SLOW_SECONDS, Pace, acted, bring_up_to_date, has_room
from tournament.site.data_folder import start_words
from tournament.site.database import at_file

LOOK_SECONDS = 10
BACKUP_SECONDS = 300
# From one copy after acts to the next. An act just after a copy waits this long, and then until the next copy is made,
# checked, and on the other disks: together less than ten seconds.
PAUSE_SECONDS = 8.0
AFTER_FAULT_SECONDS = 60
log = logging.getLogger(__name__)


class Keeper:
    """Remembers what the newest backup holds, and since when it is known to hold everything.

    At startup it reads that backup: a site that is restarted again and again makes no more of them. `made` is called
    for each one.
    """

    def __init__(
        self, look_through: Callable[[Path], list[str]] | None = None, made: Callable[[], None] = lambda: None
    ) -> None:
        self.look_through, self.made = look_through or looked_through, made
        self.saved: Changes | None = None
        self.good = True
        self.saved_at = -math.inf

    def look(self, now: float) -> None:
        """Make a backup if one is due and something changed; if nothing did, the newest one is still right."""
        if self.saved is None:
            self._ask_newest(now)
        current, newest = changes(), newest_backup()
        due = now - self.saved_at >= BACKUP_SECONDS
        closed = self.saved is not None and current.closed != self.saved.closed
        if newest is not None and newest_verified() is not None and current == self.saved:
            if not due:
                return
            if self.good:
                newest.path.touch()
        elif due or closed:
            self._make(ROUND if closed else BY_CLOCK)
        else:
            return
        self.saved, self.saved_at = current, now
        self.made()

    def _make(self, kind: str) -> None:
        backup = make_backup(kind)
        wrong = self.look_through(backup)
        judge_backup(backup, wrong)
        self.good = not wrong
        if wrong:
            log.error("%s is not as the program wrote it: %s", backup, "; ".join(wrong))

    def _ask_newest(self, now: float) -> None:
        newest = newest_verified()
        if newest is None:
            return
        with suppress(DatabaseError), at_file(newest.path):
            self.saved = changes()
            self.saved_at = now - max(0.0, time.time() - newest.path.stat().st_mtime)


class ActKeeper:
    """Makes a copy soon after an official or player acts. `made` is called for each one."""

    def __init__(
        self,
        made: Callable[[], None] = lambda: None,
        pause: float = PAUSE_SECONDS,
        slow: float = SLOW_SECONDS,
        least_free: int = LEAST_FREE,
    ) -> None:
        self.made, self.least_free = made, least_free
        self.pace = Pace(pause, slow)
        self.seen: int | None = None
        # Nobody knows what was done just before the site was restarted.
        acted.set()

    def run(self, is_over: threading.Event) -> None:
        """Run until the site stops."""
        while not is_over.is_set():
            if not acted.wait(LOOK_SECONDS) or is_over.wait(self.pace.wait()):
                continue
            try:
                self.look()
            except Exception as fault:
                log.error("The copy after an act failed: %s", fault)
                self.seen = None
                connection.close()
                acted.set()
                is_over.wait(self.pace.pause)

    def look(self) -> None:
        """Make a copy if the newest backup does not hold everything."""
        # Acts from here on ask for another copy.
        acted.clear()
        version = _data_version()
        if version == self.seen or (self.seen is None and _is_all_in_newest()):
            self.seen = version
            return
        state = STATES.setdefault(backup_folder(), FolderState())
        if not has_room(settings.DATA, _database_size(), self.least_free):
            state.note = NO_ROOM
            # As soon as there is room again.
            acted.set()
            self.pace.begin_pause()
            return
        with self.pace.copying():
            copy_after_acts()
        state.note, self.seen = self.pace.note, version
        self.made()


def _data_version() -> int:
    """A number that changes whenever anybody else has written."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return int(cursor.fetchone()[0])


def _is_all_in_newest() -> bool:
    current, newest = changes(), newest_backup()
    if newest is None:
        return False
    with suppress(DatabaseError), at_file(newest.path):
        return changes() == current
    return False


def _database_size() -> int:
    file = database_file()
    return file.stat().st_size if file else 0


class Follower:
    """Brings one folder on another disk up to date."""

    def __init__(self, folder: Path, slow: float = SLOW_SECONDS, least_free: int = LEAST_FREE) -> None:
        self.folder, self.least_free = folder, least_free
        self.pace = Pace(0.0, slow)
        self.woken = threading.Event()

    def run(self, is_over: threading.Event) -> None:
        """Run whenever there is something new, and every few seconds: a disk may have been plugged in."""
        while not is_over.is_set():
            self.woken.clear()
            try:
                bring_up_to_date(self.folder, self.pace, self.least_free)
            except Exception as fault:
                # The desk shows it.
                log.info("Nothing was copied to %s: %s", self.folder, fault)
            self.woken.wait(LOOK_SECONDS)


def looked_through(backup: Path) -> list[str]:
    """The result of checking a backup in a separate, low-priority process, so that no answer is delayed."""
    done = subprocess.run(  # noqa: S603 - this program, and a name that it gave
        [*start_words(), "verify", str(backup), "--behind"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return (done.stdout.splitlines() or ["It could not be looked through"]) if done.returncode else []


def start_backups() -> None:
    """Run until the process ends; PostgreSQL has its own tools."""
    if database_file() is None:
        return
    is_over = threading.Event()
    followers = [Follower(folder) for folder in second_folders()]

    def wake() -> None:
        for follower in followers:
            follower.woken.set()

    _start(_run, Keeper(made=wake))
    _start(ActKeeper(wake).run, is_over)
    for follower in followers:
        _start(follower.run, is_over)


def _start(run: Callable[..., None], given: object) -> None:
    threading.Thread(target=run, args=(given,), daemon=True).start()


def _run(keeper: Keeper) -> None:
    while True:
        wait = LOOK_SECONDS
        try:
            keeper.look(time.monotonic())
        except Exception as fault:
            # The desk shows the age of the newest backup; the log has the reason.
            log.error("The backup failed: %s", fault)
            wait = AFTER_FAULT_SECONDS
        finally:
            connection.close()
        time.sleep(wait)
