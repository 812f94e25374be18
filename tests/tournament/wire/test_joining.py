"""Many sources, one file: layers are kept, each module stands in it once, and what cannot be joined is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from tournament.wire import NAMED, SOURCES, joined, needed

EXTENDS = re.compile(r'\{% extends "([^"]+)"')


def written(folder: Path, **sources: str) -> Path:
    for name, text in sources.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "page.js"


def test_the_style_sheet_is_one_file_with_its_layers() -> None:
    sheet = SOURCES / "tournament/css/uptown.css"
    text = joined(sheet)
    assert "@import" not in text and "@layer tokens, base, components, pages, print;" in text
    assert re.findall(r"^@layer (\w+) \{\n/\* (\S+) \*/$", text, re.MULTILINE) == [
        (layer, file) for file, layer in re.findall(r'url\("(\S+)"\) layer\((\w+)\)', sheet.read_text(encoding="utf-8"))
    ]
    for path in needed(sheet)[:-1]:
        assert path.read_text(encoding="utf-8") in text


def test_modules_stand_in_one_file_each_in_a_function_of_its_own(tmp_path: Path) -> None:
    page = written(
        tmp_path,
        page='import { made as done, Odd } from "./low.js";\nimport * as low from "./low.js";\n'
        'import "./side.js";\n\ndone();\n',
        side='import { lifted } from "./finger.js";\nlifted();\n',
        low="export const made = () => 1;\nexport class Odd {}\nasync function own() {}\nexport { own };\n",
        finger="export const lifted = () => 1;\n",
        site='import "./finger.js";\n',
    )
    assert joined(page) == (
        'import * as site$ from "./site.js";\n\n'
        "// low.js\nconst low$ = (() => {\nconst made = () => 1;\nclass Odd {}\nasync function own() {}\n\n"
        "return { made, Odd, own };\n})();\n\n"
        "// side.js\nconst side$ = (() => {\nconst { lifted } = site$;\nlifted();\n})();\n\n"
        "// page.js\nconst page$ = (() => {\nconst { made: done, Odd } = low$;\nconst low = low$;\n\n\ndone();\n})();\n"
    )
    assert joined(page.with_name("site.js")).endswith("export const { lifted } = finger$;\n")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('import "./page.js";\n', "page.js imports itself, by way of low.js."),
        ("export let count = 0;\n", "low.js cannot be joined with other scripts: export let count = 0;"),
        ("export default 1;\n", "low.js cannot be joined with other scripts: export default 1;"),
        ('import one from "./one.js";\n', 'low.js cannot be joined with other scripts: import one from "./one.js";'),
    ],
)
def test_what_cannot_be_joined_is_refused_with_its_line(tmp_path: Path, source: str, words: str) -> None:
    page = written(tmp_path, page='import { count } from "./low.js";\n', low=source)
    with pytest.raises(ValueError, match=re.escape(words)):
        joined(page)


def test_no_module_is_twice_on_a_page() -> None:
    """Two scripts of a page that hold the same module would have two of what it remembers."""
    shared = set(needed(SOURCES / "tournament/js/site.js"))
    for page in (settings.ROOT / "templates").rglob("*.html"):
        scripts, at = set[str](), page
        while True:
            text = at.read_text(encoding="utf-8")
            scripts |= {name for name in NAMED.findall(text) if "/js/" in name and not name.endswith("/site.js")}
            if not (parent := EXTENDS.search(text)):
                break
            at = settings.ROOT / "templates" / parent[1]
        modules = [path.name for name in scripts for path in set(needed(SOURCES / name)) - shared]
        assert sorted(modules) == sorted(set(modules)), page.name
