"""A small hall for a few seconds, and how its figure is judged; the promised one: `python -m tests.nightly.busy`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict

import pytest

from tests.halls import ROOT
from tests.nightly.busy import EXPORTS, HAND, LOOK, report, slowest

pytestmark = pytest.mark.nightly


@pytest.mark.long
def test_hands_looks_and_exports_of_a_small_hall_go_without_an_error() -> None:
    size = ("--minutes", "0.15", "--tables", "3", "--viewers", "6", "--every", "1")
    words = [sys.executable, "-m", "tests.nightly.busy", *size]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    figure = re.fullmatch(r"(\d+) hands, .*; (\d+) looks, .*; (\d+) exports; 0 errors", done.stdout.splitlines()[-1])
    assert figure and min(map(int, figure.groups())) > 0, done.stdout + done.stderr[-2000:]


@pytest.mark.parametrize(
    ("late", "wrong", "exit_code"), [([1.9], [], 0), ([2.1], [], 0), ([2.1, 2.1], [], 1), ([], ["look: no answer"], 1)]
)
def test_the_slowest_hundredth_and_every_error_decide(late: list[float], wrong: list[str], exit_code: int) -> None:
    hands = late + [0.1] * (100 - len(late))
    assert report({HAND: hands, LOOK: [0.1], **{file: [0.1] for file in EXPORTS}}, wrong) == exit_code


def test_where_nobody_looked_on_nothing_was_seen() -> None:
    assert report(defaultdict(list, {HAND: [0.1], EXPORTS[0]: [0.1]}), []) == 1


def test_the_slowest_part_is_left_out() -> None:
    seconds = [one / 100 for one in range(200, 0, -1)]
    assert (slowest(seconds, 100), slowest(seconds, 2), slowest([0.3], 100), slowest([], 2)) == (1.98, 1.0, 0.3, 0.0)
