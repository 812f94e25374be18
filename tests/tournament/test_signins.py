"""Where an account is signed in: every browser, since when, from where; one of them ended, or all others."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.halls import Prepared
from tests.sure import sure
from tournament.models import Event
from tournament.queries.accounts import browser_words, sign_ins_of

LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"


def signed_in(user: User, agent: str, address: str) -> Client:
    """Signed in by the form itself, as a browser at an address."""
    client = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    said = {"username": user.username, "password": "a long enough password"}
    assert client.post("/sign-in/", said).status_code == 302
    return client


def page_of(client: Client) -> str:
    return html.unescape(client.get("/sign-ins/").content.decode())


def is_in(client: Client) -> bool:
    return client.get("/sign-ins/").status_code == 200


def test_every_browser_of_the_account_is_listed_and_nobody_elses(dana: User, stranger: User) -> None:
    laptop, _ = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(dana, PHONE, "10.0.0.9")
    signed_in(stranger, PHONE, "10.0.0.77")
    listed = [(one.browser, one.address, one.here) for one in sign_ins_of(dana, laptop.session.session_key)]
    assert listed == [("Chrome on Linux", "10.0.0.5", True), ("Safari on iPhone", "10.0.0.9", False)]
    page = page_of(laptop)
    shown = [
        words in page
        for words in ("Chrome on Linux", "This browser", "From 10.0.0.9", "last seen just now", "10.0.0.77")
    ]
    assert shown == [True, True, True, True, False]
    assert sure(laptop.session.session_key) not in page


def test_one_other_browser_is_signed_out(dana: User, event: Event) -> None:
    laptop, phone = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(dana, PHONE, "10.0.0.9")
    tablet = signed_in(dana, PHONE, "10.0.0.10")
    (key,) = re.findall(r'name="key" value="([0-9a-f]{32})"><button class="btn"\s+aria-label="[^"]*10.0.0.9 out"',
                        page_of(laptop))  # fmt: skip
    for sentence in ("1 browser signed out.", "It was signed out already."):
        assert laptop.post("/sign-ins/", {"key": key})["Location"] == "/sign-ins/"
        assert sentence in page_of(laptop)
    assert [is_in(one) for one in (laptop, phone, tablet)] == [True, False, True]
    assert phone.get(f"/desk/{event.slug}/").status_code == 302


def test_all_other_browsers_are_signed_out_and_nobody_else(dana: User, stranger: User) -> None:
    laptop, others = signed_in(dana, LAPTOP, "10.0.0.5"), [signed_in(dana, PHONE, "10.0.0.9") for _ in range(2)]
    foreign = signed_in(stranger, PHONE, "10.0.0.9")
    assert laptop.post("/sign-ins/").status_code == 302
    page = page_of(laptop)
    assert ["2 browsers signed out." in page, "You are not signed in anywhere else." in page] == [True, True]
    assert [is_in(one) for one in (laptop, *others, foreign)] == [True, False, False, True]


def test_the_key_of_somebody_else_ends_nothing(dana: User, stranger: User) -> None:
    laptop, foreign = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(stranger, PHONE, "10.0.0.9")
    (theirs,) = sign_ins_of(stranger, None)
    laptop.post("/sign-ins/", {"key": theirs.key})
    assert [is_in(laptop), is_in(foreign)] == [True, True]


def test_a_sign_in_that_is_over_is_not_listed(dana: User) -> None:
    laptop, phone = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(dana, PHONE, "10.0.0.9")
    Session.objects.filter(session_key=phone.session.session_key).update(expire_date=timezone.now())
    assert [one.address for one in sign_ins_of(dana, laptop.session.session_key)] == ["10.0.0.5"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (LAPTOP, "Chrome on Linux"),
        (PHONE, "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (Android 14; Mobile) Firefox/127.0", "Firefox on Android"),
        ("<b>", "A browser"),
        ("", "A browser"),
    ],
)
def test_browser_words(said: str, words: str) -> None:
    assert browser_words(said) == words


def test_the_first_sign_in_offers_a_password_of_ones_own_and_the_second_does_not(dana: User) -> None:
    offered = []
    for _ in range(2):
        client = signed_in(dana, LAPTOP, "10.0.0.5")
        offered.append('<a href="/password/">Choose a password of your own</a>' in client.get("/").content.decode())
    assert offered == [True, False]


def test_a_new_password_signs_other_browsers_out_and_opens_the_door(dana: User) -> None:
    laptop, phone = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(dana, PHONE, "10.0.0.9")
    new = "seven purple umbrellas"
    said = {"old_password": "a long enough password", "new_password1": new, "new_password2": new}
    page = html.unescape(laptop.post("/password/", said, follow=True).content.decode())
    assert "Your password is changed. 1 other browser signed out." in page
    assert [is_in(laptop), is_in(phone)] == [True, False]
    dana.refresh_from_db()
    assert [dana.check_password(one) for one in ("a long enough password", new)] == [False, True]


@pytest.mark.parametrize(
    ("old", "new", "again", "sentence"),
    [
        ("wrong", "seven purple umbrellas", "seven purple umbrellas", "Your old password was entered incorrectly."),
        ("a long enough password", "short", "short", "It must contain at least 15 characters."),
        ("a long enough password", "seven purple umbrellas", "another thing", "The two password fields didn’t match."),
    ],
)
def test_a_password_that_cannot_be_taken_changes_nothing(
    dana: User, old: str, new: str, again: str, sentence: str
) -> None:
    laptop = signed_in(dana, LAPTOP, "10.0.0.5")
    answer = laptop.post("/password/", {"old_password": old, "new_password1": new, "new_password2": again})
    assert (answer.status_code, sentence in html.unescape(answer.content.decode())) == (422, True)
    dana.refresh_from_db()
    assert dana.check_password("a long enough password")


SIGN_IN = """
import json
import django
django.setup()
from django.conf import settings
from django.test import Client
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
client = Client(headers={"host": "localhost"})
client.get("/sign-in/", secure=True)
client.post("/sign-in/", {"username": "dana", "password": "a long enough password"}, secure=True)
kept = sorted(client.cookies.items())
print(json.dumps([[name, bool(one["secure"]), one["path"], one["domain"]] for name, one in kept]))
"""


@pytest.mark.parametrize(
    ("environment", "names", "secure"),
    [
        ({}, ("csrftoken", "sessionid"), False),
        ({"UPTOWN_HTTPS": "1"}, ("__Host-csrftoken", "__Host-sessionid"), True),
        ({"UPTOWN_PROFILE": "internet"}, ("__Host-csrftoken", "__Host-sessionid"), True),
    ],
    ids=["hall on http", "hall on https", "internet"],
)
def test_over_https_a_browser_gives_the_cookies_to_this_very_host_alone(
    prepared_hall: Prepared, tmp_path: Path, environment: dict[str, str], names: tuple[str, str], secure: bool
) -> None:
    """A browser takes the names for that at their word only with these attributes."""
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings", **environment)
    done = hall.run("-c", SIGN_IN)
    kept = [[name, secure, "/", ""] for name in sorted((*names, "messages"))]
    assert json.loads(done.stdout) == kept, done.stderr
