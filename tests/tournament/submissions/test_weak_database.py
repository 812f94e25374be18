"""The database is locked, full, read-only or gone: writers are told to try again, readers read, nothing is lost."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.factories import make_user, signed_in
from tests.tournament.submissions.conftest import Tablet
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Entry, Event, Game, Submission
from tournament.serving.preparing import check_durability
from tournament.site import sessions
from tournament.site.database import FULL, LEAST_WAIT, required_pragmas, weak_settings

pytestmark = pytest.mark.both_databases


@pytest.fixture
def dana(own_file: None) -> User:
    return make_user("dana")


@pytest.fixture
def sqlite(own_file: None) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("this fault is one of SQLite's")


@pytest.fixture
def postgresql(own_file: None) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("this fault is one of PostgreSQL's")


def sql(question: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0] if cursor.description else None


@contextmanager
def held_by_another(event: Event) -> Iterator[None]:
    """Somebody else writes at the event and does not come to an end; nobody waits long for it."""
    if connection.vendor == "sqlite":
        sql("PRAGMA busy_timeout=20")
        other: Any = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    else:
        sql("SET lock_timeout = 20")
        other = another()
        other.execute("SELECT * FROM tournament_event WHERE id = %s FOR UPDATE", [event.pk])
    try:
        yield
    finally:
        other.rollback()
        other.close()
        connection.close()


def another() -> Any:
    import psycopg

    parameters = connection.get_connection_params()
    return psycopg.connect(
        **{key: parameters[key] for key in ("dbname", "user", "password", "host", "port") if key in parameters}
    )


@contextmanager
def full() -> Iterator[None]:
    """The database may not grow any more."""
    # Pages that other tests have left would be room.
    sql("VACUUM")
    most = sql("PRAGMA max_page_count")
    sql(f"PRAGMA max_page_count={sql('PRAGMA page_count')}")
    try:
        yield
    finally:
        sql(f"PRAGMA max_page_count={most}")


@contextmanager
def read_only() -> Iterator[None]:
    sql("PRAGMA query_only=ON")
    yield
    sql("PRAGMA query_only=OFF")


def page_of(tablet: Tablet) -> Client:
    client = Client()
    client.cookies[TABLE_COOKIE] = tablet.token
    return client


def must_say_try_again(answer: Any) -> None:
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


def check_reading(tablet: Tablet, event: Event, desk: Client) -> None:
    assert tablet.client.get("/t/api/state/", headers={"Authorization": f"Table {tablet.token}"}).status_code == 200
    assert tablet.post("ping", {"unsent": 7}).status_code == 200
    assert page_of(tablet).get(reverse("tablet")).status_code == 200
    assert desk.get(reverse("desk", args=[event.slug])).status_code == 200
    assert Client().get(reverse("standings", args=[event.slug])).status_code == 200


@pytest.fixture
def desk(dana: User) -> Client:
    """Dana's laptop, last used twenty minutes ago: a look at a page notes that somebody is there."""
    client = signed_in(dana)
    session = client.session
    session[sessions.SEEN] = int(time.time()) - 1200
    session.save()
    return client


def test_while_another_writes_a_hand_is_refused_for_now_and_reading_goes_on(
    tablet: Tablet, game: Game, event: Event, desk: Client
) -> None:
    hand = tablet.hand(1)
    with held_by_another(event):
        must_say_try_again(tablet.send(hand))
        must_say_try_again(page_of(tablet).post(reverse("tablet-time", args=[game.pk]), {"position": "1"}))
        check_reading(tablet, event, desk)
    assert tablet.results(hand) == [("applied", "")]
    assert Entry.objects.count() == 1


@pytest.mark.parametrize("fault", [full, read_only])
def test_a_disk_without_room_loses_nothing_that_was_acknowledged(
    sqlite: None, tablet: Tablet, game: Game, event: Event, desk: Client, fault: Callable[[], Any]
) -> None:
    acknowledged, position = [], 1
    with fault():
        while True:
            hand = tablet.item("void", position=position, rule="18")
            answer = tablet.send(hand)
            if answer.status_code != 200:
                break
            assert answer.json()["results"][0]["status"] == "applied"
            acknowledged.append(hand["uid"])
            position += 1
        must_say_try_again(answer)
        must_say_try_again(tablet.send(hand))
        check_reading(tablet, event, desk)
    assert tablet.results(hand) == [("applied", "")]
    stored = Submission.objects.order_by("pk").values_list("uid", flat=True)
    assert [str(uid) for uid in stored] == [*acknowledged, hand["uid"]]
    assert Entry.objects.count() == position
    assert sql("PRAGMA integrity_check") == "ok"


