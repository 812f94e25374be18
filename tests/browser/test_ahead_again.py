"""What a tablet is sent ahead and does not get is asked for again while its page stands still."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import TABLET
from tests.browser.test_offline import ahead, hand, said, unsent
from tests.browser.test_tablet import bind, sit_down
from tournament.models import Event, Game


def test_what_did_not_come_ahead_is_asked_for_again_while_nothing_changes(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    sit_down(game)
    page = new_page(TABLET)
    bind(page, live_server, dana, event)
    page.route("**/t/api/state/", lambda route: route.abort("internetdisconnected"), times=1)
    page.goto("/t/table/")
    page.locator("#mode:not([hidden])").wait_for()
    ahead(page)
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    assert "aces 3" in said(page)
