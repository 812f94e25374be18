"""The program as a club installs it: its own wheel in an empty folder, its data in the folder of the person."""

from __future__ import annotations

import ast
import contextlib
import datetime
import io
import json
import lzma
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import zipfile
from pathlib import Path, PureWindowsPath

import pytest
from django.conf import settings
from django.core.management import get_commands
from django.test import Client
from openpyxl import load_workbook
from packaging.requirements import Requirement
from pypdf import PdfReader

from tests.halls import PREPARE, ROOT, Hall, Prepared, eventually
from tests.programs import begin, end, own_port, program
from tests.sure import sure
from tournament import PROGRAM, __version__
from tournament.cli import NEEDED
from tournament.models import Event
from tournament.reports.excel.cells import finished, new_book
from tournament.reports.pdf.paper import Papers
from tournament.services.verifying import BEFORE, NOTHING
from tournament.serving.preparing import places, shortcut
from tournament.site.database import NEWER, OLDER, OPEN_WITH_1_0, TOO_OLD


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that UPTOWN_WHEEL names, or one built now; without a network the tests are skipped."""
    if os.environ.get("UPTOWN_WHEEL"):
        return Path(os.environ["UPTOWN_WHEEL"])
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--retries", "0", "-w", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no wheel could be built here: {done.stderr.strip().splitlines()[-1]}")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program installed in `program`; what it needs is taken from this Python."""
    folder = tmp_path_factory.mktemp("club")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "program")], check=True)
    python = folder / "program" / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    packages = next((folder / "program").glob("lib/python*/site-packages"))
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    (folder / "home").mkdir()
    (folder / "empty").mkdir()
    return folder


def environment(place: Path) -> dict[str, str]:
    return {"HOME": str(place / "home"), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}


