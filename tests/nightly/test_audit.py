"""The audit of packages: nothing known, something known, and nothing to look into, each with its own exit code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.nightly.audit import main
from tests.ports import own_port
from tests.servers import Start, served

WEAK = {
    "id": "GHSA-1",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "5.2.99"}]}],
        }
    ],
}


def advisories(environ: dict[str, Any], start: Start) -> list[bytes]:
    """Answers like osv.dev: of Django 5.2.0 something is known, of all others nothing; at /broken it fails."""
    asked = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    is_weak = asked == {"package": {"name": "django", "ecosystem": "PyPI"}, "version": "5.2.0"}
    start("500 Broken" if environ["PATH_INFO"] == "/broken" else "200 OK", [])
    return [json.dumps({"vulns": [WEAK]} if is_weak else {}).encode()]


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
    tmp_path: Path, capfd: pytest.CaptureFixture[str], packages: str, path: str, code: int, said: list[str]
) -> None:
    """Without a path nothing answers at all."""
    wanted = tmp_path / "requirements.txt"
    wanted.write_text(packages)
    with served(advisories) as server:
        port = server.server_port if path else own_port()
        asked = ["--osv-url", f"http://127.0.0.1:{port}{path}", "--cache-dir", str(tmp_path)]
        ended = main([*asked, "--no-deps", "--disable-pip", "-r", str(wanted)])
    assert (ended, capfd.readouterr().out.splitlines()) == (code, said)
