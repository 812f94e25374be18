"""Two rounds of the club's evening of 24 teams, typed in: 12 games by taps on the tablet's page, 12 by its messages.

The rulings are the desk's. Afterwards the standings are those of the event file, cut to its first two rounds.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.browser.conftest import TABLET, look
from tests.browser.test_desk import at_desk
from tests.browser.turns import TURN
from tests.factories import make_user
from tests.messages import send
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.middleware import TABLE_COOKIE
from tournament.models import Event, Game
from tournament.queries.sheet import sheet_now
from tournament.queries.standings import StandingsLine, standings
from tournament.services.devices import issue_cards, pair_device

pytestmark = pytest.mark.nightly

FILE = json.loads((Path(__file__).parents[2] / "fixtures" / "golden" / "club-24" / "event.json").read_text("utf-8"))
ROUNDS = (1, 2)


@pytest.fixture
def dana(transactional_db: None) -> User:
    return make_user("dana")


def cut_file(*, with_hands: bool) -> dict[str, Any]:
    """The event file with the hands of its first two rounds, or with none: only who meets whom."""
    file = copy.deepcopy(FILE)
    # The team that left after game 4 had not left yet.
    del file["leaver"]
    for round_ in file["rounds"]:
        played = with_hands and round_["round"] in ROUNDS
        round_["state"] = "closed" if played else "planned"
        if not played:
            for table in round_["tables"]:
                del table["game"]
    return file


def test_two_rounds_typed_in_give_the_standings_of_the_imported_file(
    new_page: Callable[..., Any], live_server: Any, dana: User
) -> None:
    typed = import_event(Actor(dana), cut_file(with_hands=False), name="Typed")
    keys = {
        table: pair_device(Actor(), code) for table, code in issue_cards(Actor(dana), typed, list(range(1, 13))).items()
    }
    desk = at_desk(new_page, dana, TABLET)
    tablet = new_page(TABLET)
    for round_ in FILE["rounds"][: len(ROUNDS)]:
        number = round_["round"]
        press(desk, f"/desk/{typed.slug}/?round={number}", f"Start game {number}")
        for table in round_["tables"]:
            game, key = game_at(typed, number, table["table"]), keys[table["table"]]
            if number == 1:
                tablet.context.add_cookies([{"name": TABLE_COOKIE, "value": key, "url": live_server.url}])
                play_game(tablet, desk, game, table["game"]["entries"])
            else:
                post_game(key, desk, game, table["game"]["entries"])
        press(desk, f"/desk/{typed.slug}/?round={number}", f"Close game {number}")
    look(tablet, "club-24-last-table")

    with TURN:
        imported = import_event(Actor(dana), cut_file(with_hands=True), name="Imported")
        assert shown(typed) == shown(imported)
        assert [line.played for line in standings(typed).lines] == [2] * 24


def play_game(tablet: Any, desk: Any, game: Game, entries: list[dict[str, Any]]) -> None:
    """Seats, first dealer, every line of the sheet, both signatures."""
    tablet.goto("/t/table/")
    # By now the page knows its table and keeps what is written.
    tablet.locator("#mode:not([hidden])").wait_for()
    tablet.get_by_role("button", name="We are seated").first.click()
    tablet.locator(".seated").wait_for()
    tablet.get_by_role("button", name="We are seated").click()
    tablet.locator("button[name=dealer][value='0']").click()
    tablet.locator("#entry").wait_for()
    tablet.locator("body:not(.has-unsent)").wait_for()
    for number, facts in enumerate(entries, start=1):
        if facts["entry"] == "hand":
            for choice in (f"seat-{facts['bidder']}", f"bid-{facts['bid']}", f"books-{facts['books']}"):
                tablet.locator(f"label:has(#{choice})").click()
            tablet.locator("#record").click()
        else:
            rule(desk, game, facts)
            tablet.goto("/t/table/")
            tablet.locator("#mode:not([hidden])").wait_for()
        tablet.locator(".sheet .row-scores").nth(number - 1).wait_for()
    for side in (0, 1):
        tablet.locator(f".sign-side.side-{side}").get_by_role("button").first.click()
        tablet.locator(f".sign-side.side-{side} .sign-done .chip").wait_for()


def post_game(key: str, desk: Any, game: Game, entries: list[dict[str, Any]]) -> None:
    """The same by the messages of the page's script."""
    client = Client()
    client.cookies[TABLE_COOKIE] = key

    def post(kind: str, form: dict[str, Any]) -> None:
        with TURN:
            assert send(client, kind, game, form)["status"] == "applied"

    for kind, seated in (("seat", {"side": 0}), ("seat", {"side": 1}), ("dealer", {"dealer": 0})):
        post(kind, seated)
    for position, facts in enumerate(entries, start=1):
        if facts["entry"] == "hand":
            hand = {"seat": str(facts["bidder"]), "bid": facts["bid"], "books": str(facts["books"])}
            post("hand", {**hand, "position": str(position)})
        else:
            rule(desk, game, facts)
    with TURN:
        sheet = sheet_now(game)
    for seat in sheet.seats[:2]:
        post("sign", {"side": seat.side, "name": seat.name})


def rule(desk: Any, game: Game, facts: dict[str, Any]) -> None:
    """The director rules, question by question; the page shows the effect before it is applied."""
    desk.goto(f"/desk/{game.round.event.slug}/games/{game.pk}/rulings/?rule={facts['rule']}")
    for field in ("side", "choice", "bidder", "bid"):
        answer = desk.locator(f"#{field}-{facts.get(field)}")
        # Rule 34 asks nobody who won the bid: it is the side at fault.
        if answer.count() and not answer.is_checked():
            with desk.expect_response(lambda answer: "/rulings/" in answer.url):
                desk.locator(f"label:has(#{field}-{facts[field]})").click()
            desk.locator(f"#{field}-{facts[field]}[checked]").wait_for(state="attached")
    desk.get_by_role("button", name="Apply this ruling").click()
    desk.get_by_text("The ruling is on the sheet.").wait_for()


def press(desk: Any, address: str, button: str) -> None:
    desk.goto(address)
    desk.get_by_role("button", name=button).click()
    desk.locator(".messages, [role=status]").first.wait_for()
    # Left open it would ask for news of every hand.
    desk.goto("about:blank")


def game_at(event: Event, number: int, table: int) -> Game:
    with TURN:
        return Game.objects.select_related("round__event").get(round__event=event, round__number=number, table=table)


def shown(event: Event) -> tuple[object, ...]:
    """All of the standings but the keys of the games' rows."""
    table = standings(event)
    return tuple(without_keys(line) for line in table.lines), table.state, table.order, table.cut, table.complete


def without_keys(line: StandingsLine) -> StandingsLine:
    return replace(line, marks=tuple(mark and mark._replace(game=None) for mark in line.marks))
