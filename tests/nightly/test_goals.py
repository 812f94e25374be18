"""The table of goals is whole, and what it calls is there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.nightly.__main__ import MET, NOT_MEASURED, NOT_MET, PARTLY, ROOT, verdict_of
from tests.nightly.goals import GOALS, NOT_CHECKED

README = Path(__file__).with_name("README.md")


def test_every_goal_has_commands_or_says_why_not() -> None:
    bare = [goal.key for goal in GOALS if not goal.commands and not goal.open]
    assert not bare, f"goals.py: give these a command, or say in `open` why there is none: {bare}"


def test_what_the_commands_name_is_there() -> None:
    lines = [command.text() for goal in GOALS for command in goal.commands]
    files = [word for line in lines for word in line.split() if word.startswith("tests/")]
    files += [name.replace(".", "/") + ".py" for line in lines for name in re.findall(r"-m (tests[\w.]+)", line)]
    gone = [file for file in files if not (ROOT / file).is_file()]
    assert not gone, f"goals.py: name these by their new paths, or leave them out: {gone}"


def test_the_readme_has_a_row_for_every_goal() -> None:
    rows = re.findall(r"^\| (G\d+) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [goal.key for goal in GOALS], (
        "README.md beside this file: one row for each goal, in the order of goals.py"
    )


def test_exit_codes_become_a_verdict() -> None:
    assert verdict_of([0, 0], "", quick=False) == MET
    assert verdict_of([0, 0], "", quick=True) == "held"
    assert verdict_of([0], "an hour of it", quick=False) == PARTLY
    assert verdict_of([0, NOT_CHECKED], "", quick=False) == PARTLY
    assert verdict_of([NOT_CHECKED], "", quick=False) == NOT_MEASURED
    assert verdict_of([], "no machine for it", quick=False) == NOT_MEASURED
    assert verdict_of([0, 1], "", quick=True) == NOT_MET
