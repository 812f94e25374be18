"""The demo's folder: command and folder both have to say that this is the demo."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tournament import place


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder; what the demo says to the processes that it starts is forgotten again."""
    for name in ("UPTOWN_DEMO", "UPTOWN_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UPTOWN_DATA", str(tmp_path))
    yield tmp_path
    os.environ.pop("UPTOWN_DEMO", None)


def test_the_demo_lives_in_a_folder_of_its_own(folder: Path) -> None:
    place.enter_demo()
    assert (place.data_folder(), place.is_demo()) == (folder / "demo", True)
    assert [path.name for path in (folder / "demo").iterdir()] == [place.MARK]


def test_the_demo_is_entered_again_and_by_its_own_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.enter_demo()
    monkeypatch.setenv("UPTOWN_DATA", str(folder))
    place.enter_demo()
    place.enter_demo()
    assert place.data_folder() == folder / "demo"


def test_a_clubs_folder_is_refused_and_left_alone(folder: Path) -> None:
    club = folder / "demo"
    club.mkdir()
    (club / "uptown.sqlite3").write_text("a club's evenings")
    with pytest.raises(SystemExit, match="holds a site that is not a demo"):
        place.enter_demo()
    assert [path.name for path in club.iterdir()] == ["uptown.sqlite3"]
    assert (place.data_folder(), place.is_demo()) == (folder, False)


def test_the_demo_is_no_site_on_the_internet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UPTOWN_PROFILE", "internet")
    with pytest.raises(SystemExit, match="internet"):
        place.enter_demo()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("command", ["1", ""])
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("profile", ["", "internet"])
def test_command_and_folder_both_say_demo(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, marked: bool, profile: str
) -> None:
    monkeypatch.setenv("UPTOWN_DEMO", command)
    monkeypatch.setenv("UPTOWN_PROFILE", profile)
    if marked:
        (folder / place.MARK).touch()
    assert place.is_demo() == (command == "1" and marked and not profile)


@pytest.mark.parametrize("words", [["serve"], ["venue"], ["venue", "--http"], ["restore", "backup.sqlite3"]])
def test_no_club_is_served_from_the_demos_folder(folder: Path, settings: Any, words: list[str]) -> None:
    (folder / place.MARK).touch()
    settings.DATA = folder
    with pytest.raises(SystemExit, match="the demo’s folder"):
        call_command(*words)
    assert [path.name for path in folder.iterdir()] == [place.MARK]


def test_the_command_alone_makes_no_demo(settings: Any) -> None:
    with pytest.raises(CommandError, match="as “manage"):
        call_command("demo")
