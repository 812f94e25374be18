"""Measure the goals of README.md and print one table; ends with 1 where one is not met.

    python -m tests.nightly [--only G2,G4] [--quick] [--postgres postgres://postgres@127.0.0.1/nightly]

All of it takes a night. `--quick` asks every command for a small number: that shows that the commands work, and its
verdict is "held", not "met".

What is promised, and the commands that measure it, are in README.md. A command is a line for the shell of a
developer. It ends with 0 where the goal is met, with NOT_CHECKED where it could not look, and with anything else where
the goal is not met; the last line that it prints is its figure.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.halls import ROOT, options

MET, PARTLY, NOT_MET, NOT_MEASURED = "met", "partly", "not met", "not measured"
NOT_CHECKED = 3
ROW = re.compile(r"^\| (G\d+) \| (.+?) \| (.*?) \|", re.MULTILINE)
# What a quick look replaces in the commands of a goal: small numbers for the promised ones.
QUICK = {
    "G1": {"--kills 1000": "--kills 3"},
    "G2": {"--cuts 1000": "--cuts 30"},
    "G3": {"--seeds 20": "--seeds 1"},
    "G4": {"--acts=": "--acts=pay,close_round,send_gap"},
    "G5": {"RANDOM_RACES=125": "RANDOM_RACES=5"},
    "G6": {"UPTOWN_BODIES=5": "UPTOWN_BODIES=1"},
    "G7": {"UPTOWN_CASES=1000": "UPTOWN_CASES=15", "UPTOWN_STEPS=20000": "UPTOWN_STEPS=400"},
    "G12": {"--walks 100000": "--walks 50"},
    "G13": {
        "UPTOWN_EVENINGS=5000": "UPTOWN_EVENINGS=8",
        "DIFFERENTIAL_GAMES=5000": "DIFFERENTIAL_GAMES=60",
        "RANDOM_SEASONS=2000": "RANDOM_SEASONS=100",
        "UPTOWN_EXAMPLES=many": "UPTOWN_EXAMPLES=new",
    },
    "G14": {"CHANGES_BY_HAND=150": "CHANGES_BY_HAND=5"},
    "G15": {"--minutes 30": "--minutes 0.4 --tables 6 --viewers 12 --every 2"},
    "G19": {"--events 200": "--events 6"},
    "G24": {"--draw 500": "--draw 4"},
    "G25": {"RANDOM_LEDGERS=10000": "RANDOM_LEDGERS=100"},
    "G26": {"--teams 24 --rounds 6": "--teams 4 --rounds 1"},
}
# What of the promise no command measures.
OPEN = {
    "G5": "1,000 rounds of the others: there the acts wait for one another where they could meet, so that one shows it",
    "G8": "an hour of mutated files",
    "G11": "a person with the printed page",
    "G16": "64 stalled clients; how long a page takes meanwhile",
    "G24": "branches of the services; `.ci/run` asks for every branch of scoring",
}
# A command with one of these words is run on PostgreSQL, too; ONLY_POSTGRES is given its address.
BOTH = ("nightly.seeds", "RANDOM_RACES", "UPTOWN_BODIES", "UPTOWN_EVENINGS", "test_weak_database", "RANDOM_LEDGERS")
ONLY_POSTGRES = "nightly.roundtrip"


class Goal(NamedTuple):
    """A row of README.md. `open` is what of the promise no command measures."""

    key: str
    promise: str
    commands: list[str]

    @property
    def open(self) -> str:
        return OPEN.get(self.key, "")

    def lines(self, quick: bool) -> list[str]:
        """Its commands, for a quick look with small numbers."""
        lines = self.commands
        for whole, small in QUICK.get(self.key, {}).items() if quick else ():
            lines = [line.replace(whole, small) for line in lines]
        return lines


README = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
GOALS = [Goal(key, promise, re.findall("`(.+?)`", commands)) for key, promise, commands in ROW.findall(README)]


def main() -> int:
    chosen = options(__doc__, only="", quick=False, postgres="")
    only = {key.strip().upper() for key in chosen.only.split(",") if key.strip()}
    if unknown := only - {goal.key for goal in GOALS}:
        raise SystemExit(f"There is no goal {', '.join(sorted(unknown))}.")
    print("| goal | promise | command | figure | verdict |\n|---|---|---|---|---|")
    missed = 0
    for goal in GOALS:
        if not only or goal.key in only:
            verdict = _measure(goal, chosen.quick, chosen.postgres)
            missed += verdict == NOT_MET
    return 1 if missed else 0


def _measure(goal: Goal, quick: bool, postgres: str) -> str:
    results = [result for line in goal.lines(quick) for result in _run(line, postgres)]
    verdict = verdict_of([code for code, _ in results], goal.open, quick)
    lines = " · ".join(f"`{line}`" for line in goal.lines(quick))
    figures = [figure for _, figure in results]
    if goal.open:
        figures.append(f"open: {goal.open}" if results else goal.open)
    print(f"| {goal.key} | {goal.promise} | {lines} | {' · '.join(figures)} | {verdict} |", flush=True)
    return verdict


def verdict_of(codes: list[int], unmeasured: str, quick: bool) -> str:
    """What the exit codes of a goal's commands say together."""
    if any(code not in (0, NOT_CHECKED) for code in codes):
        return NOT_MET
    if not codes or NOT_CHECKED in codes:
        return PARTLY if 0 in codes else NOT_MEASURED
    return "held" if quick else PARTLY if unmeasured else MET


def _run(line: str, postgres: str) -> Iterator[tuple[int, str]]:
    """Run it, and again on PostgreSQL where that matters: exit code and figure of each."""
    on_both = any(word in line for word in BOTH)
    for address in ("", postgres) if on_both and postgres else ("",):
        words = shlex.split(line)
        given = dict(word.split("=", 1) for word in words if "=" in word and word.split("=", 1)[0].isupper())
        words = [sys.executable if word == "python" else word for word in words if word.partition("=")[0] not in given]
        environment = {name: value for name, value in os.environ.items() if name != "TEST_DATABASE_URL"} | given
        if address or ONLY_POSTGRES in line:
            environment["TEST_DATABASE_URL"] = address or postgres
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        code, figure = done.returncode, _last(done.stdout) or _last(done.stderr)
        if "-m pytest" in line and code == 0 and " passed" not in figure:
            code = NOT_CHECKED
        print(done.stdout[-4000:] + done.stderr[-4000:] if code else "", file=sys.stderr, end="", flush=True)
        yield code, (f"PostgreSQL: {figure}" if address else figure)


def _last(text: str) -> str:
    lines = [line.strip(" =") for line in text.splitlines() if line.strip(" =")]
    return lines[-1] if lines else ""


if __name__ == "__main__":
    sys.exit(main())
