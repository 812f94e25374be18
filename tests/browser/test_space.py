"""The desk on a small laptop: 25 teams, scroll bars that take room, every badge. It fits, and nothing is covered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import LAPTOP, PHONE, TABLET, TABLET_UPRIGHT, TURN, look
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import AXE, EVENT_PAGES, FINDINGS, STICKS_OUT, widen
from tests.browser.test_tablet import bind, sit_down
from tests.factories import make_event, make_round, make_teams, play
from tests.halls import eventually
from tournament.access import Actor
from tournament.models import Device, Event, Game, Submission
from tournament.services.draws import draw_rounds
from tournament.services.rounds import begin_from_paper, start_round
from tournament.serving.certificates import hall_certificates

pytestmark = pytest.mark.nightly

SMALL = (1366, 768)
OVER = """() => [document.documentElement, document.querySelector(".tabs")]
    .map(one => one.scrollWidth - one.clientWidth)"""
# What lies on top of the middle of each answer of a form, where it is none of it.
COVERED = """() => [...document.querySelectorAll(".entry .ask:not([hidden]) .pick")].filter(one => one.offsetParent)
    .map(one => { one.scrollIntoView({block: "nearest"}); const box = one.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return one.contains(top) ? "" : one.innerText; }).filter(Boolean)"""


@pytest.fixture(scope="module")
def browser(launch: Callable[..., Any]) -> Iterator[Any]:
    """Chromium with scroll bars that take room, as on Windows."""
    chromium = launch(ignore_default_args=["--hide-scrollbars"])
    yield chromium
    chromium.close()


@pytest.fixture
def opened(new_page: Any, dana: User) -> Callable[..., Any]:
    """Opens a page for Dana in a hall of 25 teams, game 1 in play, a pot, and a case between tablets."""
    event = make_event(director=dana, pot_cents=1000, fee_cents=2500)
    make_teams(event, 25)
    draw_rounds(Actor(dana), event, seed=1)
    start_round(Actor(dana), event, 1)
    device = Device.objects.create(event=event, table=1, token_hash="x")
    game = Game.objects.get(round__event=event, round__number=1, table=1)
    begin_from_paper(Actor(dana), game, 0)
    body = {"position": 3, "rule": "16"}
    Submission.objects.create(
        uid="7f7c3f8e-6c5e-4b5e-9a43-0d8c5a6f1b11", digest="x", event=event, device=device, game=game, kind="void",
        body=body, status="parked", code="gap",
    )  # fmt: skip

    def open_page(address: str, size: tuple[int, int] = SMALL) -> Any:
        page = at_desk(new_page, dana, size)
        page.goto(address)
        return page

    return open_page


def test_every_page_of_the_desk_and_its_tabs_fit_a_small_laptop(opened: Any) -> None:
    page, over = opened("/"), {}
    for path in EVENT_PAGES:
        if path.startswith("/desk/"):
            page.goto(path.format(slug="columbus-open"))
            look(page, f"small{path.replace('/', '-')}")
            over[path] = page.evaluate(OVER)
    assert over == {path: [0, 0] for path in over}


def test_twenty_five_teams_stand_on_a_screen_and_a_half(opened: Any) -> None:
    page = opened("/desk/columbus-open/teams/")
    last = page.locator("#teams tbody tr").last.bounding_box()
    # With the search above them.
    assert last["y"] + last["height"] <= 768 * 1.5 + 50


def test_the_record_button_covers_no_answer(opened: Any) -> None:
    game = Game.objects.get(round__number=1, table=1)
    page = opened(f"/desk/columbus-open/games/{game.pk}/")
    covered = []
    for answer in ("#seat-0", "#bid-3-no", "#books-9"):
        covered += page.evaluate(COVERED)
        page.locator(f"label:has({answer})").click()
    assert covered == []


def test_the_tab_that_one_is_on_is_in_view_on_a_phone(opened: Any) -> None:
    page = opened("/desk/columbus-open/setup/", PHONE)
    eventually(lambda: page.evaluate("document.querySelector('.tabs').scrollLeft > 0"), lambda: "still at its start")
    box = page.locator(".tabs [aria-current]").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390


def test_fields_and_ties_look_the_same_in_every_engine(opened: Any) -> None:
    page = opened("/desk/columbus-open/setup/options/")
    styles = page.evaluate("""() => {
        const muted = document.createElement("p"); muted.className = "muted"; document.body.append(muted);
        const of = (html, name, part) => { const box = document.createElement("div"); box.className = "field";
            box.innerHTML = html; document.body.append(box); return getComputedStyle(box.firstChild, part)[name]; };
        const grey = getComputedStyle(muted).color;
        return [of("<select><option>x</select>", "textOverflow"), of("<input type=number>", "appearance"),
            of("<select disabled><option>x</select>", "color") === grey,
            of("<input placeholder=x>", "color", "::placeholder") === grey,
            of("<input placeholder=x>", "opacity", "::placeholder")]; }""")
    assert styles == ["ellipsis", "textfield", True, True, "1"]


def test_rounds_are_switched_above_the_tables(opened: Any) -> None:
    page = opened("/desk/columbus-open/")
    rounds, tables = (page.locator(text).bounding_box() for text in ("nav.rounds", ".tables"))
    assert rounds["y"] + rounds["height"] <= tables["y"] < 768


def test_a_reason_is_typed_where_it_looks_like_a_field(opened: Any) -> None:
    page = opened("/desk/columbus-open/tablets/parked/")
    reason = page.locator(".decide [name=reason]")
    styles = reason.evaluate("(one) => [getComputedStyle(one).borderRadius, getComputedStyle(one).borderTopStyle]")
    assert styles == ["10px", "solid"] and reason.bounding_box()["height"] >= 40


def test_cards_of_the_rules_page_stand_whole_in_rows(opened: Any) -> None:
    page = opened("/e/columbus-open/rules/", (1180, 820))
    boxes = page.locator(".rulebook > .card:not(.rulings)").evaluate_all(
        "(all) => all.map((one) => [one.getClientRects().length, one.getBoundingClientRect().top])"
    )
    assert len(boxes) > 3 and {parts for parts, _ in boxes} == {1}
    # Three beside each other, then the next three, all of them in order.
    tops = [round(top) for _, top in boxes]
    assert tops == sorted(tops) and len(set(tops)) == -(-len(tops) // 3)


def test_heads_to_sort_by_and_rounds_are_not_cut_on_a_phone(opened: Any) -> None:
    page = opened("/e/columbus-open/", PHONE)
    head = page.locator(".list thead tr")
    # They are one line, which is pushed sideways.
    assert head.evaluate("one => getComputedStyle(one).overflowX") == "auto"
    # Six rounds and their tables.
    page.goto("/desk/columbus-open/")
    assert page.evaluate(OVER)[0] == 0


def test_heads_end_where_their_numbers_do(opened: Any) -> None:
    page = opened("/desk/columbus-open/standings/")
    ends = page.evaluate("""() => { const end = (box) => { const words = document.createRange();
            words.selectNodeContents(box); return Math.round(words.getBoundingClientRect().right); };
        const row = document.querySelector(".list tbody tr").cells;
        // A cell may be empty.
        return [...document.querySelectorAll(".list thead th.num")].map((head) =>
            [end(head.querySelector("a").firstChild), end(row[head.cellIndex])]); }""")
    assert len(ends) > 2 and [end for end in ends if end[1] and abs(end[0] - end[1]) > 1] == []


def test_what_was_before_and_after_has_room_in_the_log(opened: Any) -> None:
    page = opened("/desk/columbus-open/log/")
    facts = page.locator(".log :is(td.before, td.after):not(:empty)")
    assert facts.count() > 3
    assert min(facts.evaluate_all("(all) => all.map((one) => one.clientWidth)")) > 200


def test_nothing_of_the_bar_drops_to_a_row_of_its_own_at_125_percent(opened: Any) -> None:
    page = opened("/desk/columbus-open/", (1093, 614))
    ways = page.locator(".bar > .btn.link, .bar > form .btn.link, .bar > a.link")
    assert len({round(box["y"]) for box in (way.bounding_box() for way in ways.all())}) == 1


@pytest.mark.parametrize("size", [PHONE, (820, 1180), SMALL])
def test_the_cards_of_a_row_end_alike(opened: Any, dana: User, size: tuple[int, int]) -> None:
    make_event("An Evening with a Name That Takes Two Lines in Every Window", director=dana)
    page = opened("/", size)
    look(page, f"home-{size[0]}")
    cards = page.locator(".event-card")
    feet = [
        round(card.bounding_box()["y"] + card.bounding_box()["height"] - foot["y"] - foot["height"])
        for card in cards.all()
        if (foot := card.locator(".btn").bounding_box())
    ]
    assert len(feet) == 2 and len(set(feet)) == 1


def test_sixty_teams_can_be_read_on_their_cards(new_page: Any, dana: User, event: Event) -> None:
    make_teams(event, 60, ["The Northside Night Owls"] + [f"Northside Night Owls {number}" for number in range(59)])
    draw_rounds(Actor(dana), event, seed=1)
    start_round(Actor(dana), event, 1)
    page = at_desk(new_page, dana, SMALL)
    page.goto(f"/desk/{event.slug}/")
    look(page, "sixty-to-seat")
    cut = "(names) => names.filter((one) => one.scrollHeight > one.clientHeight + 2).length"
    assert page.locator(".side-line:has(.switch) .wrap").evaluate_all(cut) == 0


def test_what_safari_and_strong_system_colors_need_is_there(new_page: Any, dana: User) -> None:
    """A field under 16 px makes an iPhone zoom in; Safari knows no `underline dotted` in one word; where the system
    picks the colors, a button to press first looks unlike one that is off."""
    page = new_page(PHONE, forced_colors="active")
    page.goto("/")
    styles = page.evaluate("""() => {
        const of = (html, find) => { const box = document.createElement("div"); box.innerHTML = html;
            document.body.append(box); return getComputedStyle(box.querySelector(find)); };
        const tie = of("<details class=tie><summary>tied: why</summary></details>", "summary");
        const [first, off] = ["primary", "primary' disabled='"].map((one) =>
            of(`<button class='btn ${one}'>x</button>`, "button"));
        return [parseFloat(of("<form class=setup><textarea></textarea></form>", "textarea").fontSize) >= 16,
            tie.textDecorationLine, tie.textDecorationStyle, first.borderTopWidth, first.borderTopStyle,
            off.borderTopStyle]; }""")
    assert styles == [True, "underline", "dotted", "3px", "solid", "dashed"]


# Names of forty wide letters without a space on the tablet: nothing runs out of the page, and no number is broken.
# Ten hands of which nobody wins the game, and the one that ends it.
HANDS = [{"entry": "hand", "seat": number % 4, "bid": "3", "books": 9 - number // 2 % 2} for number in range(10)]
LAST = {"entry": "hand", "seat": 0, "bid": "7", "books": 13}
# How many lines of text a cell has: two would be a number in two pieces.
LINES = """(cells) => cells.map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""


