"""What the benchmarks share: a site on a database of its own, a caller without a network, and fair measuring.

`open_site` must be called before anything of the site is imported.
"""

from __future__ import annotations

import atexit
import gc
import gzip
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import django
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection

# Each printed figure is the median of this many.
RUNS = 5
# What everybody may see of an event.
PAGES = {"standings": "", "team page": "teams/{}/", "schedule": "schedule/", "projector": "board/"}


def open_site(*, has_tables: bool = True, **extra: Any) -> Path:
    """Start Django on a new SQLite file (or DATABASE_URL), with its tables; the folder is removed at the end.

    A caller with databases of its own needs no tables.
    """
    folder = Path(tempfile.mkdtemp(prefix="uptown-benchmark-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["UPTOWN_DATA"] = str(folder)
    os.environ["UPTOWN_HOSTS"] = "localhost,127.0.0.1,testserver"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
    for name, value in extra.items():
        setattr(settings, name, value)
    django.setup()
    if has_tables:
        call_command("migrate", verbosity=0, interactive=False)
    # As the site does at its start.
    gc.collect()
    gc.freeze()
    return folder


def machine() -> str:
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.is_file() else ""
    models = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    name = models[0] if models else platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def seconds(work: Callable[[], object], runs: int = RUNS, times: int = 1) -> float:
    """The median over the runs of one call of `work`."""
    taken = []
    for _ in range(runs):
        begun = time.perf_counter()
        for _ in range(times):
            work()
        taken.append((time.perf_counter() - begun) / times)
    return statistics.median(taken)


def measured(act: Callable[[], object]) -> tuple[float, list[str]]:
    """How long it took, and the statements that it sent to the database."""
    asked: list[str] = []

    def count(run: Any, sql: str, *rest: Any) -> Any:
        asked.append(sql)
        return run(sql, *rest)

    begun = time.process_time()
    with connection.execute_wrapper(count):
        act()
    return time.process_time() - begun, asked


def side_by_side(one: Callable[[], object], other: Callable[[], object], runs: int = RUNS, times: int = 1) -> Any:
    """The medians of two kinds of work done in turns, so that a busy moment of the machine meets both."""
    first, second = [], []
    for _ in range(runs):
        first.append(seconds(one, 1, times))
        second.append(seconds(other, 1, times))
    return statistics.median(first), statistics.median(second)


def teams_asked() -> int:
    return int(sys.argv[sys.argv.index("--teams") + 1]) if "--teams" in sys.argv else 500


def version_shown(body: bytes) -> str:
    """The version that a page, compressed or not, says it shows."""
    text = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
    shown = re.search(rb"version=([\w-]+)", text)
    return shown[1].decode() if shown else "0"


class Caller:
    """Calls the site's WSGI entrance as a server does, without a network in between."""

    def __init__(self) -> None:
        self.entrance = get_wsgi_application()

    def get(self, path: str, query: str = "", *expect: int, **headers: str) -> bytes:
        status: list[str] = []
        environ = {"PATH_INFO": path, "QUERY_STRING": query, "REMOTE_ADDR": "127.0.0.1", **headers}
        setup_testing_defaults(environ)

        def begin(line: str, _headers: Any, _info: Any = None, /) -> Any:
            status.append(line)

        answer = self.entrance(environ, begin)
        body = b"".join(answer)
        if hasattr(answer, "close"):
            answer.close()
        if int(status[0][:3]) not in (expect or (200,)):
            raise SystemExit(f"{path}: {status[0]} instead of {expect or 200}")
        return body
