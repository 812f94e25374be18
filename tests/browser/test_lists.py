"""A list is mended in its preview: a column's role, a cell, a row. Nothing is drawn before guesses were looked at."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP
from tests.browser.test_desk import at_desk
from tests.factories import make_event
from tournament.models import Event, Team

LIST = """Team;Captain;Partner;Where
Owls;Ann Lee;Bo Carter;Xenia
Jays;Cy Dodd;TBD;Xenia
WAITLIST
Kings;Al Bell;Di Day;Xenia
"""


def test_a_list_is_mended_where_it_was_read(new_page: Any, otis: User) -> None:
    page = at_desk(new_page, otis, LAPTOP, trouble=True)
    page.goto("/new/")
    page.get_by_role("textbox", name="Name", exact=True).fill("Open")
    page.get_by_label("Who plays?").fill(LIST)
    page.get_by_text("2 teams, 3 players read").wait_for()
    page.get_by_role("button", name="Set up and draw").click()
    page.get_by_text("things to check").wait_for()
    assert not Event.objects.exists()
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator("#role-4").select_option("club")
    page.get_by_text("Xenia").first.wait_for()
    page.wait_for_timeout(500)
    page.locator("[name=cell-3-2]").fill("Eve Upshaw")
    page.locator("[name=cell-3-2]").press("Tab")
    page.get_by_role("cell", name="Cy Dodd · Eve Upshaw").wait_for()
    assert "Jays;Cy Dodd;Eve Upshaw;Xenia" in page.get_by_label("Who plays?").input_value()
    page.locator("tr", has_text="Kings").get_by_role("button", name="Use this line").click()
    page.get_by_text("3 teams, 6 players read").wait_for()
    page.locator("tr", has_text="Owls").get_by_role("button", name="Skip").click()
    page.get_by_text("2 teams, 4 players read").wait_for()
    page.get_by_label("I checked").check()
    page.get_by_role("button", name="Set up and draw").click()
    page.get_by_text("Open is set up.").wait_for()
    assert list(Team.objects.values_list("name", "club")) == [("Jays", "Xenia"), ("Kings", "Xenia")]


def test_what_is_typed_while_a_column_is_read_stays(new_page: Any, otis: User) -> None:
    """Somebody who types, or accepts a row, while an earlier change is read loses neither."""
    page, event = at_desk(new_page, otis, LAPTOP), make_event("Club", otis)
    routes: list[Any] = []
    for address in ("/new/", f"/desk/{event.slug}/roster/"):
        page.goto(address)
        page.locator("#id_text").fill(LIST)
        if address != "/new/":
            page.get_by_role("button", name="Check the list").click()
        page.get_by_text("2 teams, 3 players read").wait_for()
        page.route(
            lambda address: address.endswith(("/draft/", "/roster/")), lambda route: routes.append(route), times=1
        )
        page.get_by_role("button", name="Use this line").last.click()
        cell = page.locator("[name=cell-3-2]")
        cell.press_sequentially("Eve Ups")
        page.wait_for_timeout(300)
        routes.pop().continue_()
        page.wait_for_timeout(700)
        cell.press_sequentially("Miss ")
        assert "Eve UpsMiss " in cell.input_value()
        cell.fill("Eve Upshaw")
        cell.press("Tab")
        page.get_by_text("3 teams, 6 players read").wait_for()
        assert "Jays;Cy Dodd;Eve Upshaw;Xenia" in page.locator("#id_text").input_value()


def test_a_row_that_was_typed_in_is_left_out_with_one_press(new_page: Any, otis: User) -> None:
    page, event = at_desk(new_page, otis, LAPTOP), make_event("Club", otis)
    for address in ("/new/", f"/desk/{event.slug}/roster/"):
        page.goto(address)
        page.locator("#id_text").fill(LIST)
        if address != "/new/":
            page.get_by_role("button", name="Check the list").click()
        page.locator("[name=cell-3-2]").fill("Eve Upshaw")
        page.locator("tr", has_text="TBD").get_by_role("button", name="Skip").click()
        page.get_by_text("1 team, 2 players read").wait_for()
        assert page.locator("tr.left-out", has_text="Jays · Cy Dodd · Eve Upshaw").is_visible()
