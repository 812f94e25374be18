"""`manage.py takeover`: a second laptop goes on from the newest copy; what it says of sticks that are not as hoped."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.halls import Hall
from tests.programs import own_port

SECRET = "SELECT secret FROM tournament_installation"
NAME = "SELECT name FROM tournament_installation"
EPOCHS = "SELECT epoch FROM tournament_event UNION SELECT epoch FROM tournament_installation"
# What serves is another test: here the command says what it found, and ends.
WITHOUT_SERVING = """
import sys
import django
django.setup()
from django.core.management import call_command
from django.core.management.base import CommandError
from tournament.management.commands import takeover
takeover.Command.run_site = lambda *given: None
try:
    call_command(takeover.Command(), *sys.argv[1:])
except CommandError as refusal:
    sys.exit(str(refusal))
"""


def taken(hall: Hall, *words: object) -> subprocess.CompletedProcess[str]:
    return hall.run("-c", WITHOUT_SERVING, *map(str, words))


def refused(hall: Hall, *words: object) -> str:
    """What a takeover says that changes nothing."""
    before = state(hall)
    done = taken(hall, *words)
    assert (done.returncode, done.stdout) == (1, ""), done.stdout + done.stderr
    assert state(hall) == before
    return done.stderr.strip()


def state(hall: Hall) -> dict[str, bytes]:
    """Every file of a data folder but the key and the lock, which any command makes."""
    files = (path for path in hall.folder.rglob("*") if path.is_file() and path.name not in ("secret-key", "running"))
    return {str(path): path.read_bytes() for path in files}


def went_on(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()


def change(file: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as opened, opened:
        for statement in statements:
            opened.execute(statement)


def write(hall: Hall, times: int = 1) -> None:
    """Something happens at the desk."""
    change(hall.folder / "uptown.sqlite3", f"UPDATE tournament_event SET version = version + {times}")


def rename(hall: Hall, name: str) -> None:
    change(hall.folder / "uptown.sqlite3", f"UPDATE tournament_event SET name = '{name}', version = version + 1")


def at(copy: Path, moment: str) -> Path:
    """A copy whose laptop's clock showed another time."""
    kind, _, checksum = copy.name.removesuffix(".sqlite3").rpartition("-")
    return copy.rename(copy.with_name(f"{kind[: -len('20261129-142855-295796')]}{moment}-{checksum}.sqlite3"))


@pytest.fixture
def spare(tmp_path: Path) -> Hall:
    return Hall(tmp_path / "spare", DJANGO_SETTINGS_MODULE="tournament.settings")


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def test_the_newest_good_copy_is_taken_over_with_key_and_certificates(hall: Hall, spare: Hall, stick: Path) -> None:
    (hall.folder / "certificates").mkdir()
    (hall.folder / "certificates" / "root.pem").write_text("trusted")
    hall.manage("backup", "--to", str(stick / "uptown"))
    rename(hall, "Later Open")
    copies = stick / "copies"
    copies.mkdir()
    newest = Path(shutil.copy(hall.manage("backup"), copies))
    rename(hall, "Latest Open")
    torn = Path(shutil.copy(hall.manage("backup"), copies))
    torn.write_bytes(torn.read_bytes()[:-4096])
    said = went_on(taken(spare, stick))
    assert said[0].startswith(f"Passed over: {torn} (")
    assert said[1].startswith(f"Taken over: Later Open, from {newest}, made on ")
    assert said[2:4] == [
        "The key was copied, with the certificates.",
        "Everybody signs in again, with the same name and password.",
    ]
    assert spare.rows("SELECT name FROM tournament_event") == ["Later Open"]
    assert (spare.rows(NAME), spare.rows(SECRET)) == (hall.rows(NAME), hall.rows(SECRET))
    for name in ("secret-key", "certificates/root.pem"):
        assert (spare.folder / name).read_text() == (hall.folder / name).read_text()
    [epoch] = spare.rows(EPOCHS)
    marks = [json.loads((folder / "taken-over.json").read_text()) for folder in (stick / "uptown", copies)]
    assert [mark["installation"] for mark in marks] == hall.rows(NAME) * 2
    assert [mark["epoch"].replace("-", "") for mark in marks] == [epoch] * 2


