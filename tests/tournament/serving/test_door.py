"""The page over plain http: so many connections have a thread, all others wait their turn."""

from __future__ import annotations

import io
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

import pytest
from rich.console import Console

from tests.halls import eventually
from tests.servers import own_port
from tournament.services.accounts import new_password
from tournament.serving import server
from tournament.serving.server import announce


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


# What a start prints: nothing that is shown only once may be cut off.


@pytest.mark.parametrize("width", [20, 60, 80])
def test_every_password_is_printed_whole_whatever_the_width_of_the_window(width: int) -> None:
    passwords = [new_password() for _ in range(200)]
    people = [
        (f"owner{place}", password, "everything; shown only this once") for place, password in enumerate(passwords)
    ]
    said = io.StringIO()
    announce(Console(file=said, width=width), 8000, people, [("Sign in", "/sign-in/")])
    words = {word for line in said.getvalue().splitlines() for word in line.split()}
    assert set(passwords) <= words
