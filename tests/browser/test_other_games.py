"""An event of each family of games in Chromium: set up, drawn, two rounds on tablets, signed, exported, on paper."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from scoring.document import print_score
from tests.browser.conftest import LAPTOP, PHONE, TABLET, TURN, look, tap
from tests.browser.test_desk import at_desk
from tests.browser.test_first_visit import tappable, taps
from tests.browser.test_journey import game_at, press
from tests.factories import make_user
from tests.games.conftest import registered
from tests.sure import sure
from tests.tournament.archive.test_import import sheets_of, table_of
from tests.tournament.games.play import NAMES
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.middleware import TABLE_COOKIE
from tournament.models import Entry, Event, Game
from tournament.queries.rulings import Asked, asked
from tournament.queries.scored import document_of
from tournament.queries.sheet import game_sheet, sheet_games, sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import standings
from tournament.services.devices import issue_cards, pair_device

pytestmark = pytest.mark.nightly


@dataclass(frozen=True)
class Evening:
    """An event to be played: its sheet, its options as they stand in the form, who comes, and what must be read."""

    sheet: str
    people: int
    tables: tuple[int, ...]
    order: str
    options: dict[str, str] = field(default_factory=dict)
    single: bool = False

    @property
    def name(self) -> str:
        return self.sheet.partition("/")[0].replace("_", " ").capitalize() + " night"

    @property
    def roster(self) -> str:
        if self.single:
            return "Player,City\n" + "\n".join(f"{name},Columbus" for name in NAMES[: self.people])
        lines = [f"{name} and company,{name},Second of {name}" for name in NAMES[: self.people]]
        return "Team,Player 1,Player 2\n" + "\n".join(lines)


EVENINGS = {
    "bid-whist": Evening("bid_whist/standard", 4, (2, 2), "games won, then points", {"win_at": "3"}),
    "spades": Evening("spades/four-hand-tournament", 4, (2, 2), "points, then games won", {"hand_limit": "2"}),
    "back-alley": Evening("back_alley/individual", 7, (4, 3), "points, then games won", {"deals": "2"}, single=True),
    "okinawa": Evening("okinawa/standard", 2, (2,), "points, then games won"),
}


@pytest.fixture
def dana(transactional_db: None) -> User:
    return make_user("dana", is_staff=True)


@pytest.mark.parametrize("family", EVENINGS)
def test_an_evening_of_every_family_of_games(family: str, new_page: Any, live_server: Any, dana: User) -> None:
    evening, chance = EVENINGS[family], Random(family)
    desk, tablet = at_desk(new_page, dana, LAPTOP), new_page(TABLET)
    event = set_up(desk, evening)
    with TURN:
        codes = issue_cards(Actor(dana), event, list(range(1, len(evening.tables) + 1)))
        keys = {table: pair_device(Actor(), code) for table, code in codes.items()}
    for number in (1, 2):
        press(desk, f"/desk/{event.slug}/", f"Start game {number}")
        for table, sides in enumerate(evening.tables, start=1):
            tablet.context.add_cookies([{"name": TABLE_COOKIE, "value": keys[table], "url": live_server.url}])
            game = game_at(event, number, table)
            assert len(sheet_of(game).sides) == sides
            play(tablet, game, chance, f"{family}-{number}-{table}")
        press(desk, f"/desk/{event.slug}/", f"Close game {number}")
    check_standings(event, evening)
    check_papers(desk, event)
    look_around(desk, new_page, dana, event, family)
    with TURN:
        event.refresh_from_db()
        auctions = Entry.objects.filter(game__round__event=event, facts__has_key="auction")
        assert auctions.exists() == (family == "okinawa")
        again = import_event(Actor(dana), json.loads(json.dumps(export_event(event))))
        assert (table_of(again), sheets_of(again)) == (table_of(event), sheets_of(event))


def set_up(desk: Any, evening: Evening) -> Event:
    """The event, its options, its people and its draw, as the director types and clicks them."""
    desk.goto("/new/")
    desk.get_by_role("textbox", name="Name", exact=True).fill(evening.name)
    desk.locator(f".choice:has([value={evening.sheet.partition('/')[0]}])").click()
    desk.get_by_label("Rule sheet").select_option(evening.sheet)
    desk.locator(f"[name=shown][value='{evening.sheet}']").wait_for(state="attached")
    desk.get_by_text("Games and draw", exact=True).click()
    desk.get_by_label("Games", exact=True).fill("2")
    desk.get_by_role("button", name="Set up only").click()
    desk.get_by_text("is set up.").wait_for()
    with TURN:
        event = Event.objects.get()
    if evening.options:
        desk.goto(f"/desk/{event.slug}/setup/options/")
        look(desk, f"other-{event.slug}-options")
        for key, value in evening.options.items():
            desk.locator(f"[name=option-{key}]").first.fill(value)
        desk.locator("main form button.primary").last.click()
    desk.goto(f"/desk/{event.slug}/roster/")
    desk.get_by_label("The list").fill(evening.roster)
    desk.get_by_role("button", name="Check the list").click()
    desk.get_by_role("button", name="Enter ").click()
    desk.goto(f"/desk/{event.slug}/draw/")
    desk.get_by_label("Repeat a draw by its number").fill("7")
    desk.get_by_role("button", name="Draw", exact=True).click()
    desk.get_by_text("drawn.", exact=False).first.wait_for()
    look(desk, f"other-{event.slug}-draw")
    return event


def play(tablet: Any, game: Game, chance: Random, name: str) -> None:
    """Seats, first dealer, random legal hands to the end, every signature."""
    tablet.goto("/t/table/")
    for side in sheet_of(game).sides:
        tablet.locator(f".side-card.side-{side.index} button").click()
        tablet.locator(f".side-card.side-{side.index} .seated, .felt-table").first.wait_for()
    tablet.locator("button[name=dealer][value='1']").click()
    tablet.locator("#entry").wait_for()
    has_heard_of_the_dealer(tablet, game)
    for number in range(1, 30):
        sheet = sheet_of(game)
        if sheet.over:
            break
        write(tablet, game, sheet, chance, f"other-{name}-{number}")
    tablet.get_by_role("heading", name="Check the sheet and sign").wait_for()
    for side in sheet_of(game).sides:
        tablet.locator(f".sign-side.side-{side.index}").get_by_role("button").first.click()
        # The server's own mark: what is only on this tablet would be sent under the next table's card.
        tablet.locator(f".sign-side.side-{side.index} .sign-done .chip").wait_for()


def has_heard_of_the_dealer(tablet: Any, game: Game) -> None:
    """The page goes on at once; the server knows who deals a moment later."""
    for _ in range(600):
        with TURN:
            if Game.objects.get(pk=game.pk).first_dealer == 1:
                return
        tablet.wait_for_timeout(50)
    raise AssertionError("The first dealer never reached the server.")


def write(tablet: Any, game: Game, sheet: GameSheet, chance: Random, name: str) -> None:
    """One hand, tap by tap; what is counted out by the page is not tapped."""
    asks, scored, sides, seats = asked_of(sheet), sheet.scored, len(sheet.sides), len(sheet.seats)
    due = scored.rules.game.next_hand(scored.rules.rules, scored.carry)
    facts = tappable(due, scored, chance, sides, seats)
    tap(tablet, *taps(due, facts, sides, seats, first=1)[0])
    extra_keys = write_beside(tablet, asks, facts) if asks.of("trump") and not sheet.rows else {}
    tablet.locator("#effect strong").wait_for()
    look(tablet, name)
    tablet.locator("#record").click()
    tablet.locator(".sheet .row-scores").nth(len(sheet.rows)).wait_for()
    tablet.locator(f"#entry [name=position][value='{sheet.next_position}']").wait_for(state="detached")
    with TURN:
        stored = game.entries.get(position=sheet.next_position).facts
    assert {key: stored.get(key) for key in extra_keys} == extra_keys


def write_beside(tablet: Any, asks: Asked, facts: dict[str, Any]) -> dict[str, Any]:
    """What scores nothing: trumps, and a first round of bidding that the highest bidder won at once."""
    bids = facts.get("bids", [])
    if facts.get("bid", "").endswith("no"):
        return {}
    tablet.locator("#step-beside summary").click()
    trump = asks.of("trump")[0].choices[-1].value
    tablet.locator(f"label:has(#trump-{trump})").click()
    numbers = {index: int(bid) for index, bid in enumerate(bids) if bid.isdecimal() and int(bid)}
    if not asks.of("auction") or len(numbers) < sum(bid not in ("pass", "0") for bid in bids) or not numbers:
        return {"trump": trump}
    winner = max(numbers, key=lambda index: numbers[index])
    tablet.locator(f"#auction-{winner}").select_option(bids[winner])
    calls = [bids[winner] if sure(turn.place).index == winner else "pass" for turn in asks.of("auction")]
    return {"trump": trump, "auction": calls, "dealer": asks.dealer.index}


def check_standings(event: Event, evening: Evening) -> None:
    """Games and points are those of the game documents, scored by the command line's own function."""
    won: dict[str, int] = {}
    points: dict[str, int] = {}
    with TURN:
        for game in sheet_games().filter(round__event=event):
            document = document_of(game)
            scored = print_score(document)
            for side, name in enumerate(document["sides"]):
                won[name] = won.get(name, 0) + (scored["winner"] == side)
                points[name] = points.get(name, 0) + scored["points"][side]
        table = standings(Event.objects.get(pk=event.pk))
    assert {line.team: (line.won, line.points) for line in table.lines} == {who: (won[who], points[who]) for who in won}
    assert table.order.startswith(evening.order)


