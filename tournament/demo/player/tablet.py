"""A tablet with its messages and their queue.

It keeps to the rules of the tablet's own script: in order, the same uid at every try, only an answer of our server
counts, longer waits after every failure, everything offered again after a restore.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tournament.demo.player.line import Lost, Post

Item = dict[str, Any]
BATCH = 50
# As on the tablet (1 to 30 s), twenty times as fast.
FIRST_WAIT, LONGEST_WAIT = 0.05, 1.5
# A tablet would try for ever; a test ends some time.
MOST_FAILURES = 500


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


@dataclass
class Tablet:
    """One table's tablet. `answered` is what the server has acknowledged, and as what."""

    token: str
    line: Post
    chance: Random = field(default_factory=Random)
    epoch: str = ""
    queue: list[Item] = field(default_factory=list)
    kept: list[Item] = field(default_factory=list)
    answered: dict[str, str] = field(default_factory=dict)
    failures: int = 0

    def play(self, items: Sequence[Item]) -> None:
        """Write a game line by line, sending as one goes, until all of it is answered for."""
        for item in items:
            self.write([item])
            if self.chance.random() < 0.5:
                self._try()
        while self.queue:
            self._try()

    def write(self, items: Sequence[Item]) -> None:
        self.queue += items
        self.kept += items

    def send(self) -> None:
        """Send what is in the queue. Raises Lost where no answer came; then all of it is still there."""
        body = {"items": self.queue[:BATCH], "unsent": len(self.queue), "battery": 50}
        data = self.line.post("submissions", self.token, body)
        for one in data["results"]:
            self.answered[one["uid"]] = one["status"]
        self.queue = [item for item in self.queue if item["uid"] not in self.answered]
        self._offer_again(data["epoch"])

    def _try(self) -> None:
        try:
            self.send()
            self.failures = 0
        except Lost:
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(self.failures, 10))
            self.failures += 1
            if self.failures > MOST_FAILURES:
                raise
            time.sleep(wait * (0.5 + self.chance.random() / 2))

    def _offer_again(self, epoch: str) -> None:
        if self.epoch and self.epoch != epoch:
            found = self.line.post("known", self.token, {"uids": [item["uid"] for item in self.kept]})["known"]
            self.queue = [item for item in self.kept if item["uid"] not in found]
            self.answered = {uid: status for uid, status in self.answered.items() if uid in found}
        self.epoch = epoch
