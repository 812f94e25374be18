"""The way in for a tablet that does not trust this hall yet: one page over plain http, beside the site on https."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from socketserver import ThreadingMixIn
from typing import Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
OPEN = ("/trust/", "/static/")
# A tablet that says nothing must not keep a thread for ever.
SECONDS = 20


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Quiet(WSGIRequestHandler):
    timeout = SECONDS

    def log_message(self, *args: Any) -> None:
        pass


def door(site: Application) -> Application:
    """The site's page of trust and what belongs to it; every other address leads there."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith(OPEN):
            return site(environ, start)
        start("302 Found", [("Location", OPEN[0]), ("Content-Length", "0")])
        return []

    return answer


def open_door(site: Application, address: str, host: str = "0.0.0.0") -> None:  # noqa: S104 - tablets come from the hall
    """Answer at the port of this address until the process ends."""
    server = make_server(host, urlsplit(address).port or 80, door(site), _Server, _Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
