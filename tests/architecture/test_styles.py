"""What Safari knows by its own name alone is said to it as well."""

from __future__ import annotations

import re
from pathlib import Path

STYLES = Path(__file__).parents[2] / "tournament/static/tournament/css"
PREFIXED = re.compile(r"^\s*(?P<own>-webkit-)?(?P<name>user-select|text-size-adjust):\s*(?P<value>[^;]+);", re.M)


def test_what_safari_knows_by_its_own_name_is_said_twice() -> None:
    said = {
        file.name: [(one["name"], one["value"], bool(one["own"])) for one in PREFIXED.finditer(file.read_text("utf-8"))]
        for file in STYLES.glob("*.css")
    }
    lines = [line for lines in said.values() for line in lines]
    assert {name for name, _, _ in lines} == {"user-select", "text-size-adjust"}
    for file, lines in said.items():
        assert sorted(line[:2] for line in lines if line[2]) == sorted(line[:2] for line in lines if not line[2]), file
