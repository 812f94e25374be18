"""Bids that a tablet locks: seen at the table and the desk, changed by agreement, kept through a night offline."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, look, tap
from tests.browser.test_desk import at_desk
from tests.factories import make_game, seat_all
from tests.halls import eventually
from tournament.models import Game, Journal, Submission
from tournament.queries.sheet import sheet_now


@pytest.fixture
def game(dana: User) -> Game:
    game = make_game(dana, name="Spades Night", sheet="spades/jokers")
    seat_all(game)
    return game


def contract(page: Any) -> str:
    words = page.locator("#contract")
    return words.inner_text() if words.is_visible() else ""


def shows(page: Any, words: str) -> None:
    eventually(lambda: contract(page) == words, lambda: contract(page))


def test_locked_bids_reach_desk_and_every_tablet_and_the_hand_takes_them(
    table_page: Any, new_page: Any, dana: User, game: Game
) -> None:
    event = game.round.event
    tablet = table_page(of=event)
    tap(tablet, "bid-1-5", "bid-0-6")
    look(tablet, "contract")
    tablet.get_by_role("button", name="Play", exact=True).click()
    shows(tablet, "Aces 6 · Books 5 · 11 of 13 bid")
    look(tablet, "contract-locked")
    desk = at_desk(new_page, dana, LAPTOP)
    desk.goto(f"/desk/{event.slug}/games/{game.pk}/")
    desk.get_by_text("Aces 6 · Books 5 · 11 of 13 bid").wait_for()
    look(desk, "contract-desk")
    watching = table_page(of=event, further=True)
    shows(watching, "Aces 6 · Books 5 · 11 of 13 bid")
    look(watching, "contract-watching")
    tablet.reload()
    shows(tablet, "Aces 6 · Books 5 · 11 of 13 bid")
    tap(tablet, "tricks-1-6")
    tablet.locator("#record").click()
    eventually(lambda: len(sheet_now(game).rows) == 1, lambda: "")
    assert sheet_now(game).scores == (61, 51)
    shows(tablet, "")
    assert (Submission.objects.filter(kind="bids").count(), Journal.objects.filter(action="bids").count()) == (1, 0)
