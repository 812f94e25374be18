"""Every state of the tablet where everybody has a name of 38 letters. Nobody is shut out (axe, serious findings) in
light, dark and strong contrast, and targets are big enough and apart. Also with letters of 125 % nothing runs out of
the page or its own button, and the open question, “Record” and “Call the director” stay in the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import PHONE, TABLET, TABLET_UPRIGHT, TURN, look, press_play, tap
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import AXE, FINDINGS, STICKS_OUT
from tests.browser.test_offline import unsent
from tests.browser.test_tablet import sit_down
from tests.factories import make_event, make_round, make_teams, play
from tests.tournament.tablet.hands import legal_hand
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Player, Round, Team
from tournament.queries.sheet import sheet_games
from tournament.services.devices import issue_card, issue_second_card, pair_device, revoke_device
from tournament.services.rounds import call_time
from tournament.words.texts import name_key

TEAMS = ("Konstantinopolska-Andersson Trumpeters", "The Exceptionally Lucky Trump Tighters")
PLAYERS = (
    "Alexandria Featherstonehaugh-Sanderson",
    "Christopherson Montgomery Wolfenbarger",
    "Bartholomew Vanderschmidt-Oppenheimers",
    "Wilhelmina Krzyzanowska of Springfield",
)
HANDS = [{"entry": "hand", "seat": number % 4, "bid": "1", "books": 7} for number in range(6)]
# What is wider or higher than its own box, and what lies outside the window though the hand cannot do without it.
CUT = """() => {
  const words = (one) => (one.innerText.trim() || one.id).replace(/\\s+/g, " ").slice(0, 40);
  const seen = (one) => one.checkVisibility({ visibilityProperty: true });
  const boxes = [...document.querySelectorAll("#table :is(.btn, .pick, .line, .chip, h1, h2, h3, p, td, th, li)")];
  return boxes.filter(seen).filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth)
    .map((one) => `${words(one)}: ${one.scrollWidth} in ${one.clientWidth}`);
}"""
# What a box that scrolls or hides has no room for; the lines so far may scroll.
HIDDEN = """() => [...document.querySelectorAll("#table *")].filter((one) => one.checkVisibility() && one.clientHeight
    && one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== "visible"
    && !one.matches(".hidden-text, .scroll, .unsent, .sheet-card, .drop-body, .table-page"))
  .map((one) => `${one.id || one.className}: ${one.scrollHeight} in ${one.clientHeight}`)"""
# A word of a name that is broken over two lines, although it has no hyphen there.
BROKEN = """() => {
  const names = [...document.querySelectorAll("#table :is(.wrap, .team, .said, .line, h3, .ask-words)")];
  const found = new Set();
  for (const name of names.filter((one) => one.checkVisibility())) {
    const walk = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    for (let text; (text = walk.nextNode()); ) {
      for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+-?/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) found.add(`broken: ${word} in ${name.className || name.localName}`);
      }
    }
  }
  return [...found];
}"""
OUTSIDE = """() => {
  scrollTo(0, 0);
  const all = [".ask.open .ask-words", ".ask.open .pick", "#record", ".call-director > summary"]
    .flatMap((what) => [...document.querySelectorAll(what)]).filter((one) => one.checkVisibility());
  const wrong = (one) => {
    const box = one.getBoundingClientRect();
    const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return box.top < 0 || box.bottom > innerHeight || !(one.contains(at) || at?.contains(one));
  };
  return all.filter(wrong).map((one) => `out of sight: ${one.innerText.trim().replace(/\\s+/g, " ").slice(0, 30)}`);
}"""
# A short word in two pieces, and a sentence in a column of single words.
SQUEEZED = """() => {
  const seen = (what) => [...document.querySelectorAll(what)].filter((one) => one.checkVisibility() && one.innerText);
  const lines = (one, from, to) => {
    const range = document.createRange();
    range.setStart(one, from);
    range.setEnd(one, to);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
  };
  const word = (one) => lines(one.firstChild, 0, one.innerText.search(/\\s|$/)) > 1;
  const column = (one) => one.clientWidth < 160 && lines(one, 0, one.childNodes.length) > 2;
  return [...seen(".line-name:not(.long)").filter(word), ...seen(".due, .notice > .grow").filter(column)]
    .map((one) => `squeezed: ${one.innerText.slice(0, 40)}`);
}"""
LETTERS = "(size) => { document.documentElement.style.fontSize = size; }"
# Where long names and many lines do not fit: Chromium scrolls these by keys without a focus of their own.
SCROLLED = ("scrollable-region-focusable: .scroll", "scrollable-region-focusable: #effect")
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
  const low = boxes.filter(([, box]) => box.height < 55.5 || box.width < 39.5)
    .map(([name, box]) => `${name} is ${box.width} × ${box.height}`);
  const close = [];
  boxes.forEach(([a, one, over], at) => boxes.slice(at + 1).forEach(([b, two, other]) => {
    if (over !== other) return;
    const x = Math.max(one.left, two.left) - Math.min(one.right, two.right);
    const y = Math.max(one.top, two.top) - Math.min(one.bottom, two.bottom);
    if (Math.max(x, y) < 7.5 && Math.max(x, y) >= 0) close.push(`${a} | ${b}: ${Math.max(x, y)}`);
  }));
  return [...low, ...close];
}"""


