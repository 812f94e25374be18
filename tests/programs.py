"""Programs outside of Python that some tests need. Where one is absent the test is skipped and says so; the recipe
sets REQUIRE_BROWSER, REQUIRE_OFFICE and others, under which absence is a failure."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import pytest

from tournament.site.network import free_port

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


# The shell has no window to draw and takes three quarters of the work; any Chromium will do.
CHROMIUM = ("chromium-headless-shell", "chromium")
# A cell with a formula: its address and style, the formula, and its value.
VALUE = re.compile(rb'<c( r="[A-Z]+[0-9]+"(?: s="[0-9]+")?)(?: t="str")?>(<f>[^<]*</f>)<v(?:>[^<]*</v>| ?/>)</c>')
FIREFOX = ("firefox-esr", "firefox")


def begin(command: list[str], output: Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own; what it prints is added to a file."""
    with output.open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **options)


def end(process: subprocess.Popen[bytes], by: signal.Signals = signal.SIGKILL) -> None:
    """End a program and all that it started: at once, as when the power fails."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, by)
    process.wait()


def program(required_by: str, *names: str) -> str:
    """The path of the first of these programs that is here, or skip the test (fail it where one is required)."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    reason = f"{names[-1]} is not installed on this machine"
    if os.environ.get(required_by) == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def recalculated(content: bytes) -> Path:
    """A workbook after LibreOffice has computed every formula and saved it."""
    return recalculated_all([content])[0]


def recalculated_all(contents: Iterable[bytes]) -> list[Path]:
    """The same for many workbooks, by one start of the program."""
    return converted(map(without_values, contents), "xlsx:Calc MS Excel 2007 XML")


def converted(contents: Iterable[bytes], to: str) -> list[Path]:
    """Workbooks as LibreOffice saves them in another form."""
    office = program("REQUIRE_OFFICE", "soffice")
    folder = Path(tempfile.mkdtemp())
    files = []
    for number, content in enumerate(contents):
        files.append(folder / f"{number}.xlsx")
        files[-1].write_bytes(content)
    command = [office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--norestore", "--convert-to"]
    command += [to, "--outdir", str(folder / "out"), *map(str, files)]
    subprocess.run(command, check=True, capture_output=True, timeout=180 + 30 * len(files))
    return [folder / "out" / file.with_suffix(f".{to.partition(':')[0]}").name for file in files]


def without_values(content: bytes) -> bytes:
    """A workbook whose formulas have no values beside them: LibreOffice trusts those that it finds."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename.startswith("xl/worksheets/"):
                data = VALUE.sub(rb"<c\1>\2</c>", data)
            new.writestr(item.filename, data)
    return out.getvalue()