@pytest.fixture
def wide(dana: User) -> Game:
    """A game in play between two teams with the widest names; ten hands are written."""
    event = make_event(director=dana, sheet="bid_whist/standard")
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    widen(event)
    sit_down(game)
    return play(dana, game, *HANDS, sign=False)


@pytest.mark.parametrize("size", [PHONE, TABLET_UPRIGHT, TABLET])
def test_forty_wide_letters_stay_in_the_page(
    new_page: Any, live_server: Any, dana: User, wide: Game, size: tuple[int, int]
) -> None:
    page = new_page(size)
    bind(page, live_server, dana, wide.round.event)
    page.goto("/t/table/")
    page.locator("#entry").wait_for()
    look(page, f"wide-{size[0]}")
    assert page.evaluate(STICKS_OUT) == 0
    numbers = page.locator(".sheet .row-scores td:first-child")
    assert numbers.evaluate_all(LINES) == [1] * len(HANDS)
    assert set(page.locator(".sheet-points").evaluate_all(LINES)) == {1}
    if size == PHONE:
        # The heads do not take the width that the name of the bidder needs.
        assert page.locator(".sheet td.grid").first.bounding_box()["width"] > 110
    with TURN:
        play(dana, wide, LAST, sign=False)
    page.goto("/t/table/")
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    assert page.evaluate(STICKS_OUT) == 0


