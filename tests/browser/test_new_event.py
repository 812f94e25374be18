"""A new event on one screen: another game is chosen, and nothing that was typed or pasted is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import LAPTOP, look
from tests.browser.test_desk import at_desk
from tests.factories import make_user
from tests.tournament.setup.test_rounds import LIST

pytestmark = pytest.mark.nightly

TYPED = {
    "name": "Winter Open",
    "place": "Elks Lodge",
    "rounds_planned": "5",
    "fee_cents": "25",
    "pot_cents": "10",
    "cut": "4",
}
SAID = """(names) => Object.fromEntries(names.map((name) => [
    name, document.querySelector(`#new-event [name=${name}]`)?.value ?? null]))"""


@pytest.fixture
def page(new_page: Callable[..., Any], transactional_db: None) -> Any:
    """The page with everything typed that stands on it, each fold open."""
    page = at_desk(new_page, make_user("otis", is_staff=True), LAPTOP)
    page.goto("/new/")
    for fold in page.locator(".fold summary").all():
        fold.click()
    for name, words in TYPED.items():
        page.locator(f"#new-event [name={name}]").fill(words)
    page.locator("[name=sheet]").select_option("bid_whist/standard")
    page.locator("[name=movement]").select_option("round-robin")
    page.locator("[name=third_place]").check()
    page.get_by_label("Who plays?").fill(LIST)
    page.get_by_text("3 teams, 6 players read").wait_for()
    return page


def choose(page: Any, game: str) -> None:
    page.locator(".games label", has_text=game).click()
    shown(page, game.lower().replace(" ", "_") + "/")


def shown(page: Any, sheet: str) -> None:
    """The settings of this sheet have come."""
    page.locator(f"[name=shown][value^='{sheet}']").wait_for(state="attached")


def said(page: Any) -> dict[str, Any]:
    kept = page.evaluate(SAID, [*TYPED, "sheet", "movement"])
    return kept | {"third": page.locator("[type=checkbox][name=third_place]").is_checked()}


def test_another_game_keeps_what_was_typed(page: Any) -> None:
    before = said(page)
    choose(page, "Spades")
    assert page.get_by_label("Boston pot").count() == 0
    assert {name: said(page)[name] for name in TYPED} == TYPED
    assert page.locator(".fold[open]").count() == page.locator(".fold").count()
    assert page.get_by_label("Who plays?").input_value() == LIST
    choose(page, "Back Alley")
    page.locator("[name=sheet]").select_option("back_alley/individual")
    shown(page, "back_alley/individual")
    look(page, "new-event-singles")
    assert page.locator("[name=movement]").input_value() == "moving"
    choose(page, "Bid Whist")
    assert said(page) == before
    assert page.get_by_text("$25 a team, $10 into the Boston pot").is_visible()
    assert page.get_by_text("5 rounds, everyone plays everyone").is_visible()


def test_what_is_typed_while_the_page_is_asked_stays(page: Any) -> None:
    with page.expect_request("**/new/draft/"):
        page.locator(".games label", has_text="Spades").click()
    page.locator("[name=fee_cents]").fill("30")
    shown(page, "spades/")
    assert page.locator("[name=fee_cents]").input_value() == "30"
