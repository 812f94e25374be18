"""Ports of servers that tests start: every process of a run takes its own from a range of its own."""

from __future__ import annotations

import os
import random

from tournament.network import free_port

FIRST, EACH = 20_000, 200
# Where nobody's range is.
ELSEWHERE = range(23_000, 32_000)


def own_port(host: str = "127.0.0.1") -> int:
    """A port that nobody listens on and no other process of this run takes a moment later."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return free_port(FIRST + EACH * worker, host)


def some_port(host: str = "127.0.0.1") -> int:
    """A port for one of many that start together, of which none listens yet: most likely no other is given it."""
    return free_port(random.choice(ELSEWHERE), host)
