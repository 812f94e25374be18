"""Names of forty wide letters without a space on the tablet: nothing runs out of the page, and no number is broken."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, TABLET, TABLET_UPRIGHT, look
from tests.browser.test_desk import at_desk
from tests.browser.test_looks import STICKS_OUT
from tests.browser.test_tablet import bind, sit_down
from tests.browser.turns import TURN
from tests.factories import make_event, make_round, make_teams, play
from tournament.models import Event, Game, Player, Team
from tournament.texts import name_key

pytestmark = pytest.mark.nightly

# Ten hands of which nobody wins the game, and the one that ends it.
HANDS = [{"entry": "hand", "seat": number % 4, "bid": "3", "books": 9 - number // 2 % 2} for number in range(10)]
LAST = {"entry": "hand", "seat": 0, "bid": "7", "books": 13}
# How many lines of text a cell has: two would be a number in two pieces.
LINES = """(cells) => cells.map((cell) => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
})"""


PAGES = ("/e/{}/", "/e/{}/pictures/", "/e/{}/schedule/", "/e/{}/teams/", "/e/{}/teams/1/")
DESK = ("/desk/{}/", "/desk/{}/teams/", "/desk/{}/money/", "/desk/{}/pot/", "/desk/{}/log/", "/desk/{}/playoffs/")
SMALL = (1366, 768)


def widen(event: Event) -> None:
    for number, team in enumerate(event.teams.all()):
        name = f"{number}{'W' * 39}"
        Team.objects.filter(pk=team.pk).update(name=name, key=name_key(name))
        for player in team.players.all():
            name = f"{number}{player.position}{'M' * 38}"
            Player.objects.filter(pk=player.pk).update(name=name, key=name_key(name))


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
    """A round that is final, with a Boston: the names stand in sentences, lists and keys of drawings."""
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
    for path in (*PAGES, *DESK):
        page.goto(path.format(boston.slug))
        look(page, f"wide-{size[0]}{path.format(boston.slug).replace('/', '-')}")
        inside = page.locator(".table-card, .key li, .desk-side .card").evaluate_all(
            "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"
        )
        wider[path] = (page.evaluate(STICKS_OUT), inside)
    assert wider == dict.fromkeys(wider, (0, 0))


def test_a_tall_window_leaves_no_hole_between_sheet_and_signatures(new_page: Any, live_server: Any, dana: User) -> None:
    event = make_event(director=dana)
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    sit_down(game)
    play(dana, game, {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}, sign=False)
    page = new_page(TABLET_UPRIGHT)
    bind(page, live_server, dana, event)
    page.goto("/t/table/")
    page.get_by_role("heading", name="Check the sheet and sign").wait_for()
    sheet, below = (one.bounding_box() for one in page.locator(".table-grid > *").all()[:2])
    assert 0 <= below["y"] - sheet["y"] - sheet["height"] <= 20
