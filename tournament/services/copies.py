"""Copies on other disks, and the signal that somebody did something that a tablet would not send again.

Each folder on another disk has its own thread, so that a disk that is full, slow, or pulled out delays no other.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from tournament.queries.backups import (
    ACT,
    GONE,
    SAME_DISK,
    STATES,
    TAKEN_OVER,
    Backup,
    FolderState,
    backup_files,
    findings_file,
    is_on_data_disk,
    newest_backup,
    newest_verified,
    surplus,
)
from tournament.services.backups import copy_once, may_copy_to, thin_out

# If a disk has less free room than this, copies after acts are skipped: hands and backups need the room.
LEAST_FREE = 500 * 2**20
SLOW_SECONDS = 3.0
# After a slow copy, the next one waits for this multiple of the time that it took.
TIMES_SLOWER = 5
NO_ROOM = "no copy after each act: less than 500 MB free"
SLOW = "slow: a copy took {:.0f} s, so the next one waits {:.0f} s"

acted = threading.Event()


def note_act() -> None:
    """An official or player did something: if a hall's server is running, its thread makes a copy soon."""
    acted.set()


def has_room(folder: Path, size: int, least_free: int = LEAST_FREE) -> bool:
    """Return whether the folder's disk still has enough room after this many more bytes. Raises OSError."""
    return shutil.disk_usage(folder).free - size >= least_free


class Pace:
    """The time at which the next copy after an act may be made: soon after the last one, or later if that was slow."""

    def __init__(self, pause: float, slow: float = SLOW_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.pause, self.slow, self.clock = pause, slow, clock
        self.next = -float("inf")
        self.note = ""

    def wait(self) -> float:
        """The number of seconds until the next copy may be made."""
        return max(0.0, self.next - self.clock())

    def begin_pause(self) -> None:
        self.next = self.clock() + self.pause

    @contextmanager
    def copying(self) -> Iterator[None]:
        """Make a copy inside this context.

        How long it takes, even if it fails, decides when the next one may be made.
        """
        begun = self.clock()
        try:
            yield
        finally:
            taken = self.clock() - begun
            is_slow = taken > self.slow
            pause = max(self.pause, TIMES_SLOWER * taken) if is_slow else self.pause
            self.next, self.note = begun + pause, SLOW.format(taken, pause) if is_slow else ""


def bring_up_to_date(folder: Path, pace: Pace, least_free: int = LEAST_FREE) -> None:
    """Copy into a folder every good backup that it lacks and that stays, newest first, and thin out old ones there.

    A folder that was away gets what it missed. What the desk shows about it is kept in STATES. Raises OSError.
    """
    state = STATES.setdefault(folder, FolderState())
    state.since = timezone.now()
    try:
        _make_folder(folder)
        is_on_first, was_elsewhere = is_on_data_disk(folder), state.same_disk is False
        if is_on_first and was_elsewhere:
            # A disk that was pulled out leaves the empty folder on which it was mounted.
            raise OSError(GONE.format(folder))
        state.same_disk, state.has_key = is_on_first, has_key(folder)
        if not may_copy_to(folder):
            raise OSError(TAKEN_OVER)
        thin_out(folder)
        state.note = _copy_after_acts(folder, pace, least_free)
        state.at = _held(folder)
        if (newest := newest_verified()) is not None:
            copy_once(newest, folder)
        for missed in _missed(folder):
            copy_once(missed, folder)
        thin_out(folder)
        state.trouble = ""
    except OSError as fault:
        state.trouble = fault.strerror or str(fault)
        raise
    finally:
        state.at, state.since = _held(folder), None


def has_key(folder: Path) -> bool:
    """Return whether the site's key is in the folder or directly below it. Only `backup --to` puts it there."""
    own = Path(settings.DATA) / "secret-key"
    if not own.is_file():
        return True
    places = [folder, folder.parent, *_folders_in(folder)]
    # A neighboring folder counts if the whole disk is another one.
    with suppress(OSError):
        places += [] if is_on_data_disk(folder.parent) else _folders_in(folder.parent)
    return any(_holds(place / own.name, own.read_bytes()) for place in places)


def _folders_in(folder: Path) -> list[Path]:
    with suppress(OSError):
        return [path for path in folder.iterdir() if path.is_dir()]
    return []


def _holds(path: Path, content: bytes) -> bool:
    with suppress(OSError):
        return path.read_bytes() == content
    return False


def _make_folder(folder: Path) -> None:
    """Create the folder, but only on another disk: if a stick is missing, it would be made on the first one.

    Raises OSError.
    """
    if folder.is_dir():
        return
    if not folder.parent.is_dir() or folder.exists() or folder.is_symlink():
        raise OSError(GONE.format(folder))
    if is_on_data_disk(folder.parent):
        raise OSError(SAME_DISK.format(folder, f'"{folder}"' if " " in str(folder) else folder))
    folder.mkdir(exist_ok=True)


def _copy_after_acts(folder: Path, pace: Pace, least_free: int) -> str:
    """Copy the newest copy after acts. If the disk is slow or has too little room, return the reason instead."""
    newest = next((one for one in reversed(backup_files()) if one.kind == ACT), None)
    if newest is None or (folder / newest.path.name).exists():
        return pace.note
    if pace.wait():
        return pace.note
    try:
        size = newest.path.stat().st_size
    except FileNotFoundError:
        # A newer one has replaced it.
        return pace.note
    if not has_room(folder, size, least_free):
        return NO_ROOM
    with pace.copying():
        copy_once(newest, folder)
    # Thinning out here makes room for the backups.
    thin_out(folder)
    return pace.note


def _held(folder: Path) -> datetime | None:
    """The moment up to which the newest copy holds everything, read from the original backup if it is still here.

    A disk that is away holds nothing that anybody could use.
    """
    with suppress(OSError):
        if (newest := newest_backup(folder)) is not None:
            here = newest_backup()
            path = here.path if here is not None and here.path.name == newest.path.name else newest.path
            return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return None


def _missed(folder: Path) -> list[Backup]:
    """The backups that a folder lacks and would not thin out again, newest first. Those after acts are not included."""
    here, there = backup_files(), backup_files(folder)
    names = {one.path.name for one in there}
    lacking = [one for one in here if one.path.name not in names and not findings_file(one.path).exists()]
    lacking = [one for one in lacking if one.kind != ACT]
    going = surplus([*there, *lacking], timezone.now())
    return [one for one in reversed(lacking) if one not in going]
