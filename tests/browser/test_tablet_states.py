"""Every state of the tablet's page: nobody is shut out (axe, serious findings) in light, dark and strong contrast,
targets are big enough and apart, nothing runs out of the page, and “Record” stays in sight when it is enlarged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import PHONE, TABLET, TABLET_UPRIGHT, TURN, look
from tests.browser.test_looks import AXE, FINDINGS, STICKS_OUT
from tests.browser.test_offline import ahead, hand, said, unsent
from tests.browser.test_tablet import bind, sit_down
from tests.factories import MADE_FIVE, play
from tournament.access import Actor
from tournament.middleware import TABLE_COOKIE
from tournament.models import Call, Entry, Event, Game, Round, Signature, Submission
from tournament.services.devices import issue_card, issue_second_card, pair_device, revoke_device
from tournament.services.rounds import call_director

CONTRAST = "(on) => document.documentElement.classList.toggle('mode-contrast', on)"
# Buttons, links that look like them, fields and choices: at least 56 px high and 8 px apart on a touch screen.
TARGETS = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const all = [...document.querySelectorAll("#table :is(.btn, .pick, select, input:not([type=radio], [type=hidden]))")];
  const name = (one) => one.innerText.trim() || one.name || one.id;
  // What dropped down, the bar with “Record” and the foot lie over the page: each one's targets are compared with each
  // other only.
  const place = (one) => [name(one), one.getBoundingClientRect(), one.closest(".drop-body, .record, .table-foot")];
  const boxes = all.filter(seen).map(place);
  const low = boxes.filter(([, box]) => box.height < 55.5).map(([name, box]) => `${name} is ${box.height} high`);
  const close = [];
  boxes.forEach(([a, one, over], at) => boxes.slice(at + 1).forEach(([b, two, other]) => {
    if (over !== other) return;
    const x = Math.max(one.left, two.left) - Math.min(one.right, two.right);
    const y = Math.max(one.top, two.top) - Math.min(one.bottom, two.bottom);
    if (Math.max(x, y) < 7.5 && Math.max(x, y) >= 0) close.push(`${a} | ${b}: ${Math.max(x, y)}`);
  }));
  return [...low, ...close];
}"""