def check_papers(desk: Any, event: Event) -> None:
    """What is printed and what stands in the cells is what was played."""
    with TURN:
        sheets = [game_sheet(game) for game in sheet_games().filter(round__event=event)]
    answer = desk.request.get(f"/desk/{event.slug}/papers/score-sheets.pdf")
    assert answer.ok
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.body())).pages)
    for sheet in sheets:
        assert all(side.name in text for side in sheet.sides)
    book = openpyxl.load_workbook(io.BytesIO(desk.request.get(f"/desk/{event.slug}/papers/workbook.xlsx").body()))
    lines = [row for row in book["Hands"].iter_rows(min_row=5, values_only=True) if row[0]]
    assert len(lines) == sum(len(sheet.rows) * len(sheet.sides) for sheet in sheets)


def look_around(desk: Any, new_page: Any, dana: User, event: Event, family: str) -> None:
    """The pages of the event at three sizes, for people to look at; nothing runs out of them."""
    phone = at_desk(new_page, dana, PHONE)
    with TURN:
        game = Game.objects.filter(round__event=event).order_by("pk").first()
    assert game is not None
    for name, address in {
        "standings": f"/e/{event.slug}/",
        "game": f"/e/{event.slug}/games/{game.pk}/",
        "desk-game": f"/desk/{event.slug}/games/{game.pk}/",
        "schedule": f"/e/{event.slug}/schedule/",
        "teams": f"/desk/{event.slug}/teams/",
    }.items():
        for page, size in ((desk, "laptop"), (phone, "phone")):
            page.goto(address)
            look(page, f"other-{family}-{name}-{size}")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def sheet_of(game: Game) -> GameSheet:
    with TURN:
        return sheet_now(game)


