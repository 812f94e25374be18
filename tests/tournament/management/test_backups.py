"""`manage.py backup` and `restore` on a database file, and the backups that the running site makes by itself."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.template.loader import render_to_string

from tests.halls import PREPARE, Hall
from tournament.serving.server import STOP_FIRST
from tournament.words import journal

NAMED = "SELECT slug FROM tournament_event"
EPOCH = "SELECT epoch FROM tournament_event"
NAME = "SELECT name FROM tournament_installation"
SOUND = "PRAGMA integrity_check"
NUMBERED = ("tournament_game", "tournament_round")
# By a restore: the epoch of events and site, its line in the log, the numbers that were given, and the versions.
WRITTEN = ("tournament_event", "tournament_installation", "tournament_journal", "sqlite_sequence", *NUMBERED)
# Of the game and its round.
SHOWN = "SELECT version FROM tournament_game"
VERSION = "SELECT version FROM tournament_event"
POSTGRESQL = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
posix = pytest.mark.skipif(sys.platform == "win32", reason="files have no modes on Windows")


def change(file: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(statement)


def rename(hall: Hall) -> None:
    """Something that happens after a backup."""
    change(hall.folder / "uptown.sqlite3", "UPDATE tournament_event SET slug = 'later'")


def backups(hall: Hall) -> list[str]:
    return sorted(path.name for path in (hall.folder / "backups").iterdir())


@pytest.mark.nightly
def test_a_backup_is_a_whole_database_that_only_its_owner_reads(hall: Hall) -> None:
    path = Path(hall.manage("backup"))
    assert backups(hall) == [path.name]
    shutil.copyfile(path, hall.folder / "uptown.sqlite3")
    assert hall.rows(NAMED) == ["columbus-open"]
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.nightly
def test_where_there_is_nothing_yet_nothing_is_backed_up(tmp_path: Path) -> None:
    done = Hall(tmp_path / "new").run("manage.py", "backup")
    words = f"CommandError: There is nothing to back up yet: {tmp_path / 'new'} holds no database.\n"
    assert (done.returncode, done.stderr) == (1, words)
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret-key"]


def test_a_restored_backup_begins_an_epoch_and_what_was_there_is_kept(hall: Hall) -> None:
    backup = hall.manage("backup")
    before = hall.rows(EPOCH) + hall.rows(VERSION)
    shown = hall.rows(SHOWN)
    rename(hall)
    printed = hall.manage("restore", backup).splitlines()
    assert printed[0].startswith(f"1 event restored from {backup}. Start the site now: the tablets will send")
    assert hall.rows(NAMED) == ["columbus-open"]
    after = hall.rows(EPOCH) + hall.rows(VERSION)
    assert after[0] != before[0] and after[1] > before[1] + 1000
    assert [later - earlier for later, earlier in zip(hall.rows(SHOWN), shown, strict=True)] == [1_000_000] * len(shown)
    [(code, facts), _] = hall.lists("SELECT code, facts FROM tournament_journal WHERE action = 'restore' ORDER BY id")
    assert journal.text("restore", code, json.loads(facts)) == (
        f"Restored from the backup {Path(backup).name}; the tablets will send again what they hold"
    )
    assert printed[1] == "Every sign-in has ended: sign in again."
    old = printed[2].removeprefix("What was there before: ")
    # Its name is not one of those of which only the newest are kept.
    assert Path(old).name.startswith("replaced-")
    assert backups(hall) == sorted([Path(backup).name, Path(old).name])
    assert len(printed) == 3
    # Tables, indexes and triggers are those of the backup, and no row has another number.
    assert everything(hall.folder / "uptown.sqlite3") == everything(Path(backup)) and hall.rows(SOUND) == ["ok"]
    shutil.copyfile(old, hall.folder / "uptown.sqlite3")
    assert hall.rows(NAMED) == ["later"]


def everything(file: Path) -> dict[str, Any]:
    """How all was made, and the rows of each table but of those in which a restore writes."""
    with contextlib.closing(sqlite3.connect(file)) as opened:
        made = opened.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        tables = [name for kind, name, _ in made if kind == "table" and name not in WRITTEN]
        return {"made": made} | {name: opened.execute(f'SELECT * FROM "{name}"').fetchall() for name in tables}


@pytest.mark.nightly
def test_a_spare_laptop_keeps_the_name_under_which_tablets_hold_their_hands(hall: Hall, tmp_path: Path) -> None:
    done = hall.run("manage.py", "backup")
    backup = done.stdout.strip()
    assert done.stderr == f"For a spare laptop copy secret-key and certificates from {hall.folder}, too.\n"
    spare = Hall(tmp_path / "spare")
    printed = spare.manage("restore", backup).splitlines()
    assert spare.rows(NAME) == hall.rows(NAME) and len(spare.rows(NAME)) == 1
    assert len(printed) == 3 and printed[2].startswith(
        "The backup comes from a site with another secret-key: officials sign in again"
    )
    assert printed[2].endswith(f"to {spare.folder} before you start, and none of that happens.")
    shutil.copyfile(hall.folder / "secret-key", spare.folder / "secret-key")
    assert len(spare.manage("restore", backup).splitlines()) == 3


def test_a_stick_takes_everything_to_another_laptop(hall: Hall, tmp_path: Path) -> None:
    (hall.folder / "certificates").mkdir()
    (hall.folder / "certificates" / "root.pem").write_text("trusted")
    stick, laptop = tmp_path / "stick" / "uptown", Hall(tmp_path / "laptop")
    done = hall.run("manage.py", "backup", "--to", str(stick))
    assert Path(done.stdout.strip()).parent == stick
    assert done.stderr.startswith(f"On the other laptop, with Uptown installed: restore {stick}. Anyone")
    rename(hall)
    hall.manage("backup", "--to", str(stick))
    printed = laptop.manage("restore", str(stick)).splitlines()
    assert printed[1].endswith("change the passwords that should no longer hold.")
    assert printed[2:] == ["The key and certificates were copied, too."]
    assert laptop.rows(NAMED) == ["later"] and laptop.rows(NAME) == hall.rows(NAME)
    for name in ("secret-key", "certificates/root.pem"):
        assert (laptop.folder / name).read_text() == (hall.folder / name).read_text()
    # The data folder itself may be given, too: that of the laptop whose screen is broken.
    other = Hall(tmp_path / "other")
    assert other.manage("restore", str(laptop.folder)).startswith("1 event restored from")
    assert other.rows(NAMED) == ["later"]
    # A folder into which only the database was copied has no key to say so of.
    (stick / "secret-key").unlink()
    keyless = Hall(tmp_path / "keyless")
    assert keyless.manage("restore", str(stick)).splitlines()[2].startswith("The backup comes from a site with another")
    empty = other.run("manage.py", "restore", str(tmp_path))
    assert (empty.returncode, empty.stderr) == (1, f"CommandError: {tmp_path} holds no database of Uptown.\n")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 9000] = b"x" * 9000
    path.write_bytes(content)


def another(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE recipes (name TEXT)")


def namesake(path: Path) -> None:
    """A database of another program that has a table of the same name."""
    path.unlink()
    change(path, "CREATE TABLE tournament_event (id INTEGER)")


def newer(path: Path) -> None:
    change(path, "INSERT INTO django_migrations (app, name, applied) VALUES ('tournament', '9999_next', '2030-01-01')")


def nothing(path: Path) -> None:
    path.unlink()


def flip(path: Path) -> None:
    """One bit, in the text of a name: SQLite finds nothing wrong with that."""
    path.write_bytes(path.read_bytes().replace(b"Books", b"Bookr", 1))


def unnamed(spoil: Callable[[Path], None]) -> Callable[[Path], Path]:
    """The same to a file whose name tells nothing of its content."""

    def spoiled(path: Path) -> Path:
        spoil(path)
        return path.rename(path.with_name("copy.sqlite3"))

    return spoiled


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (cut, "was changed since it was made"),
        (flip, "was changed since it was made"),
        (unnamed(cut), "not a backup of Uptown, or it is damaged"),
        (unnamed(scramble), "damaged"),
        (unnamed(another), "not a backup of Uptown"),
        (unnamed(namesake), "not a backup of Uptown"),
        (unnamed(newer), "sqlite3: The database was written by a newer version"),
        (nothing, "There is no file"),
    ],
)
def test_what_is_no_sound_backup_is_refused_and_nothing_changes(
    hall: Hall, spoil: Callable[[Path], Path | None], words: str
) -> None:
    path = Path(hall.manage("backup"))
    path = spoil(path) or path
    before = (hall.folder / "uptown.sqlite3").read_bytes()
    done = hall.run("manage.py", "restore", str(path))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert words in done.stderr
    assert (hall.folder / "uptown.sqlite3").read_bytes() == before
    assert [path.name for path in hall.folder.rglob("*.unfinished*")] == []


@pytest.mark.nightly
def test_the_database_itself_is_no_backup(hall: Hall) -> None:
    before, live = hall.rows(EPOCH), hall.folder / "uptown.sqlite3"
    for given in (hall.folder, live):
        done = hall.run("manage.py", "restore", str(given))
        words = f"{live} is the database that this site uses: there is nothing to restore."
        assert (done.returncode, done.stderr) == (1, f"CommandError: {words}\n")
    assert hall.rows(EPOCH) == before


@pytest.mark.nightly
def test_a_damaged_database_is_set_aside_and_the_backup_takes_its_place(hall: Hall) -> None:
    backup = hall.manage("backup")
    (hall.folder / "uptown.sqlite3").write_bytes(b"not a database any more" * 1000)
    printed = hall.manage("restore", backup)
    assert hall.rows(NAMED) == ["columbus-open"]
    old = Path(printed.splitlines()[2].removeprefix("What was there before: "))
    assert old.name.startswith("damaged-") and old.read_bytes() == b"not a database any more" * 1000


@pytest.mark.nightly
@posix
def test_a_full_disk_fails_the_backup_and_leaves_the_older_ones(hall: Hall) -> None:
    first = Path(hall.manage("backup"))
    # No file may grow beyond 100 blocks of 1,024 bytes: a sixth of the database.
    done = hall.run("-c", FULL)
    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: The backup could not be written: ") and "\n" not in done.stderr.strip()
    assert backups(hall) == [first.name]


FULL = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (102400, 102400))
sys.argv = ["manage.py", "backup"]
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.nightly
@pytest.mark.parametrize("words", [["backup"], ["restore", "any.sqlite3"]])
def test_on_postgresql_its_own_tools_are_named(hall: Hall, words: list[str]) -> None:
    hall.environment |= POSTGRESQL
    done = hall.run("manage.py", *words)
    assert done.returncode == 1
    assert "PostgreSQL: back it up with pg_dump" in done.stderr and "restore --already-restored" in done.stderr


WITHOUT_DRIVER = """
import runpy, sys
sys.modules["psycopg"] = sys.modules["psycopg2"] = None
sys.argv = ["manage.py", "migrate"]
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["manage.py", "migrate"], "port 1 failed"),
        (["manage.py", "serve"], "port 1 failed"),
        (["-c", WITHOUT_DRIVER], "pip install -r tests/postgresql.txt"),
    ],
)
def test_a_postgresql_that_cannot_be_opened_is_one_sentence(hall: Hall, words: list[str], why: str) -> None:
    hall.environment |= POSTGRESQL
    done = hall.run(*words)
    assert done.returncode == 1
    assert done.stderr.startswith("The PostgreSQL database that DATABASE_URL names cannot be opened.")
    assert why in done.stderr and len(done.stderr.strip().splitlines()) == 1


