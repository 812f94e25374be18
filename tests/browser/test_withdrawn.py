"""A tablet that the desk withdrew while it held a hand: opened again it says so, and gives the hand to the desk."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from tests.browser.conftest import TABLET
from tests.browser.test_offline import hand, unsent
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tournament.access import Actor
from tournament.models import Event, Game, Submission
from tournament.services.devices import revoke_device


def test_a_hand_of_a_withdrawn_tablet_reaches_the_desk(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    sit_down(game)
    page = new_page(TABLET, service_workers="block")
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    page.locator("#mode:not([hidden])").wait_for()
    context = page.context
    context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    page.close()
    with TURN:
        revoke_device(Actor(dana), event, 1)
    context.set_offline(False)
    page = context.new_page()
    page.goto("/t/table/")
    page.get_by_text("The desk has withdrawn this tablet. It showed table 1 of Columbus Open.").wait_for()
    page.get_by_text("1 hand is still on this tablet (table 1, Columbus Open). Sent to the desk now.").wait_for()
    with TURN:
        row = Submission.objects.get(kind="hand")
        assert (row.status, row.code, row.body["facts"]["books"]) == ("parked", "former-device", 9)