def asked_of(sheet: GameSheet) -> Asked:
    with TURN:
        asks = asked(sheet)
    assert asks is not None
    return asks


# A field of a new kind is typed on the tablet like any other, with the pad of its game.
__all__ = ["registered"]


def test_a_meld_is_typed_then_tricks_are_tapped(page: Any) -> None:
    page.goto("/practice/?sheet=melds/standard")
    page.locator(".chair").first.click()
    for side, meld in ((1, "20"), (0, "40")):
        page.locator(f"#meld-{side}").fill(meld)
        page.locator(f"#meld-{side}").press("Tab")
    page.locator("label:has(#tricks-1-0)").click()
    assert [element.inner_text().split() for element in page.locator(".line").all()] == [
        ["Night", "Owls", "melded", "20"],
        ["Eagles", "melded", "40"],
        ["Night", "Owls", "took", "0"],
        ["Eagles", "took", "12"],
    ]
    page.get_by_text("This hand: Eagles +160").wait_for()
    page.locator("#record").click()
    page.locator(".sheet tbody tr:has(td.num)").first.wait_for()
    entries = page.evaluate("JSON.parse(document.querySelector('[name=document]').value).entries")
    assert entries == [{"entry": "hand", "melds": [40, 20], "tricks": [12, 0], "dealer": 0}]
