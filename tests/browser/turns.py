"""One transaction after another, for a test database that is a single connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from django.db.transaction import Atomic
from django.http import HttpRequest, HttpResponse

# The thread that has it may take it again: a service within a test's own turn.
TURN = threading.RLock()
_taken = threading.Event()


class OneAtATime:
    """Outermost middleware of the browser tests; to the others it is nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with TURN if _taken.is_set() else nullcontext():
            return self.get_response(request)


@contextmanager
def taking_turns() -> Iterator[None]:
    """Requests go one after another, and what the test itself writes is not written into one of them."""
    enter, leave = Atomic.__enter__, Atomic.__exit__

    def begin(atomic: Atomic) -> None:
        TURN.acquire()
        try:
            enter(atomic)
        except BaseException:
            TURN.release()
            raise

    def end(atomic: Atomic, *raised: Any) -> None:
        try:
            leave(atomic, *raised)
        finally:
            TURN.release()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Atomic, "__enter__", begin)
        patch.setattr(Atomic, "__exit__", end)
        _taken.set()
        try:
            yield
        finally:
            _taken.clear()