def sizes_of(page: Any) -> Iterator[int]:
    """The page in every size, by its width."""
    for width, height in (PHONE, TABLET_UPRIGHT, TABLET):
        page.set_viewport_size({"width": width, "height": height})
        yield width


class Audit:
    """Looks at the current page, and collects what is wrong with it."""

    expected: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.faults: list[str] = []

    def __call__(self, page: Any, name: str, *, hand: bool = False, targets: bool = True) -> None:
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text(encoding="utf-8"))
        page.emulate_media(reduced_motion="reduce")
        for colours in ("light", "dark"):
            page.emulate_media(color_scheme=colours)
            for contrast in (False, True):
                page.evaluate(CONTRAST, contrast)
                seen = f"{name}, {colours}{', contrast' if contrast else ''}"
                findings = set(page.evaluate(FINDINGS)) - set(self.expected)
                self.faults += [f"{seen}: {finding}" for finding in sorted(findings)]
            page.evaluate(CONTRAST, False)
            look(page, f"state-{name}-{colours}")
        size = page.viewport_size
        for width in sizes_of(page):
            if (over := page.evaluate(STICKS_OUT)) > 0:
                self.faults.append(f"{name}: {over} px too wide at {width}")
            if targets:
                self.faults += [f"{name}, {width} px: {target}" for target in page.evaluate(TARGETS)]
            look(page, f"state-{name}-{width}")
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")


class Room(Audit):
    """Looks at a page in every size, with letters as they are and of 125 %."""

    def __call__(self, page: Any, name: str, *, hand: bool = False, targets: bool = True) -> None:
        page.emulate_media(reduced_motion="reduce")
        for width in sizes_of(page):
            for letters in ("20px", "16px"):
                page.evaluate(LETTERS, letters)
                page.evaluate("dispatchEvent(new Event('resize'))")
                seen = f"{name}, {width} px, letters {letters}"
                if (over := page.evaluate(STICKS_OUT)) > 0:
                    self.faults.append(f"{seen}: {over} px too wide")
                self.faults += [f"{seen}: {finding}" for finding in page.evaluate(CUT) + page.evaluate(SQUEEZED)]
                if letters == "16px":
                    self.faults += [f"{seen}: {finding}" for finding in page.evaluate(HIDDEN)]
                if letters == "16px" or (hand and width != PHONE[0]):
                    broken = page.evaluate(BROKEN)
                    # The lines written so far may have a break more with big letters, what is asked may not.
                    self.faults += [
                        f"{seen}: {finding}" for finding in broken if letters == "16px" or "in said" not in finding
                    ]
                if hand and width != PHONE[0]:
                    self.faults += [f"{seen}: {finding}" for finding in page.evaluate(OUTSIDE)]
                look(page, f"room-{name}-{width}-{letters}")
        page.emulate_media(color_scheme="dark")
        look(page, f"room-{name}-dark")
        page.emulate_media(color_scheme="light")


