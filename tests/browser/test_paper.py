"""A paper sheet at the desk by keys alone, counted in Chromium: dealer, seven hands, signatures, the next table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.browser.conftest import LAPTOP, look
from tests.browser.test_desk import at_desk, director, hall, sheet, table
from tournament.models import Event, Side, Signature

__all__ = ["director", "hall"]
# Who won the bid, its kind where it has one, the bid, the books: a sheet that takes as many keys as any.
HANDS = ["a310", "bs310", "dn49", "bs410", "as37", "ds310", "bn410"]
MOST_KEYS = 45


class Keys:
    """Somebody at the keyboard, whose keys are counted; Shift is one of its own."""

    def __init__(self, page: Any) -> None:
        self.page, self.count = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.count += 1 + key.startswith("Shift+")
            self.page.keyboard.press(key)


def test_a_paper_game_takes_45_keys_and_no_pointer(new_page: Callable[..., Any], director: Any, hall: Event) -> None:
    Side.objects.update(seated_at=None)
    page = at_desk(new_page, director, LAPTOP)
    page.goto(f"/desk/{hall.slug}/")
    keys = Keys(page)
    keys.press("Enter")
    page.get_by_role("heading", name="Table 1", exact=True).wait_for()
    look(page, "paper-begin-laptop")
    # The keys are heard once the page has loaded.
    page.wait_for_load_state()
    keys.press("Shift+B")
    page.locator("[data-dealer=B][aria-pressed=true]").wait_for()
    most = 0
    for number, said in enumerate(HANDS, start=1):
        before = keys.count
        keys.press(*said, "Enter")
        page.get_by_text(f"Hand {number} saved.").wait_for()
        most = max(most, keys.count - before)
    look(page, "paper-over-laptop")
    page.get_by_role("button", name="Both signed on paper").wait_for()
    keys.press("Enter")
    page.get_by_role("link", name="Next open table: 2").wait_for()
    look(page, "paper-signed-laptop")
    keys.press("Enter")
    page.get_by_role("heading", name="Table 2", exact=True).wait_for()
    game = table(hall, 1)
    assert (game.state, game.first_dealer, sheet(game).hands) == ("final", 1, 7)
    assert [one.how for one in Signature.objects.all()] == ["paper", "paper"]
    assert not Side.objects.filter(game=game, seated_at=None).exists()
    print(f"a paper game: {sheet(game).hands} hands, {keys.count} keys, a hand {most} at most")
    assert (keys.count <= MOST_KEYS, most <= 6) == (True, True)
