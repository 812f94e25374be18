"""A short evening whose log holds no secret; the whole one: `python -m tests.nightly.secrets`."""

from __future__ import annotations

import subprocess
import sys
from base64 import b64encode

import pytest

from tests.halls import ROOT
from tests.nightly.secrets import found

pytestmark = pytest.mark.nightly

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