@pytest.mark.nightly
def test_after_a_restore_by_other_means_the_epoch_alone_is_new(hall: Hall) -> None:
    before = hall.rows(EPOCH)
    rename(hall)
    assert hall.manage("restore", "--already-restored").startswith(
        "1 event. Start the site now: the tablets will send again"
    )
    assert hall.rows(EPOCH) != before
    assert hall.rows(NAMED) == ["later"]


@pytest.mark.nightly
def test_a_start_that_changes_the_tables_makes_a_backup_first(hall: Hall) -> None:
    hall.program(PREPARE)
    assert not (hall.folder / "backups").exists()
    for statement in ("DROP TABLE django_session", "DELETE FROM django_migrations WHERE app = 'sessions'"):
        change(hall.folder / "uptown.sqlite3", statement)
    for _ in range(2):
        hall.program(PREPARE)
        assert len(backups(hall)) == 1
    assert hall.rows("SELECT count(*) FROM django_session") == [0]


# What the running site does by itself, with a clock of the test.
KEEPING = """
import datetime, json, os
import django
django.setup()
from django.test import Client
from django.utils import timezone
from tournament.serving.keeping import Keeper
from django.contrib.auth.models import User
from tournament.models import Event, Round
from tournament.queries.backups import backup_age, backup_files
from tournament.services.transactions import writing

def write():
    with writing(Event.objects.get()):
        pass

def count(now):
    keeper.look(now)
    return len(backup_files())

def tone(minutes):
    return backup_age(timezone.now() + datetime.timedelta(minutes=minutes)).tone

def page():
    return [words for words in ("No backup yet", "Last backup just now", "Last backup 31 min ago") if words in desk()]

def desk():
    return browser.get("/desk/columbus-open/").content.decode()

keeper, browser, found = Keeper(lambda made: []), Client(headers={"host": "localhost"}), {}
browser.force_login(User.objects.get(username="dana"))
found["none"] = [backup_age().tone, page()]
found["first"] = count(0)
found["fresh"] = [tone(0), tone(14), tone(16), tone(29), tone(31), page()]
write()
found["too early"] = count(299)
found["after five minutes"] = count(300)
long_ago = timezone.now().timestamp() - 31 * 60
os.utime(backup_files()[-1].path, (long_ago, long_ago))
found["old"] = [backup_age().tone, page()]
found["nothing new"] = count(700)
found["confirmed"] = page()
Round.objects.update(state="closed")
found["round closed"] = count(701)
print(json.dumps(found))
"""


