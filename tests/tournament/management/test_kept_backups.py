"""Which backups stay, which are made at a start, and the copies on a second disk."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.halls import Hall, Prepared
from tests.sure import sure
from tournament.queries.backups import KEPT, MOMENT, Backup, backup_files, backup_of, checksum, newest_backup, surplus
from tournament.services.backups import thin_out

NOW = datetime(2026, 11, 24, 12, 0, 30, tzinfo=UTC)


def named(folder: Path, made: datetime, kind: str = "uptown") -> Path:
    path = folder / f"{kind}-{made:{MOMENT}}-0123456789abcdef.sqlite3"
    path.touch()
    return path


def test_backups_by_the_clock_are_thinned_out_by_age(tmp_path: Path) -> None:
    """Made every five minutes for forty days, and thinned out each time: what stays is what the table says."""
    written = NOW - timedelta(days=40)
    stays: list[Backup] = []
    while written <= NOW:
        backup = sure(backup_of(tmp_path / f"uptown-{written:{MOMENT}}.sqlite3"))
        going = surplus([*stays, backup], written)
        stays = [one for one in [*stays, backup] if one not in going]
        written += timedelta(minutes=5)
    ages = [NOW - stay.made for stay in stays]
    assert sum(age <= KEPT[0][0] for age in ages) == 4 * 12 + 1
    assert sum(KEPT[0][0] < age <= KEPT[1][0] for age in ages) == 44
    assert sum(KEPT[1][0] < age for age in ages) in (29, 30)
    assert max(ages) <= timedelta(days=31)
    assert NOW in [stay.made for stay in stays]


def test_of_the_copies_after_acts_three_stay_whatever_their_age(tmp_path: Path) -> None:
    for minutes in range(0, 5 * 60, 7):
        named(tmp_path, NOW - timedelta(minutes=minutes), "act")
    round_end = named(tmp_path, NOW - timedelta(minutes=1), "round")
    thin_out(tmp_path)
    stay = [(one.kind, (NOW - one.made) // timedelta(minutes=1)) for one in backup_files(tmp_path)]
    assert stay == [("act", 14), ("act", 7), ("round", 1), ("act", 0)]
    assert round_end.exists()


def test_files_of_another_name_stay_and_what_was_never_finished_goes_after_an_hour(tmp_path: Path) -> None:
    names = ("taken-over.json", "secret-key", "my copy.sqlite3", "tmp1.unfinished", "tmp2.unfinished")
    for name in names:
        (tmp_path / name).touch()
    two_hours_ago = time.time() - 7200
    os.utime(tmp_path / "tmp1.unfinished", (two_hours_ago, two_hours_ago))
    thin_out(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(names) - {"tmp1.unfinished"}


def test_only_those_by_the_clock_go_and_never_the_newest(tmp_path: Path) -> None:
    long_ago = NOW - timedelta(days=400)
    for kind in ("round", "by-hand", "before-1.0.0", "replaced", "damaged-uptown", "uptown"):
        named(tmp_path, long_ago, kind)
    newest = named(tmp_path, long_ago + timedelta(days=1))
    going = [file.path.name for file in surplus(backup_files(tmp_path), NOW)]
    assert going == [f"uptown-{long_ago:{MOMENT}}-0123456789abcdef.sqlite3"]
    assert (found := newest_backup(tmp_path)) is not None and found.path == newest
    # What a restore set aside is not what the site went on with.
    named(tmp_path, NOW, "replaced")
    assert (found := newest_backup(tmp_path)) is not None and found.path == newest


@pytest.mark.nightly
def test_a_backup_is_named_after_when_why_and_what(hall: Hall) -> None:
    path = Path(hall.manage("backup"))
    backup_found = sure(backup_of(path))
    assert (backup_found.kind, backup_found.checksum) == ("by-hand", checksum(path))
    assert len(backup_found.checksum) == 16
    assert [backup_of(hall.folder / name) for name in ("uptown.sqlite3", "uptown-20269999-000000-000000.sqlite3")] == [
        None,
        None,
    ]


@pytest.mark.nightly
def test_a_backup_whose_name_has_no_checksum_is_restored_and_that_is_said(hall: Hall) -> None:
    path = Path(hall.manage("backup"))
    copy = path.rename(path.with_name("my-copy.sqlite3"))
    output = hall.manage("restore", str(copy)).splitlines()
    assert (
        output[2]
        == "The name of this file has no checksum: it is complete, but nobody can tell whether it was changed."
    )


STARTS = """
import json, os, time
import django
django.setup()
from tournament.models import Event, Round
from tournament.queries.backups import backup_files
from tournament.services.transactions import writing
from tournament.serving.keeping import Keeper

