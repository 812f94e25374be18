"""Acts that happen at the same moment, in threads with connections of their own; and where they meet.

A control must not go wrong by luck. So an act can be given places: statements before which it waits until every other
act has come to its own place. What a lock would have kept apart then happens side by side, every time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import QuerySet

from tournament.models import Event, Person, Season
from tournament.services import people, transactions

Act = Callable[[], Any]
# Nobody waits this long: it only ends a test that could never end.
AT_MOST = 60


def together(*acts: Act, places: tuple[tuple[str, ...], ...] = ()) -> list[Any]:
    """Do all of it at the same moment; what came back, or what was raised. `places` says where each act waits."""
    start, met = threading.Barrier(len(acts)), threading.Barrier(max(1, sum(map(bool, places))))
    came: list[Any] = [None] * len(acts)

    def run(place: int, act: Act) -> None:
        waits = places[place] if places else ()
        try:
            connection.ensure_connection()
            start.wait(AT_MOST)
            with connection.execute_wrapper(waiting(met, *waits)) if waits else nullcontext():
                came[place] = act()
        except Exception as raised:
            came[place] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place, act)) for place, act in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * AT_MOST)
    # A control that goes wrong because an act never came to its place says nothing of the lock.
    assert not any(isinstance(outcome, threading.BrokenBarrierError) for outcome in came), came
    return came


def waiting(met: threading.Barrier, *places: str) -> Callable[..., Any]:
    """Wait for the others before the first statement that begins with (or reads from) the next place."""
    left = list(places)

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        while left and (sql.startswith(left[0]) or (left[0].startswith("FROM") and left[0] in sql)):
            del left[0]
            met.wait(AT_MOST)
        return execute(sql, *rest)

    return run


def take_lock_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have acts read rows without locking them. SQLite's lock is the transaction itself, so there it goes, too."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda rows, **how: rows.all())
    for rows in (Event.objects, Person.objects, Season.objects):
        monkeypatch.setattr(rows, "select_for_update", lambda rows=rows, **how: rows.all())
    for module in (transactions, people) if connection.vendor == "sqlite" else ():
        monkeypatch.setattr(module, "in_line", nullcontext)
        monkeypatch.setattr(module, "transaction", SimpleNamespace(atomic=nullcontext))


def failed(one: Any) -> bool:
    return isinstance(one, Exception)