@pytest.fixture(params=[Audit, pytest.param(Room, marks=pytest.mark.nightly)])
def check(request: pytest.FixtureRequest) -> Iterator[Audit]:
    """Each walk is gone twice: with a look for people, and with one for room."""
    check = request.param()
    yield check
    if check.faults:
        pytest.fail("\n".join(check.faults), pytrace=False)


def lengthen(event: Event) -> None:
    for team in event.teams.all():
        name = TEAMS[team.number % 2] if team.number < 3 else f"{team.number} {TEAMS[team.number % 2]}"[:38]
        Team.objects.filter(pk=team.pk).update(name=name, key=name_key(name))
        for player in team.players.all():
            name = PLAYERS[(team.number % 2 * 2 + player.position) % 4]
            Player.objects.filter(pk=player.pk).update(name=name, key=name_key(name))


@pytest.fixture
def table(dana: User) -> Callable[..., Game]:
    """Makes a table in play by a sheet: two rounds are drawn, so that everybody has a next table."""

    def make(sheet: str = "bid_whist/no-kitty-2021", **fields: Any) -> Game:
        event = make_event("The Forty-First Annual Columbus Open", dana, sheet=sheet, rounds_planned=2, **fields)
        teams = make_teams(event, 4)
        make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])])
        make_round(event, [(teams[2], teams[1]), (teams[0], teams[3])], 2, "planned")
        lengthen(event)
        return Game.objects.get(round__event=event, round__number=1, table=1)

    return make


def test_from_the_card_to_a_called_director(
    new_page: Any, dana: User, table: Callable[..., Game], check: Audit
) -> None:
    check.expected = SCROLLED
    game = table(options={"round_minutes": 60})
    page = new_page(TABLET, service_workers="block")
    page.goto("/t/")
    check(page, "bind", targets=False)
    page.goto("about:blank")
    page.goto(f"/t/#{issue_card(Actor(dana), game.round.event, 1)}")
    page.get_by_role("button", name="Set up this tablet").click()
    page.locator(".side-card").first.wait_for()
    check(page, "seats")
    page.locator(".side-card .btn").first.click()
    page.locator(".seated").wait_for()
    check(page, "seats-one")
    page.locator(".side-card .btn").first.click()
    page.locator(".felt-table").wait_for()
    check(page, "dealer")
    page.locator(".chair").first.click()
    page.locator("#entry").wait_for()
    check(page, "bidding", hand=True)
    tap(page, "seat-1")
    check(page, "bid", hand=True)
    tap(page, "bid-2-special")
    check(page, "books", hand=True)
    tap(page, "books-7")
    page.get_by_text("2-Special set with 7 books").wait_for()
    check(page, "effect", hand=True)
    page.locator("#record").click()
    page.locator(".row-set").wait_for()
    with TURN:
        play(dana, game, *HANDS, sign=False)
    page.reload()
    check(page, "many", hand=True)
    page.get_by_text("Undo last hand").click()
    check(page, "undo")
    page.keyboard.press("Escape")
    page.locator(".no-hand summary").click()
    check(page, "void")
    page.keyboard.press("Escape")
    page.locator(".display summary").click()
    check(page, "display")
    page.keyboard.press("Escape")
    page.locator(".call-director summary").click()
    check(page, "call")
    page.get_by_role("button", name="Wrong number of cards").click()
    page.get_by_text("▲ Director called").first.wait_for()
    check(page, "called", hand=True)
    page.locator(".call-director summary").click()
    check(page, "uncall")
    with TURN:
        Round.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=61))
    page.reload()
    page.locator(".time-notice:visible").wait_for()
    check(page, "time", hand=True)
    with TURN:
        call_time(Actor(dana), game.round.event, 1)
    page.reload()
    page.get_by_text("No hand was in play").click()
    check(page, "time-called")


