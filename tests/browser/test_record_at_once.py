"""What a hand sends: one message. Its effect is known on the tablet, so nobody waits for a slow connection."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User

from tests.browser.conftest import TABLET
from tests.browser.test_offline import ahead
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tests.factories import play
from tournament.models import Call, Entry, Event, Game


def test_a_hand_is_one_message_and_its_effect_is_known_before(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    sit_down(game)
    with TURN:
        play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    page = new_page(TABLET, service_workers="block")
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    page.locator("#mode:not([hidden])").wait_for()
    ahead(page)
    asked: list[tuple[str, str]] = []

    def note(request: Any) -> None:
        if "version=" not in request.url:
            asked.append((request.method, urlsplit(request.url).path))

    page.on("request", note)
    for choice, said in (
        ("seat-0", ""),
        ("bid-3", "Aces bid 3: how many"),
        ("books-9", "3 made with 9 books: Aces +3"),
    ):
        page.locator(f"label:has(#{choice})").click()
        assert said in page.inner_text("#effect")
    page.locator("#record").click()
    page.locator(".row-made").nth(1).wait_for()
    assert "● Received" in page.inner_text("#table") and page.locator("#entry").is_visible()
    page.wait_for_timeout(300)
    assert asked == [("POST", "/t/api/submissions/")]
    # The forms of the page that came with the answer can be sent without the queue, too.
    page.get_by_text("Call the director").click()
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_text("Director called").wait_for()
    with TURN:
        assert (Entry.objects.count(), Call.objects.count()) == (2, 1)
