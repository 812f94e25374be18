"""Before the site starts: data folder, database, and a file to double-click."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple
from zoneinfo import available_timezones

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from rich.console import Console

from tournament import __version__
from tournament.models import Event
from tournament.models.triggers import missing_triggers
from tournament.queries.backups import database_file
from tournament.services.backups import make_backup
from tournament.services.events import discard_events
from tournament.site.data_folder import NOT_WRITABLE, is_full, own_folder
from tournament.site.database import is_older, weak_settings, why_refused
from tournament.site.static_files import made_files

UPGRADED = "The database is now up to date for version {}. A backup from before, which is kept: {}"
FULL_AT_START = "The disk is full: pages can be read, but nothing can be saved until there is room again."
NO_ZONES = (
    "This system does not know the time zones, which every event needs. Install them (on Debian and Ubuntu: sudo apt "
    "install tzdata) and start again."
)


def prepare(console: Console) -> None:
    """Create the data folder, migrate the database with a backup before, and create the site's files.

    Raises SystemExit if the database is newer than the program, or too old for it, and if the system lacks what an
    event needs. Rehearsals that an earlier start left are deleted.
    """
    if not available_timezones():
        raise SystemExit(NO_ZONES)
    own_folder(settings.DATA)
    if (file := database_file()) is not None:
        # It contains hashes of passwords and sign-ins. With PostgreSQL it may be shared with a web server.
        settings.DATA.chmod(0o700)
        os.umask(0o077)
        if file.exists() and not os.access(file, os.W_OK):
            raise SystemExit(NOT_WRITABLE.format(file, "it is read-only"))
    if refusal := why_refused():
        raise SystemExit(refusal)
    # Large files that an earlier version stored there until they were downloaded.
    shutil.rmtree(settings.DATA / "works", ignore_errors=True)
    before = None
    with console.status("Preparing the site"):
        if _will_change():
            before = make_backup(f"before-{__version__}")
        # If nothing is due, nothing is written: on a full disk the site starts and shows what it has.
        if is_older() or missing_triggers():
            call_command("migrate", verbosity=0, interactive=False)
        made_files()
    if not is_full(settings.DATA):
        discard_events(Event.objects.filter(slug__startswith=Event.REHEARSAL))
    else:
        console.print(FULL_AT_START, soft_wrap=True)
    if before is not None:
        console.print(UPGRADED.format(__version__, before), highlight=False, markup=False, soft_wrap=True)
    check_durability()


def _will_change() -> bool:
    """Whether a newer version of the program is about to change tables that hold something."""
    file = database_file()
    if file is None or not file.exists() or "tournament_event" not in connection.introspection.table_names():
        return False
    return is_older()


def check_durability() -> None:
    """Read the database's effective settings back: a setting without effect is refused, not hoped for."""

    def ask(question: str) -> object:
        cursor.execute(question)
        return cursor.fetchone()[0]

    with connection.cursor() as cursor:
        weak = weak_settings(connection.vendor, ask, connection.settings_dict["OPTIONS"])
    if weak:
        raise SystemExit(f"The database would not keep every hand: {'; '.join(weak)}.")


# A file to double-click that starts the site: its content on each system, and where it belongs.

WINDOWS = """@echo off
chcp 65001 >nul
title Uptown
{settings}{command}
if errorlevel 1 pause
"""
# The window stays open after an error, or nobody could read it.
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
    system: str, command: Sequence[str], icon: Path, folders: Mapping[str, PurePath | str] | None = None
) -> Shortcut:
    """The shortcut to a command, for a system as `sys.platform` names it.

    `folders` are those that the user set, by the variable that names each.
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
    """The folders for a shortcut: the desktop, and on Linux the applications menu, too: some desktops show no files."""
    desktops = [Path(environment[name]) / "Desktop" for name in ("OneDrive",) if environment.get(name)]
    desktops_there = [path for path in [*desktops, home / "Desktop"] if path.is_dir()][:1]
    if system in ("win32", "darwin"):
        return desktops_there or [home]
    return [Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / "applications", *desktops_there]


def _percents(text: str) -> str:
    """A word of a Windows script, in which a percent sign begins a variable."""
    return text.replace("%", "%%")


def _argument(text: str) -> str:
    """One argument of an Exec line: quoted as a shell would read it, then escaped as a value of the file."""
    quoted = re.sub(r'(["`$\\])', r"\\\1", text)
    return '"' + quoted.replace("\\", "\\\\").replace("%", "%%") + '"'
