"""A small evening of the chaos run: the real server, killed and started again, and tablets over a bad network."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.db import connection

from tests.halls import ROOT

pytestmark = pytest.mark.both_databases


@pytest.mark.nightly
@pytest.mark.long
def test_a_small_evening_under_kills_ends_as_if_nothing_had_been() -> None:
    command = [sys.executable, "-m", "tests.journeys.chaos", *"--tables 4 --games 1 --seed 7 --kill 16".split()]
    if connection.vendor == "postgresql":
        database = connection.settings_dict
        who = f"{database['USER']}:{database['PASSWORD']}@{database['HOST']}:{database['PORT'] or 5432}"
        command += ["--database", f"postgres://{who}/postgres"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    printed = done.stdout.splitlines()
    assert (done.returncode, printed[-1]) == (
        0,
        "standings identical, 4 sheets with identical codes, nothing lost, nothing twice",
    ), done.stdout + done.stderr[-2000:]
    kills = next(line for line in printed if line.startswith("kills: "))
    assert kills != "kills: none"
