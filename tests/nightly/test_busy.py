"""A small hall for a few seconds, and how its figure is judged; the promised one: `python -m tests.nightly.busy`."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64encode
from collections import defaultdict

import pytest

from tests.halls import ROOT
from tests.nightly.busy import EXPORTS, HAND, LOOK, report, slowest
from tests.nightly.secrets import found

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


# A short evening whose log holds no secret; the whole one: `python -m tests.nightly.secrets`.
PASSWORD = "Größe & 7/7?"


@pytest.mark.long
def test_no_secret_of_an_evening_is_in_its_log() -> None:
    words = [sys.executable, "-m", "tests.nightly.secrets", "--teams", "4", "--rounds", "1"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    said = done.stdout.splitlines()
    assert (done.returncode, said[-1].partition("lines: ")[2]) == (0, "0 found; control: 0 missed"), (
        done.stdout + done.stderr[-2000:]
    )


@pytest.mark.parametrize(
    "line",
    [
        f"ValueError: {PASSWORD!r}",
        "Not Found: /sign-in/Gr%C3%B6%C3%9Fe%20%26%207/7%3F",
        "GET /sign-in/?password=Gr%C3%B6%C3%9Fe+%26+7%2F7%3F&next=/",
        *(f"Basic {b64encode(f'{name}:{PASSWORD}'.encode()).decode()}" for name in ("me", "you", "them")),
    ],
)
def test_a_secret_is_found_however_it_is_written(line: str) -> None:
    (said,) = found(f"first\n{line}\nlast", {PASSWORD: "password"})
    assert said.startswith("password: ") and PASSWORD not in said


def test_six_digits_within_another_number_are_no_code() -> None:
    known = {"918273": "code"}
    assert found("11:02:36.918273 · 19182730 · 0a918273", known) == []
    assert found("signed with 918273", known) == ["code: signed with …"]
