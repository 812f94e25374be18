"""Long pieces of work: how far they are, read from the folder that each of them has until it is swept away.

They stand in files beside the database, not in it: an import holds the database while it tells how far it is, and
every process of the site reads the same folder.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

# Waiting stands only what a worker has not taken yet: it is in the queue, however long that takes.
WAITING, MAKING, READY, FAILED = "waiting", "making", "ready", "failed"
CANCELLED, BROKEN = "cancelled", "broken"
# A work that has said nothing for so long was broken off with its process.
SILENT_SECONDS = 180


@dataclass(frozen=True, slots=True)
class Work:
    """A piece of work.

    `owner` is the account that asked for it; `leads_to` an address where it ends in a page instead of a file; `event`
    and `action` say what its owner must be allowed to do, still. `stopping`: it was asked to.
    """

    key: str
    words: str
    name: str
    kind: str
    owner: int
    event: int | None
    action: str
    back: str
    state: str
    done: int
    total: int
    faults: tuple[str, ...]
    leads_to: str
    stopping: bool = False

    @property
    def is_over(self) -> bool:
        return self.state not in (WAITING, MAKING)

    @property
    def step(self) -> str:
        """How far it is: nothing is counted before the first piece, and the last one is not the whole file yet."""
        if self.state == WAITING:
            return "Waiting for its turn…"
        if self.done == 0:
            return "Reading…"
        return "Finishing the file…" if self.done == self.total else f"{self.done} of {self.total} done"

    @property
    def left(self) -> int:
        return max(self.total - self.done, 0)


def works_folder() -> Path:
    return Path(settings.FILES or settings.DATA) / "works"


def find_work(key: str) -> Work | None:
    """A work by its key; None where there is none, or it was swept away."""
    file = works_folder() / key / "state.json"
    try:
        said: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        silent = time.time() - file.stat().st_mtime
    except (OSError, ValueError):
        return None
    if said["state"] == MAKING and silent > SILENT_SECONDS:
        said["state"] = BROKEN
    said["stopping"] = said["state"] in (WAITING, MAKING) and cancel_file(key).exists()
    return Work(**said | {"faults": tuple(said["faults"])})


def cancel_file(key: str) -> Path:
    return works_folder() / key / "cancelled"


def work_file(key: str) -> Path:
    return works_folder() / key / "file"
