"""Measure the goals G1 to G27 and print one table; ends with 1 where one is not met.

    python -m tests.nightly [--only G2,G4] [--quick] [--postgres postgres://postgres@127.0.0.1/nightly]

All of it takes a night. `--quick` asks every command for a small number: that shows that the commands work, and its
verdict is "held", not "met".
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.nightly.goals import GOALS, NOT_CHECKED, PYTEST, Command, Goal

ROOT = Path(__file__).parents[2]
MET, PARTLY, NOT_MET, NOT_MEASURED = "met", "partly", "not met", "not measured"


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.nightly", description="Measure the goals G1 to G27.")
    options.add_argument("--only", default="", help="goals, with commas between: G2,G4")
    options.add_argument("--quick", action="store_true", help="small numbers")
    options.add_argument("--postgres", default="", help="the address of a PostgreSQL database for tests")
    chosen = options.parse_args()
    only = {key.strip().upper() for key in chosen.only.split(",") if key.strip()}
    if unknown := only - {goal.key for goal in GOALS}:
        options.error(f"There is no goal {', '.join(sorted(unknown))}.")
    print("| goal | promise | command | figure | verdict |\n|---|---|---|---|---|")
    missed = 0
    for goal in GOALS:
        if not only or goal.key in only:
            verdict = _measure(goal, chosen.quick, chosen.postgres)
            missed += verdict == NOT_MET
    return 1 if missed else 0


def _measure(goal: Goal, quick: bool, postgres: str) -> str:
    """Run the goal's commands and print its row."""
    found = [one for command in goal.commands for one in _run(command, quick, postgres)]
    verdict = verdict_of([code for code, _ in found], goal.open, quick)
    lines = " · ".join(f"`{command.text(quick)}`" for command in goal.commands)
    figures = [figure for _, figure in found]
    if goal.open:
        figures.append(f"open: {goal.open}" if found else goal.open)
    print(f"| {goal.key} | {goal.promise} | {lines} | {' · '.join(figures)} | {verdict} |", flush=True)
    return verdict


def verdict_of(codes: list[int], unmeasured: str, quick: bool) -> str:
    """What the exit codes of a goal's commands say together."""
    if any(code not in (0, NOT_CHECKED) for code in codes):
        return NOT_MET
    if not codes or NOT_CHECKED in codes:
        return PARTLY if 0 in codes else NOT_MEASURED
    return "held" if quick else PARTLY if unmeasured else MET


def _run(command: Command, quick: bool, postgres: str) -> Iterator[tuple[int, str]]:
    """Run it, and again on PostgreSQL where it says so: exit code and figure of each."""
    for address in ("", postgres) if command.both and postgres else ("",):
        words = shlex.split(command.text(quick))
        given = dict(word.split("=", 1) for word in words if "=" in word and word.split("=", 1)[0].isupper())
        words = [sys.executable if word == "python" else word for word in words if word.partition("=")[0] not in given]
        environment = {name: value for name, value in os.environ.items() if name != "TEST_DATABASE_URL"} | given
        if address or command.postgres:
            environment["TEST_DATABASE_URL"] = address or postgres
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        code, figure = done.returncode, _last(done.stdout) or _last(done.stderr)
        if PYTEST in command.line and code == 0 and " passed" not in figure:
            code = NOT_CHECKED
        print(done.stdout[-4000:] + done.stderr[-4000:] if code else "", file=sys.stderr, end="", flush=True)
        yield code, (f"PostgreSQL: {figure}" if address else figure)


def _last(text: str) -> str:
    lines = [line.strip(" =") for line in text.splitlines() if line.strip(" =")]
    return lines[-1] if lines else ""


if __name__ == "__main__":
    sys.exit(main())
