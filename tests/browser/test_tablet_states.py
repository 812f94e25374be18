"""What the tablet's page does while a finger is on it, a message is on its way, or its tablet was withdrawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import PHONE, TABLET, TURN, tap
from tests.browser.test_offline import ahead, hand, said, unsent
from tests.browser.test_tablet import bind, sit_down
from tests.factories import MADE_FIVE, play
from tournament.access import Actor
from tournament.models import Call, Entry, Event, Game, Round, Signature, Submission
from tournament.services.devices import revoke_device
from tournament.services.rounds import call_director


@pytest.mark.nightly
def test_signing_without_a_connection_while_the_director_is_on_the_way(table_page: Any, dana: User, game: Game) -> None:
    sit_down(game)
    play(dana, game, MADE_FIVE, sign=False)
    page = table_page(service_workers="block")
    with TURN:
        call_director(Actor(), game, "score")
    page.get_by_text("▲ Director called").first.wait_for()
    page.context.set_offline(True)
    page.get_by_role("button", name="Ann 1 signs").click()
    page.get_by_text("Signed by Ann 1, on this tablet").wait_for()
    # It is tried again now, but not while the question is shown.
    page.evaluate("() => dispatchEvent(new Event('online'))")
    page.evaluate("() => new Promise((done) => setTimeout(done, 500))")
    # The director is on the way: the last signature is asked about.
    page.locator("summary:visible", has_text="Ann 2 signs for Books").click()
    page.locator("p:visible", has_text="The director was called about the score. Sign anyway?").first.wait_for()
    page.get_by_role("button", name="Sign anyway: Ann 2").locator("visible=true").click()
    page.get_by_text("Both sides have signed on this tablet").wait_for()
    page.context.set_offline(False)
    page.get_by_role("heading", name="Final").wait_for(timeout=40_000)
    with TURN:
        assert list(Signature.objects.order_by("pk").values_list("name", flat=True)) == ["Ann 1", "Ann 2"]


@pytest.mark.nightly
def test_the_practice_table_works_without_scripts(new_page: Any, db: None) -> None:
    page = new_page(TABLET, scripts=False)
    page.goto("/practice/?sheet=spades/standard")
    page.locator(".chair").first.click()
    tap(page, "bid-0-4", "bid-1-nil", "bid-2-3", "bid-3-3")
    tap(page, "tricks-0-5", "tricks-1-0", "tricks-2-4", "tricks-3-4")
    page.get_by_role("button", name="Show the effect").click()
    page.locator("#effect", has_text="Eagles").wait_for()
    page.locator("#record").click()
    page.locator(".sheet tbody tr", has_text="Bid:").first.wait_for()


# A finger is on the glass for a tenth of a second, and the server's page may come just then: the tap is not lost.
# The page as the server has it now, as after every answer: the same question that the tablet itself asks.
NEWS = "htmx.ajax('GET', '/t/table/', {target: '#table', swap: 'outerHTML'})"


def press_down(page: Any, what: str) -> None:
    """The finger touches the middle of it and stays."""
    page.mouse.move(*middle(page, what))
    page.mouse.down()


def touch(page: Any, what: str) -> Callable[[], Any]:
    """The same with a finger on glass; what comes back lifts it."""
    glass = page.context.new_cdp_session(page)
    x, y = middle(page, what)
    glass.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    return lambda: glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def middle(page: Any, what: str) -> tuple[float, float]:
    box = page.locator(what).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def news_comes(page: Any) -> None:
    with page.expect_response(lambda answer: answer.url.endswith("/t/table/")):
        page.evaluate(NEWS)
    page.wait_for_timeout(200)


@pytest.mark.nightly
def test_a_choice_that_is_being_tapped_while_the_page_comes_is_taken(seated: Any) -> None:
    press_down(seated, "label:has(#seat-0)")
    news_comes(seated)
    seated.mouse.up()
    assert seated.locator("#seat-0").is_checked()


@pytest.mark.nightly
@pytest.mark.parametrize("size", [TABLET, PHONE])
def test_record_stays_under_a_finger_on_glass_when_the_effect_comes(
    table_page: Any, game: Game, size: tuple[int, int]
) -> None:
    sit_down(game)
    # What a hand does when time was called, only the server knows.
    Round.objects.update(time_called_at=timezone.now())
    page = table_page(size, has_touch=True, service_workers="block")
    effects: list[Any] = []
    page.route("**/preview/?*books=9*", lambda route: effects.append(route))
    tap(page, "seat-0", "bid-3", "books-9")
    while not effects:
        page.wait_for_timeout(100)
    before = middle(page, "#record")
    lift = touch(page, "#record")
    effects[-1].continue_()
    page.wait_for_timeout(300)
    assert middle(page, "#record") == before
    lift()
    page.locator(".row-made").wait_for()
    with TURN:
        assert Entry.objects.filter(kind="hand").count() == 1


def test_record_that_is_being_tapped_while_the_page_comes_records_one_hand(seated: Any) -> None:
    tap(seated, "seat-0", "bid-3", "books-9")
    press_down(seated, "#record")
    news_comes(seated)
    seated.mouse.up()
    seated.locator(".row-made").wait_for()
    with TURN:
        assert Entry.objects.count() == 1


@pytest.mark.nightly
def test_two_sides_say_at_once_that_they_are_seated(table_page: Any, game: Game) -> None:
    page = table_page(has_touch=True)
    lift = touch(page, ".side-card.side-1 button")
    page.locator(".side-card.side-0 button").dispatch_event("click")
    page.wait_for_timeout(300)
    lift()
    page.get_by_text("Who deals first?").wait_for()
    # The tablet asks for the dealer before the desk has heard of both.
    page.locator("body:not(.has-unsent)").wait_for()
    with TURN:
        assert game.sides.exclude(seated_at=None).count() == 2


@pytest.mark.nightly
def test_an_older_page_that_was_held_back_does_not_bring_the_recorded_answers_again(seated: Any) -> None:
    tap(seated, "seat-0", "bid-3", "books-9")
    press_down(seated, "#record")
    news_comes(seated)
    seated.context.set_offline(True)
    seated.mouse.up()
    seated.get_by_text("Line 1: Ann 1, 3 made with 9 books").wait_for(state="attached")
    seated.wait_for_timeout(300)
    assert seated.locator("#entry input:checked").count() == 0
    seated.context.set_offline(False)
    seated.locator(".row-made").wait_for()
    with TURN:
        assert Entry.objects.count() == 1


# What a hand sends: one message. Its effect is known on the tablet, so nobody waits for a slow connection.
def test_a_hand_is_one_message_and_its_effect_is_known_before(table_page: Any, dana: User, game: Game) -> None:
    sit_down(game)
    with TURN:
        play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    page = table_page(service_workers="block")
    ahead(page)
    asked: list[tuple[str, str]] = []

    def note(request: Any) -> None:
        if "version=" not in request.url:
            asked.append((request.method, urlsplit(request.url).path))

    page.on("request", note)
    for choice, words in (
        ("seat-0", ""),
        ("bid-3", "Aces bid 3: how many"),
        ("books-9", "3 made with 9 books: Aces +3"),
    ):
        page.locator(f"label:has(#{choice})").click()
        assert words in page.inner_text("#effect")
    page.locator("#record").click()
    page.locator(".row-made").nth(1).wait_for()
    assert "● Received" in page.inner_text("#table") and page.locator("#entry").is_visible()
    page.wait_for_timeout(300)
    assert asked == [("POST", "/t/api/submissions/")]
    # The forms of the page that came with the answer can be sent without the queue, too.
    page.locator(".call-director > summary").click()
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_text("Director called just now: Exposed card").wait_for()
    with TURN:
        assert (Entry.objects.count(), Call.objects.count()) == (2, 1)


# What a tablet is sent ahead and does not get is asked for again while its page does nothing.
def test_what_did_not_come_ahead_is_asked_for_again_while_nothing_changes(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game
) -> None:
    sit_down(game)
    page = new_page(TABLET)
    bind(page, live_server, dana, event)
    page.route("**/t/api/state/", lambda route: route.abort("internetdisconnected"), times=1)
    page.goto("/t/table/")
    page.locator("body[data-mode]").wait_for()
    ahead(page)
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    assert "aces\n3" in said(page)


# A tablet that the desk withdrew while it held a hand: opened again it says so, and gives the hand to the desk.
def test_a_hand_of_a_withdrawn_tablet_reaches_the_desk(
    table_page: Any, new_page: Any, dana: User, event: Event, game: Game
) -> None:
    sit_down(game)
    page = table_page(service_workers="block")
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
    page.get_by_text("1 hand was sent to the desk just now (table 1, Columbus Open).").wait_for()
    with TURN:
        row = Submission.objects.get(kind="hand")
        assert (row.status, row.code, row.body["facts"]["books"]) == ("parked", "former-device", 9)
