"""Where an account is signed in: every browser, since when, from where; one of them ended, or all others."""

from __future__ import annotations

import html
import re
import time

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tournament import sitting
from tournament.models import Event
from tournament.queries.signins import browser_words, sign_ins_of

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
    shown = [words in page for words in ("Chrome on Linux", "This browser", "From 10.0.0.9", "last seen", "10.0.0.77")]
    assert shown == [True, True, True, True, False]
    assert laptop.session.session_key not in page


def test_one_other_browser_is_signed_out(dana: User, event: Event) -> None:
    laptop, phone = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(dana, PHONE, "10.0.0.9")
    tablet = signed_in(dana, PHONE, "10.0.0.10")
    (key,) = re.findall(r'name="key" value="([0-9a-f]{32})"><button class="btn" aria-label="[^"]*10.0.0.9 out"',
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
    assert ["2 browsers signed out." in page, "You are signed in nowhere else." in page] == [True, True]
    assert [is_in(one) for one in (laptop, *others, foreign)] == [True, False, False, True]


def test_the_key_of_somebody_else_ends_nothing(dana: User, stranger: User) -> None:
    laptop, foreign = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(stranger, PHONE, "10.0.0.9")
    (theirs,) = sign_ins_of(stranger, None)
    laptop.post("/sign-ins/", {"key": theirs.key})
    assert [is_in(laptop), is_in(foreign)] == [True, True]


def test_a_sign_in_that_is_over_is_not_listed(dana: User) -> None:
    laptop, phone = signed_in(dana, LAPTOP, "10.0.0.5"), signed_in(dana, PHONE, "10.0.0.9")
    session = phone.session
    session[sitting.SEEN] = int(time.time()) - 31 * 60
    session.save()
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