@pytest.fixture
def boston(dana: User) -> Event:
    """A round that is final, with a Boston: the names are in sentences, lists and keys of drawings."""
    event = make_event(director=dana, pot_cents=1000)
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    widen(event)
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "7", "books": 13})
    return event


@pytest.mark.parametrize("size", [PHONE, TABLET_UPRIGHT, SMALL, LAPTOP])
def test_forty_wide_letters_in_sentences_make_no_page_wider(
    new_page: Any, dana: User, boston: Event, size: tuple[int, int]
) -> None:
    page = at_desk(new_page, dana, size)
    wider = {}
    for path in EVENT_PAGES:
        page.goto(path.format(slug=boston.slug))
        look(page, f"wide-{size[0]}{path.replace('/', '-')}")
        inside = page.locator(".table-card, .key li, .desk-side .card").evaluate_all(
            "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"
        )
        wider[path] = (page.evaluate(STICKS_OUT), inside)
    assert wider == dict.fromkeys(wider, (0, 0))


def test_a_tall_window_leaves_no_hole_between_sheet_and_signatures(table_page: Any, dana: User, game: Game) -> None:
    sit_down(game)
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}, sign=False)
    page = table_page(TABLET_UPRIGHT)
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    sheet, below = (element.bounding_box() for element in page.locator(".table-grid > *").all()[:2])
    assert 0 <= below["y"] - sheet["y"] - sheet["height"] <= 20


