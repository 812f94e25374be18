"""The event file of the other hall is looked at and its games are imported: on a laptop, and on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, look
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import AXE, FINDINGS, STICKS_OUT
from tests.browser.turns import TURN
from tests.factories import make_user
from tests.tournament.archive.otherhall import evening, file_of
from tournament.models import Game


@pytest.fixture
def dana(transactional_db: None) -> User:
    return make_user("dana")


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_games_of_another_hall_are_looked_at_and_taken_over(
    new_page: Callable[..., Any], dana: User, tmp_path: Path, size: tuple[int, int]
) -> None:
    there, here = evening(dana)
    page = at_desk(new_page, dana, size)
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(file_of(there)))
    bad.write_text(json.dumps(file_of(there) | {"place": "changed by hand"}))
    page.goto(f"/desk/{here.slug}/file/other-hall/")
    for file, words in ((bad, "changed or damaged"), (good, "To be imported: 3 games.")):
        page.set_input_files("input[type=file]", str(file))
        page.get_by_role("button", name="Check the file").click()
        page.get_by_text(words).wait_for()
        look(page, f"other-hall-{file.stem}-{size[0]}")
        assert page.evaluate(STICKS_OUT) == 0
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(FINDINGS) == []
    page.get_by_role("button", name="Import 3 games").click()
    page.get_by_text("3 games imported.").wait_for()
    look(page, f"other-hall-done-{size[0]}")
    with TURN:
        assert Game.objects.filter(round__event__pk=here.pk, state="final").count() == 3
