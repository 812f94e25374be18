"""`manage.py verify`, what the backups make of it, and changes by chance."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.halls import ROOT, Hall, Prepared

WHOLE = "Everything is as the program wrote it."


@pytest.fixture
def hall(prepared_hall: Prepared, tmp_path: Path) -> Hall:
    return prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")


def change(file: Path, *statements: str) -> None:
    """Somebody who knows what to do: takes the triggers away, and puts them back."""
    with contextlib.closing(sqlite3.connect(file)) as opened, opened:
        laid = opened.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in laid:
            opened.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            opened.execute(statement)
        for _, sql in laid:
            opened.execute(sql)


def verified(hall: Hall, *words: str) -> tuple[int, list[str]]:
    done = hall.run("manage.py", "verify", *words)
    return done.returncode, (done.stdout + done.stderr).splitlines()


LAST = "(SELECT max(link) FROM tournament_journal)"


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (["UPDATE tournament_journal SET address = '10.0.0.9' WHERE link = 2"], r"log, .*: was changed after"),
        (["DELETE FROM tournament_journal WHERE link = 3"], r"what was written before it is missing \(link 3\)"),
        ([f"DELETE FROM tournament_journal WHERE link = {LAST}"], r"the newest rows are missing"),
        (["UPDATE tournament_journal SET link = NULL WHERE link = 2"], r"was not written by the program"),
        (["UPDATE tournament_team SET in_pot = 0 WHERE number = 1"], r"the list of teams: changed by something"),
        (['UPDATE tournament_side SET "index" = 1 - "index" + 2'], r"who plays whom: changed by something"),
        (["UPDATE tournament_game SET state = 'void'"], r"the games: changed by something"),
        (["UPDATE tournament_result SET over = 1"], r"its result is not what its lines come to \(over\)"),
        (["UPDATE tournament_game SET state = 'final'"], r"is “final”, and by its lines and signatures “playing”"),
    ],
)
def test_whoever_changes_the_file_is_noticed(hall: Hall, statements: list[str], words: str) -> None:
    change(hall.folder / "uptown.sqlite3", *statements)
    code, found = verified(hall)
    assert code == 1 and all(line.startswith("Columbus Open: ") for line in found), found
    assert [line for line in found if re.search(words, line)], found


def test_a_whole_database_is_said_to_be_whole_and_a_backup_is_the_anchor_of_what_follows(hall: Hall) -> None:
    live = hall.folder / "uptown.sqlite3"
    backup = Path(hall.manage("backup"))
    before = {path: path.read_bytes() for path in (live, backup)}
    assert verified(hall) == verified(hall, str(backup)) == (0, [WHOLE])
    assert {path: path.read_bytes() for path in before} == before
    # Cut so that the chain itself is whole: only the backup knows better.
    last = hall.rows("SELECT max(link) FROM tournament_journal")[0]
    change(
        live,
        f"DELETE FROM tournament_journal WHERE link = {last}",
        f"UPDATE tournament_event SET links = {last - 1}, head = (SELECT digest FROM tournament_journal WHERE link = "
        f"{last - 1})",
    )
    code, [found] = verified(hall)
    said = f"all since link {last} at the latest was rewritten: the backup {backup.name} says something else"
    assert (code, found) == (1, f"Columbus Open: {said}")


def test_a_backup_of_a_changed_database_is_kept_and_is_no_good_one(hall: Hall) -> None:
    good = Path(hall.manage("backup"))
    change(hall.folder / "uptown.sqlite3", "UPDATE tournament_team SET in_pot = 0 WHERE number = 1")
    done = hall.run("manage.py", "backup")
    made = Path(done.stdout.strip())
    said = "Columbus Open: the list of teams: changed by something else than the program"
    assert (done.returncode, made.exists()) == (1, True)
    assert done.stderr.splitlines()[-2:] == [
        "CommandError: The backup was made, but the database is not as the program wrote it:",
        said,
    ]
    found = hall.run("-c", ASKED)
    assert json.loads(found.stdout) == [
        good.name,
        ["heart", f"The newest backup is not as the program wrote it: {said}"],
        [said],
    ], found.stderr


def test_what_is_packed_up_is_looked_through_here_and_there(hall: Hall, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    change(hall.folder / "uptown.sqlite3", "UPDATE tournament_team SET in_pot = 0 WHERE number = 1")
    done = hall.run("manage.py", "backup", "--to", str(stick))
    made = Path(done.stdout.strip())
    said = "Columbus Open: the list of teams: changed by something else than the program"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, said)
    kept = [place / f"{made.name}.findings.txt" for place in (stick, hall.folder / "backups")]
    assert [file.read_text() for file in kept] == [said] * 2
    # Of a folder only what is as it was made is taken unasked; which else is somebody's own choice.
    refused = hall.run("manage.py", "restore", str(stick))
    assert (refused.returncode, refused.stderr) == (
        1,
        f"CommandError: {made} is not as the program wrote it. Restore it, or an older one, by its own name.\n",
    )
    assert hall.manage("restore", str(made)).startswith("1 event restored from")


def test_what_a_restore_sets_aside_is_looked_through_too(hall: Hall) -> None:
    backup = hall.manage("backup")
    change(hall.folder / "uptown.sqlite3", "UPDATE tournament_team SET in_pot = 0 WHERE number = 1")
    said = hall.manage("restore", backup).splitlines()
    aside = Path(said[2].removeprefix("What was there before: "))
    found = "Columbus Open: the list of teams: changed by something else than the program"
    assert said[3:] == ["It was not as the program wrote it:", found]
    assert aside.with_name(f"{aside.name}.findings.txt").read_text() == found
    assert len(hall.manage("restore", backup).splitlines()) == 3


ASKED = """
import json
import django
django.setup()
from tournament.queries.backups import backup_age, backup_files, newest_backup
from tournament.serving.keeper import looked_through
age = backup_age()
print(json.dumps([newest_backup().path.name, [age.tone, age.trouble], looked_through(backup_files()[-1].path)]))
"""


def test_a_backup_that_the_running_site_makes_is_looked_through_too(hall: Hall) -> None:
    change(hall.folder / "uptown.sqlite3", "UPDATE tournament_team SET in_pot = 0 WHERE number = 1")
    told = hall.run("-c", MADE)
    said = "Columbus Open: the list of teams: changed by something else than the program"
    assert json.loads(told.stdout) == [
        ["uptown"],
        True,
        ["heart", f"The newest backup is not as the program wrote it: {said}"],
    ], told.stderr


MADE = """
import json
import django
django.setup()
from tournament.queries.backups import backup_age, backup_files, newest_backup
from tournament.serving.keeper import Keeper
Keeper().look(1000.0)
age = backup_age()
print(json.dumps([[one.kind for one in backup_files()], newest_backup() is None, [age.tone, age.trouble]]))
"""


def test_changes_by_chance_are_reported_and_missed_without_the_chain() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.nightly.tamper", "--changes", "30"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