def uptown(place: Path, *words: str) -> str:
    command = [str(place / "program" / "bin" / "uptown"), *words]
    done = subprocess.run(command, cwd=place / "empty", env=environment(place), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


# What `[postgresql]` and `[hosted]` behind the wheel's name install beside it.
EXTRAS = {"postgresql": ["tests/postgresql.txt"], "hosted": ["tests/postgresql.txt", "deploy/hosted.txt"]}


def pins_of(file: str) -> list[str]:
    return [line for line in (ROOT / file).read_text().splitlines() if not line.startswith(("#", "-r"))]


def test_the_wheel_holds_all_that_the_program_reads(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {f"tournament/{name}" for name in files(ROOT / "tournament")}
    expected |= {f"scoring/{name}" for name in files(ROOT / "scoring")}
    expected |= {f"tournament/templates/{name}" for name in files(ROOT / "templates")}
    expected |= {f"tournament/fixtures/demo/{name}" for name in files(ROOT / "fixtures" / "demo")}
    about = {name for name in inside if name.startswith(f"uptown-{__version__}.dist-info/")}
    assert inside - about == {name for name in expected if "__pycache__" not in name}
    assert f"uptown-{__version__}.dist-info/licenses/LICENSES.md" in about
    asked = zipfile.ZipFile(wheel).read(f"uptown-{__version__}.dist-info/METADATA").decode()
    wanted = {str(Requirement(pin)).lower() for pin in pins_of("requirements.txt")}
    for extra, pinned in EXTRAS.items():
        wanted |= {str(Requirement(f"{pin}; extra == '{extra}'")) for file in pinned for pin in pins_of(file)}
    assert {str(Requirement(match)) for match in re.findall(r"^Requires-Dist: (.+)$", asked, re.MULTILINE)} == wanted
    assert set(re.findall(r"^Provides-Extra: (.+)$", asked, re.MULTILINE)) == set(EXTRAS)


@pytest.mark.skipif(sys.platform == "win32", reason="paths as on Linux and macOS")
def test_an_installed_program_keeps_its_data_with_the_person_and_never_beside_the_code(place: Path) -> None:
    before = files(place / "program")
    data = place / "home" / ".local" / "share" / "uptown"
    assert uptown(place, "version") == f"{PROGRAM}\n"
    assert uptown(place, "demo", "--no-serve") == f"The sample evenings are in {data / 'demo'}.\n"
    port = own_port("0.0.0.0")
    output = place / "said"
    command = [str(place / "program" / "bin" / "uptown"), "serve", "--port", str(port)]
    process = begin(command, output, cwd=place / "empty", env=environment(place))

    def page(path: str) -> str:
        try:
            with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=20) as answer:
                return answer.read().decode()
        except OSError:
            return ""

    try:
        eventually(lambda: bool(page("/")), output.read_text)
        home = page("/")
        assert f"<span>{PROGRAM}</span>" in home and "No events yet." in home
        (style,) = re.findall(r'href="(/static/[^"]+\.css)"', home)
        assert "@layer" in page(style)
        assert "<title>Practice table" in page("/practice/")
        assert f"Everything is kept in {data}\n" in output.read_text()
        backup = Path(uptown(place, "backup").strip())
        assert backup.parent == data / "backups"
    finally:
        end(process, signal.SIGINT)
    uptown(place, "restore", str(backup))
    (menu,) = uptown(place, "shortcut").splitlines()
    assert f"{place / 'program' / 'bin' / 'uptown'} serve ||" in Path(menu).read_text(encoding="utf-8")
    assert files(place / "program") == before
    assert files(place / "empty") == set()
    assert {name.split("/")[0] for name in files(place / "home")} == {".local"}


# The version is the same on pages, in files, on the command line and in the list of changes.
OLD = """
import runpy, sys
sys.version_info = (3, 8, 2, "final", 0)
sys.argv = ["manage.py", "serve"]
runpy.run_path("manage.py", run_name="__main__")
"""


@pytest.mark.parametrize("words", [["version"], ["--version"], ["serve", "--version"]])
def test_the_command_line_says_the_version_of_this_program(words: list[str]) -> None:
    ran = subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout == f"{PROGRAM}\n"


def test_pages_say_it_below_and_a_table_s_page_does_not(client: Client, event: Event) -> None:
    Event.objects.update(stage="playing")
    foot = f"<span>{PROGRAM}</span></footer>"
    for path in ("/", f"/e/{event.slug}/", "/sign-in/", "/t/"):
        assert foot in client.get(path).content.decode(), path
    for path in ("/practice/", f"/e/{event.slug}/board/"):
        assert PROGRAM not in client.get(path).content.decode(), path


def test_papers_and_workbooks_say_what_wrote_them() -> None:
    papers = Papers("A paper")
    papers.next_page()
    assert sure(PdfReader(io.BytesIO(papers.finish())).metadata).creator == PROGRAM
    book = new_book("Columbus Open")
    book.create_sheet("Standings")
    properties = load_workbook(io.BytesIO(finished(book))).properties
    assert (properties.creator, properties.title, properties.language) == (PROGRAM, "Columbus Open", "en-US")


def test_the_newest_change_is_of_this_version_and_dated() -> None:
    changes = (settings.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (version, date), *_ = re.findall(r"^## (\S+), (.+)$", changes, re.MULTILINE)
    assert version == __version__
    assert datetime.datetime.strptime(date, "%B %d, %Y") > datetime.datetime(2026, 11, 1)


@pytest.mark.parametrize("file", ["manage.py", "tournament/__init__.py", "tournament/cli.py"])
def test_an_old_python_can_read_what_tells_it_that_it_is_too_old(file: str) -> None:
    ast.parse((ROOT / file).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_is_told_in_a_sentence_where_to_get_a_newer_one() -> None:
    done = subprocess.run([sys.executable, "-c", OLD], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(
        "Uptown needs Python 3.11 or later, and this is Python 3.8. Get a newer one from https"
    )


def test_the_wheel_asks_for_the_same_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, NEEDED))


# The file to double-click: read back for each system, and really started where the system is here.
ICON = Path("/opt/uptown/touch.png")
# A folder with everything in its name that a shell or a desktop could take for something else.
AWKWARD = 'Ann\'s $HOME 100% "club" `x` \\ &'
# A terminal that writes down what it shows, in a group of processes that can be stopped like a window.
TERMINAL = """#!{python}
import os, sys
os.setpgid(0, 0)
out = os.open({out!r}, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.dup2(out, 1); os.dup2(out, 2)
open({pid!r}, "w").write(str(os.getpid()))
words = sys.argv[1:]
words = words[1:] if words[0] in ("-e", "--", "-x") else words
os.execvp(words[0], words)
"""


def test_windows_reads_a_script_in_its_own_lines() -> None:
    folders = {"UPTOWN_DATA": PureWindowsPath(r"D:\cards"), "UPTOWN_BACKUPS": PureWindowsPath(r"E:\100% safe")}
    file = shortcut("win32", [r"C:\Users\Zoë 100%\uptown\Scripts\uptown.exe", "serve"], ICON, folders)
    assert file.name == "Uptown.cmd"
    assert file.content.decode("utf-8").split("\r\n") == [
        "@echo off",
        "chcp 65001 >nul",
        "title Uptown",
        r'set "UPTOWN_DATA=D:\cards"',
        r'set "UPTOWN_BACKUPS=E:\100%% safe"',
        r'"C:\Users\Zoë 100%%\uptown\Scripts\uptown.exe" "serve"',
        "if errorlevel 1 pause",
        "",
    ]


@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
def test_without_a_chosen_folder_none_is_named(system: str) -> None:
    assert b"UPTOWN_" not in shortcut(system, ["uptown", "serve"], ICON).content


def test_a_shortcut_lies_where_the_system_shows_it(tmp_path: Path) -> None:
    home, menu = tmp_path / "home", tmp_path / "home" / ".local" / "share" / "applications"
    assert places("win32", home, {}) == places("darwin", home, {}) == [home]
    assert places("linux", home, {}) == [menu]
    (home / "Desktop").mkdir(parents=True)
    assert places("win32", home, {}) == places("darwin", home, {}) == [home / "Desktop"]
    assert places("linux", home, {}) == [menu, home / "Desktop"]
    (home / "OneDrive" / "Desktop").mkdir(parents=True)
    assert places("win32", home, {"OneDrive": str(home / "OneDrive")}) == [home / "OneDrive" / "Desktop"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no sh")
def test_on_a_mac_the_shell_starts_the_site_in_the_chosen_folder_and_a_fault_stays_readable(tmp_path: Path) -> None:
    names = ("UPTOWN_DATA", "UPTOWN_BACKUPS")
    tell = f"import os, sys; print(*map(os.getenv, {names}), sys.argv[1:]); sys.exit(len(sys.argv) > 2)"
    for words, said in ((["serve"], ""), (["serve", AWKWARD], "\nPress Enter to close this window. ")):
        folders = dict(zip(names, (Path(AWKWARD), Path("/disk 2")), strict=True))
        made = shortcut("darwin", [sys.executable, "-c", tell, *words], ICON, folders)
        file = tmp_path / made.name
        file.write_bytes(made.content)
        file.chmod(0o755)
        done = subprocess.run([file], input="\n", capture_output=True, text=True, check=True)
        assert done.stdout == f"{AWKWARD} /disk 2 {words}\n{said}"


@pytest.mark.skipif(sys.platform != "linux", reason="the desktop entry is for Linux")
def test_a_linux_desktop_starts_the_site_from_the_file(prepared_hall: Prepared, tmp_path: Path) -> None:
    gio, folder = program("REQUIRE_DESKTOP", "gio"), tmp_path / AWKWARD
    hall = prepared_hall.copy(folder)
    out, pid, programs = tmp_path / "out", tmp_path / "pid", tmp_path / "bin"
    programs.mkdir()
    terminal = programs / "xterm"
    terminal.write_text(TERMINAL.format(python=sys.executable, out=str(out), pid=str(pid)), encoding="utf-8")
    terminal.chmod(0o755)
    hall.environment["UPTOWN_BACKUPS"] = str(tmp_path / "disk 2")
    (written,) = hall.manage("shortcut", "--folder", str(tmp_path)).splitlines()
    assert written == str(tmp_path / "uptown.desktop")
    icon = ROOT / "tournament" / "static" / "tournament" / "touch.png"
    assert icon.is_file() and f"Icon={icon}" in Path(written).read_text(encoding="utf-8").splitlines()
    environment = {"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run([gio, "launch", written], env=environment, cwd=tmp_path, check=True, timeout=60)

    def said() -> str:
        return out.read_text(encoding="utf-8") if out.exists() else ""

    eventually(lambda: "Stop with Ctrl+C." in said(), said)
    try:
        assert f"Everything is kept in {folder}" in said()
        assert f"UPTOWN_BACKUPS='{tmp_path}/disk 2' " in Path(written).read_text(encoding="utf-8")
        (port,) = re.findall(r"http://localhost:(\d+)/$", said(), re.MULTILINE)
        eventually(lambda: answers(port), said)
    finally:
        os.killpg(int(pid.read_text()), signal.SIGINT)
    eventually(lambda: not answers(port), said)


def answers(port: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as page:
            return page.status == 200
    except OSError:
        return False


# What a volunteer, an engineer and a lawyer read names what is there.
PAGES = sorted(str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))
# Where the guide for engineers names a file without its whole path.
NEAR = ("", "tournament/", "tournament/reports/", "tournament/static/tournament/", "tests/browser/javascript/")
PATH = re.compile(r"`([\w<>./-]+/[\w<>./-]*|[\w<>./-]+\.(?:py|md|toml|json|html))`")
ELSEWHERE = ("data/", "/", "bid_whist/", "spades/")
TYPED = re.compile(r"[/\\]bin/uptown\s+([a-z_]+)|Scripts\\uptown\s+([a-z_]+)")


def test_the_page_for_the_volunteer_names_this_version_and_commands_that_there_are() -> None:
    page = (ROOT / "INSTALL.md").read_text(encoding="utf-8")
    typed = {first or second for first, second in TYPED.findall(page)}
    gone = typed - get_commands().keys()
    assert not gone, f"INSTALL.md has people type commands that are gone: correct or delete them: {gone}"
    wheel = f"uptown-{__version__}-py3-none-any.whl"
    assert wheel in page, f"INSTALL.md names another version: write {wheel} in its lines"
    shells = [
        line for line in page.splitlines() if line.startswith(("py ", "uptown\\")) and re.search(r"[&%$;]|~", line)
    ]
    assert not shells, (
        f"INSTALL.md: only one of Windows' shells reads these lines as pasted: write them plainer: {shells}"
    )


def test_the_page_for_the_volunteer_has_the_section_that_leads_on_from_an_old_event_file() -> None:
    heading = sure(re.search("“(An event file of [^”]+)”", OPEN_WITH_1_0))[1]
    page = (ROOT / "INSTALL.md").read_text(encoding="utf-8")
    assert f"\n### {heading}\n" in page


def test_the_guide_for_engineers_names_files_that_there_are() -> None:
    named = set(PATH.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    missing = []
    for name in sorted(name for name in named if not name.startswith(ELSEWHERE)):
        wanted = re.sub(r"<\w+>", "*", name).rstrip("/")
        where = NEAR if "/" in name else (*NEAR, "**/")
        if not any(next(ROOT.glob(folder + wanted), None) for folder in where):
            missing.append(name)
    assert not missing, f"CONTRIBUTING.md names files that are gone: write their new names, or delete them: {missing}"


def test_the_readme_names_every_setting_and_no_other() -> None:
    """But for what the program's own commands say to the site that they start."""
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tournament").rglob("*.py"))
    own = {"UPTOWN_DEMO", "UPTOWN_SITE", "UPTOWN_TRUST"}
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    named, read = set(re.findall(r"UPTOWN_\w+", table)), set(re.findall(r"\bUPTOWN_\w+", sources)) - own
    assert not read - named, f"The table of settings in README.md lacks these: add a row for each: {read - named}"
    assert not named - read, f"No code reads these settings: delete their rows in README.md: {named - read}"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_a_heading(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    lost = []
    for link in links:
        file, _, anchor = link.partition("#")
        target = (ROOT / page).parent / file if file else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    assert not lost, f"{page}: correct or delete links that lead nowhere: {lost}"


def anchors(text: str) -> set[str]:
    """The headings of a page as a link names them."""
    heads = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_license_is_named_in_one_place() -> None:
    licenses = (ROOT / "LICENSES.md").read_text(encoding="utf-8")
    pinned = re.findall(r"^([\w-]+)==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    rows = re.findall(r"^\| ([\w-]+) \| [\w.-]+(?: OR [\w.-]+)? \|$", licenses, re.MULTILINE)[1:]
    assert rows == list(dict.fromkeys(pinned)), (
        "LICENSES.md: one row for each package of requirements.txt, in its order"
    )
    vendored = [*ROOT.glob("tournament/static/tournament/vendor/*.js"), *ROOT.glob("tests/vendor/*.js")]
    files = {file.relative_to(ROOT).as_posix() for file in vendored}
    unnamed = {file for file in files if f"`{file}`" not in licenses}
    fonts = {font.name for font in ROOT.glob("tournament/reports/pdf/fonts/*.ttf")}
    assert fonts and files
    unnamed |= {font for font in fonts if re.sub(r"(?<=[a-z])(?=S)", " ", re.split(r"[-.]", font)[0]) not in licenses}
    assert not unnamed, f"LICENSES.md: name the license of these files: {unnamed}"


# An upgrade of a real database: the demo's evenings as two older programs left them.
DATABASES = ROOT / "fixtures" / "databases"

# The battery is empty at the nth statement that changes something.
KILLED = """
import os, signal, sys
import django; django.setup()
from django.db import connection
from rich.console import Console
from tournament.serving.preparing import prepare
seen = 0
def count(execute, sql, *rest):
    global seen
    seen += not sql.lstrip().startswith(("SELECT", "PRAGMA", "SAVEPOINT", "RELEASE", "VACUUM"))
    if seen == {last}:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, *rest)
connection.execute_wrappers.append(count)
prepare(Console())
"""
READ = """
import json
import django; django.setup()
from tournament.models import Event
from tournament.queries.standings import full_standings
from tournament.services.signatures import rebuild_results
def rows(event):
    return [[one.label, one.number, one.team, one.played, one.won, one.points, one.bostons, one.sets]
            for one in full_standings(event).lines]
stored = {event.slug: rows(event) for event in Event.objects.order_by("slug")}
for event in Event.objects.all():
    rebuild_results(event)
print(json.dumps([stored, {event.slug: rows(event) for event in Event.objects.order_by("slug")}]))
"""


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """The data folder of a club that is about to upgrade."""
    return hall_at("0020", tmp_path / "data")


def hall_at(migration: str, folder: Path) -> Hall:
    folder.mkdir()
    packed = DATABASES / f"migration-{migration}.sql.xz"
    write(folder / "uptown.sqlite3", lzma.decompress(packed.read_bytes()).decode())
    return Hall(folder, DJANGO_SETTINGS_MODULE="tournament.settings")


def write(file: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as opened:
        opened.executescript(script)


def kept(hall: Hall) -> list[Path]:
    """The backups from before an upgrade, the oldest first."""
    return sorted((hall.folder / "backups").glob(f"before-{__version__}-*.sqlite3"))


def standings(hall: Hall) -> list[object]:
    """The standings of every event, before and after every result was computed again."""
    done = hall.run("-c", READ)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def before() -> object:
    """What both old programs said of the same evenings."""
    return json.loads((DATABASES / "standings.json").read_text(encoding="utf-8"))


def dump(file: Path) -> str:
    with contextlib.closing(sqlite3.connect(file)) as opened:
        return "\n".join(opened.iterdump())


def test_an_old_evening_has_the_same_standings_and_a_way_back(hall: Hall, tmp_path: Path) -> None:
    # Before the first start every other command says what to do.
    early = hall.run("manage.py", "restore", "--already-restored")
    assert (early.returncode, early.stderr) == (1, f"{OLDER}\n")
    old = dump(hall.folder / "uptown.sqlite3")
    done = hall.run("-c", PREPARE)
    assert done.returncode == 0, done.stderr
    (backup,) = kept(hall)
    assert f"A backup from before, which is kept: {backup}" in " ".join(done.stdout.split("\n"))
    assert standings(hall) == [before(), before()]
    # The backup is the database as it was, and the new program goes back to it, too.
    assert dump(backup) == old
    assert hall.manage("restore", str(backup)).startswith("3 events restored from")
    assert standings(hall)[0] == before()
    # Backups by the clock never clear it away.
    for number in range(49):
        shutil.copyfile(backup, hall.folder / "backups" / f"uptown-20200101-000000-{number:06d}.sqlite3")
    hall.manage("backup")
    assert backup.exists()


def test_a_database_of_1_0_0_is_upgraded_once_and_verified(tmp_path: Path) -> None:
    hall = hall_at("0023", tmp_path / "data")
    done = hall.run("-c", PREPARE)
    (backup,) = kept(hall)
    assert (done.returncode, str(backup) in done.stdout.replace("\n", "")) == (0, True), done.stderr
    assert standings(hall) == [before(), before()]
    # Of the packages that the program no longer uses nothing is left.
    assert hall.rows("SELECT name FROM sqlite_master WHERE name LIKE 'axes%'") == []
    assert hall.rows("SELECT app FROM django_migrations WHERE app IN ('axes', 'procrastinate')") == []
    for words in (["verify"], ["verify", hall.manage("backup")]):
        assert hall.manage(*words).splitlines()[0] == NOTHING
    done = hall.run("-c", PREPARE)
    assert (done.returncode, done.stdout, kept(hall)) == (0, "", [backup]), done.stderr


@pytest.mark.nightly
def test_a_database_that_was_not_upgraded_yet_is_not_said_to_be_changed(tmp_path: Path) -> None:
    hall = hall_at("0023", tmp_path / "data")
    live = hall.run("manage.py", "verify")
    assert (live.returncode, live.stdout, live.stderr) == (1, "", f"CommandError: {OLDER}\n")
    ran = hall.run("manage.py", "backup")
    path = Path(ran.stdout.strip())
    words = BEFORE.format(path)
    assert (ran.returncode, ran.stderr.splitlines()[-1]) == (0, words)
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]
    told = hall.run("manage.py", "verify", str(path))
    assert (told.returncode, told.stdout, told.stderr) == (1, "", f"CommandError: {words}\n")


@pytest.mark.nightly
def test_a_database_from_before_is_refused_in_a_sentence_and_stays_as_it_is(hall: Hall) -> None:
    """Some of the migrations that became one are missing; Django would try to make the tables a second time."""
    write(hall.folder / "uptown.sqlite3", "DELETE FROM django_migrations WHERE name > '0011' AND app = 'tournament';")
    left = dump(hall.folder / "uptown.sqlite3")
    for words in (["serve"], ["restore", "--already-restored"]):
        done = hall.run("manage.py", *words)
        assert (done.returncode, done.stderr) == (1, f"{TOO_OLD}\n"), words
    file = hall.folder / "uptown.sqlite3"
    copy = file.with_name("old.sqlite3")
    shutil.copyfile(file, copy)
    done = hall.run("manage.py", "restore", str(copy))
    assert (done.returncode, done.stderr) == (1, f"CommandError: {copy}: {TOO_OLD}\n")
    assert dump(file) == left


@pytest.mark.nightly
@pytest.mark.parametrize(("migration", "last"), [("0020", 3), ("0020", 25), ("0020", 46), ("0023", 20), ("0023", 60)])
def test_an_upgrade_that_was_killed_goes_on_at_the_next_start(tmp_path: Path, migration: str, last: int) -> None:
    hall = hall_at(migration, tmp_path / "data")
    old = dump(hall.folder / "uptown.sqlite3")
    done = hall.run("-c", KILLED.format(last=last))
    assert done.returncode == -9, done.stdout + done.stderr
    assert dump(kept(hall)[0]) == old
    again = hall.run("-c", PREPARE)
    assert again.returncode == 0, again.stderr
    assert standings(hall) == [before(), before()]
    assert hall.manage("verify").splitlines()[0] == NOTHING


def newer(hall: Hall) -> None:
    """What a version to come might do to the tables."""
    write(
        hall.folder / "uptown.sqlite3",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('tournament', '9999_next', '2030-01-01');"
        "ALTER TABLE tournament_event ADD COLUMN next INTEGER NOT NULL CHECK (next > 0) DEFAULT 1;"
        "ALTER TABLE tournament_event RENAME COLUMN place TO venue;",
    )


@pytest.mark.nightly
def test_a_newer_database_is_refused_in_a_sentence_and_stays_as_it_is(hall: Hall) -> None:
    assert hall.run("-c", PREPARE).returncode == 0
    (backup,) = kept(hall)
    newer(hall)
    left = dump(hall.folder / "uptown.sqlite3")
    for words in (["serve"], ["venue", "--http"], ["rebuild_results", "autumn-open"]):
        done = hall.run("manage.py", *words)
        assert (done.returncode, done.stderr) == (1, f"{NEWER}\n"), words
    assert dump(hall.folder / "uptown.sqlite3") == left
    # The way out that the sentence names.
    printed = hall.manage("restore", str(backup)).splitlines()
    assert standings(hall)[0] == before()
    assert dump(Path(printed[2].removeprefix("What was there before: "))) == left


@pytest.mark.nightly
def test_a_damaged_database_is_named_in_a_sentence(hall: Hall) -> None:
    (hall.folder / "uptown.sqlite3").write_bytes(b"not a database any more" * 1000)
    done = hall.run("manage.py", "serve")
    assert done.returncode == 1
    assert done.stderr == "The database cannot be read: file is not a database. Go back to a backup with “restore”.\n"
