"""An event of each family of games in Chromium: set up, drawn, two rounds on tablets, signed, exported, on paper."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, TABLET, TURN, look, tap
from tests.browser.test_desk import at_desk
from tests.browser.test_first_visit import tappable, taps
from tests.factories import make_user
from tests.games.conftest import registered
from tests.sure import sure
from tests.tournament.games.play import NAMES
from tournament.access import Actor
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Entry, Event, Game
from tournament.queries.rulings import HandQuestions, asked
from tournament.queries.sheet import sheet_now
from tournament.queries.sheetfacts import GameSheet
from tournament.services.devices import issue_cards, pair_device

pytestmark = pytest.mark.nightly


@dataclass(frozen=True)
class Evening:
    """An event to be played: its sheet, its options as the form has them, and who comes."""

    sheet: str
    people: int
    tables: tuple[int, ...]
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
    "bid-whist": Evening("bid_whist/standard", 4, (2, 2), {"win_at": "3"}),
    "spades": Evening("spades/four-hand-tournament-2026", 4, (2, 2), {"hand_limit": "2"}),
    "back-alley": Evening("back_alley/individual", 7, (4, 3), {"deals": "2"}, single=True),
    "okinawa": Evening("okinawa/standard", 2, (2,)),
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
    look_around(desk, new_page, dana, event, family)
    with TURN:
        event.refresh_from_db()
        auctions = Entry.objects.filter(game__round__event=event, facts__has_key="auction")
        assert auctions.exists() == (family == "okinawa")


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


def press(desk: Any, address: str, button: str) -> None:
    desk.goto(address)
    desk.get_by_role("button", name=button).first.click()
    desk.locator(".messages, [role=status]:not(#lost)").first.wait_for()
    # Left open it would ask for news of every hand.
    desk.goto("about:blank")


def game_at(event: Event, number: int, table: int) -> Game:
    with TURN:
        return Game.objects.select_related("round__event").get(round__event=event, round__number=number, table=table)


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
    choices, written = taps(due, facts, sides, seats, first=1)
    tap(tablet, *choices)
    extra_keys = write_beside(tablet, asks, facts) if asks.of("trump") and not sheet.rows else {}
    tablet.locator("#effect strong").wait_for()
    look(tablet, name)
    tablet.locator("#record").click()
    tablet.locator(".sheet .row-scores").nth(len(sheet.rows)).wait_for()
    tablet.locator(f"#entry [name=position][value='{sheet.next_position}']").wait_for(state="detached")
    with TURN:
        stored = game.entries.get(position=sheet.next_position).facts
    assert (stored.get("bids", stored.get("bid")), stored.get("tricks", stored.get("books"))) == written
    assert {key: stored.get(key) for key in extra_keys} == extra_keys


def write_beside(tablet: Any, asks: HandQuestions, facts: dict[str, Any]) -> dict[str, Any]:
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


def asked_of(sheet: GameSheet) -> HandQuestions:
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
