"""A restore beside somebody who goes on writing: nothing is lost between the old database and the new one."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from tests.halls import Prepared

# The command of `manage.py`; in the control the database is held only while its content is replaced.
RESTORE = """
import runpy, sys
sys.argv = ["manage.py", "restore", sys.argv[1]]
runpy.run_path("manage.py", run_name="__main__")
"""
UNHELD = """
import contextlib, sqlite3
from tournament.services import backups

@contextlib.contextmanager
def unheld(live):
    with contextlib.closing(sqlite3.connect(live, timeout=20, isolation_level=None, uri=True)) as holder:
        yield holder

def replace(holder, path, whole=backups.replace_content):
    holder.execute("BEGIN IMMEDIATE")
    whole(holder, path)
    holder.execute("COMMIT")

backups.held, backups.replace_content = unheld, replace
"""
SETTINGS = 'import os, django\nos.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"\ndjango.setup()\n'


class Writer(threading.Thread):
    """Writes one thing after the other, until there is no place for it any longer; remembers what was acknowledged."""

    def __init__(self, live: Path) -> None:
        super().__init__()
        self.live, self.acknowledged = live, set[int]()
        with contextlib.closing(sqlite3.connect(live)) as line:
            line.execute("CREATE TABLE desk (said INTEGER)")

    def run(self) -> None:
        line = sqlite3.connect(self.live, timeout=60, isolation_level=None)
        # The restored database does not have the table.
        with contextlib.closing(line), contextlib.suppress(sqlite3.OperationalError):
            for number in range(100_000):
                line.execute("INSERT INTO desk VALUES (?)", [number])
                self.acknowledged.add(number)
                time.sleep(0.002)


@pytest.mark.parametrize("control", [False, True])
def test_what_is_written_during_a_restore_is_in_what_it_sets_aside(
    prepared_hall: Prepared, tmp_path: Path, control: bool
) -> None:
    hall = prepared_hall.copy(tmp_path / "data")
    backup = hall.manage("backup")
    writer = Writer(hall.folder / "uptown.sqlite3")
    writer.start()
    done = hall.run("-c", (SETTINGS + UNHELD if control else "") + RESTORE, backup)
    writer.join(60)
    assert done.returncode == 0, done.stderr
    assert not writer.is_alive() and writer.acknowledged
    kept = next(line for line in done.stdout.splitlines() if line.startswith("What was there before: "))
    with contextlib.closing(sqlite3.connect(kept.removeprefix("What was there before: "))) as aside:
        found = {number for (number,) in aside.execute("SELECT said FROM desk")}
    assert bool(writer.acknowledged - found) is control
