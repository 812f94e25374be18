"""The page over plain http: so many connections have a thread, all others wait their turn."""

from __future__ import annotations

import socket
import threading
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

import pytest

from tests.halls import eventually
from tests.ports import own_port
from tournament.serving import server


def page(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    start("200 OK", [("Content-Length", "5")])
    return [b"Trust"]


def served() -> int:
    """How many connections have a thread."""
    return sum("process_request_thread" in one.name for one in threading.enumerate())


def test_whoever_says_nothing_holds_no_more_threads_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST", 3)
    port = own_port("127.0.0.1")
    address = f"http://127.0.0.1:{port}/trust/"
    server.open_door(page, address, "127.0.0.1")
    with ExitStack() as silent:
        for _ in range(3):
            silent.enter_context(socket.create_connection(("127.0.0.1", port)))
        eventually(lambda: served() == 3, served)
        with pytest.raises(TimeoutError):
            urllib.request.urlopen(address, timeout=1)
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert answer.read() == b"Trust"
