"""Who tries too often: counted by the true address behind proxies, over all names, and however many come at once."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, override_settings
from django.urls import reverse

from tests.beside import beside
from tests.factories import PASSWORD
from tests.tournament.racing import failed, together
from tournament.access import Actor
from tournament.errors import TooMany
from tournament.management.commands import serve, venue
from tournament.models import Event, Journal
from tournament.queries.accounts import sign_ins_of
from tournament.services.devices import issue_card
from tournament.site.limits import limited
from tournament.site.network import networks
from tournament.site.passwords import AT_ONCE, FAILURES_A_MINUTE, IN_LINE, QueuedHasher

PROXY = "127.0.0.1"


def browser(forwarded: str) -> Client:
    return Client(headers={"X-Forwarded-For": forwarded} if forwarded else {}, REMOTE_ADDR=PROXY)


def sign_in(client: Client, name: str, password: str = PASSWORD) -> Any:
    return client.post("/sign-in/", {"username": name, "password": password})


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "192.0.2.7", PROXY),
        (1, "", PROXY),
        (1, "192.0.2.7", "192.0.2.7"),
        (1, "10.6.6.6, 192.0.2.7", "192.0.2.7"),
        (2, "10.6.6.6, 192.0.2.7,198.51.100.1", "192.0.2.7"),
        (2, "192.0.2.7", PROXY),
        (1, "192.0.2.7, unknown", PROXY),
        (1, "192.0.2.7, " + "9" * 500, PROXY),
        (1, "2001:DB8::7", "2001:db8::7"),
    ],
)
def test_the_address_of_whoever_asks(
    dana: User, event: Event, monkeypatch: pytest.MonkeyPatch, proxies: int, forwarded: str, address: str
) -> None:
    """In the list of sign-ins and in the log."""
    monkeypatch.setattr(settings, "PROXIES", proxies)
    client = browser(forwarded)
    assert sign_in(client, "dana").status_code == 302
    client.post(reverse("pair"), {"code": issue_card(Actor(dana), event, 1)})
    (here,) = sign_ins_of(dana, client.session.session_key)
    assert (here.address, Journal.objects.get(action="pair").address) == (address, address)


def test_whoever_is_elsewhere_keeps_nobody_out(dana: User, event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "PROXIES", 1)
    guesses = [sign_in(browser(f"203.0.113.{n}, 192.0.2.66"), "dana", "guess").status_code for n in range(5)]
    codes = [browser("192.0.2.66").post(reverse("pair"), {"code": "ZZZZ-ZZZZ"}).status_code for _ in range(61)]
    there = browser("192.0.2.7")
    card = issue_card(Actor(dana), event, 1)
    right = [sign_in(there, "dana").status_code, there.post(reverse("pair"), {"code": card}).status_code]
    assert (guesses[-1], codes[-1], right) == (429, 429, [302, 302])


@pytest.mark.parametrize("peer", ["192.0.2.66", "::ffff:192.0.2.66"])
def test_who_is_not_a_proxy_invents_no_address(dana: User, monkeypatch: pytest.MonkeyPatch, peer: str) -> None:
    monkeypatch.setattr(settings, "PROXIES", 1)
    guesses = [
        sign_in(Client(headers={"X-Forwarded-For": f"203.0.113.{n}"}, REMOTE_ADDR=peer), "dana", "guess").status_code
        for n in range(6)
    ]
    assert guesses == [200] * 4 + [429] * 2
    monkeypatch.setattr(settings, "PROXY_NETWORKS", networks("192.0.2.0/24"))
    named = Client(headers={"X-Forwarded-For": "203.0.113.9"}, REMOTE_ADDR=peer)
    assert sign_in(named, "dana").status_code == 302


@pytest.mark.parametrize(("proxies", "host"), [(0, "0.0.0.0"), (1, "127.0.0.1")])
def test_behind_a_proxy_the_site_listens_to_this_machine_alone(
    monkeypatch: pytest.MonkeyPatch, proxies: int, host: str
) -> None:
    monkeypatch.setattr(settings, "PROXIES", proxies)
    for command in (serve.Command(), venue.Command()):
        read = command.create_parser("manage.py", "serve").parse_args
        assert (read([]).host, read(["--host", "192.0.2.5"]).host) == (host, "192.0.2.5")


def test_wrong_passwords_of_one_address_are_counted_over_all_names(dana: User) -> None:
    here = Client(REMOTE_ADDR="192.0.2.7")
    right = [sign_in(Client(REMOTE_ADDR="192.0.2.7"), "dana").status_code for _ in range(31)]
    guesses = [sign_in(here, f"name-{n}", "guess").status_code for n in range(30)]
    more = sign_in(here, "dana")
    elsewhere = sign_in(Client(REMOTE_ADDR="192.0.2.8"), "dana")
    assert (set(right), set(guesses)) == ({302}, {200})
    assert (more.status_code, more["Retry-After"], elsewhere.status_code) == (429, "60", 302)
    assert "Too many wrong passwords from here. Please wait a minute, then try again." in more.content.decode()


LOCKED = "The password was wrong five times. Please wait a minute, then try again."


def test_five_wrong_passwords_lock_a_name_at_an_address_and_nobody_else(dana: User, otis: User) -> None:
    here, elsewhere = Client(REMOTE_ADDR="192.0.2.7"), Client(REMOTE_ADDR="192.0.2.8")
    guesses = [sign_in(here, "dana", f"guess {n}") for n in range(5)]
    locked = sign_in(here, "dana")
    assert [answer.status_code for answer in (*guesses, locked)] == [200] * 4 + [429] * 2
    assert (LOCKED in locked.content.decode(), locked["Retry-After"]) == (True, "60")
    assert [sign_in(here, "otis").status_code, sign_in(elsewhere, "dana").status_code] == [302, 302]


def test_the_right_password_begins_the_count_of_wrong_ones_again(dana: User) -> None:
    passwords = [PASSWORD, "guess", "guess", "guess", "guess"] * 4
    tries = [sign_in(Client(REMOTE_ADDR="192.0.2.7"), "dana", password).status_code for password in passwords]
    assert tries == [302, 200, 200, 200, 200] * 4


def test_a_name_is_locked_for_a_minute_whatever_happens_to_the_clock(
    dana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The laptop's clock is set back by a day, and forward by one; the minute begins with the fifth wrong password."""
    here = Client(REMOTE_ADDR="192.0.2.7")
    began, day = time.monotonic(), 24 * 3600

    def after(seconds: int, clock: int, password: str = PASSWORD) -> int:
        monkeypatch.setattr("time.time", lambda: 1_795_000_000 + seconds + clock)
        monkeypatch.setattr("tournament.site.limits.monotonic", lambda: began + seconds)
        return int(sign_in(here, "dana", password).status_code)

    assert [after(seconds, 0, "guess") for seconds in (0, 10, 20, 30, 50)] == [200] * 4 + [429]
    assert [after(109, clock) for clock in (0, -day, day)] == [429] * 3
    assert after(111, -day) == 302


