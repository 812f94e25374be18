"""What the tablet keeps to open its page without a network: every script of the page, and what these import."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

from tournament.views.worker import FOLDER, shell

ASKED = re.compile(r"js/(\w+\.js)")
IMPORTED = re.compile(r'from "\.{1,2}/(?:vendor/)?(\w+\.js)"')


def test_every_script_of_the_page_and_what_it_imports_is_kept() -> None:
    scripts = {path.name: path.read_text(encoding="utf-8") for path in (FOLDER / "tournament").glob("*/*.js")}
    page = (settings.ROOT / "templates" / "tablet" / "table.html").read_text(encoding="utf-8")
    needed, found = set(ASKED.findall(page)), set()
    while needed:
        found |= needed
        needed = {name for one in needed for name in IMPORTED.findall(scripts[one])} - found
    assert {"queue.js", "element.js", "idb.js"} <= found
    assert found - {Path(name).name for name in shell(True)[0]} == set()


def test_nothing_is_kept_that_no_page_of_the_table_needs() -> None:
    names, _ = shell(True)
    assert [name for name in names if Path(name).stem in {"desk", "board", "schedule"} and name.endswith(".js")] == []