def test_what_may_be_missing_is_said_with_the_numbers_of_the_copy(hall: Hall, spare: Hall, stick: Path) -> None:
    hall.program(MONEY)
    hall.manage("backup", "--to", str(stick))
    said = went_on(taken(spare, stick))
    assert said[4] == "Columbus Open" and said[5].startswith("The copy is from ") and said[5].endswith("m.")
    assert said[6:] == [
        "Whatever desk and players did later may be missing: look at receipts after no. 1, all entries and dues of "
        "2026 after no. 7, and at check-ins, rulings, typed sheets, corrections, draws and changes of the list.",
        "Tablets send their hands again by themselves.",
        "Receipts go on at no. 1001: the numbers in between may be on paper already.",
    ]
    # The next receipt, at the desk and on the season's page; and after a second takeover of what has none since.
    assert json.loads(spare.program(NEXT)) == [1001, 1001]
    spare.manage("backup", "--to", str(stick / "again"))
    third = Hall(spare.folder.parent / "third", DJANGO_SETTINGS_MODULE="tournament.settings")
    went_on(taken(third, stick / "again"))
    assert json.loads(third.program(NEXT)) == [2001, 2001]


MONEY = """
import django
django.setup()
from django.contrib.auth.models import User
from tournament.access import Actor
from tournament.models import Event, Ledger, Person, Season
from tournament.queries.ledger import Wording
from tournament.services.ledger import write_line
from tournament.services.transactions import writing
dana = Actor(User.objects.get(username="dana"))
season = Season.objects.create(slug="2026", name="2026", dues_cents=2000)
member = Person.objects.create(name="Ann Hill")
Ledger.objects.create(season=season, member=member, number=7, kind="dues", cents=2000)
with writing(Event.objects.get()) as event:
    event.season = season
    event.save()
    write_line(dana, event, "fee", 2000, event.teams.first(), Wording())
"""
NEXT = """
import json
import django
django.setup()
from tournament.models import Event, Season
from tournament.services.ledger import next_number, next_season_number
print(json.dumps([next_number(Event.objects.get()), next_season_number(Season.objects.get())]))
"""


def test_codes_and_tablets_stay_as_they_were(hall: Hall, spare: Hall, stick: Path) -> None:
    hall.manage("backup", "--to", str(stick))
    went_on(taken(spare, stick))
    for rows in ("SELECT wall_code FROM tournament_event", "SELECT token_hash, code_hash FROM tournament_device"):
        assert spare.lists(rows) == hall.lists(rows)


def test_copies_are_ordered_by_what_they_hold_and_a_wrong_clock_is_named(hall: Hall, spare: Hall, stick: Path) -> None:
    first = Path(shutil.copy(hall.manage("backup"), stick))
    rename(hall, "Later Open")
    second = Path(shutil.copy(hall.manage("backup"), stick))
    at(first, "20400101-000000-000000")
    second = at(second, "20200101-000000-000000")
    said = went_on(taken(spare, stick))
    assert said[0].startswith(f"Taken over: Later Open, from {second}, made on Jan 1")
    assert said[1].startswith("A clock was wrong: ")


def test_a_copy_from_the_future_is_taken_and_said(hall: Hall, spare: Hall, stick: Path) -> None:
    at(Path(shutil.copy(hall.manage("backup"), stick)), "20400101-000000-000000")
    assert went_on(taken(spare, stick))[1].startswith("A clock was wrong: ")


def test_of_two_clubs_one_is_chosen(hall: Hall, spare: Hall, stick: Path, tmp_path: Path) -> None:
    other = Hall(Path(shutil.copytree(hall.folder, tmp_path / "other")), DJANGO_SETTINGS_MODULE="tournament.settings")
    change(other.folder / "uptown.sqlite3", "UPDATE tournament_installation SET name = '0000000000000000'")
    rename(other, "Akron Open")
    for one in (hall, other):
        shutil.copy(one.manage("backup"), stick)
    said = refused(spare, stick).splitlines()
    assert said[0].startswith("There are copies of 2 clubs. Nothing was changed. Type the line again with the number")
    assert [line[:27] for line in said[1:]] == ["1  Akron Open: newest copy ", "2  Columbus Open: newest co"]
    assert refused(spare, stick, "--club", "3").startswith("There are copies of 2 clubs, so --club is a number from 1")
    went_on(taken(spare, stick, "--club", "2"))
    assert spare.rows("SELECT name FROM tournament_event") == ["Columbus Open"]


