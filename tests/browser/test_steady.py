"""The tablet's form stays where it is and says what it is: no question is gone while a page comes, none lies under the
button, the button is quiet before the hand is whole, and what is said below the sheet is said where it matters."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import TABLET, TABLET_UPRIGHT, tap
from tests.browser.test_offline import ahead, hand
from tests.browser.test_tablet import sit_down
from tests.halls import eventually
from tournament.models import Game

# The answer to a hand comes after 0.8 s.
SLOW = """const ask = window.fetch;
window.fetch = async (...asked) => {
  if (String(asked[0]).includes("submissions")) await new Promise((done) => setTimeout(done, 800));
  return ask(...asked);
};"""
# How many answers can be seen and tapped, in every picture that the browser shows.
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const picks = [...document.querySelectorAll("#entry .ask .pick")];
    window.seen.push(picks.filter((pick) => pick.getClientRects().length).length);
    if (window.seen.length < 2000) requestAnimationFrame(look);
  };
  look();
}"""
# By how much the lowest answer lies below the top of the bar with “Record”.
UNDER = """() => {
  const bar = document.querySelector("#entry .record").getBoundingClientRect().top;
  const picks = [...document.querySelectorAll("#entry .ask .pick")].filter((pick) => pick.getClientRects().length);
  return Math.round(Math.max(...picks.map((pick) => pick.getBoundingClientRect().bottom)) - bar);
}"""


def test_the_open_question_stays_while_the_answer_to_the_last_hand_comes(
    table_page: Any, dana: User, game: Game
) -> None:
    sit_down(game)
    page = table_page(script=SLOW)
    ahead(page)
    tap(page, "seat-0", "bid-3", "books-9")
    page.locator("#record").click()
    page.get_by_text("Hand 2 ·").wait_for()
    eventually(lambda: page.locator(".ask.open").count() == 1, lambda: page.inner_text("#entry"))
    page.evaluate(WATCH)
    page.locator(".row-made").wait_for()
    page.wait_for_timeout(400)
    seen = page.evaluate("() => window.seen")
    assert (len(seen) > 10, min(seen)) == (True, 4)


@pytest.mark.parametrize("size", [TABLET_UPRIGHT, TABLET])
def test_no_answer_lies_under_the_bar_when_something_comes_above(
    table_page: Any, dana: User, game: Game, size: tuple[int, int]
) -> None:
    sit_down(game)
    page = table_page(size, trouble=True)
    ahead(page)
    under = [page.evaluate(UNDER)]
    page.context.set_offline(True)
    page.locator("summary", has_text="Call the director").click()
    page.get_by_role("button", name="Renege").click()
    page.get_by_text("is not sent: walk to the desk").wait_for()
    page.wait_for_timeout(200)
    under.append(page.evaluate(UNDER))
    assert max(under) <= 0


def test_record_is_quiet_until_the_hand_is_whole(seated: Any) -> None:
    def is_loud() -> bool:
        return bool(seated.evaluate("() => document.getElementById('record').matches('.primary')"))

    loud = [is_loud()]
    for choice in ("seat-0", "bid-3", "books-9"):
        tap(seated, choice)
        loud.append(is_loud())
    seated.keyboard.press("Backspace")
    loud.append(is_loud())
    assert loud == [False, False, False, True, False]


def test_the_line_about_a_connection_is_said_before_the_game_and_where_it_matters(
    table_page: Any, dana: User, game: Game
) -> None:
    page = table_page(trouble=True)
    line = page.locator("#mode")
    shown = [line.is_visible()]
    sit_down(game)
    page.locator("#entry").wait_for(timeout=15_000)
    ahead(page)
    shown.append(line.is_visible())
    page.context.set_offline(True)
    hand(page, 0, "3", 9)
    page.get_by_text("On this tablet: 1 hand").wait_for()
    shown.append(line.is_visible())
    page.context.set_offline(False)
    page.locator(".row-made").wait_for()
    eventually(lambda: not line.is_visible(), lambda: line.inner_text())
    assert shown == [True, False, True]