def test_whoever_has_a_network_of_ipv6_addresses_has_no_more_tries_for_that(dana: User) -> None:
    here = [Client(REMOTE_ADDR=f"2001:db8:0:7::{n:x}") for n in range(32)]
    one_name = [sign_in(client, "dana", "guess").status_code for client in here[:6]]
    names = [sign_in(client, f"name-{n}", "guess").status_code for n, client in enumerate(here)]
    others = [Client(REMOTE_ADDR=address) for address in ("2001:db8:0:8::1", "::ffff:192.0.2.7", "::ffff:192.0.2.8")]
    assert (one_name, names[0], names[-1]) == ([200] * 4 + [429] * 2, 200, 429)
    for n in range(30):
        sign_in(others[1], f"name-{n}", "guess")
    assert [sign_in(other, "dana").status_code for other in others] == [302, 429, 302]


def test_a_password_in_a_form_is_counted_like_one_on_the_page(dana: User, event: Event) -> None:
    for n in range(30):
        sign_in(Client(REMOTE_ADDR="192.0.2.7"), f"name-{n}", "guess")
    form = {"again_name": "dana", "again_password": PASSWORD}
    answer = Client(REMOTE_ADDR="192.0.2.7").post(reverse("desk-teams", args=[event.slug]), form)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")


