"""Every state of the tablet's page: nobody is shut out (axe, serious findings) in light, dark and strong contrast,
targets are big enough and apart, nothing runs out of the page, and “Record” stays in sight when it is enlarged."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import PHONE, TABLET, TABLET_UPRIGHT, look
from tests.browser.test_looks import AXE, FINDINGS, STICKS_OUT
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tests.factories import MADE_FIVE, play
from tournament.access import Actor
from tournament.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Signature
from tournament.services.devices import issue_card, issue_second_card, pair_device
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
                self.faults += [f"{name}, {width} px: {one}" for one in page.evaluate(TARGETS)]
            look(page, f"state-{name}-{width}")
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")


@pytest.fixture
def audit() -> Any:
    made = Audit()
    yield made
    assert "\n".join(made.faults) == ""


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
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game, audit: Audit
) -> None:
    sit_down(game)
    page = new_page(TABLET, service_workers="block")
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    page.locator("#mode:not([hidden])").wait_for()
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
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game, audit: Audit
) -> None:
    sit_down(game)
    play(dana, game, MADE_FIVE, sign=False)
    page = new_page(TABLET, service_workers="block")
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    page.locator("#mode:not([hidden])").wait_for()
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
def test_at_200_percent_record_stays_in_sight(
    new_page: Any, live_server: Any, dana: User, event: Event, game: Game, size: tuple[int, int], how: str
) -> None:
    """The whole page enlarged (the browser's zoom), or its letters alone."""
    sit_down(game)
    half = (size[0] // 2, size[1] // 2)
    page = new_page(half, device_scale_factor=2) if how == "page" else new_page(size)
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
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
