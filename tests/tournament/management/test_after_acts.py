"""A copy after every act that would not come again from a tablet: which acts, how often, and beside writers."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.messages import post
from tests.tournament.test_access import ADDRESSES, PATTERNS, address, clients, cookies, game
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.backups import STATES, backup_age, backup_files
from tournament.services.copies import acted
from tournament.services.season import create_season
from tournament.services.transactions import writing
from tournament.serving.keeping import ActKeeper, Keeper
from tournament.site.database import copy_in_pieces

# Browsers of every role, at an event with a game in play.
__all__ = ["clients", "cookies", "game"]

ASKING = ("director", "owner", "table", "anonymous")
WRITES = re.compile(r'(?:INSERT|UPDATE|DELETE|REPLACE)\b.*?"(\w+)"')
# What is noted while a page is read: who was there, which tablet asked, that a paper was printed.
WHILE_READ = {"django_session", "tournament_device", "tournament_journal"}


def test_whatever_is_sent_asks_for_a_copy_but_the_messages_of_tablets(game: Game, clients: dict[str, Client]) -> None:
    """Every address is tried by every role, so a new one cannot be forgotten."""
    noted = {}
    for name, (_, may_post) in ADDRESSES.items():
        if may_post is not None:
            acted.clear()
            for role in ASKING:
                clients[role].post(address(name, game.round.event, game))
            noted[name] = acted.is_set()
    messages = {name for name, pattern in PATTERNS.items() if getattr(pattern.callback, "csrf_exempt", False)}
    assert {name for name, asks in noted.items() if not asks} == messages & noted.keys()
    assert messages == {"api-known", "api-ping", "api-state", "api-submissions"}
    acted.clear()
    post(clients["table"], {"items": []})
    assert not acted.is_set()


def test_what_is_only_read_writes_nothing_that_could_be_lost(game: Game, clients: dict[str, Client]) -> None:
    written = set()

    def note(execute: Callable[..., Any], sql: str, *asked: Any) -> Any:
        if found := WRITES.match(sql):
            written.add(found[1])
        return execute(sql, *asked)

    acted.clear()
    with connection.execute_wrapper(note):
        for name, (may_get, _) in ADDRESSES.items():
            if may_get is not None:
                for role in ASKING:
                    clients[role].get(address(name, game.round.event, game))
    assert written <= WHILE_READ, f"Pages that are read ask for no copy, but they write {written - WHILE_READ}."
    assert not acted.is_set()


needs_file = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has its own ways")


@pytest.fixture
def data(own_file: None, event: Event, tmp_path: Path, settings: Any) -> Iterator[Path]:
    settings.DATA = tmp_path / "data"
    settings.DATA.mkdir()
    STATES.clear()
    yield settings.DATA
    STATES.clear()


def write(event: Event) -> None:
    with writing(event):
        pass


@needs_file
def test_acts_in_quick_succession_give_one_copy_in_each_pause(data: Path, event: Event) -> None:
    pause, made, is_over = 0.6, list[float](), threading.Event()
    keeper = ActKeeper(lambda: made.append(time.monotonic()), pause, least_free=0)
    thread = threading.Thread(target=keeper.run, args=(is_over,))
    thread.start()
    for _ in range(15):
        write(event)
        acted.set()
        time.sleep(0.1)
    expected = Event.objects.get().version
    deadline = time.monotonic() + 60
    while version_in_newest() != expected and time.monotonic() < deadline:
        time.sleep(0.05)
    is_over.set()
    acted.set()
    thread.join()
    assert version_in_newest() == expected
    # From the beginning of one to that of the next; each ends a little later.
    assert 2 <= len(made) <= (made[-1] - made[0]) / pause + 2
    assert [one.kind for one in backup_files()] == ["act"] * min(3, len(made))


def version_in_newest() -> int:
    files = backup_files()
    if not files:
        return 0
    with contextlib.closing(sqlite3.connect(files[-1].path)) as opened:
        return int(opened.execute("SELECT version FROM tournament_event").fetchone()[0])


@needs_file
def test_where_nothing_was_written_no_copy_is_made(data: Path, event: Event) -> None:
    """Not after a question that was only asked, and not at a start when the newest backup holds everything."""
    first, made = ActKeeper(pause=0.0, least_free=0), list[int]()
    for act in (nothing, nothing, elsewhere(event), nothing):
        act()
        first.look()
        made.append(len(backup_files()))
    again = ActKeeper(pause=0.0, least_free=0)
    again.look()
    assert (made, len(backup_files())) == ([1, 1, 2, 2], 2)
    elsewhere(event)()
    ActKeeper(pause=0.0, least_free=0).look()
    assert len(backup_files()) == 3


def write_and_leave(event: Event) -> None:
    write(event)
    connection.close()


def nothing() -> None:
    """What only asked a question."""


def elsewhere(event: Event) -> Callable[[], None]:
    """A write of another thread, as of a request."""

    def run() -> None:
        thread = threading.Thread(target=write_and_leave, args=(event,))
        thread.start()
        thread.join()

    return run


@needs_file
def test_the_backups_by_the_clock_notice_what_belongs_to_no_event(data: Path) -> None:
    keeper = Keeper(lambda made: [])
    keeper.look(1000.0)
    create_season(Actor(), {"name": "Season 2026"})
    keeper.look(1300.0)
    assert [one.kind for one in backup_files()] == ["uptown", "uptown"]


@needs_file
def test_copies_after_acts_say_nothing_of_what_a_look_through_a_backup_found(data: Path, event: Event) -> None:
    """They are not looked through: one must not hide that the newest backup is not as the program wrote it."""
    Keeper(lambda made: ["Table 1 has another score."]).look(1000.0)
    write(event)
    ActKeeper(pause=0.0, least_free=0).look()
    assert [one.kind for one in backup_files()] == ["uptown", "act"]
    age = backup_age()
    assert age is not None
    assert age.trouble == "The newest backup is not as the program wrote it: Table 1 has another score."


def test_a_copy_is_whole_whatever_others_write_meanwhile(tmp_path: Path) -> None:
    """Each act of the writer adds two rows; a copy has an even number of them, although it starts over all the time."""
    live, is_over = tmp_path / "live.sqlite3", threading.Event()
    with contextlib.closing(sqlite3.connect(live)) as database:
        database.execute("CREATE TABLE line (content BLOB)")
        database.executemany("INSERT INTO line VALUES (?)", ((bytes(4000),) for _ in range(10_000)))
        database.commit()

    def write_on() -> None:
        with contextlib.closing(sqlite3.connect(live, timeout=20)) as database:
            while not is_over.is_set():
                database.executemany("INSERT INTO line VALUES (?)", [(b"one",), (b"two",)])
                database.commit()

    writer = threading.Thread(target=write_on)
    writer.start()
    try:
        for number in range(3):
            copy_in_pieces(live, tmp_path / f"copy{number}.sqlite3")
    finally:
        is_over.set()
        writer.join()
    counts = []
    for number in range(3):
        with contextlib.closing(sqlite3.connect(tmp_path / f"copy{number}.sqlite3")) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            counts.append(copy.execute("SELECT count(*) FROM line").fetchone()[0])
    assert [count % 2 for count in counts] == [0, 0, 0]
    assert 10_000 < counts[0] <= counts[1] <= counts[2]
