"""A file to double-click that starts the site: what it says on each system, and where it belongs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple

WINDOWS = """@echo off
chcp 65001 >nul
title Uptown
{settings}{command}
if errorlevel 1 pause
"""
# The window stays open where something went wrong, or nobody could read what.
SHELL = "{settings}{command} || {{ printf '\\nPress Enter to close this window. '; read -r answer; }}"
MACOS = f"#!/bin/sh\n{SHELL}\n"
LINUX = """[Desktop Entry]
Type=Application
Name=Uptown
Comment=Run card tournaments
Exec=sh -c {script}
Icon={icon}
Terminal=true
Categories=Game;CardGame;
"""


class Shortcut(NamedTuple):
    name: str
    content: bytes


def shortcut(
    system: str, command: Sequence[str], icon: Path, folders: Mapping[str, PurePath] | None = None
) -> Shortcut:
    """The shortcut to a command, for a system as `sys.platform` names it.

    `folders` are those that somebody chose, by the variable that names each.
    """
    chosen = {name: str(folder) for name, folder in (folders or {}).items()}
    if system == "win32":
        settings = "".join(f'set "{name}={_percents(folder)}"\n' for name, folder in chosen.items())
        text = WINDOWS.format(settings=settings, command=" ".join(f'"{_percents(word)}"' for word in command))
        return Shortcut("Uptown.cmd", text.replace("\n", "\r\n").encode())
    settings = "".join(f"{name}={shlex.quote(folder)} " for name, folder in chosen.items())
    words = {"settings": settings, "command": shlex.join(command)}
    if system == "darwin":
        return Shortcut("Uptown.command", MACOS.format(**words).encode())
    return Shortcut("uptown.desktop", LINUX.format(script=_argument(SHELL.format(**words)), icon=icon).encode())


def places(system: str, home: Path, environment: Mapping[str, str]) -> list[Path]:
    """The folders for a shortcut: the desktop, and on Linux the menu of programs, too, where no desktop shows files."""
    desktops = [Path(environment[name]) / "Desktop" for name in ("OneDrive",) if environment.get(name)]
    found = [path for path in [*desktops, home / "Desktop"] if path.is_dir()][:1]
    if system in ("win32", "darwin"):
        return found or [home]
    return [Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / "applications", *found]


def _percents(text: str) -> str:
    """A word of a Windows script, in which a percent sign begins a variable."""
    return text.replace("%", "%%")


def _argument(text: str) -> str:
    """One argument of an Exec line: in quotes as a shell would read it, then as a value of the file is written."""
    quoted = re.sub(r'(["`$\\])', r"\\\1", text)
    return '"' + quoted.replace("\\", "\\\\").replace("%", "%%") + '"'
