"""Real Chromium against the live server. A page fails its test at the end if its console showed an error."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.db.transaction import Atomic
from django.http import HttpRequest, HttpResponse

from tests.halls import eventually
from tests.programs import CHROMIUM, program
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Game
from tournament.services.devices import issue_card, issue_second_card, pair_device

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Nobody looks at its screen: a tap need not wait for the next of sixty pictures a second.
    "--disable-frame-rate-limit",
    "--host-resolver-rules=MAP hall.test 127.0.0.1",
]
# A tablet in a hall is at plain http; `localhost` counts as secure, so that the page opens without a network.
HTTP, SECURE = "hall.test", "localhost"
PHONE, TABLET, TABLET_UPRIGHT, LAPTOP = (390, 844), (1180, 820), (820, 1180), (1440, 900)
# What a refused form answers, a sign-in that has ended, a question that was asked again before its answer came, and a
# network that the test cut are no faults of the page: Chromium and htmx still write a line for them.
HTMX = ("htmx:afterRequest", "htmx:sendAbort", "htmx:xhr:abort", "htmx:sendError")
EXPECTED = (
    "status of 401",
    "status of 403",
    "Status Error Code 401",
    "status of 409",
    "status of 422",
    "status of 429",
    "ERR_INTERNET_DISCONNECTED",
    *HTMX,
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser/" in item.nodeid:
            item.add_marker("browser")


@pytest.fixture(scope="session", autouse=True)
def one_request_at_a_time() -> None:
    """The test database lives in memory on one connection, which cannot hold two transactions at once."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    turn = "tests.browser.conftest.OneAtATime"
    if turn not in settings.MIDDLEWARE:
        settings.MIDDLEWARE = [turn, *settings.MIDDLEWARE]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Only for the browser: in tests of races a thread waits in the middle of its transaction for another one's."""
    with taking_turns() if item.get_closest_marker("browser") else nullcontext():
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def files_as_everywhere() -> Iterator[None]:
    """The server of the tests would hand the sources out by itself; here too the site answers with its own files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "_should_handle", lambda handler, path: False)
        yield


@pytest.fixture(scope="session")
def launch() -> Iterator[Callable[..., Any]]:
    """Starts Chromium with flags and options. One Playwright serves the whole run: two cannot share a thread."""
    path = program("REQUIRE_BROWSER", *CHROMIUM)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield lambda *flags, **options: playwright.chromium.launch(
            executable_path=path, args=[*FLAGS, *flags], **options
        )


@pytest.fixture(scope="session")
def browser(launch: Callable[..., Any]) -> Iterator[Any]:
    """Chromium, or a skip that says why; with REQUIRE_BROWSER=1 a missing browser is a failure."""
    chromium = launch()
    yield chromium
    chromium.close()


@pytest.fixture
def new_page(browser: Any, live_server: Any, transactional_db: None) -> Iterator[Callable[..., Any]]:
    """A factory of pages, each in a browser profile of its own: `new_page(PHONE, dark=True)`.

    With `trouble` in its network a page may complain, but not of what its own policy refuses.
    """
    complaints: list[str] = []
    opened = []

    def open_page(
        size: tuple[int, int] = TABLET,
        *,
        dark: bool = False,
        scripts: bool = True,
        host: str = SECURE,
        trouble: bool = False,
        **options: Any,
    ) -> Any:
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, host]
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            **{"base_url": live_server.url.replace(SECURE, host)} | options,
        )
        context.set_default_timeout(30_000)
        page = context.new_page()

        def listen(message: Any) -> None:
            if "Content Security" in message.text or (message.type == "error" and not trouble):
                complaints.append(message.text)

        page.on("console", listen)
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        # Addresses are kept in logs and histories, so the page's token does not belong there.
        page.on("request", lambda asked: complaints.append(asked.url) if "csrf" in asked.url else None)
        opened.append(context)
        return page

    yield open_page
    for context in opened:
        context.close()
    answered()
    assert [text for text in complaints if not any(expected in text for expected in EXPECTED)] == []


def answered() -> None:
    """What the pages still asked for is answered before the database is emptied: their connections have ended."""
    for _ in range(10):
        time.sleep(0.005)
        if not any("process_request" in thread.name for thread in threading.enumerate()):
            break
    with TURN:
        pass


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    return new_page(TABLET)


@pytest.fixture
def table_page(new_page: Any, live_server: Any, dana: User, event: Event) -> Callable[..., Any]:
    """Opens the tablet of table 1 and waits until its scripts are there: `table_page(PHONE, dark=True)`.

    `of` is another event than the Columbus Open, `script` runs before those of the page; a `further` tablet is not the
    first one at its table, and the time of a `clock` is moved by the test.
    """

    def open_page(
        size: tuple[int, int] = TABLET,
        *,
        of: Event | None = None,
        script: str = "",
        host: str = SECURE,
        further: bool = False,
        clock: bool = False,
        **options: Any,
    ) -> Any:
        page = new_page(size, host=host, **options)
        if script:
            page.add_init_script(script)
        if clock:
            page.clock.install()
        with TURN:
            token = pair_device(Actor(), (issue_second_card if further else issue_card)(Actor(dana), of or event, 1))
        address = live_server.url.replace(SECURE, host)
        page.context.add_cookies([{"name": TABLE_COOKIE, "value": token, "url": address}])
        page.goto("/t/table/")
        page.locator("body[data-mode]").wait_for()
        return page

    return open_page


@pytest.fixture
def seated(table_page: Callable[..., Any], game: Game) -> Any:
    """A tablet bound to table 1, everybody seated, its scripts there and the entry form open."""
    from tests.browser.test_tablet import sit_down

    sit_down(game)
    return table_page()


def look(page: Any, name: str) -> None:
    """Keep a picture where UPTOWN_PICTURES says, for people to look at."""
    folder = os.environ.get("UPTOWN_PICTURES")
    if folder:
        # Hiding the caret would need an inline style, which the page rightly forbids.
        page.screenshot(path=f"{folder}/{name}.png", caret="initial")


def tap(page: Any, *choices: str) -> None:
    """Choose answers of a hand's form by their ids; what was bid is locked before tricks are asked for."""
    for choice in choices:
        if choice.startswith("tricks-"):
            press_play(page)
        page.locator(f"label:has([id='{choice}'])").click()


