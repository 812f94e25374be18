"""The files of the site are made once for each version, all or nothing, and nowhere but in the data folder."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.evenings import evening_text, write_evening
from tests.factories import make_event
from tests.halls import Hall, Prepared
from tests.sure import sure
from tournament.site.static_files import NAMED, SOURCES, joined, make, needed, version_folders

ICON = "tournament/icon.svg"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCES, tmp_path / "sources"))


def stored(folder: Path | None) -> dict[str, str]:
    assert folder is not None
    return dict(json.loads((folder / "staticfiles.json").read_text(encoding="utf-8"))["paths"])


def test_every_file_is_there_under_its_hashed_name_and_compressed(tmp_path: Path) -> None:
    folder = sure(make(tmp_path / "static"))
    paths = stored(folder)
    assert {"tournament/css/uptown.css", "tournament/js/table.js", ICON} <= set(paths)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*") if path.is_file()}
    assert {name for name in there if not name.endswith(".gz")} == {*paths.values(), "staticfiles.json"}
    assert {f"{paths[name]}.gz" for name in paths if name.endswith((".css", ".js"))} <= there
    sheet, script = ((folder / paths[f"tournament/{name}"]).read_text() for name in ("css/uptown.css", "js/table.js"))
    assert Path(paths["tournament/fonts/uptown-sans.woff2"]).name in sheet
    assert f'from "./{Path(paths["tournament/js/site.js"]).name}"' in script


def test_files_are_made_once_and_again_when_the_program_changes(tmp_path: Path, sources: Path) -> None:
    root, icon = tmp_path / "static", sources / ICON
    first = sure(make(root, sources))
    times = {path: path.stat().st_mtime_ns for path in first.rglob("*.*")}
    assert make(root, sources) == first and {path: path.stat().st_mtime_ns for path in first.rglob("*.*")} == times
    os.utime(first, (1, 1))
    icon.write_text(icon.read_text().replace("<svg", "<svg "))
    second = sure(make(root, sources))
    assert stored(second)[ICON] != stored(first)[ICON]
    assert version_folders(second) == [first, second]
    os.utime(second, (2, 2))
    icon.write_text(icon.read_text().replace("<svg", "<svg "))
    third = sure(make(root, sources))
    assert version_folders(third) == [second, third] and not first.exists()
    assert sorted(root.iterdir()) == sorted([second, third])


def test_starts_at_the_same_time_make_them_together(tmp_path: Path) -> None:
    root, starts = tmp_path / "static", 4
    barrier = Barrier(starts)

    def start(_: int) -> Path | None:
        barrier.wait()
        return make(root)

    with ThreadPoolExecutor(starts) as pool:
        folders = list(pool.map(start, range(starts)))
    assert len(set(folders)) == 1 and list(root.iterdir()) == [folders[0]]
    assert all((sure(folders[0]) / name).is_file() for name in stored(folders[0]).values())


def test_what_a_start_that_was_killed_has_left_is_removed_later(tmp_path: Path) -> None:
    root = tmp_path / "static"
    for name, age in ((".just-begun", None), (".left", (1, 1))):
        (root / name).mkdir(parents=True)
        os.utime(root / name, age)
    folder = sure(make(root))
    assert sorted(root.iterdir()) == sorted([root / ".just-begun", folder])


def test_nothing_is_written_beside_the_program(tmp_path: Path, sources: Path) -> None:
    paths = [sources, *sources.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {path: path.stat().st_mtime_ns for path in paths}
    folder = sure(make(tmp_path / "static", sources))
    assert (folder / stored(folder)[ICON]).is_file()
    assert {path: path.stat().st_mtime_ns for path in [sources, *sources.rglob("*")]} == before
    for path in paths:
        path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_on_a_full_disk_the_site_answers_with_its_sources(prepared_hall: Prepared, tmp_path: Path) -> None:
    hall: Hall = prepared_hall.copy(tmp_path / "data")
    shutil.rmtree(hall.folder / "static", ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-c", FULL],
        cwd=settings.ROOT,
        env=hall.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "The site’s files could not be written to" in done.stderr and "(File too large)" in done.stderr
    assert done.stdout.split() == ["/static/tournament/css/uptown.css", "200", "/static/tournament/icon.svg", "200"]
    assert list((hall.folder / "static").iterdir()) == []


# No file may grow beyond ten kilobytes: the style sheet does.
FULL = """
import os, resource
os.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
resource.setrlimit(resource.RLIMIT_FSIZE, (10240, 10240))
import django
django.setup()
from django.templatetags.static import static
from django.test import Client
for name in ("tournament/css/uptown.css", "tournament/icon.svg"):
    print(static(name), Client(SERVER_NAME="localhost").get(static(name)).status_code)
"""


# Many sources, one file: layers are kept, each module is in it once, and what cannot be joined is refused.
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
        scripts, position = set[str](), page
        while True:
            text = position.read_text(encoding="utf-8")
            scripts |= {name for name in NAMED.findall(text) if "/js/" in name and not name.endswith("/site.js")}
            if not (parent := EXTENDS.search(text)):
                break
            position = settings.ROOT / "templates" / parent[1]
        modules = [path.name for name in scripts for path in set(needed(SOURCES / name)) - shared]
        assert sorted(modules) == sorted(set(modules)), page.name


# What a visit weighs, without a browser: pages are compressed, and their files are asked for once in a year.
PACKED = {"Accept-Encoding": "gzip, deflate"}


def test_a_first_visit_to_standings_of_24_teams_is_small(client: Client, dana: User) -> None:
    event = write_evening(evening_text(24), dana)
    page = client.get(f"/e/{event.slug}/", headers=PACKED)
    assert page["Content-Encoding"] == "gzip" and len(page.content) <= 5_000
    html = gzip.decompress(page.content).decode()
    assert html.count('id="team-') == 24
    files = sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html)))
    assert len(files) <= 8
    weight = len(page.content)
    for file in files:
        answer = client.get(file, headers=PACKED)
        assert (answer.status_code, answer["Cache-Control"]) == (200, "max-age=31536000, public, immutable")
        weight += len(answer.getvalue())
    assert weight <= 110_000, weight


@pytest.mark.django_db
def test_files_are_found_under_their_hashed_names_alone(client: Client) -> None:
    assert client.get("/static/tournament/css/uptown.css").status_code == 404


def test_papers_are_not_compressed_once_more(dana: User, desk: Client) -> None:
    event = make_event("Open", dana)
    names = re.findall(r'href="(/desk/open/[^"]+\.(?:pdf|xlsx))', desk.get("/desk/open/papers/").content.decode())
    answer = desk.get(names[0], headers=PACKED)
    assert (event.slug, answer.status_code, answer.get("Content-Encoding")) == ("open", 200, None)
    assert desk.get("/desk/open/", headers=PACKED)["Content-Encoding"] == "gzip"


@pytest.mark.django_db
def test_a_browser_that_does_not_unpack_gets_plain_text(client: Client) -> None:
    page = client.get("/practice/")
    assert "Content-Encoding" not in page and "Accept-Encoding" in page["Vary"] and b"<!doctype html>" in page.content
