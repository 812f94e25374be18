"""`manage.py demo` as a stranger meets it: each door in one press, and the hall in one window."""

from __future__ import annotations

import os
import signal
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.document import read_entry
from tests.browser.conftest import HTTP, LAPTOP, PHONE, SECURE, TURN, Counted, look, tap
from tests.browser.test_offline import ahead, said, unsent
from tests.browser.test_tablet import sit_down
from tests.factories import make_event, make_round, make_teams
from tests.halls import ROOT, eventually
from tests.programs import begin, end, own_port
from tests.tournament.demo.evenings import Demo, prepare
from tests.tournament.games.play import random_entry
from tests.tournament.tablet.hands import from_the_left
from tournament.models import Entry, Game, Player, Signature, Submission
from tournament.queries.rules import ruleset_at
from tournament.queries.scored import ScoredGame
from tournament.queries.sheet import sheet_now

# From the demo's home to a recorded hand, the door included.
MOST_PRESSES = 6
NARROW_LAPTOP = (1024, 768)
# Of the small evening.
TABLES = 6


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("demo")
    environment = {name: value for name, value in os.environ.items() if not name.endswith("DATABASE_URL")}
    port = own_port("0.0.0.0")
    output = folder / "said"
    command = [sys.executable, "manage.py", "demo", "--port", str(port)]
    process = begin(command, output, cwd=ROOT, env=environment | {"UPTOWN_DATA": str(folder)})
    url = f"http://localhost:{port}"

    def answers() -> bool:
        assert process.poll() is None, output.read_text()
        try:
            with urllib.request.urlopen(f"{url}/", timeout=20) as page:
                return page.status == 200
        except OSError:
            return False

    eventually(answers, lambda: output.read_text())
    assert output.read_text().splitlines()[0].startswith(f"Open {url}/")
    yield url
    end(process, signal.SIGTERM)


@pytest.fixture
def visit(new_page: Callable[..., Any], demo: str) -> Callable[..., Any]:
    """Opens the demo's home in a browser of its own, and counts what a visitor presses there."""

    def open_home(size: tuple[int, int] = LAPTOP) -> Visitor:
        page = new_page(size, base_url=demo)
        page.set_default_timeout(60_000)
        page.goto("/")
        return Visitor(page)

    return open_home


@pytest.fixture
def small_demo(tmp_path: Path) -> Iterator[Demo]:
    """A demo of 12 teams whose other tables do not wait between two hands."""
    demo = Demo(prepare(tmp_path / "demo"))
    yield demo
    demo.server.kill()
    assert demo.server.errors() == []


class Visitor(Counted):
    """Somebody who sees the site for the first time, with one finger."""

    def sign(self, tablet: Any) -> None:
        for _ in range(2):
            button = tablet.locator("form.choices button").first
            name = button.get_attribute("value")
            self.tap(button)
            tablet.locator(f'form.choices button[value="{name}"]').wait_for(state="detached")


def board_words(page: Any) -> str:
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
    member = visit(PHONE).page
    member.get_by_role("button", name="Open the entry page").click()
    member.get_by_role("button", name="Enter the team").wait_for()
    member.goto("/")
    member.get_by_role("button", name="Open the check-in").click()
    member.get_by_placeholder("Number, team or player").fill("owls")
    member.get_by_role("button", name="Find", exact=True).click()
    member.get_by_role("button", name="We are here").click()
    member.get_by_text("You are checked in.").wait_for()
    first, second = visit(), visit()
    for visitor in (first, second):
        visitor.tap(visitor.page.get_by_role("button", name="Open the tablet"))
        visitor.page.locator("#table").wait_for()
    # The second visitor looks on, and can take over; nobody is sent away.
    first.record(1, "1", 7)
    assert first.taps <= MOST_PRESSES
    second.tap(second.page.get_by_role("button", name="Keep score on this tablet"))
    second.record(1, "1", 7)
    assert second.taps <= MOST_PRESSES
    first.page.get_by_role("button", name="Keep score on this tablet").wait_for()