def started(now=1000.0):
    Keeper(lambda made: []).look(now)
    return [one.kind for one in backup_files()]

def write():
    with writing(Event.objects.get()):
        pass

def age(minutes):
    then = time.time() - 60 * minutes
    os.utime(backup_files()[-1].path, (then, then))

found = {"first": started(), "again": started()}
write()
found["changed, but the newest is young"] = started()
age(6)
found["changed, and it is old"] = started()
age(6)
found["old, but equal"] = started()
backup_files()[-1].path.write_bytes(b"no database")
found["the newest cannot be read"] = started()
Round.objects.update(state="closed")
found["a round was closed"] = started()
print(json.dumps(found))
"""


@pytest.mark.nightly
def test_a_start_makes_no_backup_where_the_newest_is_young_or_holds_the_same(hall: Hall) -> None:
    assert json.loads(hall.program(STARTS)) == {
        "first": ["uptown"],
        "again": ["uptown"],
        "changed, but the newest is young": ["uptown"],
        "changed, and it is old": ["uptown"] * 2,
        "old, but equal": ["uptown"] * 2,
        "the newest cannot be read": ["uptown"] * 3,
        "a round was closed": ["uptown"] * 3 + ["round"],
    }


# What a restore does not bring back: sign-ins, tablets, passwords, factors and offices taken away since.
COMMON = """
import json, sys
import django
django.setup()
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
from django.contrib.auth.models import User
from django.test import Client
from tournament.access import Actor
from tournament.models import *
from tournament.queries.devices import device_of, known_device
from tournament.services.devices import *
from tournament.services.accounts import reset_factor
from tournament.services.events import appoint_official, dismiss_official
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

event, dana = Event.objects.get(), User.objects.get(username="dana")
"""
# Vic has an office, is signed in and knows a password; tablet A of table 1 is bound.
BEFORE = (
    COMMON
    + """
for name in ("vic", "wes"):
    appoint_official(Actor(dana), event, name, "verifier", "a long enough password")
User.objects.create(username="yves")
vic = User.objects.get(username="vic")
vic.email = "old@example.org"
vic.save()
browser = Client(headers={"host": "localhost"})
browser.force_login(vic)
token = pair_device(Actor(), sys.argv[1])
card = issue_card(Actor(dana), event, 2)
for name in ("dana", "vic"):
    user = User.objects.get(username=name)
    TOTPDevice.objects.create(user=user, key="0" * 40, name="app", last_t=7)
    for code in ("first", "second"):
        StaticDevice.objects.get_or_create(user=user)[0].token_set.create(token=code)
print(json.dumps([browser.cookies[settings.SESSION_COOKIE_NAME].value, token, card]))
"""
)
# Afterwards Vic is dismissed, has another password and mail address, and is signed out; tablet and card are withdrawn.
AFTER = (
    COMMON
    + """
from django.contrib.sessions.models import Session
vic = User.objects.get(username="vic")
dismiss_official(Actor(dana), event, vic.pk)
vic.set_password("another long password")
vic.email = "new@example.org"
vic.save()
User.objects.filter(username="yves").delete()
wes = User.objects.get(username="wes")
wes.is_active = False
wes.save()
Session.objects.all().delete()
for table in (1, 2):
    revoke_device(Actor(dana), event, table)
reset_factor(vic)
StaticToken.objects.filter(device__user=dana, token="first").delete()
TOTPDevice.objects.filter(user=dana).update(last_t=9)
appoint_official(Actor(dana), event, "xena", "director", "a long enough password")
dismiss_official(Actor(User.objects.get(username="xena")), event, dana.pk)
"""
)
ASK = (
    COMMON
    + """
