"""Two rules by which Safari differs, put into Chromium by a script: what was tapped counts all the same.

Before 16.4 `FormData` knows no second argument; after a sleep one write to the tablet's storage fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import TABLET
from tests.browser.test_offline import ahead, hand, unsent
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tests.factories import signed_in
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.services.rounds import seat_side

pytestmark = pytest.mark.nightly

NO_SECOND_ARGUMENT = """
  const Ours = window.FormData;
  window.FormData = class extends Ours { constructor(form) { super(form); } };
"""
# As many writes as `faults` says are lost.
LOST_WRITES = """
  window.faults = 0;
  const add = IDBObjectStore.prototype.add;
  IDBObjectStore.prototype.add = function (...given) {
    if (window.faults-- > 0) throw new DOMException("Connection to Indexed Database server lost", "UnknownError");
    return add.apply(this, given);
  };
"""


@pytest.fixture
def tablet(new_page: Callable[..., Any], live_server: Any, dana: User, event: Event) -> Callable[[str], Any]:
    """The tablet of table 1 with a rule of Safari: `tablet(LOST_WRITES)`."""

    def open_page(rule: str) -> Any:
        page = new_page(TABLET, service_workers="block")
        page.add_init_script(f"{{{rule}}}")
        bind(page, live_server, dana, event)
        page.goto("/t/table/")
        page.locator("#mode:not([hidden])").wait_for()
        return page

    return open_page


def test_the_dealer_that_was_tapped_deals_and_the_director_hears_what_it_is_about(
    tablet: Callable[[str], Any], game: Game
) -> None:
    for side in (0, 1):
        seat_side(Actor(), game, side)
    page = tablet(NO_SECOND_ARGUMENT)
    page.get_by_role("button", name="Bea 1").click()
    page.get_by_text("Hand 1 · Bea 1 deals").wait_for()
    page.get_by_text("Call the director").click()
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_text("Director is called").wait_for()
    with TURN:
        game.refresh_from_db()
        assert (game.first_dealer, list(game.calls.values_list("kind", flat=True))) == (2, ["exposed"])


def test_a_lost_write_is_tried_again_and_after_the_banner_the_next_hand_is_kept(
    tablet: Callable[[str], Any], game: Game
) -> None:
    sit_down(game)
    page = tablet(LOST_WRITES)
    ahead(page)
    page.context.set_offline(True)
    page.evaluate("() => { faults = 1; }")
    hand(page, 0, "3", 9)
    unsent(page, 1)
    page.evaluate("() => { faults = 2; }")
    hand(page, 1, "2", 8)
    page.locator("#not-stored").wait_for()
    page.locator("#record").click()
    unsent(page, 2)
    assert page.locator("#not-stored").is_hidden()


def test_a_desk_that_comes_from_memory_after_signing_out_is_asked_for_again(
    new_page: Callable[..., Any], live_server: Any, dana: User, event: Event
) -> None:
    page = new_page(TABLET)
    client = signed_in(dana)
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    page.goto(f"/desk/{event.slug}/money/")
    page.context.clear_cookies()
    page.evaluate("() => { dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })); }")
    page.wait_for_url("**/sign-in/**")


def test_a_browser_without_our_styles_is_told_that_it_is_too_old(new_page: Callable[..., Any], dana: User) -> None:
    page = new_page(TABLET, service_workers="block")
    page.goto("/t/")
    told = page.get_by_text("This tablet’s browser is too old to keep score.")
    assert told.is_hidden()
    # Safari before 15.4 knows no layers, and all the styles stand in layers.
    page.route("**/*.css", lambda route: route.fulfill(body="", content_type="text/css"))
    page.reload()
    assert told.is_visible()
