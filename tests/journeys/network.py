"""A bad network under the player's tablets: requests are dropped, answers are lost, things arrive twice."""

from __future__ import annotations

import http.client
import json
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tournament.demo.tablet import Lost, read_message

SECONDS = 8


@dataclass
class Network:
    """`trouble` is the share of requests that are dropped, answered in vain and doubled, each."""

    port: int
    trouble: float
    chance: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    def post(self, path: str, token: str, body: Mapping[str, Any]) -> dict[str, Any]:
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

    def _sent(self, path: str, token: str, body: Mapping[str, Any]) -> http.client.HTTPConnection:
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
        return read_message(content)
