"""The program as a club installs it: its own wheel in an empty folder, its data in the folder of the person."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.halls import ROOT, eventually
from tests.ports import own_port
from tournament import PROGRAM, __version__


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
