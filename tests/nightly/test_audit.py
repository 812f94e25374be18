"""The audit of packages: nothing known, something known, and nothing to look into, each with its own exit code."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.nightly.audit import main
from tests.ports import own_port

WEAK = {
    "id": "GHSA-1",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "5.2.99"}]}],
        }
    ],
}


class Advisories(BaseHTTPRequestHandler):
    """Answers like osv.dev: of Django 5.2.0 something is known, of all others nothing; at /broken it fails."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_weak = asked == {"package": {"name": "django", "ecosystem": "PyPI"}, "version": "5.2.0"}
        said = json.dumps({"vulns": [WEAK]} if is_weak else {}).encode()
        self.send_response(500 if self.path == "/broken" else 200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def advisories() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", own_port()), Advisories)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("packages", "path", "code", "said"),
    [
        ("django==5.2.19\nrich==15.0.0\n", "/", 0, ["no known weakness"]),
        ("django==5.2.0\nrich==15.0.0\n", "/", 1, ["django 5.2.0: GHSA-1, mended in 5.2.99", "1 known weakness"]),
        ("django==5.2.0\n", "/broken", 3, ["not checked: there are no advisories to look into"]),
        ("django==5.2.0\n", "", 3, ["not checked: there are no advisories to look into"]),
    ],
)
def test_the_audit_tells_three_outcomes_apart(
    advisories: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    packages: str,
    path: str,
    code: int,
    said: list[str],
) -> None:
    """Without a path nothing answers at all."""
    wanted = tmp_path / "requirements.txt"
    wanted.write_text(packages)
    place = advisories + path if path else f"http://127.0.0.1:{own_port()}/"
    ended = main(["--osv-url", place, "--no-deps", "--disable-pip", "-r", str(wanted), "--cache-dir", str(tmp_path)])
    assert (ended, capfd.readouterr().out.splitlines()) == (code, said)
