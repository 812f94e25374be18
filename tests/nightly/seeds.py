"""The chaos run with one seed after another, on this database: every one must end as if nothing had been.

python -m tests.nightly.seeds --seeds 20      50 tables, 6 games each; with --first 4 from seed 4 on
python -m tests.nightly.seeds --kills 1000    small evenings, until the server was killed so often
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.halls import ROOT, options

LARGE = ("--tables", "50", "--games", "6")
SMALL = ("--tables", "6", "--games", "1", "--kill", "12")


def chaos(seed: int, size: tuple[str, ...]) -> tuple[int, str]:
    """One run: how often the server was killed, and what was wrong, or nothing."""
    words = [sys.executable, "-m", "tests.journeys.chaos", "--seed", str(seed), *size]
    if address := os.environ.get("TEST_DATABASE_URL"):
        words += ["--database", address]
    environment = {name: value for name, value in os.environ.items() if name != "TEST_DATABASE_URL"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    printed = done.stdout.splitlines()
    kills = next((line for line in printed if line.startswith("kills: ")), "")
    return sum(map(int, re.findall(r"\d+", kills))), "" if done.returncode == 0 else done.stdout + done.stderr[-2000:]


def main() -> int:
    chosen = options(__doc__, seeds=0, kills=0, first=1)
    size = LARGE if chosen.seeds else SMALL
    done = kills = wrong = 0
    while done < chosen.seeds or kills < chosen.kills:
        seed, done = chosen.first + done, done + 1
        killed, figures = chaos(seed, size)
        kills, wrong = kills + killed, wrong + bool(figures)
        print(figures or f"seed {seed}: {killed} kills", flush=True)
        if not killed:
            print(f"seed {seed}: nothing was killed, so nothing was seen")
            return 1
    seeds = f"{done} seeds from {chosen.first} on"
    print(f"{seeds}, {kills:,} kills: {done - wrong} ended as undisturbed, nothing lost, nothing twice")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