class Audit:
    """Looks at a page as it stands, and collects what is wrong with it."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def __call__(self, page: Any, name: str, *, targets: bool = True) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text(encoding="utf-8"))
        page.emulate_media(reduced_motion="reduce")
        for colours in ("light", "dark"):
            page.emulate_media(color_scheme=colours)
            for contrast in (False, True):
                page.evaluate(CONTRAST, contrast)
                seen = f"{name}, {colours}{', contrast' if contrast else ''}"
                self.faults += [f"{seen}: {finding}" for finding in page.evaluate(FINDINGS)]
            page.evaluate(CONTRAST, False)
            look(page, f"state-{name}-{colours}")
        size = page.viewport_size
        for width, height in (PHONE, TABLET_UPRIGHT, TABLET):
            page.set_viewport_size({"width": width, "height": height})
            if (over := page.evaluate(STICKS_OUT)) > 0:
                self.faults.append(f"{name}: {over} px too wide at {width}")
            if targets:
                self.faults += [f"{name}, {width} px: {target}" for target in page.evaluate(TARGETS)]
            look(page, f"state-{name}-{width}")
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")


@pytest.fixture
def audit() -> Any:
    audit = Audit()
    yield audit
    assert "\n".join(audit.faults) == ""


def record(page: Any, seat: int, bid: str, books: int) -> None:
    for choice in (f"seat-{seat}", f"bid-{bid}", f"books-{books}"):
        page.locator(f"label:has(#{choice})").click()
    page.locator("#record").click()


def test_from_the_card_to_the_lock(new_page: Any, dana: User, event: Event, game: Game, audit: Audit) -> None:
    page = new_page(TABLET, service_workers="block")
    page.goto("/t/")
    audit(page, "pairing", targets=False)
    page.goto("about:blank")
    page.goto(f"/t/#{issue_card(Actor(dana), event, 1)}")
    page.get_by_role("button", name="Set up this tablet").click()
    page.locator(".side-card").first.wait_for()
    audit(page, "seats")
    for _ in range(2):
        page.locator(".side-card .btn").first.click()
        page.locator(".felt-table, .seated").first.wait_for()
    page.locator(".felt-table").wait_for()
    audit(page, "dealer")
    page.locator(".chair").first.click()
    page.locator("#entry").wait_for()
    audit(page, "entry")
    page.keyboard.type("b27")
    page.get_by_text("2 set with 7 books").wait_for()
    audit(page, "effect")
    page.get_by_text("Call the director").click()
    audit(page, "call")
    page.keyboard.press("Escape")
    page.get_by_text("Void this hand", exact=True).click()
    audit(page, "no-hand")
    page.keyboard.press("Escape")
    page.locator(".display summary").click()
    audit(page, "nearest")
    page.keyboard.press("Escape")
    page.locator("#record").click()
    page.locator(".row-set").wait_for()
    page.get_by_text("Undo last hand").click()
    audit(page, "undo")
    page.keyboard.press("Escape")
    record(page, 0, "4", 11)
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    audit(page, "sign")
    page.get_by_role("button", name="Ann 1 signs").click()
    page.locator(".sign-done").wait_for()
    page.get_by_role("button", name="Ann 2 signs").click()
    page.get_by_role("heading", name="Final").wait_for()
    audit(page, "final")


@pytest.mark.nightly
def test_without_a_connection_parked_refused_and_looking_on(
    table_page: Any, new_page: Any, live_server: Any, dana: User, event: Event, game: Game, audit: Audit
) -> None:
    sit_down(game)
    page = table_page(service_workers="block")
    page.locator("#record").click()
    page.get_by_text("Who won the bid?", exact=True).wait_for()
    audit(page, "refused")
    page.context.set_offline(True)
    record(page, 0, "3", 9)
    page.get_by_text("On this tablet: 1").wait_for()
    page.get_by_text("No connection", exact=False).first.wait_for()
    audit(page, "offline")
    with TURN:
        token = pair_device(Actor(), issue_second_card(Actor(dana), event, 1))
    other = new_page(TABLET, service_workers="block")
    other.context.add_cookies([{"name": TABLE_COOKIE, "value": token, "url": live_server.url}])
    other.goto("/t/table/")
    other.get_by_text("Tablet A is keeping score").wait_for()
    audit(other, "looking-on")
    other.get_by_role("button", name="Keep score on this tablet").click()
    other.locator("#record").wait_for()
    page.context.set_offline(False)
    page.locator(".chip.held").first.wait_for()
    page.get_by_text("Tablet B is keeping score").wait_for(timeout=40_000)
    audit(page, "parked")


@pytest.mark.nightly
def test_signing_without_a_connection_while_the_director_is_on_the_way(
    table_page: Any, dana: User, game: Game, audit: Audit
) -> None:
    sit_down(game)
    play(dana, game, MADE_FIVE, sign=False)
    page = table_page(service_workers="block")
    audit(page, "to-sign")
    with TURN:
        call_director(Actor(), game, "score")
    page.get_by_text("▲ Director called").first.wait_for()
    page.context.set_offline(True)
    page.get_by_role("button", name="Ann 1 signs").click()
    page.get_by_text("Signed by Ann 1, on this tablet").wait_for()
    audit(page, "signed-offline")
    # It is tried again now, and not while the question stands there.
    page.evaluate("() => dispatchEvent(new Event('online'))")
    page.evaluate("() => new Promise((done) => setTimeout(done, 500))")
    # The director is on the way: the last signature is asked about.
    page.locator("summary:visible", has_text="Ann 2 signs for Books").click()
    page.locator("p:visible", has_text="The director was called about the score. Sign anyway?").first.wait_for()
    page.get_by_role("button", name="Sign anyway: Ann 2").locator("visible=true").click()
    page.get_by_text("Both sides have signed on this tablet").wait_for()
    page.context.set_offline(False)
    page.get_by_role("heading", name="Final").wait_for(timeout=40_000)
    assert signatures() == ["Ann 1", "Ann 2"]


def signatures() -> list[str]:
    with TURN:
        return list(Signature.objects.order_by("pk").values_list("name", flat=True))


@pytest.mark.nightly
def test_the_practice_table(new_page: Any, audit: Audit, db: None) -> None:
    page = new_page(TABLET)
    page.goto("/")
    page.get_by_role("link", name="Practice table", exact=True).click()
    page.get_by_text("Practice: nothing is saved.").wait_for()
    audit(page, "practice-dealer")
    page.locator(".chair").first.click()
    page.locator("#entry").wait_for()
    page.get_by_text("Another sheet").click()
    audit(page, "practice-sheets")
    page.keyboard.press("Escape")
    page.keyboard.type("as310")
    page.get_by_text("3-Special made with 10 books").wait_for()
    audit(page, "practice-entry")
    page.keyboard.press("Enter")
    page.locator(".row-made").wait_for()
    page.keyboard.type("a410")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    page.get_by_role("button", name="Ann signs").click()
    page.locator(".sign-done").wait_for()
    page.get_by_role("button", name="Cal signs").click()
    page.get_by_role("heading", name="Final").wait_for()
    audit(page, "practice-final")
    page.get_by_role("link", name="Practice again").click()
    page.get_by_text("Who deals first?").wait_for()


@pytest.mark.nightly
def test_the_practice_table_works_without_scripts(new_page: Any, db: None) -> None:
    page = new_page(TABLET, scripts=False)
    page.goto("/practice/?sheet=spades/standard")
    page.locator(".chair").first.click()
    for seat, bid in enumerate(("4", "nil", "3", "3")):
        page.locator(f"label:has(#bid-{seat}-{bid})").click()
    for seat, tricks in enumerate((5, 0, 4, 4)):
        page.locator(f"label:has(#tricks-{seat}-{tricks})").click()
    page.get_by_role("button", name="Show the effect").click()
    page.locator("#effect", has_text="Eagles").wait_for()
    page.locator("#record").click()
    page.locator(".sheet tbody tr", has_text="Bid:").first.wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize("size", [TABLET, TABLET_UPRIGHT])
@pytest.mark.parametrize("how", ["page", "text"])
def test_at_200_percent_record_stays_in_sight(table_page: Any, game: Game, size: tuple[int, int], how: str) -> None:
    """The whole page enlarged (the browser's zoom), or its letters alone."""
    sit_down(game)
    half = (size[0] // 2, size[1] // 2)
    page = table_page(half, device_scale_factor=2) if how == "page" else table_page(size)
    if how == "text":
        page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    page.keyboard.type("bn38")
    page.locator("#effect strong").wait_for()
    look(page, f"zoom-{how}-{size[0]}")
    box, (width, height) = page.locator("#record").bounding_box(), half if how == "page" else size
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # It is not behind something else, and what is being chosen is seen beside it.
    assert (
        page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).id",
            [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2],
        )
        == "record"
    )
    page.locator("#record").click()
    page.locator(".row-set").wait_for()


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
    for choice in ("seat-0", "bid-3", "books-9"):
        page.locator(f"label:has(#{choice})").click()
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
    for choice in ("seat-0", "bid-3", "books-9"):
        seated.locator(f"label:has(#{choice})").click()
    press_down(seated, "#record")
    news_comes(seated)
    seated.mouse.up()
    seated.locator(".row-made").wait_for()
    with TURN:
        assert Entry.objects.count() == 1


