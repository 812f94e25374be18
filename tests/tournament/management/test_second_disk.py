"""Copies on other disks: full, slow, pulled out in the middle, on the data's own disk; what the desk says of each."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from tests.disks import change_size, other_disk, plug_in, pull_out
from tests.halls import eventually
from tournament.models import Event
from tournament.queries.backups import (
    ACT,
    MOMENT,
    STATES,
    BackupAge,
    backup_age,
    backup_files,
    backup_folder,
    checksum,
    no_disk,
    second_ages,
)
from tournament.services import copies
from tournament.services.backups import copy_after_acts, make_backup, pack_up
from tournament.services.copies import LEAST_FREE, NO_ROOM, Pace, bring_up_to_date
from tournament.serving.keeping import ActKeeper, Follower, Keeper
from tournament.site.data_folder import COMMAND

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has its own ways")

KEY = "a key of this site"


@pytest.fixture
def data(own_file: None, event: Event, tmp_path: Path, settings: Any) -> Iterator[Path]:
    """A data folder with an event, beside which nothing was backed up yet."""
    settings.DATA = tmp_path / "data"
    settings.DATA.mkdir()
    (settings.DATA / "secret-key").write_text(KEY)
    STATES.clear()
    yield settings.DATA
    STATES.clear()


@pytest.fixture
def disk() -> Iterator[Path]:
    with other_disk() as disk:
        yield disk


def chosen(*folders: Path) -> None:
    settings.BACKUPS = os.pathsep.join(map(str, folders))


def kinds(folder: Path) -> list[str]:
    return [one.kind for one in backup_files(folder)]


def bring(folder: Path, pace: Pace | None = None, least_free: int = 0) -> str:
    """Why nothing was copied, if nothing was."""
    try:
        bring_up_to_date(folder, pace or Pace(0.0), least_free)
    except OSError as fault:
        return fault.strerror or str(fault)
    return ""


def said() -> list[str]:
    """What the desk says of other disks."""
    lines = render_to_string("desk/_backed_up.html").split("<p ")[2:]
    return [" ".join(strip_tags(f"<p {line}").split()) for line in lines]


def test_a_folder_is_made_on_another_disk_alone(data: Path, disk: Path, tmp_path: Path) -> None:
    here, there, away = tmp_path / "copies", disk / "copies", tmp_path / "away" / "copies"
    chosen(here, there, away)
    make_backup()
    same, gone = (
        f"{here} would be on the disk that holds the data. If you want it there, type: mkdir {here}",
        f"{away} is not there: plug the disk in",
    )
    assert [bring(here), bring(there), bring(away)] == [same, "", gone]
    assert [here.exists(), kinds(there), away.exists()] == [False, ["uptown"], False]
    assert said() == [
        f"▲ Second disk: no copy {same}",
        f"▲ Second disk: last copy just now no key yet. Pack up once onto this disk: {COMMAND} backup --to {there}",
        f"▲ Second disk: no copy {gone}",
    ]
    here.mkdir()
    assert (bring(here), kinds(here)) == ("", ["uptown"])
    pack_up(backup_files()[0].path, there)
    assert bring(there) == ""
    # A key anywhere on the disk would do, and one of the same disk beside the folder does not.
    assert [age.note for age in second_ages()] == [
        f"no key yet. Pack up once onto this disk: {COMMAND} backup --to {here}; on the same disk as the data",
        "",
        "",
    ]


def test_where_no_second_disk_was_named_the_desk_says_what_to_type(data: Path) -> None:
    chosen()
    assert second_ages() == [BackupAge(None, "", note=no_disk())]
    assert said() == [f"Second disk: {no_disk()}"]


def test_a_full_disk_holds_up_no_other_and_catches_up_when_there_is_room(data: Path, disk: Path) -> None:
    with other_disk("300k") as small:
        chosen(small, disk)
        make_backup("by-hand")
        make_backup()
        assert [bring(small), bring(disk)] == ["No space left on device", ""]
        assert [list(small.iterdir()), kinds(disk)] == [[], ["by-hand", "uptown"]]
        assert [age.tone for age in second_ages()] == ["heart", "gold"]
        change_size(small, "64m")
        assert (bring(small), kinds(small)) == ("", ["by-hand", "uptown"])


def test_below_500_mb_free_no_copy_is_made_after_acts_and_the_backups_go_on(data: Path, disk: Path) -> None:
    chosen(disk)
    copy_after_acts()
    make_backup()
    assert LEAST_FREE == 500 * 2**20
    assert (bring(disk, least_free=LEAST_FREE), kinds(disk)) == ("", ["uptown"])
    assert NO_ROOM in second_ages()[0].note
    assert (bring(disk), kinds(disk)) == ("", ["act", "uptown"])
    assert NO_ROOM not in second_ages()[0].note


def test_on_the_data_disk_itself_it_is_the_same(data: Path) -> None:
    with other_disk(folder=data):
        keeper = ActKeeper(pause=0.0)
        keeper.look()
        Keeper(lambda made: []).look(1000.0)
        assert kinds(backup_folder()) == ["uptown"]
        age = backup_age()
        assert age is not None and (age.tone, age.note) == ("gold", NO_ROOM)
        assert copies.acted.is_set()
        keeper.least_free = 0
        keeper.look()
        assert not copies.acted.is_set()


def test_three_copies_after_acts_stay_on_either_disk_and_no_more(data: Path, disk: Path) -> None:
    chosen(disk)
    make_backup("round")
    for _ in range(5):
        copy_after_acts()
        assert bring(disk) == ""
    assert kinds(backup_folder()) == kinds(disk) == ["round", "act", "act", "act"]
    assert [one.path.name for one in backup_files()] == [one.path.name for one in backup_files(disk)]
    assert [checksum(one.path) for one in backup_files(disk)] == [one.checksum for one in backup_files()]


def test_a_slow_disk_gets_fewer_copies_after_acts_and_the_desk_says_so(data: Path, disk: Path) -> None:
    """By a clock on which the first copy takes twelve seconds; asked before, at the beginning and the end of each."""
    chosen(disk)
    times = iter([0.0, 0.0, 12.0, *(13.0, 59.0), 61.0, 61.0, 62.0])
    pace = Pace(0.0, slow=3.0, clock=lambda: next(times))
    slow = "slow: a copy took 12 s, so the next one waits 60 s"
    for expected in (1, 1, 1, 2):
        copy_after_acts()
        assert bring(disk, pace) == ""
        assert kinds(disk) == [ACT] * expected
        if expected == 1:
            assert slow in second_ages()[0].note
    assert slow not in second_ages()[0].note


def test_a_disk_that_is_pulled_out_in_the_middle_holds_up_nothing_and_catches_up(data: Path, disk: Path) -> None:
    """The disk is the folder itself: what is left of it is an empty folder on the first disk, which must stay empty."""
    with other_disk() as other:
        chosen(disk, other)
        make_backup()
        assert [bring(disk), bring(other)] == ["", ""]
        large = backup_folder() / "large"
        with large.open("wb") as file:
            file.truncate(40 * 2**20)
        large.rename(backup_folder() / f"by-hand-{datetime.now(UTC):{MOMENT}}-{checksum(large)}.sqlite3")
        is_over, follower = threading.Event(), Follower(disk, least_free=0)
        thread = threading.Thread(target=follower.run, args=(is_over,))
        thread.start()
        eventually(lambda: any(disk.glob("*.unfinished")) or len(kinds(disk)) == 2, lambda: kinds(disk))
        pull_out(disk)
        is_over.set()
        follower.woken.set()
        thread.join()
        gone = f"{disk} is not there: plug the disk in"
        assert [bring(disk), bring(other)] == [gone, ""]
        assert [list(disk.iterdir()), kinds(other)] == [[], ["uptown", "by-hand"]]
        assert next((age.at is None, age.tone, age.trouble) for age in second_ages()) == (True, "heart", gone)
        plug_in(disk, "64m")
        assert (bring(disk), kinds(disk)) == ("", ["uptown", "by-hand"])


def test_a_copy_that_does_not_end_is_said(data: Path, disk: Path) -> None:
    chosen(disk)
    make_backup()
    bring(disk)
    STATES[disk].has_key, STATES[disk].since = True, datetime.now(UTC) - timedelta(minutes=3)
    assert said() == ["▲ Second disk: last copy just now still writing, since 3 min"]


def test_a_disk_that_keeps_what_it_was_given_otherwise_holds_no_copy(
    data: Path, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worn stick takes everything and gives back something else."""
    whole = shutil.copyfile

    def worn(source: Path, target: Path) -> None:
        whole(source, target)
        with target.open("r+b") as file:
            file.seek(5000)
            file.write(b"!")

    monkeypatch.setattr(shutil, "copyfile", worn)
    make_backup()
    assert bring(disk) == f"What was written to {disk} reads differently"
    assert list(disk.iterdir()) == []


def test_a_shortcut_remembers_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From wherever it is started."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UPTOWN_BACKUPS", os.pathsep.join(("disk 2", str(tmp_path / "disk3"))))
    out = StringIO()
    call_command("shortcut", folder=tmp_path, stdout=out)
    written = Path(out.getvalue().strip()).read_text(encoding="utf-8")
    assert os.pathsep.join((f"{tmp_path / 'disk 2'}", f"{tmp_path / 'disk3'}")) in written


def test_what_has_had_its_time_goes_there_too_and_other_files_stay(data: Path, disk: Path) -> None:
    for name in ("uptown-20200101-000000-000000.sqlite3", "taken-over.json"):
        (disk / name).touch()
    make_backup()
    assert (bring(disk), kinds(disk)) == ("", ["uptown"])
    assert (disk / "taken-over.json").exists()
    broken = disk / "broken"
    broken.symlink_to("/dev/full")
    assert bring(broken) == f"{broken} is not there: plug the disk in"
