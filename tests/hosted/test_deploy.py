"""What is in deploy/ names what is there: files, commands, variables."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import pytest
from django.core.management import get_commands

from tests.halls import ROOT
from tournament.place import why_not_hosted

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
PAGES = sorted(DEPLOY.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_named_files_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    named = re.findall(r"deploy/[\w./-]*\w", text)
    assert [one for one in links if not (DEPLOY / one).exists()] == []
    assert [one for one in named if not (ROOT / one).exists()] == []
    commands = re.findall(r"manage\.py ([a-z_]+)", text) + re.findall(r"python -m (tests\.hosted\.\w+)", text)
    there = {*get_commands(), *(f"tests.hosted.{path.stem}" for path in (ROOT / "tests/hosted").glob("*.py"))}
    assert set(commands) - there == set()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_start_what_is_there(unit: Path) -> None:
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.optionxform = str  # type: ignore[assignment,method-assign]  # as its documentation has it
    read.read_string(unit.read_text(encoding="utf-8"))
    if unit.suffix == ".timer":
        assert (unit.with_suffix(".service") in UNITS, "OnCalendar" in read["Timer"]) == (True, True)
        return
    program, *words = read["Service"]["ExecStart"].split()
    if program.endswith("python"):
        assert (words[0], words[1] in get_commands()) == ("manage.py", True)
    elif program.endswith("granian"):
        assert words[-1] == "tournament.wsgi:application"
    else:
        assert (ROOT / program.removeprefix("/opt/uptown/")).is_file()


def test_the_file_of_variables_has_everything_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (DEPLOY / "uptown.env").read_text(encoding="utf-8").splitlines()
    said = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    for name, value in said.items():
        monkeypatch.setenv(name, value or "filled in")
    assert (said["UPTOWN_PROFILE"], why_not_hosted()) == ("hosted", "")
