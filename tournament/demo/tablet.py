"""A tablet: its messages and their queue, and what a connection to the site is.

It follows the rules of the tablet's own script: in order, the same uid at every try, only answers of our server count,
longer waits after every failure, everything sent again after a restore. It needs no Django.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol

JSON = "application/json"


class Lost(Exception):
    """Our server did not answer."""


class Post(Protocol):
    """What takes a tablet's messages to the site."""

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a message; Lost if there is none, or none that can be used."""
        ...


class Answer(NamedTuple):
    """The answer to a form: its status, where it leads, the cookies it set, and the page."""

    status: int
    place: str
    cookies: dict[str, str]
    page: str


class Line(Post, Protocol):
    """What also takes a browser's forms to the site."""

    def send(self, path: str, fields: Mapping[str, Any], cookies: Mapping[str, str]) -> Answer:
        """The answer to a form."""
        ...


def read_message(content: bytes) -> dict[str, Any]:
    """An answer to a tablet; only one of our own server counts."""
    try:
        data: dict[str, Any] = json.loads(content)
    except ValueError as fault:
        raise Lost("not our server") from fault
    if data.get("app") != "uptown":
        raise Lost("not our server")
    return data


Item = dict[str, Any]
BATCH = 50
# As on the tablet (1 to 30 s), twenty times as fast.
FIRST_WAIT, LONGEST_WAIT = 0.05, 1.5
# A tablet would try forever; a test ends at some point.
MOST_FAILURES = 500


class Messages:
    """Messages of one game. Sending the same `about` again sends the same numbers again: they are accepted once."""

    def __init__(self, game: int, about: object) -> None:
        self.game, self.about = game, about
        self.items: list[Item] = []
        self.last: str | None = None

    def add(self, kind: str, **fields: Any) -> str:
        """Add a message and return its number."""
        place = len(self.items)
        uid = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.about}/{self.game}/{place}/{kind}"))
        about = {"uid": uid, "kind": kind, "game": self.game, "after": self.last, "at": 0, "n": place}
        self.items.append(about | fields)
        if kind != "call":
            self.last = uid
        return uid


@dataclass
class Tablet:
    """One table's tablet. `answered` holds the status of each item that the server acknowledged, by the item's uid."""

    token: str
    line: Post
    chance: Random = field(default_factory=Random)
    epoch: str = ""
    queue: list[Item] = field(default_factory=list)
    kept: list[Item] = field(default_factory=list)
    answered: dict[str, str] = field(default_factory=dict)
    failures: int = 0

    def play(self, items: Sequence[Item]) -> None:
        """Write a game line by line, sending along the way, until all of it is acknowledged."""
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
        """Send the queue. Raises Lost if no answer came; then all of it is still there."""
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
