"""The hosted profile: what its processes share has to be said, and nothing that matters is a process's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.halls import ROOT
from tournament.database import database_settings
from tournament.place import why_not_hosted

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
