"""A small server of a test's own, in threads of this process."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from tournament.network import free_port

Start = Callable[..., Any]
Application = Callable[[dict[str, Any], Start], Iterable[bytes]]


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    request_queue_size = 64


class _Quiet(WSGIRequestHandler):
    def log_message(self, *args: Any) -> None:
        pass


@contextmanager
def served(application: Application) -> Iterator[WSGIServer]:
    """Answer with this application at a port of its own."""
    with make_server("127.0.0.1", own_port(), application, _Server, _Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


# Ports of servers that tests start: every process of a run takes its own from a range of its own.
FIRST, EACH = 20_000, 200
# Where nobody's range is.
ELSEWHERE = range(23_000, 32_000)


def own_port(host: str = "127.0.0.1") -> int:
    """A port that nobody listens on and no other process of this run takes a moment later."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return free_port(FIRST + EACH * worker, host)


def some_port(host: str = "127.0.0.1") -> int:
    """A port for one of many that start together, of which none listens yet: most likely no other is given it."""
    return free_port(random.choice(ELSEWHERE), host)
