"""Lines that were set aside because a correction ended the game before them: on record, and ready to come back."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.models import Entry
from tournament.models.entry import REMOVED, SET_ASIDE


def set_aside(entries: Iterable[Entry]) -> list[Entry]:
    """The lines that are set aside as they last stood, in the order of the sheet."""
    versions: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.position, entry.revision)):
        versions.setdefault(entry.position, []).append(entry)
    return [
        line[-2]
        for _, line in sorted(versions.items())
        if len(line) > 1 and line[-1].kind == REMOVED and line[-1].cause == SET_ASIDE
    ]
