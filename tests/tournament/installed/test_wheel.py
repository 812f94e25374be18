"""The program as a club installs it: its own wheel in an empty folder, its data in the folder of the person."""

from __future__ import annotations

import ast
import datetime
import io
import os
import re
import signal
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

from tests.halls import ROOT, Prepared, eventually
from tests.programs import own_port, program
from tests.sure import sure
from tournament import PROGRAM, __version__
from tournament.command import NEEDED
from tournament.models import Event
from tournament.reports.excel.cells import finished, new_book
from tournament.reports.pdf.paper import Papers
from tournament.serving.preparing import places, shortcut


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
    pins = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if not line.startswith("#")]
    wanted = {str(Requirement(pin)).lower() for pin in pins}
    assert {str(Requirement(one)) for one in re.findall(r"^Requires-Dist: (.+)$", asked, re.MULTILINE)} == wanted


@pytest.mark.skipif(sys.platform == "win32", reason="paths as on Linux and macOS")
def test_an_installed_program_keeps_its_data_with_the_person_and_never_beside_the_code(place: Path) -> None:
    before = files(place / "program")
    data = place / "home" / ".local" / "share" / "uptown"
    assert uptown(place, "version") == f"{PROGRAM}\n"
    assert uptown(place, "demo", "--no-serve") == f"The sample evenings are in {data / 'demo'}.\n"
    port = own_port("0.0.0.0")
    said = place / "said"
    with said.open("wb") as out:
        process = subprocess.Popen(
            [str(place / "program" / "bin" / "uptown"), "serve", "--port", str(port)],
            cwd=place / "empty",
            env=environment(place),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )

    def page(path: str) -> str:
        try:
            with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=20) as answer:
                return answer.read().decode()
        except OSError:
            return ""

    try:
        eventually(lambda: bool(page("/")), said.read_text)
        home = page("/")
        assert f"<span>{PROGRAM}</span>" in home and "No events yet." in home
        (style,) = re.findall(r'href="(/static/[^"]+\.css)"', home)
        assert "@layer" in page(style)
        assert "<title>Practice table" in page("/practice/")
        assert f"Everything is kept in {data}\n" in said.read_text()
        backup = Path(uptown(place, "backup").strip())
        assert backup.parent == data / "backups"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
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
    said = subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout == f"{PROGRAM}\n"


def test_pages_say_it_below_and_a_table_s_page_does_not(client: Client, event: Event) -> None:
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
    found = load_workbook(io.BytesIO(finished(book))).properties
    assert (found.creator, found.title, found.language) == (PROGRAM, "Columbus Open", "en-US")


def test_the_newest_change_is_of_this_version_and_dated() -> None:
    changes = (settings.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    (version, date), *_ = re.findall(r"^## (\S+), (.+)$", changes, re.MULTILINE)
    assert version == __version__
    assert datetime.datetime.strptime(date, "%B %d, %Y") > datetime.datetime(2026, 11, 1)


@pytest.mark.parametrize("file", ["manage.py", "tournament/__init__.py", "tournament/command.py"])
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
    made = shortcut("win32", [r"C:\Users\Zoë 100%\uptown\Scripts\uptown.exe", "serve"], ICON, folders)
    assert made.name == "Uptown.cmd"
    assert made.content.decode("utf-8").split("\r\n") == [
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
