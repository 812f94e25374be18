"""By keyboard alone at the desk, with letters twice as big everywhere, and from ten meters away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.test_desk import at_desk, hall, opened
from tests.browser.test_looks import AXE, STICKS_OUT, game_at, unfair
from tests.browser.test_looks import hall as evening
from tests.browser.test_tablet import FOCUS
from tests.factories import make_event, make_round, make_teams
from tests.tournament.results.evenings import played_round, win
from tournament.models import Event, Side

FIXTURES = (evening, hall, opened)
# Words that lie on other words, and what has no room in a box that hides the rest.
CLASH = """() => {
  const boxes = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let text; (text = walk.nextNode()); ) {
    const inside = text.parentElement, end = inside.closest(".wrap")?.getBoundingClientRect().bottom ?? Infinity;
    if (!text.data.trim() || !inside.checkVisibility() || inside.closest(".hidden-text, option, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) if (box.bottom < end + 3) boxes.push([text.data.trim(), box, inside]);
  }
  const over = boxes.flatMap(([a, one, inside], at) => boxes.slice(at + 1).filter(([, two, other]) => inside !== other
    && Math.min(one.right, two.right) - Math.max(one.left, two.left) > 3
    && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > Math.min(one.height, two.height) / 2)
    .map(([b]) => `${a} on ${b}`));
  const cut = [...document.querySelectorAll("main *")].filter((one) => one.scrollWidth > one.clientWidth + 1
    && !one.matches(".hidden-text") && getComputedStyle(one).overflowX === "hidden"
    && getComputedStyle(one).textOverflow !== "ellipsis");
  return [...over, ...cut.map((one) => `cut: ${one.className}`)];
}"""
DESK = ("", "teams/", "money/", "papers/", "standings/", "playoffs/", "games/{game}/", "games/{game}/sheet/", "setup/")
PHONES = ("", "schedule/", "teams/1/", "teams/", "rules/", "games/{game}/", "cross-table/")
AT_DESK, ON_PHONES = [f"/desk/{{slug}}/{page}" for page in DESK], ["/", *(f"/e/{{slug}}/{page}" for page in PHONES)]


@pytest.fixture(scope="module")
def browser(launch: Any) -> Iterator[Any]:
    """Chromium of somebody who has set letters twice as big."""
    chromium = launch("--blink-settings=defaultFontSize=32")
    yield chromium
    chromium.close()


def test_the_focus_is_on_what_comes_next_at_the_desk(opened: Any) -> None:
    Side.objects.update(seated_at=None)
    page, unfit = opened(), []
    page.add_init_script(path=AXE)

    def after(what: str, *keys: str) -> str:
        """What has the focus on the page that follows, which shuts nobody out."""
        if what:
            page.locator(f":is(main button, main a, summary):has-text('{what}')").first.focus()
        for key in keys[:-1]:
            page.keyboard.press(key)
        with page.expect_navigation():
            page.keyboard.press(keys[-1])
        unfit.extend(unfair(page, "dark", LAPTOP) + unfair(page, "light", LAPTOP))
        return str(page.evaluate(FOCUS))

    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Table 1", exact=True).wait_for()
    page.wait_for_load_state()
    focused = [
        after("", "Shift+B"),
        after("", "a", "3", "9", "Enter"),
        after("", "a", "3", "Enter"),
        after("Undo the last line", "Enter", "Tab", "Enter"),
        after("A void hand", "Enter", "Tab", "Tab", "Enter"),
        after("", "a", "7", "1", "3", "Enter"),
        after("Both signed on paper", "Enter"),
    ]
    after("Type this sheet again", "Enter")
    focused.append(after("Show what this changes", "Enter"))
    page.locator("[name$=bid]").first.select_option("4")
    page.locator("#sheet-reason").fill("Misread")
    focused.append(after("Show what this changes", "Enter"))
    assert (focused[:5], unfit) == (["seat-0", "seat-0", "books-0", "seat-0", "seat-0"], [])
    refused = "A correction needs a reason: it is shown to both sides."
    assert focused[5:] == ["Both signed on paper", "Next open table: 2", refused, "What this changes"]


@pytest.mark.parametrize(("size", "pages"), [(LAPTOP, AT_DESK), (PHONE, ON_PHONES)], ids=["desk", "phone"])
def test_letters_twice_as_big(
    new_page: Any, dana: User, evening: Event, size: tuple[int, int], pages: list[str]
) -> None:
    page, wrong = at_desk(new_page, dana, size), {}
    for path in pages:
        page.goto(path.format(slug=evening.slug, game=game_at(evening, 1, 2).pk))
        wrong[path] = (page.evaluate(STICKS_OUT), page.evaluate(CLASH))
    assert wrong == dict.fromkeys(pages, (0, []))


# The type of names, whether every head is big enough, and the columns that say nothing.
WALL = """(table) => {
  const px = (one) => Math.round(parseFloat(getComputedStyle(one).fontSize));
  const heads = [...table.tHead.rows[0].cells], rows = [...table.tBodies[0].rows];
  const empty = heads.filter(({ cellIndex }) => !rows.some(({ cells }) => cells[cellIndex].innerText.trim()));
  return [px(table.querySelector("td.name > span")), heads.every((head) => px(head) >= 36), empty.length];
}"""


# Where many sit, a slide tells everybody by name where.
@pytest.mark.parametrize(("teams", "pixels", "is_found"), [(2, 80, False), (8, 43, False), (10, 43, True)])
def test_few_lines_are_read_from_far_away(new_page: Any, dana: User, teams: int, pixels: int, is_found: bool) -> None:
    event = make_event(director=dana, rounds_planned=2, cut=2)
    pairs = [(number, number + teams // 2) for number in range(1, teams // 2 + 1)]
    entered = make_teams(event, teams)
    played_round(event, [(*pair, win(0)) for pair in pairs])
    make_round(event, [(entered[first - 1], entered[second - 1]) for first, second in pairs], 2)
    page = new_page((1920, 1080))
    page.goto(f"/e/{event.slug}/board/")
    assert page.locator(".boardtable").first.evaluate(WALL) == [pixels, True, 0]
    assert page.locator(".boardfind li span").all_text_contents() == sorted(team.name for team in entered if is_found)


def test_a_page_is_shared_by_its_link(new_page: Any, hall: Event) -> None:
    page = new_page(PHONE, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"/e/{hall.slug}/schedule/?round=1")
    page.locator("#share").click()
    page.get_by_role("button", name="Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == page.url.partition("?")[0]


def test_the_line_through_a_tie_at_the_cut_is_dashed(new_page: Any, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, cut=3)
    make_teams(event, 4)
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    page, dashed = new_page(PHONE), []
    for width in (390, 1920):
        page.set_viewport_size({"width": width, "height": 1080})
        page.goto(f"/e/{event.slug}/")
        dashed += page.evaluate("""() => [...new Set([...document.querySelectorAll("tr.at-cut, tr.at-cut td")]
            .filter((one) => getComputedStyle(one).borderBottomStyle === "dashed").map((one) => one.localName))]""")
    assert dashed == ["tr", "td"]
    page.goto(f"/e/{event.slug}/board/")
    assert page.locator(".boardtable .chip").all_inner_texts() == ["In", "In", "2 teams for 1 place", "Tied", "Tied"]
