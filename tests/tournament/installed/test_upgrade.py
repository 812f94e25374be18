"""An upgrade of a real database: the demo's evenings as two older programs left them."""

from __future__ import annotations

import contextlib
import json
import lzma
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.halls import ROOT, Hall
from tournament.database import NEWER, OLDER, TOO_OLD
from tournament.services.verifying import BEFORE, NOTHING

DATABASES = ROOT / "fixtures" / "databases"

START = """
import django; django.setup()
from rich.console import Console
from tournament.serving.preparing import prepare
prepare(Console())
"""
# The battery is empty at the nth statement that changes something.
KILLED = """
import os, signal, sys
import django; django.setup()
from django.db import connection
from rich.console import Console
from tournament.serving.preparing import prepare
seen = 0
def count(execute, sql, *rest):
    global seen
    seen += not sql.lstrip().startswith(("SELECT", "PRAGMA", "SAVEPOINT", "RELEASE", "VACUUM"))
    if seen == {last}:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, *rest)
connection.execute_wrappers.append(count)
prepare(Console())
"""
READ = """
import json
import django; django.setup()
from tournament.models import Event
from tournament.queries.standings import full_standings
from tournament.services.signatures import rebuild_results
def rows(event):
    return [[one.label, one.number, one.team, one.played, one.won, one.points, one.bostons, one.sets]
            for one in full_standings(event).lines]
stored = {event.slug: rows(event) for event in Event.objects.order_by("slug")}
for event in Event.objects.all():
    rebuild_results(event)
print(json.dumps([stored, {event.slug: rows(event) for event in Event.objects.order_by("slug")}]))
"""


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """The data folder of a club that is about to upgrade."""
    return hall_at("0020", tmp_path / "data")


def hall_at(migration: str, folder: Path) -> Hall:
    folder.mkdir()
    packed = DATABASES / f"migration-{migration}.sql.xz"
    write(folder / "uptown.sqlite3", lzma.decompress(packed.read_bytes()).decode())
    return Hall(folder, DJANGO_SETTINGS_MODULE="tournament.settings")


