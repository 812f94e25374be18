"""A Redis of a test's own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from tests.hosted.stack import eventually, is_taken
from tests.ports import own_port


class Redis:
    """Debian's redis-server, which can be killed and started again at the same port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, own_port()
        self.start()

    def start(self) -> None:
        words = f"redis-server --port {self.port} --bind 127.0.0.1 --appendonly no --dir {self.folder} --save"
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen([*words.split(), ""], stdout=log, stderr=log)
        eventually(lambda: is_taken(self.port), lambda: "redis-server")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    """A running Redis, which is the site's cache."""
    if not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    server = Redis(tmp_path)
    place = f"redis://127.0.0.1:{server.port}/0"
    one = {"BACKEND": "tournament.sharedcache.SharedCache", "LOCATION": place, "KEY_PREFIX": "uptown"}
    with override_settings(CACHES={"default": one}):
        yield server
    server.kill()