def press_play(page: Any) -> None:
    """Lock the bids where the form asks for that: all are in, and no other tablet has locked them."""
    play = page.locator(".contract.open .primary[form=lock]")
    if play.count():
        play.click()
        page.locator(".contract.open").wait_for(state="detached")


class Counted:
    """Somebody at a page, whose taps and keys are counted; Shift is a key of its own."""

    def __init__(self, page: Any) -> None:
        self.page, self.taps, self.keys = page, 0, 0

    def tap(self, target: Any) -> None:
        (self.page.locator(target).first if isinstance(target, str) else target).click()
        self.taps += 1

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1 + key.startswith("Shift+")

    def record(self, seat: int, bid: str, books: int, tablet: Any = None) -> None:
        """A hand by taps, until the tablet, or a frame with one, has the server's next page."""
        tablet = tablet or self.page

        def state() -> str:
            return str(tablet.locator("#table-state").get_attribute("data-state"))

        for choice in (f"seat-{seat}", f"bid-{bid}", f"books-{books}"):
            self.tap(tablet.locator(f"label:has(#{choice})"))
        tablet.locator("#effect strong").wait_for()
        before = state()
        self.tap(tablet.locator("#record"))
        eventually(lambda: state() != before, state)


# One transaction after another, for a test database that is a single connection.
# The thread that has it may take it again: a service within a test's own turn.
TURN = threading.RLock()
_taken = threading.Event()


class OneAtATime:
    """Outermost middleware of the browser tests; to the others it is nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with TURN if _taken.is_set() else nullcontext():
            return self.get_response(request)


@contextmanager
def taking_turns() -> Iterator[None]:
    """Requests go one after another, and what the test itself writes is not written into one of them."""
    enter, leave = Atomic.__enter__, Atomic.__exit__

    def begin(atomic: Atomic) -> None:
        TURN.acquire()
        try:
            enter(atomic)
        except BaseException:
            TURN.release()
            raise

    def end(atomic: Atomic, *raised: Any) -> None:
        try:
            leave(atomic, *raised)
        finally:
            TURN.release()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Atomic, "__enter__", begin)
        patch.setattr(Atomic, "__exit__", end)
        _taken.set()
        try:
            yield
        finally:
            _taken.clear()


# What a tablet keeps in its browser, asked from a test.
# Whether the page knows the hands to come: it asks for them later, and without a network they are all there is.
KNOWS_AHEAD = """(done) => {
  const ask = indexedDB.open("uptown");
  ask.onerror = () => done(true);
  ask.onsuccess = () => {
    const db = ask.result;
    const answer = (known) => { db.close(); done(known); };
    if (!db.objectStoreNames.contains("facts")) return answer(false);
    const now = JSON.parse(document.getElementById("table-state")?.dataset.state ?? "null");
    const got = db.transaction("facts").objectStore("facts").get(`${now?.instance}/${now?.event} ahead`);
    got.onsuccess = () => answer(got.result !== undefined && got.result.key === now?.coming);
    got.onerror = () => answer(false);
  };
}"""
