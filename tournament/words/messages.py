"""What a tablet may send: a hand, an undo, a call. Read by forms.messages, done by services.submissions."""

from __future__ import annotations

import hashlib
import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament.errors import Fault

HAND, VOID, UNDO, SEAT, DEALER, CALL, SIGN = "hand", "void", "undo", "seat", "dealer", "call", "sign"
UNCALL, UNSIGN, BIDS = "uncall", "unsign", "bids"
# Only the tablet that keeps score may send these. Who is seated is a fact about people, like a call and a signature:
# any tablet of the table may report it.
SCORING = frozenset({HAND, VOID, UNDO, DEALER, BIDS})
WRITTEN = SCORING | {SEAT}
# Items about the people who sit at the table. An undo names its line.
NAMES_WHO = frozenset({HAND, VOID, BIDS, SEAT, DEALER, SIGN})
# Items that withdraw something the table said: if that is too late the table is told, and the desk has nothing to
# decide.
TAKES_BACK = frozenset({UNCALL, UNSIGN})
# The same for bids: until their hand is played they are no line of the sheet.
TOLD_AT_ONCE = TAKES_BACK | {BIDS}


@dataclass(frozen=True, slots=True)
class Item:
    """`body` is what was sent, without the uid; `faults` are the faults in its form."""

    uid: uuid.UUID
    kind: str
    game: int | None
    after: uuid.UUID | None
    body: dict[str, Any]
    claimed_at: datetime | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def digest(self) -> str:
        """The fingerprint of the content: the same uid with another one is another message."""
        return hashlib.sha256(json.dumps(self.body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
