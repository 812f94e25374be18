"""The data folder is for its owner alone, and a start that cannot write there is refused in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.document import all_sheets, print_score, print_sheets
from tests.halls import PREPARE, ROOT, Hall, Prepared
from tournament.management.commands.score import score_text

posix = pytest.mark.skipif(os.name == "nt", reason="files have no modes on Windows")
# No file mode stops root, except without this right.
ROOT_HERE = hasattr(os, "geteuid") and os.geteuid() == 0
WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if ROOT_HERE else []


def start(folder: Path, first: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Start as somebody who may not write there, even if root runs the tests."""
    environment = os.environ | {"UPTOWN_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "tournament.settings"} | more
    environment.pop("TEST_DATABASE_URL", None)
    return subprocess.run(
        [*WITHOUT_RIGHTS, sys.executable, "-c", first + PREPARE],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_start_at_which_nothing_is_due_writes_nothing(prepared_hall: Prepared, tmp_path: Path) -> None:
    """On a full disk it could not."""
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings")
    written = []
    for _ in range(2):
        assert (done := hall.run("-c", PREPARE)).returncode == 0, done.stderr
        file = hall.folder / "uptown.sqlite3"
        written.append((file.stat().st_mtime_ns, file.read_bytes()))
    assert written[0] == written[1]


@posix
def test_the_folder_is_its_owners_alone_also_where_an_older_version_made_it(
    prepared_hall: Prepared, tmp_path: Path
) -> None:
    new = Hall(tmp_path / "new", DJANGO_SETTINGS_MODULE="tournament.settings")
    old = prepared_hall.copy(tmp_path / "old", DJANGO_SETTINGS_MODULE="tournament.settings")
    old.folder.chmod(0o755)
    for hall in (new, old):
        assert (done := hall.run("-c", PREPARE)).returncode == 0, done.stderr
        assert hall.folder.stat().st_mode & 0o777 == 0o700
    assert (new.folder / "uptown.sqlite3").stat().st_mode & 0o777 == 0o600


@pytest.mark.nightly
@posix
@pytest.mark.parametrize("first", [True, False], ids=["the first start", "a later one"])
def test_a_folder_that_cannot_be_written_is_refused_in_one_line(
    first: bool, prepared_hall: Prepared, tmp_path: Path
) -> None:
    outside = tmp_path / "disk"
    outside.mkdir()
    folder = outside / "data"
    if not first:
        shutil.copytree(prepared_hall.folder, folder)
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
    outside.chmod(0o555)
    done = start(folder)
    outside.chmod(0o755)
    if not first:
        folder.chmod(0o755)
    assert (done.returncode, done.stderr) == (
        1,
        f"Nothing can be written to {folder} (Permission denied), and Uptown keeps its data there. Nothing was "
        "started: set UPTOWN_DATA to a folder of your own.\n",
    )


@pytest.mark.nightly
@posix
def test_a_database_that_is_read_only_is_refused_in_one_line(prepared_hall: Prepared, tmp_path: Path) -> None:
    """As it is where it was copied from a disc, or belongs to somebody else: the folder alone can be written."""
    hall = prepared_hall.copy(tmp_path / "data")
    file = hall.folder / "uptown.sqlite3"
    file.chmod(0o444)
    before = file.read_bytes()
    done = start(hall.folder)
    assert (done.returncode, done.stderr) == (
        1,
        f"Nothing can be written to {file} (it is read-only), and Uptown keeps its data there. Nothing was started: "
        "set UPTOWN_DATA to a folder of your own.\n",
    )
    assert file.read_bytes() == before


@pytest.mark.nightly
@posix
def test_a_system_without_time_zones_is_refused_in_one_line(tmp_path: Path) -> None:
    """A small Debian has none, and the first event of an evening would be an error page."""
    done = start(tmp_path / "data", "import sys; sys.modules['tzdata'] = None", PYTHONTZPATH="")
    assert (done.returncode, done.stderr) == (
        1,
        "This system does not know the time zones, which every event needs. Install them (on Debian and Ubuntu: sudo "
        "apt install tzdata) and start again.\n",
    )
    assert not (tmp_path / "data" / "uptown.sqlite3").exists()


# manage.py score and manage.py sheets, run as a director would run them.
PROJECT = Path(__file__).parents[3]
HAND = {"entry": "hand", "bidder": 0, "bid": "3-no", "books": 8}
GAME: dict[str, Any] = {"sheet": "bid_whist/no-kitty-2021", "sides": ["Æsir", "Night Owls"], "entries": [HAND]}
BAD = GAME | {"entries": [HAND | {"books": 14}]}


def manage(*arguments: str, typed: bytes = b"") -> tuple[int, Any]:
    run = subprocess.run(
        [sys.executable, "manage.py", *arguments], input=typed, capture_output=True, cwd=PROJECT, timeout=60
    )
    return run.returncode, json.loads(run.stdout.decode())


def test_score_of_a_file_is_printed_as_one_object(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GAME, ensure_ascii=False), encoding="utf-8")
    assert manage("score", str(path)) == (0, print_score(GAME))


def test_score_of_standard_input_that_cannot_be_scored_prints_its_problems_alone() -> None:
    status, printed = manage("score", "-", typed=json.dumps(BAD).encode())
    assert (status, printed) == (2, print_score(BAD))
    assert set(printed) == {"problems"}


def test_score_of_a_list_spoils_nobody_else() -> None:
    status, printed = manage("score", "-", typed=json.dumps([GAME, BAD, "no game", GAME]).encode())
    assert status == 2
    assert printed == [print_score(GAME), print_score(BAD), print_score("no game"), print_score(GAME)]


def test_file_that_is_not_there_is_a_problem_of_the_document() -> None:
    status, printed = manage("score", "nowhere.json")
    assert (status, [problem["field"] for problem in printed["problems"]]) == (2, ["document"])


def test_sheets_are_printed_as_a_list() -> None:
    status, printed = manage("sheets")
    assert status == 0
    assert [sheet["key"] for sheet in printed] == [sheet.key for _, sheet in all_sheets()]
    assert printed == json.loads(json.dumps(print_sheets()))


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe{}", b'{"a": NaN}', b"3"])
def test_content_that_is_no_document_is_a_problem_of_the_document(content: bytes) -> None:
    printed, refused = score_text(content)
    assert refused
    assert [problem["field"] for problem in printed["problems"]] == ["document"]


def test_empty_list_is_an_empty_list() -> None:
    assert score_text(b"[]") == ([], False)


def test_content_may_begin_with_a_byte_order_mark() -> None:
    assert score_text(b"\xef\xbb\xbf" + json.dumps(GAME).encode()) == (print_score(GAME), False)


def test_name_that_cannot_be_encoded_is_still_json() -> None:
    typed = json.dumps(GAME | {"sheet": "\ud800"}).encode()
    status, printed = manage("score", "-", typed=typed)
    assert status == 2
    assert [problem["field"] for problem in printed["problems"]] == ["sheet"]