@pytest.mark.nightly
def test_offline_parked_looking_on_and_withdrawn(
    table_page: Any, new_page: Any, live_server: Any, dana: User, table: Callable[..., Game], check: Audit
) -> None:
    game = table()
    sit_down(game)
    page = table_page(of=game.round.event, service_workers="block")
    page.locator("#record").click()
    page.locator(".wrong").first.wait_for()
    check(page, "refused", hand=True)
    page.wait_for_timeout(500)
    page.context.set_offline(True)
    for number, books in enumerate((9, 9, 8), start=1):
        tap(page, f"seat-{number % 4}", "bid-2-special", f"books-{books}")
        page.locator("#record").click()
        unsent(page, number)
        if number != 2:
            check(page, f"offline-{number}", hand=True)
    page.locator(".unsent-fold summary").click()
    check(page, "offline-unfolded")
    page.locator(".unsent-fold summary").click()
    with TURN:
        token = pair_device(Actor(), issue_second_card(Actor(dana), game.round.event, 1))
    other = new_page(TABLET, service_workers="block")
    other.context.add_cookies([{"name": TABLE_COOKIE, "value": token, "url": live_server.url}])
    other.goto("/t/table/")
    other.get_by_text("Tablet A is keeping score").wait_for()
    check(other, "looks-on")
    other.get_by_role("button", name="Keep score on this tablet").click()
    other.locator("#record").wait_for()
    page.context.set_offline(False)
    page.get_by_text("Tablet B is keeping score").wait_for(timeout=40_000)
    check(page, "parked")
    page.get_by_role("button", name="Keep score on this tablet").click()
    page.locator("#record").wait_for()
    check(page, "parked-writes", hand=True)
    with TURN:
        revoke_device(Actor(dana), game.round.event, 1)
    page.goto("/t/table/")
    page.get_by_text("The desk has withdrawn this tablet").wait_for()
    check(page, "withdrawn")


def test_the_end_asked_offline_and_signed_online(table_page: Any, table: Callable[..., Game], check: Audit) -> None:
    game = table()
    sit_down(game)
    page = table_page(of=game.round.event, service_workers="block")
    page.wait_for_timeout(800)
    page.context.set_offline(True)
    for number, (bid, books) in enumerate((("2", 8), ("4", 11)), start=1):
        tap(page, "seat-0", f"bid-{bid}", f"books-{books}")
        page.locator("#record").click()
        unsent(page, number)
    page.get_by_text("By this count the game is over. Sign, or go on?").wait_for()
    check(page, "asked-over")
    page.get_by_role("button", name="Sign", exact=True).click()
    page.locator(".local-signing").wait_for()
    check(page, "sign-offline")
    page.locator(".local-signing .side-0 button[name=name]").first.click()
    page.get_by_role("button", name="Undo", exact=True).wait_for()
    check(page, "signed-offline")
    page.get_by_role("button", name="Undo", exact=True).click()
    page.context.set_offline(False)
    page.locator(".signing:not(.local-signing)").wait_for(timeout=40_000)
    check(page, "sign")
    page.locator(".sign-side .btn").first.click()
    page.locator(".sign-done").wait_for()
    check(page, "sign-one")
    page.locator(".table-foot .call-director summary").click()
    page.get_by_role("button", name="Renege").click()
    page.get_by_text("▲ Director called").first.wait_for()
    page.locator(".sign-anyway summary").first.click()
    check(page, "sign-called")
    page.get_by_role("button", name="Sign anyway").first.click()
    page.get_by_role("heading", name="Final").wait_for()
    check(page, "final")


def name_as_people_are(event: Event, *players: str) -> None:
    for team, name in zip(event.teams.all(), ("Sisters in Books", "Cincinnati Specials"), strict=False):
        Team.objects.filter(pk=team.pk).update(name=name, key=name_key(name))
        for player, called in zip(team.players.all(), players, strict=True):
            Player.objects.filter(pk=player.pk).update(name=called, key=name_key(called))


def test_names_at_the_desk_keep_their_words_whole(new_page: Any, dana: User, table: Callable[..., Game]) -> None:
    game = table("spades/standard")
    name_as_people_are(game.round.event, "Marcus Holloway", "Nell Gaines")
    sit_down(game)
    page = at_desk(new_page, dana, TABLET)
    page.goto(f"/desk/{game.round.event.slug}/games/{game.pk}/")
    page.locator(".line").first.wait_for()
    assert page.evaluate(BROKEN.replace("#table", "#entry")) == []


