"""What the environment says of a site holds where people sign in: by whom it is asked, and what it asks of them."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from django.test import Client

from tests.halls import Prepared

# Dana signs in, once while the line is full and once when it is not.
SIGN_IN = """
import json
from contextlib import ExitStack
import django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from tournament.passwords import IN_LINE, QueuedHasher
from tournament.queries.accounts import sign_ins_of

dana = User.objects.get(username="dana")
dana.set_password("a long enough password")
dana.save()
asked = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9, 192.0.2.7, 198.51.100.1"}
browser = Client(headers={"host": "localhost", **asked})

def sign_in():
    said = {"username": "dana", "password": "a long enough password"}
    return browser.post("/sign-in/?next=/desk/columbus-open/", said)

with ExitStack() as line:
    for _ in range(IN_LINE):
        line.enter_context(QueuedHasher._line)
    crowded = sign_in().status_code
answer = sign_in()
there = [one.address for one in sign_ins_of(dana, None)]
print(json.dumps([crowded, answer.get("Location"), there]))
"""


@pytest.mark.parametrize(
    ("environment", "to", "address"),
    [
        ({}, "/desk/columbus-open/", "127.0.0.1"),
        (
            {"UPTOWN_PROFILE": "internet", "UPTOWN_BEHIND_PROXY": "2"},
            "/sign-in/code/?next=%2Fdesk%2Fcolumbus-open%2F",
            "192.0.2.7",
        ),
    ],
    ids=["hall", "internet, behind two proxies"],
)
def test_a_director_signs_in_as_the_profile_says(
    prepared_hall: Prepared, tmp_path: Path, environment: dict[str, str], to: str, address: str
) -> None:
    """Behind a line of passwords in every profile; on the internet with a code, and from the true address."""
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings", **environment)
    done = hall.run("-c", SIGN_IN)
    assert json.loads(done.stdout) == [429, to, [address]], done.stderr


# What the site's log says of an address: never what would open something for whoever reads it.
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "said"),
    [
        # A mail program takes the full stop behind a link for a part of it.
        ("/password/new/Mg/dijo0e-9ec05a820d7dd71422d471c4a4b6cf21/.", "/password/new/***"),
        ("/password/new/Mg/dijo0e-9ec05a820d7dd71422d471c4a4b6cf21/%20x", "/password/new/***"),
        # The code of a card is typed behind the address.
        ("/t/2U8T-2R6J", "/t/***"),
        ("/t/2u8t2r6j/", "/t/***/"),
        ("/t/2U8T%202R6J", "/t/***"),
        ("/t/nobody/", "/t/nobody/"),
        ("/t/notices/x/", "/t/notices/x/"),
        ("/t/table/games/9/", "/t/table/games/9/"),
    ],
)
def test_what_opens_something_is_left_out_of_addresses(
    client: Client, caplog: pytest.LogCaptureFixture, address: str, said: str
) -> None:
    assert client.get(address).status_code == 404
    (console,) = (one for one in logging.getLogger().handlers if one.name == "console")
    (record,) = caplog.records
    assert console.format(record).endswith(f" WARNING django.request Not Found: {said}")