def test_the_running_site_backs_up_after_five_minutes_and_when_a_round_closes(hall: Hall) -> None:
    assert json.loads(hall.program(KEEPING)) == {
        "none": ["heart", ["No backup yet"]],
        "first": 1,
        "fresh": ["", "", "gold", "gold", "heart", ["Last backup just now"]],
        "too early": 1,
        "after five minutes": 2,
        "old": ["heart", ["Last backup 31 min ago"]],
        "nothing new": 2,
        "confirmed": ["Last backup just now"],
        "round closed": 3,
    }


def test_on_postgresql_the_desk_says_who_makes_the_backups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    notice = render_to_string("desk/_backed_up.html").strip()
    assert notice == '<p class="backed-up muted">Backups: by PostgreSQL, not by this site</p>'


@pytest.mark.nightly
def test_what_a_crashed_site_had_written_beside_its_file_comes_along(hall: Hall, tmp_path: Path) -> None:
    """A newer SQLite writes into a log beside the database first; after a crash the last hands are only there."""
    other = tmp_path / "other"
    other.mkdir()
    live = hall.folder / "uptown.sqlite3"
    with contextlib.closing(sqlite3.connect(live)) as opened:
        opened.execute("PRAGMA journal_mode=wal")
        opened.execute("UPDATE tournament_event SET slug = 'later'")
        opened.commit()
        for name in ("uptown.sqlite3", "uptown.sqlite3-wal"):
            shutil.copyfile(hall.folder / name, other / name)
    rename(hall)
    change(live, "UPDATE tournament_event SET slug = 'sooner'")
    hall.manage("restore", str(other))
    assert hall.rows(NAMED) == ["later"]


# A restore while the site runs, beside another program, and one that is broken off in its middle.
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
    assert hall.rows(NAMED) == ["later"]


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
    hall.program(BROKEN_OFF, backup, str(saved), str(ends))
    states = [state(folder / live.name) for folder in sorted(ends.iterdir())]
    assert len(states) > 8 and states == sorted(states, reverse=True)
    assert (states[0], states[-2:]) == ("old", ["new", "new"])


def state(live: Path) -> str:
    """Which of the two databases is there; both are whole, except for the damaged one."""
    if live.read_bytes().startswith(DAMAGED):
        return "old"
    with contextlib.closing(sqlite3.connect(live)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        [(slug,)] = database.execute(NAMED).fetchall()
    return {"later": "old", "columbus-open": "new"}[slug]
