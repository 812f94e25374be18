"""A slow connection: whoever has chosen everything can record at once, also while the effect is still on its way."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import TABLET
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tournament.models import Entry, Event, Game


def test_record_can_be_tapped_before_the_effect_is_known(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    sit_down(game)
    page = new_page(TABLET, service_workers="block")
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    asked: list[Any] = []
    # The questions for the effect get no answer.
    page.route("**/preview/**", lambda route: asked.append(route))
    for choice in ("seat-0", "bid-3", "books-9"):
        page.locator(f"label:has(#{choice})").click()
    page.wait_for_timeout(100)
    assert asked
    assert page.locator("#record").is_enabled()
    page.locator("#record").click()
    page.locator(".row-made").wait_for()
    with TURN:
        assert Entry.objects.count() == 1