def test_on_a_full_disk_an_act_is_one_sentence_and_keeps_what_was_typed(
    sqlite: None, event: Event, desk: Client
) -> None:
    with full():
        for number in range(200):
            typed = {"name": f"Late Team {number}", "players": "Al\nBo", "city": "x" * 40}
            answer = desk.post(reverse("desk-teams", args=[event.slug]), typed)
            if answer.status_code == 503:
                break
        must_say_try_again(answer)
        page = answer.content.decode()
        assert (FULL in page, f'name="name" value="Late Team {number}"' in page) == (True, True)
    assert desk.post(reverse("desk-teams", args=[event.slug]), typed).status_code == 302
    assert event.teams.filter(name=typed["name"]).count() == 1


def test_who_waits_for_a_lock_waits_once(sqlite: None, tablet: Tablet, event: Event, desk: Client) -> None:
    if sql("PRAGMA journal_mode") == "wal":
        pytest.skip("nobody is kept from reading")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    public = reverse("standings", args=[event.slug])
    for browser, path in (
        (Client(), public),
        (desk, public),
        (desk, reverse("desk", args=[event.slug])),
        (page_of(tablet), reverse("tablet")),
    ):
        sql("PRAGMA busy_timeout=400")
        other.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        answer = browser.get(path)
        seconds = time.monotonic() - start
        other.rollback()
        must_say_try_again(answer)
        assert 0.3 < seconds < 0.75, path
    connection.close()


def test_a_connection_that_ends_at_any_statement_is_no_mistake_of_ours(
    postgresql: None, tablet: Tablet, game: Game
) -> None:
    hand, other = tablet.hand(1), another()
    other.autocommit = True
    for number in range(1, 200):
        left = [number]

        def cut(execute: Callable[..., Any], *rest: Any, left: list[int] = left) -> Any:
            left[0] -= 1
            if left[0] == 0:
                other.execute("SELECT pg_terminate_backend(%s, 5000)", [connection.connection.info.backend_pid])
            return execute(*rest)

        with connection.execute_wrapper(cut):
            answer = tablet.send(hand)
        if left[0] > 0:
            break
        # As the server does after every answer.
        connection.close_if_unusable_or_obsolete()
        if answer.status_code == 200:
            continue
        must_say_try_again(answer)
    other.close()
    assert (number > 10, answer.json()["results"][0]["status"]) == (True, "applied")
    assert list(Submission.objects.values_list("status", "code")) == [("applied", "")]
    assert Entry.objects.count() == 1


def test_settings_that_keep_every_hand_are_read_back(own_file: None) -> None:
    options = connection.settings_dict["OPTIONS"]
    careful = options.get("init_command")
    if careful:
        # The file of the other tests does not wait for the disk: here it does.
        options["init_command"] = careful.removesuffix("PRAGMA synchronous=OFF;")
        connection.close()
    try:
        check_durability()
    finally:
        if careful:
            options["init_command"] = careful
            connection.close()


@pytest.mark.parametrize("name", [*required_pragmas(), "transaction_mode", "busy_timeout"])
def test_a_setting_that_did_not_take_is_refused(name: str) -> None:
    settings_of_sqlite = {f"PRAGMA {pragma}": value for pragma, value in required_pragmas().items()} | {
        "PRAGMA busy_timeout": LEAST_WAIT
    }
    options = {"transaction_mode": "IMMEDIATE"}
    assert weak_settings("sqlite", settings_of_sqlite.__getitem__, options) == []
    if name == "transaction_mode":
        options = {}
    else:
        settings_of_sqlite[f"PRAGMA {name}"] = 0
    [weakness] = weak_settings("sqlite", settings_of_sqlite.__getitem__, options)
    assert name in weakness


def test_options_in_the_wrong_place_end_the_start(sqlite: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "OPTIONS", {})
    connection.close()
    with pytest.raises(SystemExit, match=str(required_pragmas()["journal_mode"])):
        check_durability()
    connection.close()


@pytest.mark.parametrize(
    ("name", "value"), [("fsync", "off"), ("synchronous_commit", "off"), ("full_page_writes", "off")]
)
def test_a_postgresql_that_does_not_wait_for_the_disk_is_refused(name: str, value: str) -> None:
    form = {"SHOW fsync": "on", "SHOW synchronous_commit": "on", "SHOW full_page_writes": "on"}
    assert weak_settings("postgresql", form.__getitem__, {}) == []
    [weakness] = weak_settings("postgresql", (form | {f"SHOW {name}": value}).__getitem__, {})
    assert name in weakness
