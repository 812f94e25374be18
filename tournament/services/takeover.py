"""A second laptop takes over from the copy with the latest data, with the key if it is in the same folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils import timezone

from scoring.ledger import listed
from tournament.errors import Conflict, ValidationFailed
from tournament.queries.backups import MOMENT, backup_folder, database_file
from tournament.queries.takeover import KEY, Club, Copy, Skipped, key_folder, marks_in, read_copy
from tournament.services.backups import Restored, check_backup, pack_key, restore_backup, unpack
from tournament.services.laptops import leave_mark
from tournament.site.data_folder import COMMAND

NONE_GOOD = "None of the {} copies there is undamaged. Nothing was changed. {}"
OTHER_CLUB = (
    "This laptop holds events of another club: {}. Nothing was changed. To put the copy in their place, type the line "
    "again with --yes behind it: they are then kept in a backup whose name begins with replaced-."
)
FURTHER = (
    f"This laptop already holds all that is in the newest copy there. Nothing was changed: start it with "
    f"`{COMMAND} serve`. To go back to the copy anyway, type the line again with --yes behind it."
)
OWN_KEY = "replaced-key"


class Taken(NamedTuple):
    """Which copy was used, the result, whether the key came along, and the folders in which no mark could be left."""

    copy: Copy
    restored: Restored
    with_key: bool
    unmarked: tuple[Path, ...]


def first_good(club: Club) -> tuple[Copy, list[Skipped]]:
    """The undamaged copy with the latest data, and the damaged ones that were skipped.

    Raises ValidationFailed.
    """
    skipped = []
    for copy in club.copies:
        try:
            check_backup(copy.path)
        except (ValidationFailed, OSError) as fault:
            skipped.append(Skipped(copy.path, str(fault)))
        else:
            return copy, skipped
    raise ValidationFailed(NONE_GOOD.format(len(club.copies), skipped[0].why))


def check_own_rows(copy: Copy) -> None:
    """Refuse to replace another club's events, or rows that are at least as recent. Raises Conflict."""
    live = database_file()
    own = read_copy(live) if live is not None and live.exists() else None
    if own is None or not own.events:
        return
    if own.installation != copy.installation:
        raise Conflict(OTHER_CLUB.format(listed(own.events[:5])))
    if own.progress >= copy.progress:
        raise Conflict(FURTHER)


def take_over(copy: Copy, club: Club, folders: Sequence[Path], clubs: int) -> Taken:
    """Replace the data here with a copy and its key, and leave a mark for the laptop that had it.

    Raises ValidationFailed, Unavailable, OSError; then this laptop is as it was.
    """
    key = key_folder(folders, club, clubs)
    if key is not None and not os.environ.get("UPTOWN_SECRET_KEY"):
        # Before the rows are migrated: an earlier version derived the wall codes from the key.
        settings.SECRET_KEY = (key / KEY).read_text(encoding="ascii")
    marks = marks_in(folders, copy.installation)
    restored = restore_backup(copy.path, after=[mark.epoch for mark in marks])
    if key is not None:
        if restored.aside is not None:
            pack_key(backup_folder() / f"{OWN_KEY}-{timezone.now():{MOMENT}}")
        unpack(key)
    return Taken(copy, restored, key is not None, _mark(copy.path.parent for copy in club.copies))


def _mark(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Leave a mark in each folder of copies. Returns the folders that could not be written."""
    closed = []
    for folder in dict.fromkeys(folders):
        try:
            leave_mark(folder)
        except OSError:
            closed.append(folder)
    return tuple(closed)
