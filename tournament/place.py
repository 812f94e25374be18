"""Where this site keeps its things, and whether that place is the demo's. Read before Django is set up."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The file that marks a folder as a demo's, and what stands in it for whoever finds it.
MARK = "this-is-a-demo.txt"
WORDS = "The folder of `manage.py demo`: nothing in it is real. Delete it whenever you like.\n"
INTERNET = "The demo signs everybody in without a password, so it does not run as a site on the internet."
FOREIGN = (
    "{} holds a site that is not a demo. Nothing was changed: move that folder, or set UPTOWN_DATA to another one."
)
DEMO_FOLDER = (
    "{} is the demo’s folder: nothing in it is real, and nobody needs a password. Set UPTOWN_DATA to another one."
)


def data_folder() -> Path:
    """The folder for database and key."""
    return Path(os.environ.get("UPTOWN_DATA") or ROOT / "data")


def is_internet() -> bool:
    """Whether this is a site on the internet."""
    return os.environ.get("UPTOWN_PROFILE") == "internet"


def is_demo() -> bool:
    """Whether this is the demo: command and folder both have to say so."""
    return os.environ.get("UPTOWN_DEMO") == "1" and is_marked(data_folder()) and not is_internet()


def is_marked(folder: Path) -> bool:
    """Whether a folder is a demo's."""
    return (folder / MARK).is_file()


def enter_demo() -> None:
    """Make `demo/` in the data folder the place of this site, and of every process that it starts.

    Raises SystemExit where that folder belongs to a site, or where the site is one on the internet.
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
    """Raise SystemExit where a folder is a demo's: no club runs its evenings there."""
    if is_marked(folder):
        raise SystemExit(DEMO_FOLDER.format(folder))
