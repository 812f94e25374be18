"""The server: one per data folder, its addresses, the entrance for tablets that do not trust it yet."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import IO, Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import NameOID
from django.conf import settings
from django.db import connection
from rich.console import Console

from tournament.queries.backups import database_file
from tournament.site.data_folder import own_folder
from tournament.site.network import free_port, lan_address

# One site at a time on a data folder: a second start would give tablets an address that nobody expects.


TAKEN = "Uptown is already running with these data{}. Go on there, or stop it first."
STOP_FIRST = (
    "Uptown is running with these data{}. Stop it with Ctrl+C in its window, or close the window, and try again. "
    "Leave the tablets' pages open."
)


@contextmanager
def alone(refusal: str = TAKEN) -> Iterator[None]:
    """Lock the data folder until the act ends. Raises SystemExit with `refusal` if another process holds it.

    PostgreSQL serves any number of processes.
    """
    if database_file() is None:
        yield
        return
    own_folder(_file().parent)
    with _file().open("a+", encoding="utf-8") as file:
        if not _locked(file):
            address = _file().read_text(encoding="utf-8")
            raise SystemExit(refusal.format(f", at {address}" if address else ""))
        say_where("")
        yield


def say_where(address: str) -> None:
    """Store where the site is, for anybody who starts it a second time."""
    # On a full disk this is not stored, and the site runs.
    with suppress(OSError):
        _file().write_text(address, encoding="utf-8")


def _file() -> Path:
    return Path(settings.DATA) / "running"


def _locked(file: IO[str]) -> bool:
    """The system releases the lock when the process ends, however it ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Far behind the address, which others must be able to read.
            file.seek(1 << 20)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        # A disk without locks is no reason not to start.
        pass
    return True


# Serving the site from the command line: addresses, QR in the terminal, server.

# Tablets connect from the hall; behind a proxy, only the proxy connects.
EVERYWHERE, THIS_MACHINE = "0.0.0.0", "127.0.0.1"  # noqa: S104
THREADS = 16
# The application, as its own process loads it.
SITE = "tournament.serving.site:site"
# Stopping the site does not wait for answers in progress; everything acknowledged is stored.
STOP_SECONDS = 5
SHORT_LIFE = 5
FAULT = "The site stopped by a fault at {} and starts again."


def announce(
    console: Console,
    port: int,
    people: list[tuple[str, str, str]],
    places: list[tuple[str, str]],
    trust: str = "",
    title: str = "Uptown is running",
    host: str = EVERYWHERE,
) -> None:
    """Print where the site is, for whom, and how to sign in. With a page of trust the site is on https."""
    scheme = "https" if trust else "http"
    lan = THIS_MACHINE if host == THIS_MACHINE else lan_address()
    address = f"{scheme}://{lan}:{port}"
    rows = [("This laptop", f"{scheme}://localhost:{port}/")]
    if lan != THIS_MACHINE:
        rows.append(("Tablets, phones, projector", f"{address}/"))
    rows += [(name, f"{scheme}://localhost:{port}{path}") for name, path in places]
    if trust:
        rows.append(("First, once on each device", trust))
    width = max(len(name) for name, _ in rows)
    console.print(title, style="italic", highlight=False, soft_wrap=True)
    for name, address in rows:
        # Never broken over two lines: an address is clicked or copied.
        console.print(f"{name:{width}}  {address}", highlight=False, soft_wrap=True)
    if people:
        console.print("\nWho can sign in", style="italic")
        longest, widest = (max(len(text) for text in column) for column in list(zip(*people, strict=True))[:2])
        for name, password, may in people:
            # Whatever the width of the window: a password that is cut off is never shown again.
            console.print(
                f"{name:{longest}}  {password:{widest}}  {may}", highlight=False, markup=False, soft_wrap=True
            )
    if lan != THIS_MACHINE:
        if trust:
            console.print("\nScan once with each of the club’s tablets, so that it trusts this laptop:")
            console.print(terminal_code(trust), highlight=False)
        console.print("\nScan to open the site in the hall:")
        console.print(terminal_code(f"{address}/"), highlight=False)
    console.print(f"Everything is kept in {settings.DATA}", highlight=False, markup=False, soft_wrap=True)
    console.print("Stop with Ctrl+C.")


