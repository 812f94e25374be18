"""A tablet with its queue on a bad network: requests are dropped, answers are lost, things arrive twice.

It keeps to the tablet's own rules: in order, the same uid at every try, only an answer of our server counts, longer
waits after every failure, everything offered again when the server was restored from an older copy.
"""

from __future__ import annotations

import http.client
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

BATCH = 50
SECONDS = 8
# As on the tablet (1 to 30 s), twenty times as fast.
FIRST_WAIT, LONGEST_WAIT = 0.05, 1.5
# A tablet would try for ever; a test ends some time.
MOST_FAILURES = 500

Item = dict[str, Any]


class Lost(Exception):
    """No answer of our server."""


@dataclass
class Network:
    """`trouble` is the share of requests that are dropped, answered in vain and doubled, each."""

    port: int
    trouble: float
    chance: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    def post(self, path: str, token: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message; Lost where there is none, or none that can be used."""
        self.counts["requests"] += 1
        if self._happens("dropped"):
            raise Lost("dropped")
        lines = [self._sent(path, token, body) for _ in range(2 if self._happens("doubled") else 1)]
        lost = self._happens("lost")
        try:
            if lost and self.chance.random() < 0.5:
                raise Lost("gone before the answer came")
            answers = [self._answer(line) for line in lines]
        finally:
            for line in lines:
                line.close()
        if lost:
            raise Lost("the answer never came")
        return answers[-1]

    def _happens(self, what: str) -> bool:
        if self.chance.random() >= self.trouble:
            return False
        self.counts[what] += 1
        return True

    def _sent(self, path: str, token: str, body: dict[str, Any]) -> http.client.HTTPConnection:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {"Authorization": f"Table {token}", "Content-Type": "application/json"}
        try:
            line.request("POST", f"/t/api/{path}/", json.dumps(body), headers)
        except (OSError, http.client.HTTPException) as fault:
            line.close()
            self.counts["unreachable"] += 1
            raise Lost(str(fault)) from fault
        return line

    def _answer(self, line: http.client.HTTPConnection) -> dict[str, Any]:
        try:
            answer = line.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as fault:
            self.counts["cut off"] += 1
            raise Lost(str(fault)) from fault
        self.counts[f"status {answer.status}"] += 1
        if answer.status != 200:
            raise Lost(f"status {answer.status}")
        data: dict[str, Any] = json.loads(content)
        if data.get("app") != "uptown":
            raise Lost("not our server")
        return data


@dataclass
class Tablet:
    """One table's tablet. `answered` is what the server has acknowledged, and as what."""

    token: str
    network: Network
    epoch: str = ""
    queue: list[Item] = field(default_factory=list)
    kept: list[Item] = field(default_factory=list)
    answered: dict[str, str] = field(default_factory=dict)
    failures: int = 0

    def play(self, items: list[Item]) -> None:
        """Write a game line by line, sending as one goes, until all of it is answered for."""
        for item in items:
            self.queue.append(item)
            self.kept.append(item)
            if self.network.chance.random() < 0.5:
                self._try()
        while self.queue:
            self._try()

    def _try(self) -> None:
        try:
            self._send()
            self.failures = 0
        except Lost:
            wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(self.failures, 10))
            self.failures += 1
            if self.failures > MOST_FAILURES:
                raise
            time.sleep(wait * (0.5 + self.network.chance.random() / 2))

    def _send(self) -> None:
        body = {"items": self.queue[:BATCH], "unsent": len(self.queue), "battery": 50}
        data = self.network.post("submissions", self.token, body)
        for one in data["results"]:
            self.answered[one["uid"]] = one["status"]
        self.queue = [item for item in self.queue if item["uid"] not in self.answered]
        self._offer_again(data["epoch"])

    def _offer_again(self, epoch: str) -> None:
        if self.epoch and self.epoch != epoch:
            found = self.network.post("known", self.token, {"uids": [item["uid"] for item in self.kept]})["known"]
            self.queue = [item for item in self.kept if item["uid"] not in found]
            self.answered = {uid: status for uid, status in self.answered.items() if uid in found}
        self.epoch = epoch
