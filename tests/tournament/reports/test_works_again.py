"""Work that is done again because its worker was killed, or the database was not there: it ends as if done once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError

from tests.sure import sure
from tests.tournament.archive.test_import import demo
from tournament.access import Actor
from tournament.making import begin_import
from tournament.models import Event
from tournament.queries.works import FAILED, READY, WAITING, cancel_file, find_work, work_file, works_folder
from tournament.services import works
from tournament.services.works import MAKERS, begin_work, run_work

pytestmark = pytest.mark.django_db(transaction=True)
SAID: dict[str, Any] = {"words": "test", "name": "Test", "kind": "json", "back": "/", "action": "create-event"}


@pytest.fixture(autouse=True)
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Works stand in line as on a hosted site; the test is the worker. The true line is in `tests/hosted/chaos.py`."""
    waiting: list[str] = []
    monkeypatch.setattr(settings, "FILES", str(tmp_path))
    monkeypatch.setattr(settings, "HOSTED", True)
    monkeypatch.setattr(works, "line_up", waiting.append)
    return waiting


def killed(key: str) -> None:
    """The worker was killed after its work was stored and before it could say so."""
    state = works_folder() / key / "state.json"
    state.write_text(json.dumps(json.loads(state.read_text()) | {"state": "making", "leads_to": ""}))


def ordered(otis: User, make: Callable[[], bytes]) -> str:
    MAKERS["again"] = lambda actor, key, tell, order: make()
    return begin_work(Actor(otis), "again", None, total=1, **SAID)


def test_a_work_waits_in_line_however_long_and_is_cancelled_there(otis: User, line: list[str]) -> None:
    key = ordered(otis, lambda: b"made")
    waits = sure(find_work(key))
    assert (line, waits.state, waits.step, waits.is_over) == ([key], WAITING, "Waiting for its turn…", False)
    cancel_file(key).touch()
    assert sure(find_work(key)).stopping
    run_work(key)
    assert (sure(find_work(key)).state, work_file(key).exists()) == ("cancelled", False)


def test_an_import_that_is_done_again_finds_what_it_had_made(otis: User) -> None:
    key = begin_import(Actor(otis), demo())
    run_work(key)
    killed(key)
    run_work(key)
    assert (sure(find_work(key)).leads_to, Event.objects.count()) == ("/import/autumn-open/", 1)
    # Another import of the same file is one of its own.
    run_work(begin_import(Actor(otis), demo()))
    assert Event.objects.count() == 2


def test_a_paper_that_is_done_again_is_whole(otis: User) -> None:
    key = ordered(otis, lambda: b"made")
    run_work(key)
    killed(key)
    run_work(key)
    assert (sure(find_work(key)).state, work_file(key).read_bytes()) == (READY, b"made")


def test_a_work_goes_on_when_the_database_is_back(otis: User) -> None:
    """While a standby takes over a worker tries again; a laptop's thread, which nobody calls again, says it failed."""
    answers: list[bytes | None] = [None, b"made", None]

    def make() -> bytes:
        answer = answers.pop(0)
        if answer is None:
            raise OperationalError("the connection is lost")
        return answer

    key = ordered(otis, make)
    with pytest.raises(OperationalError):
        run_work(key, again=True)
    run_work(key, again=True)
    assert sure(find_work(key)).state == READY
    other = ordered(otis, make)
    run_work(other)
    assert sure(find_work(other)).state == FAILED


def test_what_another_process_throws_away_meanwhile_stops_nobody_from_ordering(otis: User) -> None:
    """Every order sweeps the folder that all processes share."""
    works_folder().mkdir(parents=True, exist_ok=True)
    # It is listed, and is not there when it is looked at: as what another process has just deleted.
    (works_folder() / "gone").symlink_to("nowhere")
    run_work(key := ordered(otis, lambda: b"made"))
    assert sure(find_work(key)).state == READY
