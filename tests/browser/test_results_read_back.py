"""The workbook of the other hall is uploaded, looked at and entered: on a laptop, and on a phone without sideways."""

from __future__ import annotations

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
from tests.tournament.reports.otherhall import changed, evening, workbook_of
from tournament.models import Entry


@pytest.fixture
def dana(transactional_db: None) -> User:
    return make_user("dana")


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_results_are_looked_at_and_entered(
    new_page: Callable[..., Any], dana: User, tmp_path: Path, size: tuple[int, int]
) -> None:
    there, here = evening(dana)
    page = at_desk(new_page, dana, size)
    good, bad = tmp_path / "good.xlsx", tmp_path / "bad.xlsx"
    good.write_bytes(changed(workbook_of(there), lambda sheet, at: sheet.__setitem__(f"{at['Books']}4", 10)))
    bad.write_bytes(changed(workbook_of(there), lambda sheet, at: sheet.__setitem__(f"{at['Books']}4", 17)))
    page.goto(f"/desk/{here.slug}/papers/boards/")
    for file, words in ((bad, "There are 13 books; 17 is not possible."), (good, "13 lines, 3 of them rulings")):
        page.set_input_files("input[type=file]", str(file))
        page.get_by_role("button", name="Check the file").click()
        page.get_by_text(words).wait_for()
        look(page, f"results-{file.stem}-{size[0]}")
        assert page.evaluate(STICKS_OUT) == 0
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(FINDINGS) == []
    page.get_by_role("button", name="Enter 13 lines").click()
    page.get_by_text("13 lines entered.").wait_for()
    look(page, f"results-done-{size[0]}")
    with TURN:
        assert Entry.objects.filter(game__round__event__pk=here.pk).count() == 13