@pytest.mark.nightly
def test_the_page_comes_as_soon_as_the_finger_is_lifted(seated: Any, dana: User, game: Game) -> None:
    with TURN:
        play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    press_down(seated, "label:has(#seat-0)")
    news_comes(seated)
    assert seated.locator(".row-made").count() == 0
    seated.mouse.up()
    seated.locator(".row-made").wait_for(timeout=1_000)


@pytest.mark.nightly
def test_a_choice_that_is_changed_while_the_page_is_on_its_way_stays_changed(
    seated: Any, dana: User, game: Game
) -> None:
    """The page was asked for with what was chosen then."""
    seated.locator("label:has(#seat-0)").click()
    with TURN:
        play(dana, game, {"entry": "hand", "bidder": 1, "bid": "2", "books": 8})
    on_its_way: list[Any] = []
    seated.route("**/t/table/?*", lambda route: on_its_way.append(route))
    while not on_its_way:
        seated.wait_for_timeout(100)
    seated.locator("label:has(#seat-1)").click()
    for request in on_its_way:
        request.continue_()
    seated.unroute("**/t/table/?*")
    seated.locator(".row-made").wait_for()
    assert seated.locator("#seat-1").is_checked()


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
    for choice in ("seat-0", "bid-3", "books-9"):
        seated.locator(f"label:has(#{choice})").click()
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
    page.get_by_text("Call the director").click()
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_text("Director called").wait_for()
    with TURN:
        assert (Entry.objects.count(), Call.objects.count()) == (2, 1)


# What a tablet is sent ahead and does not get is asked for again while its page stands still.
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
    page.get_by_text("1 hand is still on this tablet (table 1, Columbus Open). Sent to the desk now.").wait_for()
    with TURN:
        row = Submission.objects.get(kind="hand")
        assert (row.status, row.code, row.body["facts"]["books"]) == ("parked", "former-device", 9)
