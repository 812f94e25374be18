"""`manage.py verify`, what the backups make of it, and changed bytes."""

from __future__ import annotations

import contextlib
import json
import random
import sqlite3
from pathlib import Path

from tests.halls import Hall
from tournament.services.verifying import NOTHING, UNSEEN

RULED = "UPDATE tournament_game SET state = 'void'"
FOUND = "Columbus Open: Game 1, table 1: is “void”, and by its lines, its signatures and the log “playing”"


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


def test_a_database_and_its_backup_are_looked_through_and_nothing_is_written(hall: Hall) -> None:
    live = hall.folder / "uptown.sqlite3"
    backup = Path(hall.manage("backup"))
    before = {path: path.read_bytes() for path in (live, backup)}
    assert verified(hall) == verified(hall, str(backup)) == (0, [NOTHING, UNSEEN])
    assert {path: path.read_bytes() for path in before} == before
    change(live, RULED)
    assert verified(hall) == (1, [FOUND, UNSEEN])


def test_whatever_bytes_are_changed_a_finding_is_a_line_and_never_a_traceback(hall: Hall, tmp_path: Path) -> None:
    chance, whole = random.Random(5), (hall.folder / "uptown.sqlite3").read_bytes()
    for number in range(60):
        content = bytearray(whole)
        for _ in range(chance.choice([1, 8, 64, 512])):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        (tmp_path / f"changed-{number}.bytes").write_bytes(content)
    for number, rest in enumerate((whole[:5000], whole[:4096], b"", b"No database at all.\n" * 300)):
        (tmp_path / f"cut-{number}.bytes").write_bytes(rest)
    ends = json.loads(hall.program(EACH, *map(str, tmp_path.glob("*.bytes"))))
    assert len(ends) == 64 and sum(code == 1 for code, _ in ends) > 10
    assert [lines for code, lines in ends if (code == 0) != (lines == [NOTHING, UNSEEN])] == []


# How the command ends for each file, and what it says.
EACH = """
import io, json, sys
import django
django.setup()
from django.core.management import CommandError, call_command
ends = []
for file in sys.argv[1:]:
    said, code = io.StringIO(), 0
    try:
        call_command("verify", file, stdout=said)
    except SystemExit as end:
        code = end.code
    except CommandError as fault:
        code = 1
        said.write(str(fault))
    ends.append([code, said.getvalue().splitlines()])
print(json.dumps(ends))
"""


def test_a_backup_of_a_changed_database_is_kept_and_is_no_good_one(hall: Hall) -> None:
    good = Path(hall.manage("backup"))
    change(hall.folder / "uptown.sqlite3", RULED)
    done = hall.run("manage.py", "backup")
    assert (done.returncode, Path(done.stdout.strip()).exists()) == (1, True)
    assert done.stderr.splitlines()[-2:] == [
        "CommandError: The backup was made, but the database is not as the program wrote it:",
        FOUND,
    ]
    assert json.loads(hall.program(ASKED)) == [
        good.name,
        ["heart", f"The newest backup is not as the program wrote it: {FOUND}"],
        [FOUND],
    ]


def test_what_is_packed_up_is_looked_through_here_and_there(hall: Hall, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    change(hall.folder / "uptown.sqlite3", RULED)
    done = hall.run("manage.py", "backup", "--to", str(stick))
    backup = Path(done.stdout.strip())
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, FOUND)
    files_of_findings = [folder / f"{backup.name}.findings.txt" for folder in (stick, hall.folder / "backups")]
    assert [file.read_text() for file in files_of_findings] == [FOUND] * 2
    # Of a folder only what is as it was made is taken unasked; which else is somebody's own choice.
    refused = hall.run("manage.py", "restore", str(stick))
    assert (refused.returncode, refused.stderr) == (
        1,
        f"CommandError: {backup} is not as the program wrote it. Restore it, or an older one, by its own name.\n",
    )
    assert hall.manage("restore", str(backup)).startswith("1 event restored from")


def test_what_a_restore_sets_aside_is_looked_through_too(hall: Hall) -> None:
    backup = hall.manage("backup")
    change(hall.folder / "uptown.sqlite3", RULED)
    printed = hall.manage("restore", backup).splitlines()
    aside = Path(printed[2].removeprefix("What was there before: "))
    assert printed[3:] == ["It was not as the program wrote it:", FOUND]
    assert aside.with_name(f"{aside.name}.findings.txt").read_text() == FOUND
    assert len(hall.manage("restore", backup).splitlines()) == 3


ASKED = """
import json
import django
django.setup()
from tournament.queries.backups import backup_age, backup_files, newest_backup
from tournament.serving.keeping import looked_through
age = backup_age()
print(json.dumps([newest_backup().path.name, [age.tone, age.trouble], looked_through(backup_files()[-1].path)]))
"""


def test_a_backup_that_the_running_site_makes_is_looked_through_too(hall: Hall) -> None:
    change(hall.folder / "uptown.sqlite3", RULED)
    assert json.loads(hall.program(MADE)) == [
        ["uptown"],
        True,
        ["heart", f"The newest backup is not as the program wrote it: {FOUND}"],
    ]


MADE = """
import json
import django
django.setup()
from tournament.queries.backups import backup_age, backup_files, newest_backup
from tournament.serving.keeping import Keeper
Keeper().look(1000.0)
age = backup_age()
print(json.dumps([[one.kind for one in backup_files()], newest_backup() is None, [age.tone, age.trouble]]))
"""