def terminal_code(text: str) -> str:
    """A QR code in half blocks, dark on light in terminals of any color."""
    from reportlab.graphics.barcode.qr import QrCodeWidget

    code: Any = QrCodeWidget(text, barLevel="L").qr  # type: ignore[attr-defined]  # missing in the stub
    code.make()
    size = code.getModuleCount()
    dark = [[code.isDark(y, x) for x in range(size)] for y in range(size)]
    edge = [[False] * (size + 4)] * 2
    grid = edge + [[False, False, *line, False, False] for line in dark] + edge
    if len(grid) % 2:
        grid.append([False] * (size + 4))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(grid[::2], grid[1::2], strict=True)
    return "\n".join("".join(blocks[above, below] for above, below in zip(*lines, strict=True)) for lines in pairs)


def serve(port: int, host: str = EVERYWHERE, **options: Any) -> None:
    """Run the server until it is stopped. If its process fails, another one replaces it.

    SQLite allows one process; its 16 threads queue for writing.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    connection.close()
    say_where(f"{'https' if 'ssl_cert' in options else 'http'}://localhost:{port}/")
    is_told_to_stop = False
    while not is_told_to_stop:
        server, began = _server(port, host, options), time.monotonic()
        with suppress(SystemExit):
            server.serve()
        if not server.interrupt_signal:
            print(FAULT.format(time.strftime("%X")), flush=True)
            # If the process cannot even start, the laptop is not kept busy with retries.
            time.sleep(0 if time.monotonic() - began > SHORT_LIFE else 1)
        is_told_to_stop = server.interrupt_signal


def _server(port: int, host: str, options: dict[str, Any]) -> Any:
    from granian import Granian
    from granian.constants import Interfaces

    server = Granian(
        SITE,
        factory=True,
        address=host,
        port=port,
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=THREADS,
        log_enabled=False,
        workers_kill_timeout=STOP_SECONDS,
        **options,
    )

    @server.on_startup
    def stop_with_the_window() -> None:
        """Closing the window sends a hangup. Without this the server would restart without a window."""
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, server.signal_handler_interrupt)

    return server


def choose_port(console: Console, wanted: int) -> int:
    """The wanted port, or the next free one, with a message."""
    port = free_port(wanted, EVERYWHERE)
    if port != wanted:
        console.print(f"Port {wanted} is taken by another program; using {port}.")
    return port


# The entrance for a tablet that does not trust this hall yet: one page over plain http, next to the site on https.

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
OPEN = ("/trust/", "/static/")
# A silent tablet must not keep a thread forever.
SECONDS = 20
MOST = 32


class _Server(ThreadingMixIn, WSGIServer):
    """A thread for each connection, up to a limit; later connections wait until one is free."""

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
    """The site's page of trust and its files; every other address redirects to it."""

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"].startswith(OPEN):
            return site(environ, start)
        start("302 Found", [("Location", OPEN[0]), ("Content-Length", "0")])
        return []

    return answer


def open_door(site: Application, address: str, host: str = EVERYWHERE) -> None:
    """Answer at the port of this address until the process ends."""
    server = make_server(host, urlsplit(address).port or 80, door(site), _Server, _Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()


@dataclass(frozen=True, slots=True)
class Trust:
    """What a tablet needs to trust this site: both addresses, and the certificate with the name that devices show."""

    site: str
    page: str
    name: str
    until: date
    fingerprint: str
    certificate: bytes


def certificate_folder() -> Path:
    return Path(settings.DATA) / "certificates"


def hall_trust() -> Trust | None:
    """None if this site has no certificate of its own."""
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
