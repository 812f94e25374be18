"""Print & files on a laptop: one line offers only what there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP
from tests.browser.test_desk import at_desk, director, hall  # noqa: F401 - fixtures
from tournament.models import Event

OFFERED = """() => Object.fromEntries(["of", "as"].map((name) => [
    name,
    [...document.querySelector(`.one-paper [name=${name}]`).options]
        .filter((one) => !one.disabled).map((one) => one.text),
]))"""

# Every label that a button has from now on.
WATCHED = """(button) => {
    window.seen = [];
    new MutationObserver(() => seen.push(button.textContent)).observe(button, { childList: true });
}"""


def test_one_line_offers_only_what_there_is(
    new_page: Callable[..., Any],
    director: User,  # noqa: F811
    hall: Event,  # noqa: F811
) -> None:
    page = at_desk(new_page, director, LAPTOP)
    page.goto(f"/desk/{hall.slug}/papers/")
    assert page.evaluate(OFFERED) == {"of": ["the whole evening", "Game 1"], "as": ["PDF"]}
    page.locator("[name=of]").select_option("Game 1")
    assert page.evaluate(OFFERED)["as"] == ["PDF", "Excel"]
    page.locator("[name=as]").select_option("Excel")
    page.locator("[name=thing]").select_option("Standings")
    assert page.evaluate(OFFERED) == {"of": ["the whole evening"], "as": ["PDF", "Excel", "CSV", "JSON"]}
    with page.expect_download() as got:
        page.get_by_role("button", name="Download").click()
    assert got.value.suggested_filename.endswith(".xlsx")
    page.locator("[name=thing]").select_option("Seating")
    assert page.evaluate(OFFERED) == {"of": ["Game 1"], "as": ["PDF"]}


def test_the_pressed_button_says_that_its_file_is_being_made(
    new_page: Callable[..., Any],
    director: User,  # noqa: F811
    hall: Event,  # noqa: F811
) -> None:
    page = at_desk(new_page, director, LAPTOP)
    page.goto(f"/desk/{hall.slug}/papers/")
    page.get_by_text("Workbook of the event (Excel)").click()
    page.locator("[name=thing]").select_option("Standings")
    page.locator("[name=as]").select_option("Excel")
    for role, words in (("link", "Download the workbook"), ("button", "Download")):
        button = page.get_by_role(role, name=words, exact=True)
        button.evaluate(WATCHED)
        with page.expect_download() as got:
            button.click()
        assert got.value.suggested_filename.endswith(".xlsx")
        page.wait_for_function("() => seen.length === 2")
        assert page.evaluate("() => seen") == ["Making the file…", words]
