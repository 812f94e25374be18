"""A table's evening on its tablet, in Chromium: bound by its card, seated, played, undone, signed, locked."""

from __future__ import annotations

import io
from typing import Any

import pytest
import zxingcpp
from django.contrib.auth.models import User
from PIL import Image

from tests.browser.conftest import LAPTOP, TABLET, TURN, Counted, look, tap
from tests.browser.test_desk import at_desk
from tests.factories import make_event, make_round, make_teams, play
from tests.halls import eventually
from tests.sure import sure
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Device, Entry, Event, Game
from tournament.services.devices import issue_card, pair_device
from tournament.services.rounds import choose_first_dealer, seat_side


def sit_down(game: Game, dealer: int = 0) -> None:
    for side in game.sides.all():
        seat_side(Actor(), game, side.index)
    choose_first_dealer(Actor(), game, dealer)


def bind(page: Any, live_server: Any, user: User, event: Event, table: int = 1) -> None:
    token = pair_device(Actor(), issue_card(Actor(user), event, table))
    page.context.add_cookies([{"name": TABLE_COOKIE, "value": token, "url": live_server.url}])


def test_a_tablet_is_bound_by_the_picture_on_its_card(page: Any, dana: User, event: Event, game: Game) -> None:
    code = issue_card(Actor(dana), event, 1)
    page.goto(f"/t/#{code}")
    assert page.url.endswith("/t/")
    assert page.locator("#code").input_value() == f"{code[:4]}-{code[4:]}"
    assert Device.objects.get().paired_at is None
    page.get_by_role("button", name="Set up this tablet").click()
    page.wait_for_url("**/t/table/")
    assert page.evaluate("document.cookie").find(TABLE_COOKIE) == -1
    assert "Seated by" in page.inner_text("h2")


def test_a_game_from_the_chairs_to_the_lock(page: Any, dana: User, event: Event, game: Game) -> None:
    page.goto(f"/t/#{issue_card(Actor(dana), event, 1)}")
    page.get_by_role("button", name="Set up this tablet").click()
    page.get_by_role("button", name="We are seated").first.click()
    page.locator(".seated").wait_for()
    page.get_by_role("button", name="We are seated").click()
    page.locator(".felt-table").wait_for()
    page.get_by_role("button", name="Bea 2").click()
    page.locator("#entry").wait_for()
    assert page.inner_text(".due") == "Hand 1 · Bea 2 deals"

    hands = Counted(page)
    hands.record(0, "3", 9)
    hands.record(1, "2-special", 8)
    assert hands.taps / 2 <= 4
    page.get_by_text("Undo last hand").click()
    assert "hand 2 off the sheet: 2-Special made with 8, Ann 2" in page.inner_text(".drop-body")
    page.get_by_role("button", name="Undo hand 2").click()
    page.locator("s").wait_for()
    hands.record(0, "2", 9)

    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    assert "Aces won (rule 6)" in page.inner_text(".verdict")
    page.get_by_role("button", name="Bea 1 signs").click()
    page.locator(".sign-done").wait_for()
    page.get_by_role("button", name="Ann 2 signs").click()
    page.get_by_role("heading", name="Final").wait_for()
    assert page.locator("#record, .undo-foot").count() == 0
    game.refresh_from_db()
    assert game.state == "final"


def test_a_hand_takes_at_most_six_keys_and_no_pointer(seated: Any, game: Game) -> None:
    hands = Counted(seated)
    hands.press("a", "s", "3", "1", "0", "Enter")
    seated.locator(".row-made").wait_for()
    assert hands.keys <= 6
    hands = Counted(seated)
    hands.press("d", "2", "7", "Enter")
    seated.locator(".row-set").wait_for()
    assert [entry.facts for entry in Entry.objects.order_by("position")] == [
        {"entry": "hand", "seat": 0, "bid": "3-special", "books": 10, "dealer": 0},
        {"entry": "hand", "seat": 3, "bid": "2", "books": 7, "dealer": 1},
    ]


FOCUS = """() => {
  const { id, textContent, type } = document.activeElement;
  return type === "radio" ? id : textContent.trim().replace(/\\s+/g, " ");
}"""


