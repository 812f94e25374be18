"""What a power cut may leave, by the model of `powercut.py`; a thousand of them: `python -m tests.nightly.powercut`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.nightly.powercut import NAME, Disk, Step, done, sectors

WRITE = Step("w", 500, NAME, b"n" * 600)


def test_a_write_reaches_the_disk_sector_by_sector() -> None:
    assert [(part.place, len(part.data)) for part in sectors(WRITE)] == [(500, 12), (512, 512), (1024, 76)]
    assert done(b"o" * 2000, WRITE) == b"o" * 500 + b"n" * 600 + b"o" * 900
    assert done(b"", WRITE) == b"\0" * 500 + b"n" * 600
    assert done(b"abc", Step("t", 1, NAME, b"")) == b"a"


def test_what_was_synced_is_there_and_nothing_else_is_certain(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"o" * 2000)
    disk, chance, seen = Disk(tmp_path), random.Random(1), set[bytes]()
    disk.take(WRITE)
    for _ in range(200):
        disk.cut(chance, tmp_path)
        seen.add((tmp_path / NAME).read_bytes())
    assert len(seen) > 20
    assert {b"o" * 2000, done(b"o" * 2000, WRITE)} < seen
    disk.take(Step("s", 0, NAME, b""))
    disk.cut(chance, tmp_path)
    assert (tmp_path / NAME).read_bytes() == done(b"o" * 2000, WRITE)
