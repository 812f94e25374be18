"""`manage.py demo` as a stranger meets it: each door in one press, and the hall in one window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import EXPECTED, LAPTOP, PHONE, look
from tests.halls import ROOT, eventually
from tests.programs import own_port
from tests.tournament.demo.evenings import Demo, prepare

# From the demo's home to a recorded hand, the door included.
MOST_PRESSES = 6
NARROW_LAPTOP = (1024, 768)
# Of the small evening.
TABLES = 6


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A demo of its own, running; its address."""
    folder = tmp_path_factory.mktemp("demo")
    known = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
    port = own_port("0.0.0.0")
    said = folder / "said"
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(port)],
            cwd=ROOT,
            env=known | {"UPTOWN_DATA": str(folder)},
            stdout=out,
            stderr=out,
            start_new_session=True,
        )
    url = f"http://localhost:{port}"

    def answers() -> bool:
        assert process.poll() is None, said.read_text()
        try:
            with urllib.request.urlopen(f"{url}/", timeout=20) as page:
                return page.status == 200
        except OSError:
            return False

    eventually(answers, lambda: said.read_text())
    assert said.read_text().splitlines()[0].startswith(f"Open {url}/")
    yield url
    os.killpg(process.pid, signal.SIGTERM)
    process.wait()


@pytest.fixture
def visit(browser: Any, demo: str) -> Iterator[Callable[..., Any]]:
    """Opens the demo's home in a browser of its own, and counts what a visitor presses there."""
    opened, complaints = [], []

    def open_home(size: tuple[int, int] = LAPTOP) -> Visitor:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, base_url=demo)
        context.set_default_timeout(60_000)
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto("/")
        return Visitor(page)

    yield open_home
    for context in opened:
        context.close()
    assert [text for text in complaints if not any(known in text for known in EXPECTED)] == []


@pytest.fixture
def small_demo(tmp_path: Path) -> Iterator[Demo]:
    """A demo of 12 teams whose other tables do not wait between two hands."""
    demo = Demo(prepare(tmp_path / "demo"))
    yield demo
    demo.server.kill()
    assert demo.server.errors() == []


class Visitor:
    """Somebody who sees the site for the first time, with one finger."""

    def __init__(self, page: Any) -> None:
        self.page, self.presses = page, 0

    def press(self, where: Any) -> None:
        where.click()
        self.presses += 1

    def record(self, tablet: Any, seat: int, bid: str, books: int) -> None:
        """A hand on the tablet, until it stands on the sheet."""
        lines = tablet.locator(".sheet .row-scores")
        before = lines.count()
        for choice in (f"seat-{seat}", f"bid-{bid}", f"books-{books}"):
            self.press(tablet.locator(f"label:has(#{choice})"))
        self.press(tablet.locator("#record"))
        lines.nth(before).wait_for()

    def sign(self, tablet: Any) -> None:
        """Both sides sign."""
        for _ in range(2):
            button = tablet.locator("form.choices button").first
            name = button.get_attribute("value")
            self.press(button)
            tablet.locator(f'form.choices button[value="{name}"]').wait_for(state="detached")


def board_words(page: Any) -> str:
    """Everything on the projector but its clock."""
    return " ".join(
        page.locator("#board").evaluate(
            "(board) => [...board.querySelectorAll('[data-slide]')].map((one) => one.textContent)"
        )
    )


def test_each_door_opens_at_one_press(visit: Callable[..., Any]) -> None:
    desk = visit().page
    look(desk, "demo-home")
    desk.get_by_role("button", name="Open the desk as Dana").click()
    desk.get_by_text("Game 4 of 6").wait_for()
    public = visit(PHONE).page
    public.get_by_role("link", name="Open the public page").click()
    public.locator("#schedule").wait_for()
    first, second = visit(), visit()
    for visitor in (first, second):
        visitor.press(visitor.page.get_by_role("button", name="Open the tablet"))
        visitor.page.locator("#table").wait_for()
    # Whoever comes second looks on, and takes over if they like; nobody is turned out.
    first.record(first.page, 1, "1", 7)
    assert first.presses <= MOST_PRESSES
    second.press(second.page.get_by_role("button", name="Keep score on this tablet"))
    second.record(second.page, 1, "1", 7)
    assert second.presses <= MOST_PRESSES
    first.page.get_by_role("button", name="Keep score on this tablet").wait_for()


