"""A season in Chromium: the secretary sets it up, puts three evenings in, reads the table and prints it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, TURN
from tests.browser.test_desk import at_desk
from tests.factories import make_user
from tests.tournament.reports.evenings import pdf_text
from tests.tournament.season import clubs


def test_a_secretary_runs_a_season_of_three_evenings_and_prints_the_table(new_page: Any, dana: User) -> None:
    with TURN:
        for month, name in enumerate(("January", "February", "March"), start=1):
            clubs.played(dana, None, name, month)
        owner = make_user("otis", is_staff=True)
    page = at_desk(new_page, owner, LAPTOP)
    page.goto("/seasons/")
    page.get_by_label("Name").fill("Spring 2026")
    page.get_by_label("Best events that count").fill("2")
    page.get_by_role("button", name="Create season").click()
    for name in ("January", "February", "March"):
        choice = page.get_by_label("Add an event")
        choice.select_option(label=next(text for text in choice.inner_text().split("\n") if text.startswith(name)))
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_text(f"{name} counts in Spring 2026.").wait_for()
    page.get_by_role("link", name="As everybody sees it").click()
    page.get_by_text("After 3 of 3 events").wait_for()
    # Two firsts of the three count, with a point each for playing; the partner has as many.
    rows = [" ".join(row.inner_text().split()) for row in page.locator("table tbody tr").all()]
    assert [row.startswith("1= ") and " 14" in row for row in rows[:2]] == [True, True]
    address = page.get_by_role("link", name="For the wall (PDF)").get_attribute("href")
    text = pdf_text(page.request.get(f"{page.url.partition('/seasons/')[0]}{address}").body())
    assert [name in text for name in ("Spring 2026", "Otis Reed", "Ann Hill", "14")] == [True] * 4
