"""The way in for a tablet that does not trust this hall yet: one page over plain http, beside the site on https."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from django.conf import settings

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
OPEN = ("/trust/", "/static/")
# A tablet that says nothing must not keep a thread for ever.
SECONDS = 20
MOST = 32


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each connection, so many at a time; whoever comes then waits until one is free."""

    daemon_threads = True

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._free = threading.Semaphore(MOST)

    def process_request(self, *asking: Any) -> None:
        self._free.acquire()
        super().process_request(*asking)

    def process_request_thread(self, *asking: Any) -> None:
        try:
            super().process_request_thread(*asking)
        finally:
            self._free.release()


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


@dataclass(frozen=True, slots=True)
class Trust:
    """Where the site is, where a tablet learns to trust it, and the certificate under the name that devices show."""

    site: str
    page: str
    name: str
    until: date
    fingerprint: str
    certificate: bytes


def certificate_folder() -> Path:
    return Path(settings.DATA) / "certificates"


def hall_trust() -> Trust | None:
    """None where this site has no certificate of its own."""
    if not settings.HALL_TRUST:
        return None
    root = x509.load_pem_x509_certificate((certificate_folder() / "root.pem").read_bytes())
    return Trust(
        site=settings.HALL_SITE,
        page=settings.HALL_TRUST,
        name=str(root.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value),
        until=root.not_valid_after_utc.date(),
        fingerprint=root.fingerprint(hashes.SHA256()).hex(" ", 2).upper(),
        certificate=root.public_bytes(serialization.Encoding.DER),
    )