def write(file: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as opened:
        opened.executescript(script)


def kept(hall: Hall) -> list[Path]:
    """The backups from before an upgrade, the oldest first."""
    return sorted((hall.folder / "backups").glob("before-1.0.0-*.sqlite3"))


def standings(hall: Hall) -> list[object]:
    """The standings of every event, and once more after every result was computed again."""
    done = hall.run("-c", READ)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def before() -> object:
    """What both old programs said of the same evenings."""
    return json.loads((DATABASES / "standings.json").read_text(encoding="utf-8"))


def dump(file: Path) -> str:
    with contextlib.closing(sqlite3.connect(file)) as opened:
        return "\n".join(opened.iterdump())


def test_an_old_evening_has_the_same_standings_and_a_way_back(hall: Hall, tmp_path: Path) -> None:
    # Before the first start every other command says what to do.
    early = hall.run("manage.py", "restore", "--already-restored")
    assert (early.returncode, early.stderr) == (1, f"{OLDER}\n")
    old = dump(hall.folder / "uptown.sqlite3")
    done = hall.run("-c", START)
    assert done.returncode == 0, done.stderr
    (backup,) = kept(hall)
    assert f"A backup from before, which is kept: {backup}" in " ".join(done.stdout.split("\n"))
    assert standings(hall) == [before(), before()]
    # The backup is the database as it was, and the new program goes back to it, too.
    assert dump(backup) == old
    assert hall.manage("restore", str(backup)).startswith("3 events restored from")
    assert standings(hall)[0] == before()
    # Backups by the clock never clear it away.
    for number in range(49):
        shutil.copyfile(backup, hall.folder / "backups" / f"uptown-20200101-000000-{number:06d}.sqlite3")
    hall.manage("backup")
    assert backup.exists()


def test_a_database_of_1_0_0_is_upgraded_once_and_verified(tmp_path: Path) -> None:
    hall = hall_at("0023", tmp_path / "data")
    done = hall.run("-c", START)
    (backup,) = kept(hall)
    assert (done.returncode, str(backup) in done.stdout.replace("\n", "")) == (0, True), done.stderr
    assert standings(hall) == [before(), before()]
    # Of the packages that the program no longer uses nothing is left.
    assert hall.rows("SELECT name FROM sqlite_master WHERE name LIKE 'axes%'") == []
    assert hall.rows("SELECT app FROM django_migrations WHERE app IN ('axes', 'procrastinate')") == []
    for words in (["verify"], ["verify", hall.manage("backup")]):
        assert hall.manage(*words).splitlines()[0] == NOTHING
    done = hall.run("-c", START)
    assert (done.returncode, done.stdout, kept(hall)) == (0, "", [backup]), done.stderr


@pytest.mark.nightly
def test_a_database_that_was_not_upgraded_yet_is_not_said_to_be_changed(tmp_path: Path) -> None:
    hall = hall_at("0023", tmp_path / "data")
    live = hall.run("manage.py", "verify")
    assert (live.returncode, live.stdout, live.stderr) == (1, "", f"CommandError: {OLDER}\n")
    made = hall.run("manage.py", "backup")
    path = Path(made.stdout.strip())
    words = BEFORE.format(path)
    assert (made.returncode, made.stderr.splitlines()[-1]) == (0, words)
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    told = hall.run("manage.py", "verify", str(path))
    assert (told.returncode, told.stdout, told.stderr) == (1, "", f"CommandError: {words}\n")


@pytest.mark.nightly
def test_a_database_from_before_is_refused_in_a_sentence_and_stays_as_it_is(hall: Hall) -> None:
    """Some of the migrations that became one are missing; Django would try to make the tables a second time."""
    write(hall.folder / "uptown.sqlite3", "DELETE FROM django_migrations WHERE name > '0011' AND app = 'tournament';")
    left = dump(hall.folder / "uptown.sqlite3")
    for words in (["serve"], ["restore", "--already-restored"]):
        done = hall.run("manage.py", *words)
        assert (done.returncode, done.stderr) == (1, f"{TOO_OLD}\n"), words
    file = hall.folder / "uptown.sqlite3"
    copy = file.with_name("old.sqlite3")
    shutil.copyfile(file, copy)
    done = hall.run("manage.py", "restore", str(copy))
    assert (done.returncode, done.stderr) == (1, f"CommandError: {copy}: {TOO_OLD}\n")
    assert dump(file) == left


@pytest.mark.nightly
@pytest.mark.parametrize(("migration", "last"), [("0020", 3), ("0020", 25), ("0020", 46), ("0023", 20), ("0023", 60)])
def test_an_upgrade_that_was_killed_goes_on_at_the_next_start(tmp_path: Path, migration: str, last: int) -> None:
    hall = hall_at(migration, tmp_path / "data")
    old = dump(hall.folder / "uptown.sqlite3")
    done = hall.run("-c", KILLED.format(last=last))
    assert done.returncode == -9, done.stdout + done.stderr
    assert dump(kept(hall)[0]) == old
    again = hall.run("-c", START)
    assert again.returncode == 0, again.stderr
    assert standings(hall) == [before(), before()]
    assert hall.manage("verify").splitlines()[0] == NOTHING


def newer(hall: Hall) -> None:
    """What a version to come might do to the tables."""
    write(
        hall.folder / "uptown.sqlite3",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('tournament', '9999_next', '2030-01-01');"
        "ALTER TABLE tournament_event ADD COLUMN next INTEGER NOT NULL CHECK (next > 0) DEFAULT 1;"
        "ALTER TABLE tournament_event RENAME COLUMN place TO venue;",
    )


@pytest.mark.nightly
def test_a_newer_database_is_refused_in_a_sentence_and_stays_as_it_is(hall: Hall) -> None:
    assert hall.run("-c", START).returncode == 0
    (backup,) = kept(hall)
    newer(hall)
    left = dump(hall.folder / "uptown.sqlite3")
    for words in (["serve"], ["venue", "--http"], ["rebuild_results", "autumn-open"]):
        done = hall.run("manage.py", *words)
        assert (done.returncode, done.stderr) == (1, f"{NEWER}\n"), words
    assert dump(hall.folder / "uptown.sqlite3") == left
    # The way out that the sentence names.
    said = hall.manage("restore", str(backup)).splitlines()
    assert standings(hall)[0] == before()
    assert dump(Path(said[2].removeprefix("What was there before: "))) == left


@pytest.mark.nightly
def test_a_damaged_database_is_named_in_a_sentence(hall: Hall) -> None:
    (hall.folder / "uptown.sqlite3").write_bytes(b"not a database any more" * 1000)
    done = hall.run("manage.py", "serve")
    assert done.returncode == 1
    assert done.stderr == "The database cannot be read: file is not a database. Go back to a backup with “restore”.\n"