@pytest.mark.nightly
def test_the_hall_follows_a_hand_and_a_signed_game(visit: Callable[..., Any]) -> None:
    visitor = visit()
    page = visitor.page
    visitor.tap(page.get_by_role("button", name="Open the hall"))
    desk, tablet, phone, board = (page.frame_locator(f'iframe[title="{name}"]') for name in NAMES)
    phone.locator("#team").wait_for()
    board.locator("#board").wait_for()
    shown = phone.locator("#team").inner_text(), board_words(board)
    tablet.locator("#entry, .takeover").first.wait_for()
    take_over = tablet.get_by_role("button", name="Keep score on this tablet")
    if take_over.count():
        # Somebody sat there before.
        visitor.tap(take_over)
    visitor.record(1, "2", 8, tablet)
    assert visitor.taps <= MOST_PRESSES
    hands = tablet.locator(".sheet .row-scores").count()
    page.locator("#feed li", has_text="Table 6: ").filter(has_text="2 made with 8 books").wait_for()
    table = desk.locator(".table-card", has=desk.get_by_role("link", name="Table 6"))
    table.filter(has_text=f"Hand {hands + 1} ").wait_for()
    with page.expect_response(lambda answer: "/teams/" in answer.url), page.expect_response(is_board):
        pass
    look(page, "demo-hall")
    assert (phone.locator("#team").inner_text(), board_words(board)) == shown
    visitor.record(0, "4", 11, tablet)
    visitor.sign(tablet)
    page.locator("#feed li", has_text="Signed by both: Trump Tight won").wait_for()
    phone.locator("#team", has_text="Won").wait_for()
    phone.locator(".mygames .winner", has_text="Game 4").wait_for()
    eventually(lambda: board_words(board) != shown[1], lambda: shown[1])


@pytest.mark.nightly
def test_the_other_tables_play_a_round_and_stop_and_then_the_evening_to_its_champion(
    new_page: Any, small_demo: Demo
) -> None:
    page = new_page(LAPTOP, base_url=small_demo.address)
    page.set_default_timeout(60_000)
    page.goto("/")
    page.get_by_role("button", name="Open the hall").click()
    plays, status = page.locator("#play-press"), page.locator("#play [role=status]")
    plays.filter(has_text="Let the other tables play").click()
    status.filter(has_text="waits for you: look at the desk.").wait_for()
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
    status.filter(has_text="won.").wait_for()
    assert small_demo.rows("SELECT stage FROM tournament_event") == ["over"]
    page.frame_locator('iframe[title="Projector"]').get_by_text("Champion").first.wait_for()
    look(page, "demo-hall-over")


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
        [round(box["x"]) for element in page.locator(what).all() if (box := element.bounding_box())]
        for what in (".door", ".event-card")
    ]
    assert edges[0][0] == edges[1][0] and [len(row) for row in edges] == [3, 6]


@pytest.mark.nightly
def test_no_door_stands_alone_in_its_row_on_a_tablet(visit: Callable[..., Any]) -> None:
    page = visit((820, 1180)).page
    look(page, "demo-home-820")
    assert len({round(door.bounding_box()["width"]) for door in page.locator(".door").all()}) == 1
    right = [round(box["x"] + box["width"]) for box in (door.bounding_box() for door in page.locator(".door").all())]
    assert right == [820 - 28] * 3


# The network goes before anybody sits: the whole game is played and signed on the tablet, and arrives once, in order.
# Every family of games, also three to five who play alone, and six; on plain http, and where the page opens without a
# network.
FAMILIES: list[tuple[str, int, dict[str, Any]]] = [
    ("bid_whist/standard", 2, {"win_at": 3}),
    ("spades/four-hand-tournament", 2, {"hand_limit": 2}),
    ("back_alley/partnership", 2, {"deals": 3}),
    ("okinawa/standard", 2, {}),
    ("back_alley/individual", 3, {"deals": 2}),
    ("back_alley/individual", 4, {"deals": 2}),
    ("back_alley/partnership", 5, {"deals": 2, "players": 5}),
    ("back_alley/partnership", 3, {"deals": 2, "players": 6, "sides": 3}),
]