# The page of trust on devices as they are held: nothing sticks out, big targets, nothing serious for axe.
@pytest.fixture
def trusted(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    settings.HALL_SITE, settings.HALL_TRUST = "https://192.168.1.20:8000/", "http://192.168.1.20:8001/trust/"
    hall_certificates(tmp_path / "certificates", ["192.168.1.20"], "Uptown at laptop", timezone.now())


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [PHONE, TABLET, TABLET_UPRIGHT])
def test_the_page_of_trust_fits_and_is_read_by_everybody(new_page: Any, size: tuple[int, int], dark: bool) -> None:
    page = new_page(size, dark=dark, bypass_csp=True)
    page.goto("/trust/")
    for summary in page.locator("summary").all():
        assert summary.bounding_box()["height"] >= 56
    page.get_by_text("iPad, iPhone").click()
    look(page, f"trust-{size[0]}{'-dark' if dark else ''}")
    for name in ("Android", "Windows", "Mac"):
        page.locator("summary", has_text=name).last.click()
    assert page.evaluate(STICKS_OUT) <= 0
    page.add_script_tag(path=AXE)
    assert page.evaluate(FINDINGS) == []


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_the_desk_shows_the_picture_to_scan(new_page: Any, size: tuple[int, int], event: Event, dana: User) -> None:
    with TURN:
        make_round(event, [tuple(make_teams(event, 2))])
    page = at_desk(new_page, dana, size)
    page.goto(f"/desk/{event.slug}/tablets/")
    assert page.locator(".hall-trust .qr").is_visible()
    assert page.evaluate(STICKS_OUT) <= 0
    look(page, f"tablets-{size[0]}")