def test_the_focus_is_on_what_comes_next_after_every_act_by_keyboard(table_page: Any, game: Game) -> None:
    page = table_page()

    def after(press: Any, stands: str) -> str:
        """What has the focus once the server's page is shown."""
        before = page.locator("#table-state").get_attribute("data-state")
        press()
        page.locator(stands).first.wait_for()
        eventually(lambda: page.locator("#table-state").get_attribute("data-state") != before, lambda: stands)
        page.wait_for_timeout(300)
        return str(page.evaluate(FOCUS))

    def enter(what: str) -> Any:
        def press() -> None:
            page.locator(what).first.focus()
            page.keyboard.press("Enter")

        return press

    def drop(summary: str, button: str) -> Any:
        def press() -> None:
            page.locator("summary").get_by_text(summary, exact=True).focus()
            page.keyboard.press("Enter")
            page.get_by_role("button", name=button).first.focus()
            page.keyboard.press("Enter")

        return press

    def keys(*pressed: str) -> Any:
        return lambda: [page.keyboard.press(key) for key in pressed]

    focused = [
        after(enter(".side-card button"), ".seated"),
        after(enter(".side-card button"), ".felt-table"),
        after(enter(".felt-table button"), "#entry"),
        after(keys("a", "3", "9", "Enter"), ".row-made"),
        after(drop("Undo last hand", "Undo hand 1"), "s"),
        after(drop("Void this hand", "A card was exposed in dealing"), ".row-void"),
        after(drop("Call the director", "Exposed card"), ".chip.heart"),
        after(drop("Director is called", "We no longer need the director"), "#drop-call"),
        after(keys("a", "7", "1", "3", "Enter"), ".signing"),
        after(enter(".signing button"), ".sign-done"),
        after(enter('.signing button:has-text("signs for Books")'), ".chip-final"),
    ]
    question = "seat-0"
    assert focused[:2] == ["We are seated", "Ann 1Aces"]
    assert focused[2:8] == [question] * 6
    assert [words.split(" ")[0] for words in focused[8:]] == ["Ann", "Undo", "Next"], focused


@pytest.mark.nightly
def test_backspace_takes_the_last_choice_back(seated: Any) -> None:
    seated.keyboard.type("bn412")
    assert seated.locator("#books-12").is_checked()
    seated.keyboard.press("Backspace")
    assert seated.locator("[name=books]:checked").count() == 0
    seated.keyboard.press("u")
    assert seated.locator("#bid-4").is_checked()


def test_a_double_click_on_record_writes_one_hand(seated: Any) -> None:
    tap(seated, "seat-0", "bid-3", "books-9")
    seated.locator("#record").dblclick()
    seated.locator(".row-made").wait_for()
    assert Entry.objects.count() == 1


def test_what_the_desk_writes_meanwhile_arrives_and_keeps_what_is_being_typed(
    seated: Any, game: Game, dana: User
) -> None:
    Counted(seated).press("a", "3")
    with TURN:
        play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    seated.get_by_text("The sheet has changed. Look at it").wait_for(timeout=30_000)
    assert seated.locator("#seat-0").is_checked() and seated.locator("#bid-3").is_checked()
    assert seated.locator(".row-made").count() == 1


@pytest.mark.nightly
def test_a_void_is_two_taps_and_cites_its_rule(seated: Any) -> None:
    hands = Counted(seated)
    hands.tap('summary:has-text("Void this hand")')
    hands.tap("text=A card was exposed in dealing")
    seated.locator(".row-void").wait_for()
    assert "rule 18" in seated.inner_text(".row-void + .row-words") and hands.taps == 2


@pytest.mark.nightly
@pytest.mark.parametrize("dark", [False, True])
def test_without_scripts_the_tablet_says_what_it_needs(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game, dark: bool
) -> None:
    sit_down(game)
    page = new_page(TABLET, scripts=False, dark=dark)
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    page.locator("noscript .notice").wait_for()
    look(page, f"tablet-without-scripts{'-dark' if dark else ''}")
    assert (page.locator("#table").is_visible(), page.get_by_role("button").count()) == (False, 0)


def in_order(page: Any, what: str) -> list[str]:
    """The first line of these things, from left to right."""
    placed = [
        (element.bounding_box()["x"], element.inner_text().split("\n")[0]) for element in page.locator(what).all()
    ]
    return [words for _, words in sorted(placed)]


@pytest.mark.nightly
def test_whoever_sits_nearest_is_first_and_it_stays_so(seated: Any) -> None:
    assert in_order(seated, ".score-side") == ["Aces", "Books"]
    seated.get_by_text("Display").click()
    look(seated, "tablet-nearest")
    seated.locator("[data-near='1']").click()
    for _ in range(2):
        assert in_order(seated, ".score-side") == ["Books", "Aces"]
        assert in_order(seated, ".seats .pick") == ["Ann 2", "Bea 1", "Bea 2", "Ann 1"]
        seated.locator("[data-near='1'][aria-pressed='true']").wait_for(state="attached")
        seated.reload()
    seated.get_by_text("Display").click()
    seated.locator("[data-near='2']").click()
    assert in_order(seated, ".score-side") == ["Aces", "Books"]
    assert in_order(seated, ".seats .pick") == ["Bea 1", "Bea 2", "Ann 1", "Ann 2"]


