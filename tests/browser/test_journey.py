"""A club's evening in Chromium, from nothing to the standings; the director's clicks and the table's taps counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, TABLET, look
from tests.factories import PASSWORD, make_user
from tournament.models import Entry, Event, Game, Side, Team

ROSTER = (Path(__file__).parents[2] / "fixtures" / "demo" / "roster.csv").read_text(encoding="utf-8")
# Hands of the tournament sheet: who won the bid (seat), the bid, the books. The third brings seat 0's side to 6.
HANDS = ((0, "3", 9), (1, "2-special", 8), (2, "3-special", 9))


class Hand:
    """A hand on a mouse or a screen, that counts."""

    def __init__(self, page: Any) -> None:
        self.page, self.count = page, 0

    def click(self, target: Any) -> None:
        target.click()
        self.count += 1

    def press(self, name: str, role: str = "button") -> None:
        self.click(self.page.get_by_role(role, name=name, exact=True))


@pytest.fixture
def otis(transactional_db: None) -> User:
    """The owner of the installation: may set events up."""
    return make_user("otis", is_staff=True)


def set_up(page: Any, roster: str) -> Hand:
    """Sign in, a new event, the list pasted, drawn, round 1 started: as somebody does who sees the site first."""
    hand = Hand(page)
    page.goto("/sign-in/")
    page.get_by_label("Username").fill("otis")
    page.get_by_label("Password").fill(PASSWORD)
    hand.press("Sign in")
    page.get_by_text("No events yet.").wait_for()
    hand.press("Set up the first one", "link")
    page.get_by_role("textbox", name="Name", exact=True).fill("Autumn Open")
    hand.click(page.get_by_text("Money", exact=True))
    page.get_by_label("Boston pot, each").fill("10")
    page.get_by_label("Who plays?").fill(roster)
    page.get_by_text(f"{len(roster.splitlines()) - 1} teams, ").wait_for()
    look(page, "journey-new-event")
    hand.press("Set up and draw 6 rounds")
    page.get_by_text("Autumn Open is set up.").wait_for()
    look(page, "journey-draw")
    hand.press("Start game 1")
    page.get_by_text("Game 1 is in play.").wait_for()
    return hand


def test_24_teams_from_nothing_to_round_1_in_at_most_25_clicks(new_page: Callable[..., Any], otis: User) -> None:
    page = new_page(LAPTOP, timezone_id="America/Chicago")
    hand = set_up(page, ROSTER)
    look(page, "journey-round-1")
    event = Event.objects.get()
    # By the same way of counting it were ten while teams, draw and start had pages of their own.
    assert hand.count == 5
    assert (event.name, event.stage, event.pot_cents) == ("Autumn Open", "playing", 1000)
    assert event.time_zone == "America/Chicago"
    assert list(Team.objects.filter(paid=True).values_list("number", flat=True)) == list(range(1, 25))
    assert Game.objects.filter(round__number=1, state="playing").count() == 12
    assert Side.objects.filter(round__number=1).values("team").distinct().count() == 24


def test_an_evening_from_the_sign_in_to_the_standings(new_page: Callable[..., Any], otis: User) -> None:
    desk = new_page(LAPTOP)
    set_up(desk, "\n".join(ROSTER.splitlines()[:3]))

    desk.get_by_role("link", name="Tablets", exact=True).click()
    desk.get_by_role("button", name="Issue card for table 1").click()
    code = desk.locator(".table-code").inner_text()

    tablet = new_page(TABLET)
    tablet.goto("/t/")
    tablet.get_by_label("Code").fill(code.lower())
    tablet.get_by_role("button", name="Set up this tablet").click()
    tablet.get_by_role("button", name="We are seated").first.click()
    tablet.locator(".seated").wait_for()
    tablet.get_by_role("button", name="We are seated").click()
    tablet.locator("button[name=dealer][value='0']").click()
    tablet.locator("#entry").wait_for()
    taps = [record(tablet, *hand) for hand in HANDS]
    assert max(taps) <= 4
    tablet.get_by_role("heading", name="Check the sheet and sign").wait_for()
    for side in (0, 1):
        tablet.locator(f".sign-side.side-{side}").get_by_role("button").first.click()
        tablet.locator(f".sign-side.side-{side} .sign-done .chip").wait_for()
    tablet.get_by_role("heading", name="Final").wait_for()

    winner, loser = (side.team.name for side in Side.objects.filter(round__number=1).order_by("index"))
    desk.get_by_role("link", name="Round", exact=True).click()
    desk.get_by_role("button", name="Close game 1").click()
    desk.get_by_text("Game 1 is closed.").wait_for()
    look(desk, "journey-closed")
    desk.get_by_role("link", name="Standings", exact=True).click()
    desk.wait_for_url("**/standings/")
    assert lines(desk)[:2] == [("1", winner, "1", "6"), ("2", loser, "0", "2")]

    phone = new_page(PHONE)
    phone.goto("/")
    phone.get_by_role("link", name="Autumn Open").click()
    assert lines(phone)[:2] == [("1", winner, "1", "6"), ("2", loser, "0", "2")]
    phone.get_by_role("link", name=winner).first.click()
    phone.get_by_role("heading", name=winner).wait_for()
    look(phone, "journey-team")


def record(tablet: Any, seat: int, bid: str, books: int) -> int:
    """Write a hand by taps; returns how many it took."""
    hand, before = Hand(tablet), Entry.objects.count()
    for choice in (f"seat-{seat}", f"bid-{bid}", f"books-{books}"):
        hand.click(tablet.locator(f"label:has(#{choice})"))
    hand.click(tablet.locator("#record"))
    tablet.locator(".sheet .row-scores").nth(before).wait_for()
    return hand.count


def lines(page: Any) -> list[tuple[str, ...]]:
    """Place, team, games won and points of every line of the standings on a page."""
    page.locator("table.standings tbody tr").first.wait_for()
    rows = page.locator("table.standings tbody tr").all()
    return [
        tuple(row.locator(f"td{cell}").inner_text().strip() for cell in (".place", ".name a", ".won", ".points"))
        for row in rows
    ]
