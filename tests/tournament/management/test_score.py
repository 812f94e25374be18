"""manage.py score and manage.py sheets, run as a director would run them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.document import all_sheets, print_score, print_sheets
from tournament.management.commands.score import score_text

ROOT = Path(__file__).parents[3]
HAND = {"entry": "hand", "bidder": 0, "bid": "3-no", "books": 8}
GAME: dict[str, Any] = {"sheet": "bid_whist/no-kitty-2021", "sides": ["Æsir", "Night Owls"], "entries": [HAND]}
BAD = GAME | {"entries": [HAND | {"books": 14}]}


def manage(*arguments: str, typed: bytes = b"") -> tuple[int, Any]:
    run = subprocess.run(
        [sys.executable, "manage.py", *arguments], input=typed, capture_output=True, cwd=ROOT, timeout=60
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
