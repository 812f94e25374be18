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
from dataclasses import dataclass

from tests.halls import ROOT

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
    results = [result for command in goal.commands for result in _run(command, quick, postgres)]
    verdict = verdict_of([code for code, _ in results], goal.open, quick)
    lines = " · ".join(f"`{command.text(quick)}`" for command in goal.commands)
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


# The goals G1 to G27: what is promised, and the commands that measure it.
# A command is a line for the shell of a developer. `{}` in it stands for a number: the promised one, or a small one
# for a quick look. It ends with 0 where the goal is met, with NOT_CHECKED where it could not look, and with anything
# else where the goal is not met; the last line that it prints is its figure.
NOT_CHECKED = 3
PYTEST = "python -m pytest -q -p no:cacheprovider"
TESTS = "tests/tournament"
SCORERS = " ".join(
    f"tests/scoring/{game}/test_differential.py" for game in ("bid_whist", "spades", "back_alley", "okinawa")
)
LAWS = " ".join(
    f"tests/{name}.py"
    for name in (
        "scoring/test_options",
        "scoring/test_properties",
        *(f"scoring/standings/test_{name}" for name in ("tiebreaks", "ranking")),
        "tournament/pairing/test_bracket",
    )
)


@dataclass(frozen=True, slots=True)
class Command:
    """Where the address of a PostgreSQL is given: `both` runs it there, too; `postgres` gives it the address."""

    line: str
    full: object = ""
    quick: object = ""
    both: bool = False
    postgres: bool = False

    def text(self, quick: bool = False) -> str:
        """The line as it can be typed."""
        return self.line.format(self.quick if quick else self.full)


@dataclass(frozen=True, slots=True)
class Goal:
    """`open` is what of the promise no command measures; without commands it says why there is none."""

    key: str
    promise: str
    commands: tuple[Command, ...] = ()
    open: str = ""


