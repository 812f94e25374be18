"""A tablet that loses its network in mid-game, in Chromium: nothing is lost, nothing doubled, nothing claimed early.

`hall.test` is plain http, as in a hall; `localhost` counts as secure, so that the page opens without a network.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import HTTP, KNOWS_AHEAD, PHONE, SECURE, TABLET, TABLET_UPRIGHT, TURN, look, tap
from tests.browser.test_tablet import sit_down
from tests.halls import eventually
from tests.tournament.tablet.hands import from_the_left
from tournament.models import Device, Entry, Event, Game, Signature, Submission
from tournament.queries.rules import printed_by

# A browser that opens no storage at all, as some do in a private window.
NO_STORAGE = "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); };"


@pytest.fixture
def open_tablet(table_page: Callable[..., Any], game: Game) -> Callable[..., Any]:
    """A tablet of table 1 with everybody seated, which knows the hands to come: `open_tablet(HTTP)`."""
    sit_down(game)

    def open_page(host: str = HTTP, *, further: bool = False, script: str = "", **options: Any) -> Any:
        page = table_page(host=host, further=further, script=script, trouble=True, **options)
        if not further and script != NO_STORAGE:
            ahead(page)
        return page

    return open_page


def ahead(page: Any) -> None:
    """Wait until the page knows what the next hand would do to the current sheet."""
    # Asked again from here: Playwright's own waiting takes the first answer of a promise, whatever it is.
    eventually(lambda: page.evaluate(f"() => new Promise({KNOWS_AHEAD})"), lambda: page.inner_text("body"))


def hand(page: Any, seat: int, bid: str, books: int) -> None:
    tap(page, f"seat-{seat}", f"bid-{bid}", f"books-{books}")
    page.locator("#record").click()


def unsent(page: Any, count: int) -> None:
    """Wait until this many items are only on the tablet, as its bar counts them: “2 hands and a call” are three."""

    def told() -> int:
        words = page.locator("#sync").inner_text() if page.locator("#sync").is_visible() else ""
        parts = re.split(", | and ", words.partition("On this tablet: ")[2])
        return sum(int(part.split()[0]) if part[:1].isdigit() else 1 for part in parts if part)

    eventually(lambda: told() == count, lambda: page.inner_text("#table"))


def said(page: Any) -> str:
    """What the page says, in small letters."""
    return page.inner_text("#table").lower()


def finish(page: Any, before: int = 0) -> None:
    """The second hand, which ends the game, and both signatures, without a network."""
    hand(page, 0, "4", 11)
    if before:
        page.get_by_role("button", name="Sign", exact=True).click()
    unsent(page, before + 1)
    assert "received" not in said(page)
    page.get_by_role("button", name="Bea 1 signs").click()
    unsent(page, before + 2)
    page.get_by_role("button", name="Ann 2 signs").click()
    page.get_by_text("Both sides have signed on this tablet").wait_for()
    assert "received" not in said(page) and "■ final" not in said(page)


def stored() -> tuple[list[int], str, int, set[str]]:
    """The books of every entry in order, the game's state, signatures, and what became of what was sent."""
    with TURN:
        books = [entry.facts.get("books", 0) for entry in Entry.objects.order_by("position", "revision")]
        statuses = set(Submission.objects.values_list("status", flat=True))
        return books, Game.objects.get().state, Signature.objects.count(), statuses


DONE = ([9, 11], "final", 2, {"applied"})