@dataclass
class Table:
    """A game that is played on the tablet alone: what was written there, and what must have arrived in the end."""

    page: Any
    game: Game
    dealer: int = 0
    kinds: list[str] = field(default_factory=list)
    hands: list[tuple[Any, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        with TURN:
            sheet = sheet_now(self.game)
            self.rules = ruleset_at(self.game)
        self.sides = len(sheet.sides)
        self.names = {seat.seat: seat.name for seat in sheet.seats}
        self.carry = self.rules.game.begin(self.rules.rules)

    def kept(self, kind: str) -> None:
        """Another hand is on the tablet, and nobody claims that the desk has it."""
        self.kinds.append(kind)
        unsent(self.page, len(self.kinds))
        assert "received" not in said(self.page) and "■ final" not in said(self.page)

    def sit_down(self) -> None:
        for side in range(self.sides):
            self.page.locator(f".side-card.side-{side} button").click()
            self.kept("seat")

    def name_dealer(self, seat: int) -> None:
        self.page.locator(f"button[name=dealer][value='{seat}']").click()
        self.dealer = seat
        self.kept("dealer")

    def due(self) -> Any:
        """The next hand by the rules: the form asks for this one, and names who deals it."""
        due = self.rules.game.next_hand(self.rules.rules, self.carry)
        dealer = self.names[(self.dealer + due.dealer) % len(self.names)]
        words = self.page.locator("#entry .due").inner_text()
        assert words.lower().startswith(f"hand {due.number} ") and f"{dealer} deals".lower() in words.lower()
        return due

    def write_hand(self, chance: Random) -> None:
        due = self.due()
        facts = tappable(due, ScoredGame(self.rules, 0, self.carry), chance, self.sides, len(self.names))
        choices, written = taps(due, facts, self.sides, len(self.names), self.dealer)
        if self.page.locator("[data-act=go-on]").count():
            self.page.locator("[data-act=go-on]").click()
        tap(self.page, *choices)
        if due.field("bids"):
            self.kept("bids")
        self.page.locator("#record").click()
        self.hands.append(written)
        entry, _ = read_entry(self.rules.game, facts)
        _, self.carry = self.rules.game.score_entry(self.rules.rules, self.carry, entry)
        self.kept("hand")

    def sign(self) -> None:
        if not self.page.locator(".local-signing").count():
            end = self.page.locator("[data-act=declare-over]:visible")
            if not end.count():
                self.page.locator(".unsent-fold > summary").click()
            end.first.click()
        for side in range(self.sides):
            self.page.locator(f".local-signing .side-{side} button[name=name]").first.click()
            self.kept("sign")
        self.page.get_by_text("signed on this tablet. Leave this tablet on").wait_for()

    def arrive(self) -> None:
        """The network is back: the desk has every message once and in the order of the table, and the game is final."""
        self.page.context.set_offline(False)
        self.page.locator(".chip-final").wait_for(timeout=40_000)
        with TURN:
            game = Game.objects.get(pk=self.game.pk)
            facts = [row.facts for row in Entry.objects.order_by("position", "revision")]
            rows = list(Submission.objects.order_by("pk").values_list("kind", "status"))
            signatures = Signature.objects.count()
        assert rows == [(kind, "applied") for kind in self.kinds]
        assert [(one.get("bids", one.get("bid")), one.get("tricks", one.get("books"))) for one in facts] == self.hands
        assert (game.state, game.first_dealer, signatures) == ("final", self.dealer, self.sides)


def tappable(due: Any, scored: ScoredGame, chance: Random, sides: int, seats: int) -> dict[str, Any]:
    """A random legal hand in the shape of the form: by seat or by side, as it asks."""
    while True:
        facts = random_entry(scored, chance)
        if due.field("bid") or can_be_tapped(due, facts, sides, seats):
            return facts


def can_be_tapped(due: Any, facts: dict[str, Any], sides: int, seats: int) -> bool:
    bids, field = ["pass" if bid == "0" else bid for bid in facts["bids"]], due.field("bids")
    places = range({"side": sides, "seat": seats}[field.of]) if field else ()
    offered = [{one.value for one in field.offered(seat)} for seat in places]
    is_known = len(bids) == len(offered) and all(bid in words for bid, words in zip(bids, offered, strict=True))
    return is_known and any(facts["tricks"]) and "first-six" not in bids


def taps(due: Any, facts: dict[str, Any], sides: int, seats: int, first: int) -> tuple[list[str], tuple[Any, Any]]:
    """The choices to be tapped, and what must be on the sheet after them. The form counts the last tricks itself."""
    if due.field("bid"):
        chosen = [f"seat-{facts['bidder']}", f"bid-{facts['bid']}", f"books-{facts['books']}"]
        return chosen, (facts["bid"], facts["books"])
    bids = ["pass" if bid == "0" else bid for bid in facts["bids"]]
    takers, tricks = sides if due.field("tricks").of == "side" else seats, list(facts["tricks"])
    taken = tricks if len(tricks) == takers else [sum(tricks[side::takers]) for side in range(takers)]
    dealer = (first + due.dealer) % seats
    chosen = [f"bid-{index}-{bids[index]}" for index in from_the_left(dealer, len(bids), seats)] if bids else []
    asked = from_the_left(dealer, takers, seats)[:-1]
    return chosen + [f"tricks-{index}-{taken[index]}" for index in asked], (bids, taken)


@pytest.fixture
def table_at(table_page: Callable[..., Any], dana: User) -> Callable[..., Table]:
    """A tablet at table 1, the round just begun, and then no network: `table_at(HTTP, "spades/standard", 2, {})`."""

    def open_table(host: str, sheet: str, sides: int, options: dict[str, Any], *, seated: bool = False) -> Table:
        with TURN:
            event = make_event("Night out", dana, sheet=sheet, options=options)
            game = make_round(event, [tuple(make_teams(event, sides))]).games.get()
            if ruleset_at(game).singles:
                Player.objects.filter(position__gt=0).delete()
            if seated:
                sit_down(game)
        page = table_page(of=event, host=host, trouble=True)
        ahead(page)
        if host == SECURE:
            page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        page.context.set_offline(True)
        return Table(page, Game.objects.get(pk=game.pk))

    return open_table


@pytest.mark.nightly
@pytest.mark.parametrize("host", [HTTP, SECURE])
@pytest.mark.parametrize(("sheet", "sides", "options"), FAMILIES)
def test_a_whole_game_without_a_network_from_the_first_minute(
    table_at: Callable[..., Table], host: str, sheet: str, sides: int, options: dict[str, Any]
) -> None:
    table, chance = table_at(host, sheet, sides, options), Random(f"{sheet} {sides}")

    def reload() -> None:
        """Where the page opens without a network it comes back as it was."""
        if host == SECURE:
            table.page.reload()
            unsent(table.page, len(table.kinds))

    table.sit_down()
    reload()
    table.name_dealer(1)
    reload()
    table.page.locator("#entry").wait_for()
    while table.carry.verdict is None:
        table.write_hand(chance)
        if len(table.hands) == 1:
            reload()
    table.sign()
    with TURN:
        assert not Submission.objects.exists()
    reload()
    table.arrive()


@pytest.mark.nightly
@pytest.mark.parametrize("host", [HTTP, SECURE])
def test_another_first_dealer_is_named_without_a_network(table_at: Callable[..., Table], host: str) -> None:
    table = table_at(host, "spades/four-hand-tournament", 2, {"hand_limit": 2}, seated=True)
    chance = Random("dealer")
    for seat in (2, 3):
        table.page.get_by_text("deals first · change").locator("visible=true").click()
        table.name_dealer(seat)
        table.due()
    if host == SECURE:
        table.page.reload()
        unsent(table.page, 2)
    while table.carry.verdict is None:
        table.write_hand(chance)
    table.sign()
    table.arrive()


def test_an_undone_hand_has_its_form_back(table_at: Callable[..., Table]) -> None:
    """The second deal has other cards than the first: after an undo the form asks for the cards of the first again."""
    table = table_at(HTTP, "back_alley/partnership", 2, {"deals": 3}, seated=True)
    before = table.carry
    table.write_hand(Random("undo"))
    table.page.get_by_role("button", name="Undo line 1").click()
    table.kept("undo")
    table.carry = before
    table.due()
