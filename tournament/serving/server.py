"""Serving the site from the command line: addresses, QR in the terminal, server."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import connection
from rich.console import Console

from tournament.network import free_port, lan_address
from tournament.serving.alone import say_where

THREADS = 16
# Whoever stops the site waits no longer for an answer that is still being given; what was acknowledged is stored.
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
) -> None:
    """Print where the site is, for whom, and how to sign in. With a page of trust the site is on https."""
    scheme = "https" if trust else "http"
    address = f"{scheme}://{lan_address()}:{port}"
    rows = [("This laptop", f"{scheme}://localhost:{port}/")]
    if lan_address() != "127.0.0.1":
        rows.append(("Tablets, phones, projector", f"{address}/"))
    rows += [(name, f"{scheme}://localhost:{port}{path}") for name, path in places]
    if trust:
        rows.append(("First, once on each device", trust))
    width = max(len(name) for name, _ in rows)
    console.print(title, style="italic", highlight=False, soft_wrap=True)
    for name, place in rows:
        # Never broken over two lines: an address is clicked or copied.
        console.print(f"{name:{width}}  {place}", highlight=False, soft_wrap=True)
    if people:
        console.print("\nWho can sign in", style="italic")
        longest, widest = (max(len(one) for one in column) for column in list(zip(*people, strict=True))[:2])
        for name, password, may in people:
            # Whatever the width of the window: a password that is cut off is shown never again.
            console.print(
                f"{name:{longest}}  {password:{widest}}  {may}", highlight=False, markup=False, soft_wrap=True
            )
    if lan_address() != "127.0.0.1":
        if trust:
            console.print("\nScan once with each of the club’s tablets, so that it trusts this laptop:")
            console.print(terminal_code(trust), highlight=False)
        console.print("\nScan to open the site in the hall:")
        console.print(terminal_code(f"{address}/"), highlight=False)
    console.print(f"Everything is kept in {settings.DATA}", highlight=False, markup=False, soft_wrap=True)
    console.print("Stop with Ctrl+C.")


def terminal_code(text: str) -> str:
    """A QR code in half blocks, dark on light whatever the colours of the terminal are."""
    from reportlab.graphics.barcode.qr import QrCodeWidget

    code: Any = QrCodeWidget(text, barLevel="L").qr  # type: ignore[attr-defined]  # missing in the stub
    code.make()
    size = code.getModuleCount()
    dark = [[code.isDark(y, x) for x in range(size)] for y in range(size)]
    edge = [[False] * (size + 4)] * 2
    grid = edge + [[False, False, *line, False, False] for line in dark] + edge
    if len(grid) % 2:
        grid.append([False] * (size + 4))
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(grid[::2], grid[1::2], strict=True)
    return "\n".join("".join(signs[above, below] for above, below in zip(*lines, strict=True)) for lines in pairs)


def serve(port: int, host: str = "0.0.0.0", **options: Any) -> None:  # noqa: S104 - tablets come from the hall
    """Run the server until it is stopped. Whenever its process ends by a fault, another takes its place.

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
            # What cannot even start does not keep the laptop busy.
            time.sleep(0 if time.monotonic() - began > SHORT_LIFE else 1)
        is_told_to_stop = server.interrupt_signal


def _server(port: int, host: str, options: dict[str, Any]) -> Any:
    from granian import Granian
    from granian.constants import Interfaces

    server = Granian(
        "tournament.serving.site:site",
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
        """A window that is closed hangs up. Left alone, the server would restart, without a window."""
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, server.signal_handler_interrupt)

    return server


def choose_port(console: Console, wanted: int) -> int:
    """The wanted port, or the next free one, said aloud."""
    port = free_port(wanted, "0.0.0.0")  # noqa: S104
    if port != wanted:
        console.print(f"Port {wanted} is taken by another program; using {port}.")
    return port