@pytest.mark.nightly
def test_the_chair_that_is_nearest_stands_at_the_bottom(table_page: Any, game: Game) -> None:
    for side in (0, 1):
        seat_side(Actor(), game, side)
    page = table_page()
    for near, name in enumerate(("Ann 1", "Ann 2", "Bea 1", "Bea 2")):
        page.locator(".display summary").click()
        page.locator(f"[data-near='{near}']").click()
        chairs = {
            element.inner_text().split("\n")[0]: element.bounding_box() for element in page.locator(".chair").all()
        }
        assert max(chairs, key=lambda chair: chairs[chair]["y"]) == name
        # Clockwise from there: the next one sits at the left hand.
        left = min(chairs, key=lambda chair: chairs[chair]["x"])
        assert left == ("Ann 1", "Ann 2", "Bea 1", "Bea 2")[(near + 1) % 4]


SENSES = """() => {
  window.senses = [];
  Object.defineProperty(navigator, "vibrate", { value: () => window.senses.push("felt") });
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.senses.push("heard"); return start.apply(this, when); };
}"""


@pytest.mark.nightly
def test_only_a_refusal_is_heard_and_felt_and_it_can_be_switched_off(seated: Any) -> None:
    seated.evaluate(SENSES)
    Counted(seated).record(0, "3", 9)
    seated.locator(".row-made").wait_for()
    assert seated.evaluate("window.senses") == ["felt"]
    seated.evaluate("window.senses = []")
    # Within 0.4 s a second Enter is the double tap of the first.
    seated.wait_for_timeout(1_000)
    Counted(seated).press("c", "4", "Enter")
    seated.get_by_text("How many books did the bidding side take?").wait_for()
    assert Entry.objects.count() == 1
    assert sorted(seated.evaluate("window.senses")) == ["felt", "heard"]
    seated.get_by_text("Display").click()
    seated.get_by_role("button", name="Silent").click()
    seated.reload()
    seated.evaluate(SENSES)
    # What was answered is there again.
    seated.locator("#seat-2:checked").wait_for(state="attached")
    seated.locator("#bid-4:checked").wait_for(state="attached")
    Counted(seated).press("Enter")
    seated.get_by_text("How many books did the bidding side take?").wait_for()
    assert seated.evaluate("window.senses") == []


def test_a_game_in_which_everybody_bids_takes_one_tap_a_fact(table_page: Any, dana: User) -> None:
    event = make_event("Spades night", dana, sheet="spades/standard")
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    sit_down(game)
    page = table_page(of=event)
    hands, bids = Counted(page), ((1, "nil"), (2, "3"), (3, "3"), (0, "4"))
    # From the dealer's left on; what the dealer took is counted.
    for seat, bid in bids:
        hands.tap(f"label:has(#bid-{seat}-{bid})")
    # They were said before play, which lasts: a page that is loaded again has them.
    page.wait_for_timeout(300)
    page.reload()
    for seat, bid in bids:
        page.locator(f"#bid-{seat}-{bid}:checked").wait_for(state="attached")
    hands.tap(".contract .primary")
    for seat, tricks in ((1, 0), (2, 4), (3, 4)):
        hands.tap(f"label:has(#tricks-{seat}-{tricks})")
    page.get_by_text("This hand: Aces +72, Books +131").wait_for()
    hands.tap("#record")
    page.get_by_text("Took: Ann 1 5, Ann 2 0, Bea 1 4, Bea 2 4").wait_for()
    assert hands.taps == 9
    assert Entry.objects.get().facts == {
        "entry": "hand",
        "cards": 13,
        "bids": ["4", "nil", "3", "3"],
        "tricks": [5, 0, 4, 4],
        "dealer": 0,
    }


def test_a_second_tap_soon_after_the_first_is_taken(table_page: Any, dana: User) -> None:
    event = make_event("Spades night", dana, sheet="spades/standard")
    sit_down(make_round(event, [tuple(make_teams(event, 2))]).games.get())
    page = table_page(of=event)
    box = page.locator("label:has(#bid-1-4)").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for count in (1, 2):
        page.mouse.down(click_count=count)
        page.mouse.up(click_count=count)
        page.wait_for_timeout(200)
    assert page.locator("#entry [data-field=bids] input:checked").count() == 2


@pytest.mark.nightly
def test_the_picture_on_the_card_leads_to_the_pairing_page(new_page: Any, dana: User, event: Event, game: Game) -> None:
    page = at_desk(new_page, dana, LAPTOP)
    page.goto(f"/desk/{event.slug}/tablets/")
    page.get_by_role("button", name="Cards for").click()
    card = page.locator(".print-card")
    picture = Image.open(io.BytesIO(card.locator("svg").screenshot(caret="initial")))
    read = sure(zxingcpp.read_barcode(picture)).text
    assert read.endswith("/t/#" + card.locator(".table-code").inner_text().replace("-", ""))
