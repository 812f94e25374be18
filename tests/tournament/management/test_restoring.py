"""A restore while the site runs, beside another program, and one that is broken off in its middle."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.halls import Hall
from tournament.serving.server import STOP_FIRST

SLUG = "SELECT slug FROM tournament_event"
DAMAGED = b"no database"
# Restores a folder again and again; each time the process ends at once, as in a crash, one step later than before.
BROKEN_OFF = """
import os, shutil, sys
import django
django.setup()
from pathlib import Path
from django.conf import settings
from tournament.services import backups

backup, saved, ends, steps = sys.argv[1], sys.argv[2], Path(sys.argv[3]), []

def counted(act):
    def run(*words, **options):
        if len(steps) == last:
            os._exit(9)
        steps.append(act)
        return act(*words, **options)
    return run

def restore():
    for holder, name in (
        (Path, "replace"), (Path, "unlink"), (shutil, "copyfile"), (backups, "into_one_file"), (backups, "_sync")
    ):
        setattr(holder, name, counted(getattr(holder, name)))
    backups.restore_backup(Path(backup))
    os._exit(0)

for last in range(40):
    shutil.rmtree(settings.DATA)
    shutil.copytree(saved, settings.DATA)
    child = os.fork()
    if not child:
        restore()
    _, status = os.waitpid(child, 0)
    shutil.copytree(settings.DATA, ends / f"{last:02}")
    if not status:
        break
else:
    sys.exit("It does not end")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_while_the_site_runs_nothing_is_restored(hall: Hall) -> None:
    backup = hall.manage("backup")
    hall.start("--http")
    try:
        for words in (backup, "--already-restored"):
            before = hall.rows("SELECT epoch FROM tournament_event")
            done = hall.run("manage.py", "restore", words)
            refusal = STOP_FIRST.format(f", at http://localhost:{hall.port}/")
            assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{refusal}\n")
            assert hall.rows("SELECT epoch FROM tournament_event") == before
    finally:
        hall.kill()
    assert hall.manage("restore", backup).startswith("1 event restored from")


@pytest.mark.nightly
def test_beside_another_program_that_writes_a_log_nothing_is_restored(hall: Hall) -> None:
    backup = hall.manage("backup")
    with contextlib.closing(sqlite3.connect(hall.folder / "uptown.sqlite3")) as other:
        other.execute("PRAGMA journal_mode=wal")
        other.execute("UPDATE tournament_event SET slug = 'later'")
        other.commit()
        done = hall.run("manage.py", "restore", backup)
        assert done.returncode == 1 and "database is locked" in done.stderr
    assert hall.rows(SLUG) == ["later"]


@pytest.mark.skipif(sys.platform == "win32", reason="processes of POSIX")
@pytest.mark.parametrize("damaged", [False, True], ids=["a sound database", "a damaged one"])
def test_a_restore_that_is_broken_off_leaves_the_old_database_or_the_new_one(hall: Hall, damaged: bool) -> None:
    """The old one has its last act in a log beside it, as a site that was killed leaves it."""
    live, saved, ends = hall.folder / "uptown.sqlite3", hall.folder.parent / "saved", hall.folder.parent / "ends"
    backup = str(shutil.copy(hall.manage("backup"), hall.folder.parent))
    with contextlib.closing(sqlite3.connect(live)) as database:
        database.execute("PRAGMA journal_mode=wal")
        database.execute("UPDATE tournament_event SET slug = 'later'")
        database.commit()
        shutil.copytree(hall.folder, saved)
    if damaged:
        content = (saved / live.name).read_bytes()
        (saved / live.name).write_bytes(DAMAGED + content[len(DAMAGED) :])
    done = hall.run("-c", BROKEN_OFF, backup, str(saved), str(ends))
    assert done.returncode == 0, done.stderr
    states = [state(folder / live.name) for folder in sorted(ends.iterdir())]
    assert len(states) > 8 and states == sorted(states, reverse=True)
    assert (states[0], states[-2:]) == ("old", ["new", "new"])


def state(live: Path) -> str:
    """Which of the two databases stands there; both are whole, but for the damaged one."""
    if live.read_bytes().startswith(DAMAGED):
        return "old"
    with contextlib.closing(sqlite3.connect(live)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        [(slug,)] = database.execute(SLUG).fetchall()
    return {"later": "old", "columbus-open": "new"}[slug]
