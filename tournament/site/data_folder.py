"""Where this site keeps its data, and whether that folder is the demo's. Read before Django is set up."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryFile

_HERE = Path(__file__).resolve().parents[1]
ROOT = _HERE.parent
# Installed from a wheel, pages and samples are inside the package, and the data is never next to the code.
INSTALLED = (_HERE / "templates").is_dir()
PAGES, FIXTURES = ((_HERE if INSTALLED else ROOT) / name for name in ("templates", "fixtures"))
# What is typed to start the program.
COMMAND = "uptown" if INSTALLED else "manage.py"
# The file that marks a folder as a demo's, and its text for anybody who finds it.
MARK = "this-is-a-demo.txt"
WORDS = f"The folder of `{COMMAND} demo`: nothing in it is real. Delete it whenever you like.\n"
INTERNET = "The demo signs everybody in without a password, so it does not run as a site on the internet."
FOREIGN = (
    "{} holds a site that is not a demo. Nothing was changed: move that folder, or set UPTOWN_DATA to another one."
)
DEMO_FOLDER = (
    "{} is the demo’s folder: nothing in it is real, and nobody needs a password. Set UPTOWN_DATA to another one."
)


NOT_WRITABLE = (
    "Nothing can be written to {} ({}), and Uptown keeps its data there. Nothing was started: set UPTOWN_DATA to "
    "a folder of your own."
)


LEAST_ROOM = 16 * 2**20


def data_folder() -> Path:
    """The folder for database and key."""
    return Path(os.environ.get("UPTOWN_DATA") or (users_folder() if INSTALLED else ROOT / "data")).absolute()


def own_folder(folder: Path) -> None:
    """Create a folder that nobody else can open. Raises SystemExit if nothing can be written there.

    A full disk is accepted: existing data can be read.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        if folder.is_dir() and fault.errno in (errno.ENOSPC, errno.EDQUOT):
            return
        raise SystemExit(NOT_WRITABLE.format(folder, fault.strerror)) from None


def is_full(folder: Path) -> bool:
    """Whether the folder's disk has hardly any room left: a hand needs this much, and a backup more."""
    return shutil.disk_usage(folder).free < LEAST_ROOM


def users_folder() -> Path:
    """Where this system keeps a program's data for the current user."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "Uptown"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "Uptown"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "uptown"


def start_words() -> list[str]:
    """What starts the program from anywhere: the file of `uptown`, or this Python with `manage.py`."""
    if INSTALLED:
        return [str(Path(sys.executable).with_name("uptown.exe" if sys.platform == "win32" else "uptown"))]
    return [sys.executable, str(ROOT / "manage.py")]


def is_internet() -> bool:
    return os.environ.get("UPTOWN_PROFILE") in ("internet", "hosted")


def is_hosted() -> bool:
    """Whether several processes serve the site, perhaps on several machines: `deploy/README.md`."""
    return os.environ.get("UPTOWN_PROFILE") == "hosted"


def why_not_hosted() -> str:
    """What the processes of a hosted site must share and do not; empty if nothing is missing."""
    shared = {
        "DATABASE_URL": "the address of a PostgreSQL database",
        "UPTOWN_CACHE": "the address of a Redis or Valkey",
        "UPTOWN_SECRET_KEY": "the site's key",
    }
    given = {name: os.environ.get(name, "") for name in shared}
    if not given["DATABASE_URL"].startswith("postgres"):
        given["DATABASE_URL"] = ""
    lacking = [f"{name} ({what})" for name, what in shared.items() if not given[name]]
    return f"A hosted site also needs {', '.join(lacking)}." if lacking else ""


def is_demo() -> bool:
    """Whether this is the demo: command and folder must both say so."""
    return os.environ.get("UPTOWN_DEMO") == "1" and is_marked(data_folder()) and not is_internet()


def is_marked(folder: Path) -> bool:
    """Whether a folder is a demo's."""
    return (folder / MARK).is_file()


def enter_demo() -> None:
    """Make `demo/` in the data folder the place of this site, and of every process that it starts.

    Raises SystemExit if that folder belongs to a site, or if the site is on the internet.
    """
    if is_internet():
        raise SystemExit(INTERNET)
    folder = data_folder()
    if not is_marked(folder):
        folder /= "demo"
    if not is_marked(folder):
        if folder.exists() and any(folder.iterdir()):
            raise SystemExit(FOREIGN.format(folder))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARK).write_text(WORDS, encoding="utf-8")
    os.environ["UPTOWN_DEMO"], os.environ["UPTOWN_DATA"] = "1", str(folder)


def leave_demo_alone(folder: Path) -> None:
    """Raise SystemExit if a folder is a demo's: no club runs its evenings there."""
    if is_marked(folder):
        raise SystemExit(DEMO_FOLDER.format(folder))