cookie, token, card = json.loads(sys.argv[1])
browser = Client(headers={"host": "localhost"})
browser.cookies[settings.SESSION_COOKIE_NAME] = cookie
found = {"desk": browser.get(f"/desk/{event.slug}/").status_code, "tablet": device_of(token) is not None}
found["old password"] = User.objects.get(username="vic").check_password("a long enough password")
found["mail"] = User.objects.get(username="vic").email
found["offices"] = sorted(Official.objects.values_list("user__username", "role"))
found["active"] = sorted(User.objects.filter(is_active=True).values_list("username", flat=True))
found["card"] = Device.objects.filter(table=2).exclude(code_hash="").exists()
found["apps"] = list(TOTPDevice.objects.values_list("user__username", "key", "confirmed", "last_t"))
found["codes"] = sorted(StaticToken.objects.values_list("device__user__username", "token"))
found["log"] = list(Journal.objects.filter(action="restore").order_by("pk").values_list("code", flat=True))
print(json.dumps(found))
"""
)
AS_BEFORE = {
    "desk": 200,
    "tablet": True,
    "old password": True,
    "mail": "old@example.org",
    "offices": [["dana", "director"], ["vic", "verifier"], ["wes", "verifier"]],
    "active": ["dana", "vic", "wes", "yves"],
    "card": True,
    "apps": [["dana", "0" * 40, True, 7], ["vic", "0" * 40, True, 7]],
    "codes": [["dana", "first"], ["dana", "second"], ["vic", "first"], ["vic", "second"]],
    "log": [],
}
TAKEN = {
    "desk": 302,
    "tablet": False,
    "old password": False,
    "mail": "new@example.org",
    "offices": [["wes", "verifier"], ["xena", "director"]],
    "active": ["dana", "vic", "xena"],
    "card": False,
    "apps": [["dana", "0" * 40, True, 9]],
    "codes": [["dana", "second"]],
}


def test_what_was_taken_away_since_the_backup_stays_taken(hall: Hall, prepared_hall: Prepared) -> None:
    tokens = hall.program(BEFORE, prepared_hall.code)
    assert json.loads(hall.program(ASK, tokens)) == AS_BEFORE
    backup = hall.manage("backup")
    hall.program(AFTER)
    output = hall.manage("restore", backup).splitlines()
    assert json.loads(hall.program(ASK, tokens)) == TAKEN | {"log": ["backup", "admission"]}
    assert output[1] == (
        "Every sign-in has ended: sign in again. Kept as it was before the restore: 4 accounts, 3 offices and "
        "2 withdrawn tablets."
    )


# An event that is set up after a backup, and who directs each one.
ANOTHER = """
import sys
import django
django.setup()
from tests.factories import make_event, make_user
from tournament.models import Official
make_event(sys.argv[1], make_user(sys.argv[2]))
"""
OFFICES = """
import json
import django
django.setup()
from tournament.models import Official
print(json.dumps(sorted(Official.objects.values_list("event__name", "user__username", "role"))))
"""


@pytest.mark.nightly
@pytest.mark.parametrize("meanwhile", [True, False], ids=["an event made meanwhile", "nothing done meanwhile"])
def test_a_restore_that_is_taken_back_leaves_each_event_its_officials(
    meanwhile: bool, hall: Hall, prepared_hall: Prepared
) -> None:
    """Also where the database that it replaces knows nothing of an event, or another one by the same number."""
    older = hall.manage("backup")
    hall.program(ANOTHER, "Winter Open", "vic")
    output = hall.manage("restore", older).splitlines()
    if meanwhile:
        hall.program(ANOTHER, "Spring Open", "wes")
    hall.manage("restore", output[2].removeprefix("What was there before: "))
    assert json.loads(hall.program(OFFICES)) == [
        ["Columbus Open", "dana", "director"],
        ["Winter Open", "vic", "director"],
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("other", [True, False], ids=["another site", "a damaged database"])
def test_where_nobody_knows_what_was_taken_away_it_is_said(other: bool, hall: Hall, prepared_hall: Prepared) -> None:
    tokens = hall.program(BEFORE, prepared_hall.code)
    backup = hall.manage("backup")
    hall.program(AFTER)
    if other:
        hall.program(COMMON + "Installation.objects.update(name='another')")
    else:
        (hall.folder / "uptown.sqlite3").write_bytes(b"not a database any more")
    output = hall.manage("restore", backup).splitlines()
    assert json.loads(hall.program(ASK, tokens)) == AS_BEFORE | {"desk": 302, "log": ["backup", "unknown"]}
    assert output[1] == (
        "Every sign-in has ended: sign in again. What was revoked after the backup was made is not known here: look "
        "through officials and tablets of each event, and change the passwords that should no longer hold."
    )


@pytest.mark.nightly
def test_a_restore_by_other_means_ends_every_sign_in_too(hall: Hall, prepared_hall: Prepared) -> None:
    tokens = hall.program(BEFORE, prepared_hall.code)
    output = hall.manage("restore", "--already-restored").splitlines()
    assert output[1].startswith("Every sign-in has ended: sign in again. What was revoked after the backup was made")
    assert json.loads(hall.program(ASK, tokens))["desk"] == 302
