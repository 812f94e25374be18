"""One site at a time on a data folder: a second start would give tablets an address that nobody expects."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from tournament.place import own_folder
from tournament.queries.backups import database_file

TAKEN = "Uptown is already running with these data{}. Go on there, or stop it first."
STOP_FIRST = (
    "Uptown is running with these data{}. Stop it with Ctrl+C in its window, or close the window, and try again. "
    "Leave the tablets' pages open."
)


@contextmanager
def alone(refusal: str = TAKEN) -> Iterator[None]:
    """Hold the data folder until the act ends. Raises SystemExit with `refusal` where another process holds it.

    PostgreSQL serves as many processes as there are.
    """
    if database_file() is None:
        yield
        return
    own_folder(_file().parent)
    with _file().open("a+", encoding="utf-8") as held:
        if not _locked(held):
            address = _file().read_text(encoding="utf-8")
            raise SystemExit(refusal.format(f", at {address}" if address else ""))
        say_where("")
        yield


def say_where(address: str) -> None:
    """Write down, for whoever starts it a second time, where the site is."""
    _file().write_text(address, encoding="utf-8")


def _file() -> Path:
    return Path(settings.DATA) / "running"


def _locked(held: IO[str]) -> bool:
    """The system takes the lock back when the process ends, however it ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Far behind the address, which others must be able to read.
            held.seek(1 << 20)
            msvcrt.locking(held.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        # A disk that knows no locks is no reason not to start.
        pass
    return True
