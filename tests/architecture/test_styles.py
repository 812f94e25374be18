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
    assert any(said.values())
    for file, lines in said.items():
        prefixed, plain = (sorted(line[:2] for line in lines if line[2] is own) for own in (True, False))
        assert prefixed == plain, f"{file}: write these lines with and without -webkit-: {prefixed}, {plain}"
