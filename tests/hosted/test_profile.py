"""The hosted profile: what its processes share has to be said, and nothing that matters is a process's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache, caches
from django.test import Client, override_settings

from tests.halls import ROOT
from tests.hosted.conftest import Redis
from tournament.database import database_settings
from tournament.errors import TooMany
from tournament.limits import limited
from tournament.models import Event
from tournament.place import why_not_hosted
from tournament.services.devices import FAILURES_A_MINUTE

SHARED = {
    "DATABASE_URL": "postgres://uptown:pa%2Css@db1:5432,db2:5433/uptown",
    "UPTOWN_CACHE": "redis://cache:6379/0",
    "UPTOWN_SECRET_KEY": "x" * 50,
}
ASKED = "DATABASES.default.HOST", "CACHES.default.BACKEND", "SESSION_ENGINE", "SESSION_COOKIE_SECURE"
TELL = f"""
import json; from django.conf import settings
def look(name):
    first, *more = name.split("."); found = getattr(settings, first)
    for one in more: found = found[one]
    return found
print(json.dumps([look(name) for name in {ASKED!r}]))
"""


def told(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tournament.settings", "UPTOWN_DATA": str(folder)}
    known |= {"UPTOWN_PROFILE": "hosted"} | environment
    command = [sys.executable, "-c", TELL]
    return subprocess.run(command, cwd=ROOT, env=known, capture_output=True, text=True, check=False)


def test_several_processes_share_database_cache_and_sessions(tmp_path: Path) -> None:
    done = told(tmp_path, **SHARED)
    assert json.loads(done.stdout) == [
        "db1,db2",
        "tournament.sharedcache.SharedCache",
        "django.contrib.sessions.backends.db",
        True,
    ], done.stderr


def test_a_hosted_site_without_what_is_shared_does_not_start(tmp_path: Path) -> None:
    lacking = {name: place for name, place in SHARED.items() if name != "UPTOWN_CACHE"}
    assert (
        "A hosted site also needs UPTOWN_CACHE (the address of a Redis or Valkey)." in told(tmp_path, **lacking).stderr
    )


def test_every_shared_thing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SHARED:
        monkeypatch.delenv(name, raising=False)
    assert [name for name in SHARED if name not in why_not_hosted()] == []
    for name, place in SHARED.items():
        monkeypatch.setenv(name, place)
    assert why_not_hosted() == ""
    monkeypatch.setenv("DATABASE_URL", "sqlite:////tmp/uptown.sqlite3")
    assert "DATABASE_URL (the address of a PostgreSQL database)" in why_not_hosted()


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("postgres://a:b@db/uptown", ("db", "", None)),
        ("postgres://a:b@db:5433/uptown", ("db", "5433", None)),
        ("postgres://a@[::1]:5433/uptown", ("::1", "5433", None)),
        ("postgres:///uptown", ("", "", None)),
        ("postgres://a:b@db1:5432,db2:5433/uptown", ("db1,db2", "5432,5433", "read-write")),
        ("postgres://a:b@db1,db2/uptown", ("db1,db2", ",", "read-write")),
    ],
)
def test_the_one_that_can_be_written_to_is_used(
    address: str, place: tuple[str, str, str | None], tmp_path: Path
) -> None:
    read = database_settings(address, tmp_path)
    assert (read["HOST"], read["PORT"], read["OPTIONS"].get("target_session_attrs")) == place
    assert read["NAME"] == "uptown"


# The cache that the processes of a hosted site share: what one counts the others count, and it may be gone.
WRONG = {"code": "WRONGONE"}


def elsewhere(tries: int) -> list[bool]:
    """Tries from another process, as far as the cache can tell: another thread has a client of its own."""
    allowed: list[bool] = []

    def run() -> None:
        for _ in range(tries):
            try:
                with limited("door", "192.0.2.7", 5, "keys"):
                    allowed.append(True)
            except TooMany:
                allowed.append(False)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return allowed


def test_tries_in_one_process_count_in_another(redis: Redis) -> None:
    assert (elsewhere(3), elsewhere(3)) == ([True, True, True], [True, True, False])


def test_what_only_a_process_knows_does_not_count_in_another() -> None:
    """The control: with Django's cache in a process's own memory, each process allows all of them once more."""
    local = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    allowed = []
    for name in ("one process", "the other"):
        with override_settings(CACHES={"default": local | {"LOCATION": name}}):
            allowed.append(elsewhere(3))
    assert allowed == [[True, True, True], [True, True, True]]


def test_a_name_that_is_locked_is_locked_in_every_process_for_a_minute(redis: Redis, dana: User) -> None:
    client = Client()
    answers = [client.post("/sign-in/", {"username": "dana", "password": f"guess {n}"}).status_code for n in range(6)]
    (key,) = caches["default"]._cache.get_client().keys("*sign-in:?*:127.0.0.1")  # type: ignore[attr-defined]
    ttl = caches["default"]._cache.get_client().ttl(key)  # type: ignore[attr-defined]
    assert (answers, 0 < ttl <= 60) == ([200] * 4 + [429] * 2, True)


def test_the_site_goes_on_while_the_cache_is_gone(redis: Redis, event: Event) -> None:
    client = Client()
    redis.kill()
    answers = [client.post("/t/", WRONG).status_code for _ in range(3)]
    assert (answers, client.get(f"/e/{event.slug}/").status_code) == ([422] * 3, 200)
    assert [cache.get("a", "none"), cache.get_many(["a"]), cache.add("a", 1), cache.touch("a")] == [
        "none",
        {},
        True,
        False,
    ]
    began = time.monotonic()
    assert [cache.get("a") for _ in range(20)] == [None] * 20
    assert time.monotonic() - began < 5
    redis.start()
    answers = [client.post("/t/", WRONG).status_code for _ in range(FAILURES_A_MINUTE + 1)]
    assert answers == [422] * FAILURES_A_MINUTE + [429]


def test_a_count_whose_time_ended_while_it_was_counted_ends_again(redis: Redis) -> None:
    cache.set("door", 3, timeout=None)
    cache.incr("door")
    ttl = caches["default"]._cache.get_client().ttl(cache.make_key("door"))  # type: ignore[attr-defined]  # Django's own
    assert (cache.get("door"), 0 < ttl <= 600) == (4, True)
