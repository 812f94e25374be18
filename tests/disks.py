"""Other disks for tests: memory under a mount of its own, of a size that a test chooses, which can be pulled out."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def other_disk(size: str = "64m", folder: Path | None = None) -> Iterator[Path]:
    """An empty disk of this size. Skips the test if nobody may mount one."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only Linux lets root mount memory as a disk")
    with tempfile.TemporaryDirectory(prefix="uptown-disk-") as place:
        disk = folder or Path(place)
        try:
            plug_in(disk, size)
        except subprocess.CalledProcessError as fault:
            pytest.skip(f"nothing can be mounted here: {fault.stderr.decode().strip()}")
        try:
            yield disk
        finally:
            pull_out(disk)


def plug_in(disk: Path, size: str) -> None:
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
    subprocess.run(command, check=True, capture_output=True)


def change_size(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True, capture_output=True)


def pull_out(disk: Path) -> None:
    """Also while somebody writes there."""
    subprocess.run(["umount", "-l", str(disk)], check=False, capture_output=True)
