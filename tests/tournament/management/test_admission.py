"""What a restore does not bring back: sign-ins, tablets, passwords, factors and offices taken away since."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.halls import Hall, Prepared

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


def run(hall: Hall, program: str, *words: str) -> str:
    done = hall.run("-c", program, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_was_taken_away_since_the_backup_stays_taken(prepared_hall: Prepared, tmp_path: Path) -> None:
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")
    held = run(hall, BEFORE, prepared_hall.code)
    assert json.loads(run(hall, ASK, held)) == AS_BEFORE
    backup = hall.manage("backup")
    run(hall, AFTER)
    said = hall.manage("restore", backup).splitlines()
    assert json.loads(run(hall, ASK, held)) == TAKEN | {"log": ["backup", "admission"]}
    assert said[1] == (
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
    meanwhile: bool, prepared_hall: Prepared, tmp_path: Path
) -> None:
    """Also where the database that it replaces knows nothing of an event, or another one by the same number."""
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")
    older = hall.manage("backup")
    run(hall, ANOTHER, "Winter Open", "vic")
    said = hall.manage("restore", older).splitlines()
    if meanwhile:
        run(hall, ANOTHER, "Spring Open", "wes")
    hall.manage("restore", said[2].removeprefix("What was there before: "))
    assert json.loads(run(hall, OFFICES)) == [
        ["Columbus Open", "dana", "director"],
        ["Winter Open", "vic", "director"],
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("other", [True, False], ids=["another site", "a damaged database"])
def test_where_nobody_knows_what_was_taken_away_it_is_said(
    other: bool, prepared_hall: Prepared, tmp_path: Path
) -> None:
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")
    held = run(hall, BEFORE, prepared_hall.code)
    backup = hall.manage("backup")
    run(hall, AFTER)
    if other:
        run(hall, COMMON + "Installation.objects.update(name='another')")
    else:
        (hall.folder / "uptown.sqlite3").write_bytes(b"not a database any more")
    said = hall.manage("restore", backup).splitlines()
    assert json.loads(run(hall, ASK, held)) == AS_BEFORE | {"desk": 302, "log": ["backup", "unknown"]}
    assert said[1] == (
        "Every sign-in has ended: sign in again. What was taken back after the backup was made is not known here: look "
        "through officials and tablets of each event, and change the passwords that should no longer hold."
    )


@pytest.mark.nightly
def test_a_restore_by_other_means_ends_every_sign_in_too(prepared_hall: Prepared, tmp_path: Path) -> None:
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")
    held = run(hall, BEFORE, prepared_hall.code)
    said = hall.manage("restore", "--already-restored").splitlines()
    assert said[1].startswith("Every sign-in has ended: sign in again. What was taken back after the backup was made")
    assert json.loads(run(hall, ASK, held))["desk"] == 302
