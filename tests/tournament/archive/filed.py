"""Event files in tests: what one tells, and one that somebody wrote with a fitting manifest."""

from __future__ import annotations

from typing import Any

from tournament.archive.reading import VERSION, checksum, counts_of
from tournament.archive.store import export_event
from tournament.models import Event


def told(event: Event) -> dict[str, Any]:
    """What the event file says, without the act of importing it and the counts of that."""
    file = export_event(event)
    acts = [act for act in file.get("journal", []) if act["action"] != "import"]
    return {key: value for key, value in file.items() if key != "manifest"} | {"journal": acts}


def resealed(data: dict[str, Any], **counts: int) -> dict[str, Any]:
    """The file with a fitting checksum, as somebody would make it who forges one."""
    counted = counts_of(data) | counts
    return data | {"manifest": {"version": data.get("version", VERSION), "counts": counted, "sha256": checksum(data)}}
