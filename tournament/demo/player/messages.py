"""What a tablet writes in one game: messages, each naming the one before it."""

from __future__ import annotations

import uuid
from typing import Any

Item = dict[str, Any]


class Messages:
    """Messages of one game. Who says the same `about` again sends the same numbers again: they are taken once."""

    def __init__(self, game: int, about: object) -> None:
        self.game, self.about = game, about
        self.items: list[Item] = []
        self.last: str | None = None

    def add(self, kind: str, **fields: Any) -> str:
        """One more; gives its number."""
        place = len(self.items)
        uid = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.about}/{self.game}/{place}/{kind}"))
        about = {"uid": uid, "kind": kind, "game": self.game, "after": self.last, "at": 0, "n": place}
        self.items.append(about | fields)
        if kind != "call":
            self.last = uid
        return uid
