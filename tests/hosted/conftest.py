"""A Redis of a test's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from tests.halls import eventually
from tests.hosted.stack import is_taken, redis_server
from tests.programs import begin, end, own_port, program


class Redis:
    """Debian's redis-server, which can be killed and started again at the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, own_port()
        self.start()

    def start(self) -> None:
        self.process = begin(redis_server(self.folder, self.port), self.folder / "redis.log")
        eventually(lambda: is_taken(self.port), lambda: "redis-server")

    def kill(self) -> None:
        end(self.process)


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    program("REQUIRE_HOSTED", "redis-server")
    server = Redis(tmp_path)
    address = f"redis://127.0.0.1:{server.port}/0"
    settings_of_cache = {
        "BACKEND": "tournament.site.shared_cache.SharedCache",
        "LOCATION": address,
        "KEY_PREFIX": "uptown",
    }
    with override_settings(CACHES={"default": settings_of_cache}):
        yield server
    server.kill()
