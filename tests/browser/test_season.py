"""A season in Chromium: the secretary sets it up, puts three evenings in, reads the table and prints it; its looks."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, TURN
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import AXE, faults
from tests.factories import make_user
from tests.tournament.reports.evenings import pdf_text
from tests.tournament.season import clubs
from tests.tournament.season.played import enlist, play
from tests.tournament.season.test_by_hand import PERSONS, TEAMS
from tournament.models import Season


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


def test_the_pages_of_a_season_fit_every_screen(new_page: Any, dana: User) -> None:
    """One with all that can be said to its owner: who is left out, what an upgrade changed, who may be added."""
    with TURN:
        year = Season.objects.create(slug="2026", name="2026", scheme=PERSONS["scheme"], told=False)
        month = Season.objects.create(slug="month", name="Month", scheme=PERSONS["month"], within=year)
        enlist(year, PERSONS["members"])
        for told in PERSONS["events"]:
            play(dana, told, month if told.get("in_month") else year)
        teams = Season.objects.create(slug="teams", name="Teams", scheme=TEAMS["scheme"])
        for name, people in TEAMS["lists"].items():
            enlist(teams, people, name)
        play(dana, TEAMS["events"][1] | {"name": "Stand-ins"}, teams)
        owner = make_user("otis", is_staff=True)
    page, wrong = at_desk(new_page, owner, LAPTOP), {}
    page.add_init_script(path=AXE)
    for path in (
        "/seasons/",
        "/seasons/2026/",
        "/seasons/2026/setup/",
        "/seasons/month/setup/",
        "/seasons/teams/setup/",
    ):
        page.goto(path)
        page.locator("main").first.wait_for()
        if findings := faults(page, f"looks{path.replace('/', '-')}"):
            wrong[path] = findings
    assert wrong == {}
    page.goto("/seasons/teams/setup/")
    page.get_by_role("button", name="Add Zoe Oak to Books").click()
    page.get_by_text("Zoe Oak is on Books. The table is up to date.").wait_for()
    page.goto("/seasons/2026/setup/")
    page.get_by_role("button", name="Got it").click()
    page.get_by_text("Noted.").wait_for()
    assert page.get_by_text("What the update counts differently").count() == 0