@pytest.mark.nightly
def test_the_hall_follows_a_hand_and_a_signed_game(visit: Callable[..., Any]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.press(page.get_by_role("button", name="Open the hall"))
    desk, tablet, phone, board = (page.frame_locator(f'iframe[title="{name}"]') for name in NAMES)
    phone.locator("#team").wait_for()
    board.locator("#board").wait_for()
    shown = phone.locator("#team").inner_text(), board_words(board)
    tablet.locator("#entry, .takeover").first.wait_for()
    take_over = tablet.get_by_role("button", name="Keep score on this tablet")
    if take_over.count():
        # Somebody sat there before.
        visitor.press(take_over)
    visitor.record(tablet, 1, "2", 8)
    assert visitor.presses <= MOST_PRESSES
    hands = tablet.locator(".sheet .row-scores").count()
    page.locator("#feed li", has_text="Table 6: ").filter(has_text="2 made with 8 books").wait_for()
    table = desk.locator(".table-card", has=desk.get_by_role("link", name="Table 6"))
    table.filter(has_text=f"Hand {hands + 1} ").wait_for()
    with page.expect_response(lambda answer: "/teams/" in answer.url), page.expect_response(is_board):
        pass
    look(page, "demo-hall")
    assert (phone.locator("#team").inner_text(), board_words(board)) == shown
    visitor.record(tablet, 0, "4", 11)
    visitor.sign(tablet)
    page.locator("#feed li", has_text="Signed by both: Trump Tight won").wait_for()
    phone.locator("#team", has_text="Won").wait_for()
    phone.locator(".mygames .winner", has_text="Game 4").wait_for()
    eventually(lambda: board_words(board) != shown[1], lambda: shown[1])


@pytest.mark.nightly
def test_the_other_tables_play_a_round_and_stop_and_then_the_evening_to_its_champion(
    browser: Any, small_demo: Demo
) -> None:
    context = browser.new_context(viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, base_url=small_demo.address)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Open the hall").click()
    plays, said = page.locator("#play-press"), page.locator("#play [role=status]")
    plays.filter(has_text="Let the other tables play").click()
    said.filter(has_text="waits for you: look at the desk.").wait_for()
    finals = "SELECT count(*) FROM tournament_game WHERE state = 'final'"
    # All but the visitor's own table, and the one whose call waits for the director.
    (played,) = small_demo.rows(finals)
    assert TABLES - 2 <= played < TABLES
    plays.filter(has_text="Stop").click()
    plays.filter(has_text="Let the other tables play").wait_for()
    page.frame_locator('iframe[title="Desk"]').get_by_text(f"{played} of {TABLES} final").wait_for()
    assert small_demo.rows(finals) == [played]
    plays.click()
    page.get_by_role("button", name="Direct for me, too").click()
    said.filter(has_text="won.").wait_for()
    assert small_demo.rows("SELECT stage FROM tournament_event") == ["over"]
    page.frame_locator('iframe[title="Projector"]').get_by_text("Champion").first.wait_for()
    look(page, "demo-hall-over")
    context.close()


NAMES = ("Desk", "Tablet of table 6", "A player’s phone", "Projector")


def is_board(answer: Any) -> bool:
    return "/board/" in answer.url


@pytest.mark.nightly
@pytest.mark.parametrize("size", [NARROW_LAPTOP, PHONE])
def test_the_hall_fits_the_window(visit: Callable[..., Any], size: tuple[int, int]) -> None:
    page = visit(size).page
    page.get_by_role("button", name="Open the hall").click()
    if size == PHONE:
        page.get_by_text("page by page").wait_for()
        assert page.locator("iframe[src]").count() == 0
    else:
        page.frame_locator('iframe[title="Tablet of table 6"]').locator("#table").wait_for()
        widths = page.locator("iframe").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
        assert all(300 < width <= 1024 for width in widths)
    look(page, f"demo-hall-{size[0]}")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="open alone").nth(3).click()
    opened.value.locator("#team").wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize("size", [LAPTOP, (1366, 768), (1920, 1080)])
def test_events_stand_below_the_doors(visit: Callable[..., Any], size: tuple[int, int]) -> None:
    page = visit(size).page
    look(page, f"demo-home-{size[0]}")
    edges = [
        [round(box["x"]) for one in page.locator(what).all() if (box := one.bounding_box())]
        for what in (".door", ".event-card")
    ]
    assert edges[0] == edges[1] and len(edges[0]) == 3


@pytest.mark.nightly
def test_no_door_stands_alone_in_its_row_on_a_tablet(visit: Callable[..., Any]) -> None:
    page = visit((820, 1180)).page
    look(page, "demo-home-820")
    assert len({round(door.bounding_box()["width"]) for door in page.locator(".door").all()}) == 1
    right = [round(one["x"] + one["width"]) for one in (door.bounding_box() for door in page.locator(".door").all())]
    assert right == [820 - 28] * 3