# As soon as the final page is there, somebody presses a button; what was shown of lines on this tablet from then on.
PRESSED = """() => {
  const shown = [];
  const press = Object.assign(document.body.appendChild(document.createElement("button")), { hidden: true });
  press.dataset.act = "look";
  window.shownAfter = () => shown;
  const watch = new MutationObserver(() => {
    if (!document.querySelector(".chip-final")) return;
    watch.disconnect();
    press.click();
    shown.push(document.getElementById("unsent").innerText);
  });
  watch.observe(document.documentElement, { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("host", [HTTP, SECURE])
def test_a_game_is_finished_and_signed_without_a_network(open_tablet: Any, host: str) -> None:
    page = open_tablet(host)
    hand(page, 0, "3", 9)
    page.locator(".row-made").wait_for()
    ahead(page)
    if host == SECURE:
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    finish(page)
    if host == SECURE:
        for _ in range(2):
            page.reload()
            page.get_by_text("Both sides have signed on this tablet").wait_for()
            assert "received" not in said(page)
    assert stored()[0] == [9]
    page.evaluate(PRESSED)
    page.context.set_offline(False)
    page.locator(".chip-final").wait_for(timeout=40_000)
    assert page.evaluate("shownAfter()") == [""] and page.locator("#unsent").is_hidden()
    assert stored() == DONE


# What of the books, “Record” and the call is not in the window, and how many of them there are.
OUT_OF_SIGHT = """() => {
  const asked = document.querySelectorAll(".books .pick, #record, .call-director > summary");
  const found = [...asked].filter((one) => one.checkVisibility());
  const boxes = found.map((one) => [one.innerText, one.getBoundingClientRect()]);
  return [found.length, ...boxes.filter(([, box]) => box.top < 0 || box.bottom > innerHeight).map(([words]) => words)];
}"""
# The nearest that buttons of two sides come to each other, to the side or downwards.
APART = """() => {
  const [ones, others] = [0, 1].map((side) => [...document.querySelectorAll(`.sign-side.side-${side} .choices button`)]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect()));
  return Math.min(...ones.flatMap((a) => others.map((b) => Math.max(b.left - a.right, b.top - a.bottom))));
}"""


def every_answer_in_sight(page: Any) -> None:
    """With lines on this tablet, lying and upright, and with bigger letters."""
    tap(page, "seat-0", "bid-3")
    page.get_by_text("Display").click()
    for letters in ("", "big"):
        if letters:
            page.get_by_role("button", name="Big letters").click()
            page.keyboard.press("Escape")
        for width, height in (TABLET, (TABLET[1], TABLET[0])):
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(OUT_OF_SIGHT) == [16], (letters, width)
            look(page, f"offline-in-sight-{letters}{width}")
    page.get_by_text("Display").click()
    page.get_by_role("button", name="Big letters").click()
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": TABLET[0], "height": TABLET[1]})


@pytest.mark.nightly
def test_a_second_tab_sees_at_once_what_the_first_wrote_and_both_are_one_writer(open_tablet: Any) -> None:
    page = open_tablet()
    other = page.context.new_page()
    other.goto("/t/table/")
    other.locator("body[data-mode]").wait_for()
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    other.get_by_text("1 hand on this tablet").wait_for()
    other.get_by_role("button", name="Undo line 1").wait_for()
    page.context.set_offline(False)
    for tab in (page, other):
        tab.locator(".row-made").wait_for(timeout=40_000)
    assert stored() == ([9], "playing", 0, {"applied"})


@pytest.mark.nightly
def test_several_hands_without_a_network_are_called_provisional(open_tablet: Any) -> None:
    page = open_tablet()
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    page.locator("#unsent").get_by_text("Score: Aces 3, Books 0.").wait_for()
    hand(page, 1, "2", 7)
    unsent(page, 2)
    page.locator("#unsent").get_by_text("Score so far, not yet confirmed: Aces 3, Books −2.").wait_for()
    every_answer_in_sight(page)
    page.get_by_role("button", name="Undo line 2").click()
    page.get_by_text("Score: Aces 3, Books 0.").wait_for()
    assert page.locator(".unconfirmed").count() == 2
    hand(page, 0, "4", 11)
    page.get_by_text("By this count the game is over. Sign, or go on?").wait_for()
    assert page.locator("#record").is_hidden()
    page.get_by_role("button", name="Sign", exact=True).click()
    page.locator(".local-signing").wait_for()
    assert page.evaluate(APART) >= 100
    page.get_by_role("button", name="Ann 1 signs").click()
    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Bea 1 signs").click()
    page.locator(".local-signing .sign-done").wait_for()
    page.get_by_role("button", name="Ann 2 signs").click()
    page.get_by_text("Both sides have signed on this tablet").wait_for()
    page.context.set_offline(False)
    page.locator(".chip-final").wait_for(timeout=40_000)
    books, state, signatures, statuses = stored()
    # The one that was taken back, and that it was, stay on record.
    assert (books[0], books[-1], state, signatures, statuses) == (9, 11, "final", 4, {"applied"})


def test_an_undo_without_a_network_takes_the_signatures_along(open_tablet: Any) -> None:
    page = open_tablet()
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    finish(page, 1)
    rows = page.locator(".sheet .row-here").all_inner_texts()
    assert ["○ not yet confirmed" in row for row in rows] == [True, True]
    look(page, "offline-signed")
    assert page.get_by_role("button", name="Undo").count() == 0
    page.get_by_role("button", name="Take the signatures back").click()
    page.get_by_role("button", name="Undo line 2").click()
    page.locator(".sheet .row-here s").wait_for()
    assert "have signed" not in said(page)
    page.context.set_offline(False)
    page.locator(".row-made").wait_for(timeout=40_000)
    page.locator("#unsent").wait_for(state="hidden")
    assert stored() == ([9, 11, 0], "playing", 0, {"applied"})


# What answers in the place of the site.
INSTEAD: dict[str, dict[str, Any]] = {
    "portal": {"content_type": "text/html", "body": "<h1>Hotel Columbus: sign in</h1>"},
    "foreign": {"json": {"app": "router", "results": []}},
    "other-server": {"json": {"app": "uptown", "instance": "another", "epoch": "x", "results": []}},
    "broken": {"status": 503, "json": {"app": "uptown"}},
}


class Trouble:
    """A network that loses three answers, has others answer three times, or gives every answer twice."""

    def __init__(self, page: Any, name: str) -> None:
        self.page, self.name, self.left = page, name, 3
        self.asked: set[Any] = set()
        page.on("request", lambda asked: self.asked.add(asked))
        for ended in ("requestfinished", "requestfailed"):
            page.on(ended, lambda asked: self.asked.discard(asked))
        page.route("**/t/api/submissions/", self.answer)

    def hurry(self) -> None:
        """Let what the tablet waits between two tries pass at once, but never the time of an answer."""
        if not self.asked:
            self.page.clock.fast_forward(30_000)

    def answer(self, route: Any) -> None:
        self.left -= 1
        if self.name == "doubled":
            route.fetch()
            route.fulfill(response=route.fetch())
        elif self.left < 0:
            route.continue_()
        elif self.name == "lost":
            route.fetch()
            route.abort()
        else:
            route.fulfill(**INSTEAD[self.name])


@pytest.mark.parametrize("name", ["lost", "doubled", *INSTEAD])
def test_whatever_the_network_does_every_hand_arrives_once(open_tablet: Any, name: str) -> None:
    page = open_tablet(SECURE, service_workers="block", clock=True)
    trouble = Trouble(page, name)
    hand(page, 0, "3", 9)
    if name != "doubled":
        unsent(page, 1)
        assert "received" not in said(page)

    def made() -> bool:
        trouble.hurry()
        return bool(page.locator(".row-made").count())

    eventually(made, lambda: said(page))
    assert stored() == ([9], "playing", 0, {"applied"})


@pytest.mark.nightly
def test_after_half_an_hour_without_a_network_everything_arrives_once(open_tablet: Any) -> None:
    page = open_tablet(clock=True)
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    for _ in range(30):
        page.clock.fast_forward("01:00")
    hand(page, 1, "2", 7)
    unsent(page, 2)
    assert stored()[0] == [] and "received" not in said(page)
    page.context.set_offline(False)
    page.locator(".row-set").wait_for()
    assert stored() == ([9, 7], "playing", 0, {"applied"})


@pytest.mark.nightly
def test_what_cannot_be_stored_is_sent_at_once_and_without_a_network_not_recorded(
    open_tablet: Any,
) -> None:
    page = open_tablet()
    page.evaluate(
        "() => { IDBObjectStore.prototype.add = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
    )
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    page.get_by_text("Not recorded. This tablet cannot store it").wait_for()
    assert page.locator("#seat-0").is_checked() and page.locator("#books-9").is_checked()
    assert "received" not in said(page)
    look(page, "offline-not-stored")
    page.context.set_offline(False)
    # While the tablet says that there is no connection, it does not try to send what it cannot store.
    page.locator("#offline").wait_for(state="hidden")
    page.locator("#record").click()
    page.locator(".row-made").wait_for()
    assert page.locator("#not-stored").is_hidden()
    hand(page, 1, "2", 7)
    page.locator(".row-set").wait_for()
    assert (page.locator("#not-stored").is_hidden(), stored()[0]) == (True, [9, 7])


def test_a_tablet_without_any_storage_sends_from_memory_once_and_says_so(open_tablet: Any, game: Game) -> None:
    page = open_tablet(SECURE, script=NO_STORAGE, service_workers="block")
    # The answer is lost: what was tapped stays, and pressed again it is the same message.
    page.route("**/t/api/submissions/", lambda route: (route.fetch(), route.abort()), times=1)
    page.route("**/t/table/?*", lambda route: route.abort())
    hand(page, 0, "3", 9)
    page.get_by_text("Not recorded. This tablet cannot store it").wait_for()
    assert page.locator("#mode").inner_text().startswith("This tablet cannot store what you write")
    assert page.locator("#seat-0").is_checked() and page.locator("#books-9").is_checked()
    page.unroute("**/t/table/?*")
    page.locator("#record").click()
    page.locator(".row-made").wait_for()
    assert page.locator("#not-stored").is_hidden() and page.locator("#not-saved-yet").is_hidden()
    # What is not chosen to the end comes back with its fault at the question.
    page.locator("label:has(#seat-1)").click()
    # Not a second tap on the same button.
    page.wait_for_timeout(500)
    page.locator("#record").click()
    page.locator("#entry .wrong").first.wait_for()
    assert page.locator("#seat-1").is_checked()
    tap(page, "bid-2", "books-7")
    page.locator("#record").click()
    page.locator(".row-set").wait_for()
    page.locator(".call-director > summary").click()
    page.get_by_role("button", name="Exposed card").click()
    page.get_by_text("▲ Director called").first.wait_for()
    assert stored() == ([9, 7], "playing", 0, {"applied"})
    with TURN:
        assert (Submission.objects.count(), game.calls.get().kind) == (3, "exposed")


@pytest.mark.parametrize("later", [False, True])
def test_a_hand_that_the_browser_lost_is_sent_from_the_open_page(open_tablet: Any, later: bool) -> None:
    page = open_tablet()
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    page.evaluate("() => new Promise((done) => { indexedDB.deleteDatabase('uptown').onsuccess = done; })")
    if later:
        hand(page, 1, "2", 7)
        unsent(page, 2)
    page.context.set_offline(False)
    page.locator(".row-set" if later else ".row-made").wait_for(timeout=40_000)
    assert stored() == ([9, 7] if later else [9], "playing", 0, {"applied"})


PLACE = "() => { const { left, top } = document.getElementById('entry').getBoundingClientRect(); return [left, top]; }"


@pytest.mark.parametrize("size", [TABLET, TABLET_UPRIGHT, PHONE])
def test_the_form_stays_where_it_is_while_a_hand_is_on_its_way(open_tablet: Any, size: tuple[int, int]) -> None:
    page = open_tablet(size=size)
    hand(page, 1, "3", 9)
    page.locator(".row-made").wait_for()
    page.evaluate("scrollTo(0, 0)")
    routes: list[Any] = []
    page.route("**/t/api/submissions/", lambda route: routes.append(route))
    hand(page, 0, "2", 7)
    page.locator(".row-here").wait_for()
    # Well before the two seconds after which a hand that waits is told, on a slow machine too.
    page.wait_for_timeout(100)
    places = [page.evaluate(PLACE)]
    routes[0].continue_()
    page.locator(".row-set").wait_for()
    page.wait_for_timeout(300)
    places.append(page.evaluate(PLACE))
    assert places[0] == places[1]
    hand(page, 0, "2", 8)
    # Who waits for two seconds is told.
    page.get_by_text("1 hand on this tablet").wait_for()
    routes[-1].continue_()
    page.locator("#unsent").wait_for(state="hidden")


POISON = """() => new Promise((done) => {
  const ask = indexedDB.open("uptown");
  ask.onsuccess = () => {
    const change = ask.result.transaction("items", "readwrite");
    const all = change.objectStore("items").getAll();
    all.onsuccess = () => {
      const item = all.result[1];
      item.fields = { position: "two", facts: null };
      change.objectStore("items").put(item);
    };
    change.oncomplete = () => { ask.result.close(); done(); };
  };
})"""


def test_a_poisoned_item_is_set_aside_alone(open_tablet: Any, dana: User) -> None:
    page = open_tablet()
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    unsent(page, 1)
    page.locator(".call-director > summary").click()
    page.get_by_role("button", name="Exposed card").click()
    unsent(page, 2)
    hand(page, 1, "2", 7)
    unsent(page, 3)
    page.evaluate(POISON)
    # What was read before that must not be on its way any more.
    with page.expect_event("requestfailed"):
        page.evaluate("dispatchEvent(new Event('online'))")
    page.context.set_offline(False)
    page.get_by_text("With the director: 1").wait_for(timeout=40_000)
    assert stored() == ([9, 7], "playing", 0, {"applied", "parked"})


@pytest.mark.nightly
def test_a_clock_that_is_two_years_off_changes_nothing(open_tablet: Any) -> None:
    page = open_tablet(script="{ const now = Date.now; Date.now = () => now() - 2 * 365 * 86400000; }")
    hand(page, 0, "3", 9)
    page.locator(".row-made").wait_for()
    assert stored() == ([9], "playing", 0, {"applied"})


def test_a_second_tablet_takes_over_and_what_the_first_still_has_goes_to_the_desk(open_tablet: Any, game: Game) -> None:
    first = open_tablet()
    first.context.set_offline(True)
    hand(first, 0, "3", 9)
    unsent(first, 1)
    with TURN:
        device = Device.objects.get(letter="A")
    other = open_tablet(further=True)
    other.get_by_text("Tablet A is keeping score").wait_for()
    assert other.locator("#record").count() == 0
    other.get_by_role("button", name="Keep score on this tablet").click()
    other.locator("#record").wait_for()
    hand(other, 1, "2", 7)
    other.locator(".row-set").wait_for()
    first.context.set_offline(False)
    first.get_by_text("Tablet B is keeping score").wait_for(timeout=40_000)
    first.locator("summary .chip.held").wait_for()
    assert "3 made with 9" in first.inner_text("#unsent")
    with TURN:
        row = Submission.objects.get(status="parked")
        assert (row.code, row.device, row.body["facts"]["books"]) == ("not-writer", device, 9)
    assert stored()[0] == [7]


def test_a_side_that_falls_behind_without_a_network_may_bid_blind(open_tablet: Any, event: Event) -> None:
    with TURN:
        Event.objects.filter(pk=event.pk).update(sheet="spades/standard", printed=printed_by("spades/standard"))
    page = open_tablet()
    blind = page.locator("label:has([id='bid-2-blind-nil'])")
    assert blind.is_hidden()
    page.context.set_offline(True)
    bids, tricks = ("10", "1", "2", "1"), (10, 0, 3, 0)
    tap(page, *(f"bid-{seat}-{bids[seat]}" for seat in from_the_left(0, 4)))
    tap(page, *(f"tricks-{seat}-{tricks[seat]}" for seat in from_the_left(0, 4)[:-1]))
    page.locator("#record").click()
    unsent(page, 2)
    bids, tricks = ("3", "blind-nil", "3", "4"), (3, 0, 6, 4)
    order = from_the_left(1, 4)
    tap(page, *(f"bid-{seat}-{bids[seat]}" for seat in order))
    look(page, "offline-blind")
    tap(page, *(f"tricks-{seat}-{tricks[seat]}" for seat in order[:-1]))
    page.locator("#record").click()
    unsent(page, 4)
    assert "The score will show when the connection is back." in page.inner_text("#unsent")
    page.context.set_offline(False)
    page.locator(".sheet .row-scores").nth(1).wait_for(timeout=40_000)
    with TURN:
        assert [entry.facts["bids"][1] for entry in Entry.objects.order_by("position")] == ["1", "blind-nil"]