def test_whoever_is_told_to_wait_in_line_has_tried_nothing_yet(dana: User) -> None:
    """A hall signs in at once behind one address: nobody looked at those passwords, so none of them was wrong."""

    def tried() -> int:
        return int(sign_in(Client(REMOTE_ADDR="192.0.2.7"), "dana").status_code)

    with override_settings(PASSWORD_HASHERS=["tournament.site.passwords.QueuedHasher"]), ExitStack() as line:
        dana.set_password(PASSWORD)
        dana.save()
        for _ in range(IN_LINE):
            line.enter_context(QueuedHasher._line)
        crowded = {tried() for _ in range(FAILURES_A_MINUTE + 1)}
        line.close()
        assert (crowded, tried()) == ({429}, 302)


Limit = Callable[[str, str, int, str], AbstractContextManager[Any]]


@contextmanager
def read_then_written(act: str, address: str, most: int, words: str) -> Iterator[None]:
    """The control: what was counted is looked at before the try, and written after it."""
    key = f"{act}:{address}"
    if cache.get(key, 0) >= most:
        raise TooMany(words)
    yield
    cache.set(key, cache.get(key, 0) + 1, 60)


@pytest.mark.parametrize(("limit", "judged"), [(limited, 10), (read_then_written, 64)])
@pytest.mark.django_db(transaction=True)
def test_as_many_are_judged_at_once_as_one_after_the_other(limit: Limit, judged: int) -> None:
    everybody = threading.Barrier(64)

    def guess() -> None:
        try:
            with limit("codes", "192.0.2.7", 10, "codes"):
                everybody.wait(20)
        except TooMany:
            everybody.wait(20)
            raise

    assert sum(not failed(outcome) for outcome in together(*[guess] * 64)) == judged


@pytest.mark.django_db(transaction=True)
def test_of_tries_at_once_none_is_left_out_of_the_count() -> None:
    """Where a count was read and then written, another one could come between."""

    def guess() -> None:
        for _ in range(300):
            with limited("codes", "192.0.2.8", 10_000, "codes"):
                pass

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        assert together(*[guess] * 8) == [None] * 8
    finally:
        sys.setswitchinterval(usual)
    assert cache.get("codes:192.0.2.8") == 8 * 300


class Counting(PBKDF2PasswordHasher):
    """Counts how many are computed at the same time, for as long as no more can come."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock, self.released = threading.Lock(), threading.Event()

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        if self.now == 32:
            self.released.set()
        self.released.wait(20)
        with self.lock:
            self.now -= 1
        return super().encode(password, salt, 1)


class Queued(QueuedHasher, Counting):
    """The site's hasher over the one that counts."""


@pytest.mark.parametrize(("hasher", "computed", "most"), [(Queued(), IN_LINE, AT_ONCE), (Counting(), 32, 32)])
def test_a_burst_of_passwords_takes_three_at_a_time_and_holds_eight_threads(
    hasher: Counting, computed: int, most: int
) -> None:
    came: list[object] = []

    def check() -> None:
        try:
            came.append(hasher.encode("guess", "salt"))
        except TooMany as refused:
            came.append(refused.seconds)
        if len(came) == 32 - computed:
            hasher.released.set()

    with beside([check] * 32):
        pass
    assert (came.count(3), len(came) - came.count(3), hasher.most) == (32 - computed, computed, most)
