"""One thing that a tablet sends: a hand, an undo, a call. Read by forms.messages, done by services.submissions."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.refusals import Fault

HAND, VOID, UNDO, SEAT, DEALER, CALL, SIGN = "hand", "void", "undo", "seat", "dealer", "call", "sign"
UNCALL, UNSIGN = "uncall", "unsign"
# Only the tablet that keeps score may send these. Who is seated is a fact about people, like a call and a signature:
# any tablet of the table may say it.
SCORING = frozenset({HAND, VOID, UNDO, DEALER})
WRITTEN = SCORING | {SEAT}
# What takes a word of the table back: where that is too late the table is told so, and the desk has nothing to decide.
TAKES_BACK = frozenset({UNCALL, UNSIGN})


@dataclass(frozen=True, slots=True)
class Item:
    """`body` is what was sent, without the uid; `faults` say what about its form is wrong."""

    uid: uuid.UUID
    kind: str
    game: int | None
    after: uuid.UUID | None
    body: dict[str, Any]
    claimed_at: datetime | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def digest(self) -> str:
        """The fingerprint of what was sent: the same uid with another one is another message."""
        return hashlib.sha256(json.dumps(self.body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
