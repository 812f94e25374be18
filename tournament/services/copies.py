"""Copies on other disks, and the sign that somebody did what would not come again from a tablet.

A folder on another disk is looked after by a thread of its own: one that is full, slow or pulled out holds up no other.
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

# Copies after acts are left out where a disk would have less room than this: hands and backups need it.
LEAST_FREE = 500 * 2**20
SLOW_SECONDS = 3.0
# Where a copy took longer, the next one comes only when so many times as long has passed.
TIMES_SLOWER = 5
NO_ROOM = "no copy after each act: less than 500 MB free"
SLOW = "slow: a copy took {:.0f} s, so the next one waits {:.0f} s"

acted = threading.Event()


def note_act() -> None:
    """Somebody did something who is no tablet: the thread of a hall's server, if there is one, makes a copy soon."""
    acted.set()


def has_room(folder: Path, size: int, least_free: int = LEAST_FREE) -> bool:
    """Whether there is still enough room on the disk of a folder when so much more was written. Raises OSError."""
    return shutil.disk_usage(folder).free - size >= least_free


class Pace:
    """When the next copy after an act may be made: soon after the last one, or later where that took long."""

    def __init__(self, pause: float, slow: float = SLOW_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.pause, self.slow, self.clock = pause, slow, clock
        self.next = -float("inf")
        self.note = ""

    def wait(self) -> float:
        """For how many seconds none is made any more."""
        return max(0.0, self.next - self.clock())

    def begin_pause(self) -> None:
        self.next = self.clock() + self.pause

    @contextmanager
    def copying(self) -> Iterator[None]:
        """Make a copy meanwhile: how long it takes decides when the next one may be made, also where it fails."""
        begun = self.clock()
        try:
            yield
        finally:
            taken = self.clock() - begun
            is_slow = taken > self.slow
            pause = max(self.pause, TIMES_SLOWER * taken) if is_slow else self.pause
            self.next, self.note = begun + pause, SLOW.format(taken, pause) if is_slow else ""


def bring_up_to_date(folder: Path, pace: Pace, least_free: int = LEAST_FREE) -> None:
    """Copy into a folder every good backup that it lacks and that stays, the newest first, and thin out what is there.

    So it gets what it missed while away. What the desk says of it is kept in STATES. Raises OSError.
    """
    state = STATES.setdefault(folder, FolderState())
    state.since = timezone.now()
    try:
        _make_folder(folder)
        is_on_first, was_elsewhere = is_on_data_disk(folder), state.same_disk is False
        if is_on_first and was_elsewhere:
            # What is left of a disk that was pulled out is the empty folder on which it was mounted.
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
    """Whether the site's key lies there, beside or right below: `backup --to` brings it once, and copies never do."""
    own = Path(settings.DATA) / "secret-key"
    if not own.is_file():
        return True
    places = [folder, folder.parent, *_folders_in(folder)]
    # A folder beside it counts where the whole disk is another one.
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
    """Make it on another disk alone: where a stick is missing, it would be made on the first one. Raises OSError."""
    if folder.is_dir():
        return
    if not folder.parent.is_dir() or folder.exists() or folder.is_symlink():
        raise OSError(GONE.format(folder))
    if is_on_data_disk(folder.parent):
        raise OSError(SAME_DISK.format(folder, f'"{folder}"' if " " in str(folder) else folder))
    folder.mkdir(exist_ok=True)


def _copy_after_acts(folder: Path, pace: Pace, least_free: int) -> str:
    """Copy the newest copy after acts, unless the disk is slow or has too little room: then it gives the reason."""
    newest = next((one for one in reversed(backup_files()) if one.kind == ACT), None)
    if newest is None or (folder / newest.path.name).exists():
        return pace.note
    if pace.wait():
        return pace.note
    try:
        size = newest.path.stat().st_size
    except FileNotFoundError:
        # A newer one has taken its place.
        return pace.note
    if not has_room(folder, size, least_free):
        return NO_ROOM
    with pace.copying():
        copy_once(newest, folder)
    # What is thinned out here makes room for the backups.
    thin_out(folder)
    return pace.note


def _held(folder: Path) -> datetime | None:
    """When the newest copy there held everything: known from the backup that it is a copy of, where that is still here.

    A disk that is away holds nothing that anybody could use.
    """
    with suppress(OSError):
        if (newest := newest_backup(folder)) is not None:
            here = newest_backup()
            path = here.path if here is not None and here.path.name == newest.path.name else newest.path
            return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return None


def _missed(folder: Path) -> list[Backup]:
    """The backups, the newest first, that a folder lacks and would not thin out again; without those after acts."""
    here, there = backup_files(), backup_files(folder)
    names = {one.path.name for one in there}
    lacking = [one for one in here if one.path.name not in names and not findings_file(one.path).exists()]
    lacking = [one for one in lacking if one.kind != ACT]
    going = surplus([*there, *lacking], timezone.now())
    return [one for one in reversed(lacking) if one not in going]
