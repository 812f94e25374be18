"""The file to double-click: read back for each system, and really started where the system is here."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path, PureWindowsPath

import pytest

from tests.halls import ROOT, Prepared, eventually
from tests.programs import program
from tournament.serving.preparing import places, shortcut

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