def test_sticks_that_are_not_as_hoped(hall: Hall, spare: Hall, stick: Path) -> None:
    gone = stick / "gone"
    assert refused(spare, stick, gone) == (
        f"{gone} is not there. Plug the stick in, or check how its folder is called, and type the line again."
    )
    assert refused(spare, stick).startswith(f"There is no copy of Uptown in {stick}. Nothing was changed.")
    torn = Path(shutil.copy(hall.manage("backup"), stick))
    torn.write_bytes(b"no database")
    assert f"Passed over: {torn} (it is not a database of Uptown, or it is damaged)" in refused(spare, stick)
    torn.unlink()
    flipped = Path(shutil.copy(hall.manage("backup"), stick))
    flipped.write_bytes(flipped.read_bytes().replace(b"Books", b"Bookr", 1))
    assert refused(spare, stick).startswith("None of the 1 copies there is undamaged. Nothing was changed.")


def test_a_copy_of_a_newer_program_is_not_passed_over(hall: Hall, spare: Hall, stick: Path) -> None:
    shutil.copy(hall.manage("backup"), stick)
    newer = "INSERT INTO django_migrations (app, name, applied) VALUES ('tournament', '9999_next', '2030-01-01')"
    change(hall.folder / "uptown.sqlite3", newer)
    # This program makes no backup of such a database.
    file = stick / "uptown.sqlite3"
    shutil.copy(hall.folder / "uptown.sqlite3", file)
    assert refused(spare, stick).startswith(f"{file}: The database was written by a newer version than this one")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="whoever is root may read everything")
def test_a_stick_that_cannot_be_read(spare: Hall, stick: Path) -> None:
    stick.chmod(0)
    try:
        assert refused(spare, stick) == f"{stick} cannot be read: Permission denied."
    finally:
        stick.chmod(0o700)


def test_events_that_are_here_already(hall: Hall, spare: Hall, stick: Path, tmp_path: Path) -> None:
    hall.manage("backup", "--to", str(stick))
    went_on(taken(spare, stick))
    # This laptop took over already.
    assert refused(spare, stick).startswith("This laptop already holds all that is in the newest copy there.")
    # It is another club's.
    change(spare.folder / "uptown.sqlite3", "UPDATE tournament_installation SET name = 'another'")
    assert refused(spare, stick).startswith(
        "This laptop holds events of another club: Columbus Open. Nothing was changed"
    )
    key = (spare.folder / "secret-key").read_text()
    said = went_on(taken(spare, stick, "--yes"))
    aside = next(line for line in said if line.startswith("What was there before: "))
    assert Path(aside.removeprefix("What was there before: ")).name.startswith("replaced-")
    [kept] = (spare.folder / "backups").glob("replaced-key-*/secret-key")
    assert kept.read_text() == key and spare.rows(NAME) == hall.rows(NAME)


def test_without_a_key_it_says_what_that_means(hall: Hall, spare: Hall, stick: Path) -> None:
    shutil.copy(hall.manage("backup"), stick)
    assert went_on(taken(spare, stick))[1].startswith("No key was found there. Nothing is lost without it, but ")
    assert spare.rows(NAME) == hall.rows(NAME)


def test_a_key_of_another_club_is_left_alone(hall: Hall, spare: Hall, stick: Path, tmp_path: Path) -> None:
    other = Hall(tmp_path / "other", DJANGO_SETTINGS_MODULE="tournament.settings")
    shutil.copytree(hall.folder, other.folder, ignore=shutil.ignore_patterns("secret-key"))
    other.manage("check")
    change(other.folder / "uptown.sqlite3", "UPDATE tournament_installation SET name = '0000000000000000'")
    other.manage("backup", "--to", str(stick / "other"))
    shutil.copy(hall.manage("backup"), stick)
    number = "2" if hall.rows(NAME)[0] > "0" * 16 else "1"
    assert any(line.startswith("No key was found there.") for line in went_on(taken(spare, stick, "--club", number)))


@pytest.fixture
def second(spare: Hall) -> Iterator[Hall]:
    yield spare
    spare.kill()


def test_it_serves_at_the_old_port_and_says_where_tablets_find_it(hall: Hall, second: Hall, stick: Path) -> None:
    port = own_port("0.0.0.0")
    where = f"http://192.0.2.77:{port}/"
    change(hall.folder / "uptown.sqlite3", f"UPDATE tournament_installation SET address = '{where}'")
    hall.manage("backup", "--to", str(stick))
    second.take_over(str(stick), port=port)
    said = second.said()
    assert f"The old laptop was at {where}, and this one is at http://" in said
    assert "Give this laptop the address 192.0.2.77 in its settings of the Wi-Fi;" in said
    # Tablets ask for it by that address.
    assert second.ask("/", host=f"192.0.2.77:{port}").status == 200
