"""A small evening before a hosted site whose parts are killed in turn: what `python -m tests.hosted.chaos` does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.halls import ROOT
from tests.programs import program

pytestmark = pytest.mark.nightly


@pytest.mark.long
def test_a_small_evening_on_two_processes_ends_as_if_nothing_had_been() -> None:
    for name in ("nginx", "redis-server", "psql"):
        program("REQUIRE_HOSTED", name)
    small = "--seed 9 --tables 2 --games 1 --kill 4 --webs 2".split()
    command = [sys.executable, "-m", "tests.hosted.chaos", *small]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    assert (done.returncode, said[-1:]) == (
        0,
        ["standings identical, 2 sheets with identical codes, nothing lost, nothing twice"],
    ), done.stdout + done.stderr[-2000:]
    assert "kills: none" not in said