def test_what_a_hand_comes_to_is_never_cut(table_page: Any, table: Callable[..., Game]) -> None:
    game = table("bid_whist/rhode-island")
    name_as_people_are(game.round.event, "Nell Gaines", "Otis Reed")
    sit_down(game)
    page = table_page(of=game.round.event, service_workers="block")
    for answer in ("seat-1", "bid-4-no", "books-5"):
        tap(page, answer)
    page.get_by_text("Score after this hand").wait_for()
    assert (page.evaluate(HIDDEN), page.evaluate("document.activeElement.id")) == ([], "record")
    look(page, "effect-real-names")


@pytest.mark.nightly
@pytest.mark.parametrize("sheet", ["spades/standard", "back_alley/partnership", "okinawa/standard"])
def test_games_in_which_everybody_bids(table_page: Any, table: Callable[..., Game], check: Audit, sheet: str) -> None:
    check.expected = SCROLLED
    game = table(sheet)
    sit_down(game)
    page = table_page(of=game.round.event, service_workers="block")
    name = sheet.partition("/")[0]
    check(page, f"{name}-bidding", hand=True)
    with TURN:
        answers = list(legal_hand(sheet_games().get(pk=game.pk)).items())
    bids = [answer for answer in answers if answer[0].startswith("bid")]
    for field, value in bids:
        tap(page, f"{field}-{value}")
    check(page, f"{name}-play", hand=True)
    press_play(page)
    check(page, f"{name}-tricks", hand=True)
    for field, value in answers[len(bids) : -1]:
        tap(page, f"{field}-{value}")
    page.locator("#effect strong").wait_for()
    check(page, f"{name}-effect", hand=True)
    page.locator("#record").click()
    page.locator(".sheet tbody tr:has(td.num)").first.wait_for()
    check(page, f"{name}-second", hand=True)


@pytest.mark.nightly
def test_the_practice_table(new_page: Any, check: Audit, db: None) -> None:
    page = new_page(TABLET)
    page.goto("/")
    page.get_by_role("link", name="Practice table", exact=True).click()
    page.get_by_text("Practice: nothing is saved.").wait_for()
    check(page, "practice-dealer")
    page.locator(".chair").first.click()
    page.locator("#entry").wait_for()
    page.get_by_text("Another sheet").click()
    check(page, "practice-sheets")
    page.keyboard.press("Escape")
    page.keyboard.type("as310")
    page.get_by_text("3-Special made with 10 books").wait_for()
    check(page, "practice-entry")
    page.keyboard.press("Enter")
    page.locator(".row-made").wait_for()
    page.keyboard.type("a410")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    page.get_by_role("button", name="Ann signs").click()
    page.locator(".sign-done").wait_for()
    page.get_by_role("button", name="Cal signs").click()
    page.get_by_role("heading", name="Final").wait_for()
    check(page, "practice-final")
    page.get_by_role("link", name="Practice again").click()
    page.get_by_text("Who deals first?").wait_for()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("size", "scale", "letters"),
    [
        (PHONE, 1, "100%"),
        (TABLET, 1, "100%"),
        (TABLET_UPRIGHT, 1, "100%"),
        ((590, 410), 2, "100%"),
        ((410, 590), 2, "100%"),
        (TABLET, 1, "200%"),
        (TABLET_UPRIGHT, 1, "200%"),
    ],
)
def test_record_stays_in_sight(table_page: Any, game: Game, size: tuple[int, int], scale: int, letters: str) -> None:
    """Also where the whole page is enlarged (the browser's zoom), or its letters alone."""
    sit_down(game)
    page = table_page(size, device_scale_factor=scale)
    page.evaluate(LETTERS, letters)
    page.keyboard.type("bn38")
    page.locator("#effect strong").wait_for()
    look(page, f"sight-{size[0]}-{letters}")
    box, (width, height) = page.locator("#record").bounding_box(), size
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    assert box["x"] >= 0 and box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # It is not behind something else, and what is being chosen is seen beside it.
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", middle) == "record"
    page.locator("#record").click()
    page.locator(".row-set").wait_for()