GOALS = (
    Goal(
        "G1",
        "1,000 times the server is killed under load: nothing lost, nothing twice",
        (Command("python -m tests.nightly.seeds --kills {}", 1000, 3, both=True),),
    ),
    Goal(
        "G2",
        "1,000 power cuts with the shipped SQLite settings: nothing lost, nothing damaged; without syncs some are",
        (Command("python -m tests.nightly.powercut --cuts {}", 1000, 30),),
    ),
    Goal(
        "G3",
        "chaos, 20 seeds: 50 tables × 6 games under kills and a bad network end as undisturbed",
        (Command("python -m tests.nightly.seeds --seeds {}", 20, 1, both=True),),
    ),
    Goal(
        "G4",
        "a fault at every statement of every service: no partial state, a retry works",
        (Command("python -m tests.nightly.faults --acts={}", "", "pay,close_round,send_gap"),),
    ),
    Goal(
        "G5",
        "races: no lost or doubled act; each control without the lock goes wrong",
        (
            Command(
                f"RANDOM_RACES={{}} {PYTEST} {TESTS}/test_races.py {TESTS}/submissions/test_races.py", 125, 5, both=True
            ),
        ),
        "1,000 rounds of the others: there the acts wait for one another where they could meet, so that one shows it",
    ),
    Goal(
        "G6",
        "10,000 strange bodies at the tablets' addresses: no 500",
        (Command(f"UPTOWN_BODIES={{}} {PYTEST} {TESTS}/submissions/test_strange_bodies.py", 5, 1, both=True),),
    ),
    Goal(
        "G7",
        "schemathesis on the table API; 20,000 steps of the services beside a naive table",
        (
            Command(f"UPTOWN_CASES={{}} {PYTEST} {TESTS}/submissions/test_table_api.py", 1000, 15),
            Command(f"UPTOWN_STEPS={{}} {PYTEST} {TESTS}/submissions/test_one_table.py", 20_000, 400),
        ),
    ),
    Goal(
        "G8",
        "hostile workbooks and event files: refused, within limits",
        (Command(f"{PYTEST} {TESTS}/reports/test_hostile_workbooks.py {TESTS}/archive/test_event_file.py"),),
        "an hour of mutated files",
    ),
    Goal(
        "G9",
        "every address × every role × own and foreign event",
        (Command(f"{PYTEST} {TESTS}/test_access.py"),),
    ),
    Goal(
        "G10",
        "hostile names on pages, in papers and in spreadsheets: none runs, none becomes a formula",
        (Command(f"{PYTEST} {TESTS}/reports/test_hostile_workbooks.py {TESTS}/reports/test_papers.py"),),
    ),
    Goal(
        "G11",
        "restore with the site stopped, also one that is broken off: the tablets offer everything again",
        (Command(f"{PYTEST} {TESTS}/management/test_backups.py"),),
        "a person with the printed page",
    ),
    Goal(
        "G12",
        "100,000 random walks: no game is final without both signatures on its code, or a witness who says why",
        (Command("python -m tests.nightly.finals --walks {}", 100_000, 50),),
    ),
    Goal(
        "G13",
        "5,000 random logs with corrections: results and standings kept on the way are what a new count says,"
        " and what a scorer says that was written apart; 2,000 examples of each law of scores, standings, money and"
        " brackets",
        (
            Command(f"UPTOWN_EVENINGS={{}} {PYTEST} {TESTS}/desk/test_random_evenings.py", 5000, 8, both=True),
            Command(f"DIFFERENTIAL_GAMES={{}} {PYTEST} {SCORERS}", 5000, 60),
            Command(f"UPTOWN_EXAMPLES={{}} {PYTEST} {LAWS}", "many", "new"),
        ),
    ),
    Goal(
        "G14",
        "1,000 changes of results, states, payouts and the bracket by hand: verify names each",
        (Command(f"CHANGES_BY_HAND={{}} {PYTEST} {TESTS}/verifying/test_verify.py", 150, 5),),
    ),
    Goal(
        "G15",
        "50 tables in play, 300 viewers and an export, 30 minutes: slowest hundredth of hands within 2 s",
        (
            Command(
                "python -m tests.nightly.busy {}", "--minutes 30", "--minutes 0.4 --tables 6 --viewers 12 --every 2"
            ),
        ),
    ),
    Goal(
        "G16",
        "floods of sign-ins from one address are limited, three passwords are checked at a time",
        (Command(f"{PYTEST} {TESTS}/test_limits.py"),),
        "64 stalled clients; how long a page takes meanwhile",
    ),
    Goal(
        "G17",
        "disk full, read-only, permission lost: nothing acknowledged is lost",
        (Command(f"{PYTEST} {TESTS}/submissions/test_weak_database.py", both=True),),
    ),
    Goal(
        "G18",
        "the deployment checks of the internet profile",
        (
            Command(
                "UPTOWN_PROFILE=internet UPTOWN_HOSTS=uptown.example"
                " python manage.py check --deploy --fail-level WARNING"
            ),
        ),
    ),
    Goal(
        "G19",
        "200 random events from SQLite to PostgreSQL and back: the same facts, sheets and standings",
        (Command("python -m tests.nightly.roundtrip --events {}", 200, 6, postgres=True),),
    ),
    Goal(
        "G20",
        "tablets without a network in a browser, http and https, second tab, no room: each hand arrives once",
        (Command(f"{PYTEST} tests/browser/test_offline.py"),),
    ),
    Goal(
        "G21",
        "36 hours over a change of daylight time, a clock set back by 2 hours: order, timers, sign-ins",
        (Command(f"{PYTEST} {TESTS}/test_times.py"),),
    ),
    Goal(
        "G22",
        "accessibility in a browser: axe, sizes of targets, keyboard",
        (
            Command(
                f"{PYTEST} tests/browser/test_looks.py tests/browser/test_one_screen.py"
                " tests/browser/test_tablet_states.py tests/browser/test_space.py"
            ),
        ),
    ),
    Goal("G23", "no dependency with a known weakness", (Command("python -m tests.nightly.audit"),)),
    Goal(
        "G24",
        "500 drawn mutants of score, checks, verdicts and standings, 95% killed; branches of services and scoring",
        (Command("python -m tests.nightly.mutants --draw {}", 500, 4),),
        "branches of the services; `.ci/run` asks for every branch of scoring",
    ),
    Goal(
        "G25",
        "10,000 random ledgers: not a cent off, no balance below zero",
        (
            Command(
                f"RANDOM_LEDGERS={{}} {PYTEST} {TESTS}/money/test_ledger.py {TESTS}/money/test_payouts.py",
                10_000,
                100,
                both=True,
            ),
        ),
    ),
    Goal(
        "G26",
        "no key or password in the log of a whole evening",
        (Command("python -m tests.nightly.secrets {}", "--teams 24 --rounds 6", "--teams 4 --rounds 1"),),
    ),
    Goal(
        "G27",
        "every journey in a browser and every start of the program that `.ci/run` leaves out",
        (Command(f"{PYTEST} -m nightly"),),
    ),
)
