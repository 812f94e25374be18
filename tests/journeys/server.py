"""The site's real server as a process of its own, which can be killed at any moment; a bad network before it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.halls import ROOT
from tests.programs import begin, end, own_port
from tournament.demo.tablet import JSON, Answer, Lost, read_message

RUN = """
import django; django.setup()
from tournament.serving.server import serve; serve({port}, host="127.0.0.1")
"""
LONGEST_START = 120


class Server:
    """What `manage.py serve` runs, on a free port, in a process group of its own."""

    def __init__(self, environment: dict[str, str], run: str = RUN) -> None:
        self.port, self.run = own_port(), run
        self.environment = environment
        self.log = Path(environment["UPTOWN_DATA"]) / "server.log"
        self.process = self._started()
        self.wait()

    def wait(self) -> None:
        """Until the site answers; a server that has ended is started again.

        It is asked again after the time is up, because this program may have been stopped in between.
        """
        latest, late = time.monotonic() + LONGEST_START, False
        while not late:
            late = time.monotonic() > latest
            if self.process.poll() is not None:
                self.process = self._started()
            if self._answers():
                return
            time.sleep(0.02)
        last = self.log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise SystemExit(f"The server did not answer within {LONGEST_START} s.\n{last}")

    def kill_worker(self) -> None:
        """Kill the process that answers; the one that watches over it is left to start another."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        workers = children.read_text().split() if children.is_file() else []
        if not workers:
            return self.kill()
        for pid in workers:
            # It may have ended by itself in the meantime.
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        return None

    def kill(self) -> None:
        end(self.process)

    def errors(self) -> list[str]:
        """What the server has written about mistakes of its own."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if " ERROR " in line and "Service Unavailable" not in line]

    def _started(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", self.run.format(port=self.port)]
        return begin(command, self.log, cwd=ROOT, env=self.environment)

    def _answers(self) -> bool:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            line.request("GET", "/t/api/ping/")
            return line.getresponse().status == 401
        except (OSError, http.client.HTTPException):
            return False
        finally:
            line.close()


# A bad network under the player's tablets: requests are dropped, answers are lost, things arrive twice.
SECONDS = 8


@dataclass
class Network:
    """`trouble` is the share of requests that are dropped, answered in vain and doubled, each."""

    port: int
    trouble: float
    chance: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message; Lost where there is none, or none that can be used."""
        self.counts["requests"] += 1
        if self._happens("dropped"):
            raise Lost("dropped")
        lines = [self._sent(path, token, body) for _ in range(2 if self._happens("doubled") else 1)]
        lost = self._happens("lost")
        try:
            if lost and self.chance.random() < 0.5:
                raise Lost("gone before the answer came")
            answers = [self._answer(line) for line in lines]
        finally:
            for line in lines:
                line.close()
        if lost:
            raise Lost("the answer never came")
        return answers[-1]

    def _happens(self, what: str) -> bool:
        if self.chance.random() >= self.trouble:
            return False
        self.counts[what] += 1
        return True

    def _sent(self, path: str, token: str, body: Mapping[str, Any]) -> http.client.HTTPConnection:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {"Authorization": f"Table {token}", "Content-Type": "application/json"}
        try:
            line.request("POST", f"/t/api/{path}/", json.dumps(body), headers)
        except (OSError, http.client.HTTPException) as fault:
            line.close()
            self.counts["unreachable"] += 1
            raise Lost(str(fault)) from fault
        return line

    def _answer(self, line: http.client.HTTPConnection) -> dict[str, Any]:
        try:
            answer = line.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.counts["cut off"] += 1
            raise Lost(str(fault)) from fault
        self.counts[f"status {answer.status}"] += 1
        if answer.status != 200:
            raise Lost(f"status {answer.status}")
        return read_message(content)


# A line that stays open, and forms as a browser sends them.
PATIENCE = 20
FORM = "application/x-www-form-urlencoded"
# Django takes a form whose field is the cookie's value; the cookie is the sender's own: its names on http and https.
TOKEN = "c" * 32
CSRF = {"csrftoken": TOKEN, "__Host-csrftoken": TOKEN}


class Connection:
    """One line to the site, as a browser keeps it; opened again whenever it broke."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.opened: http.client.HTTPConnection | None = None

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A tablet's message and its answer."""
        headers = {"Authorization": f"Table {token}", "Content-Type": JSON}
        answer, content = self._ask("POST", f"/t/api/{path}/", json.dumps(body), headers)
        if answer.status != 200:
            raise Lost(f"status {answer.status}")
        return read_message(content)

    def send(self, path: str, fields: Mapping[str, Any], cookies: Mapping[str, str]) -> Answer:
        named = dict(cookies) | CSRF
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in named.items()), "Content-Type": FORM}
        form = urlencode({"csrfmiddlewaretoken": TOKEN, **fields}, doseq=True)
        answer, content = self._ask("POST", path, form, headers)
        return Answer(answer.status, answer.getheader("Location", ""), _cookies(answer), content.decode())

    def open(self) -> http.client.HTTPConnection:
        if self.opened is None:
            self.opened = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
            self.opened.connect()
        return self.opened

    def close(self) -> None:
        if self.opened is not None:
            self.opened.close()
            self.opened = None

    def _ask(
        self, method: str, path: str, body: str, headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        try:
            opened = self.open()
            opened.request(method, path, body.encode(), dict(headers))
            answer = opened.getresponse()
            return answer, answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.close()
            raise Lost(str(fault)) from fault


def _cookies(answer: http.client.HTTPResponse) -> dict[str, str]:
    pairs = (cookie.partition(";")[0].partition("=") for cookie in answer.headers.get_all("Set-Cookie", []))
    return {name: value for name, _, value in pairs}
