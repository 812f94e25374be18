"""One transaction after another, for a test database that is a single connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db.transaction import Atomic
from django.http import HttpRequest, HttpResponse

# The thread that has it may take it again: a service within a test's own turn.
TURN = threading.RLock()


class OneAtATime:
    """Outermost middleware of the browser tests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with TURN:
            return self.get_response(request)


@contextmanager
def turns_for_transactions() -> Iterator[None]:
    """What the test itself writes waits for the request that is being answered, and is not waited into."""
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

    Atomic.__enter__, Atomic.__exit__ = begin, end
    try:
        yield
    finally:
        Atomic.__enter__, Atomic.__exit__ = enter, leave
