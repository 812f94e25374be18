"""An evening of 19 from the cut to the last place: eight play for every place, eleven in a bracket of their own."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, Counted
from tests.browser.test_desk import at_desk
from tests.factories import make_event
from tests.sure import fresh
from tests.tournament.results.evenings import finish_game, round_robin, win
from tournament.models import Event, Game
from tournament.queries.final_places import final_places

pytestmark = pytest.mark.browser


def finish_all(event: Event) -> int:
    """Whoever has the lower number wins every game in play."""
    games = Game.objects.filter(round__event=event, state="playing").select_related("round")
    for game in games:
        numbers = list(game.sides.order_by("index").values_list("team__number", flat=True))
        finish_game(event, game, win(numbers.index(min(numbers))))
    return len(games)


def test_nineteen_play_to_the_last_place(new_page: Any, dana: User) -> None:
    event = make_event("Nobody Goes Home", dana, rounds_planned=19, teams=19)
    round_robin(event, range(1, 20))
    desk = at_desk(new_page, dana, LAPTOP)
    presses = Counted(desk)
    desk.goto(f"/desk/{event.slug}/playoffs/")
    desk.locator("[name=size]").fill("8")
    presses.tap(desk.locator("[name=losers][value=places-16]"))
    desk.locator("[name=second]").fill("11")
    desk.locator("[name=second_losers]").select_option("consolation")
    presses.tap(desk.get_by_role("button", name="Make the cut"))
    at_the_cut = presses.taps
    played, titles = [], []
    while not fresh(event).rounds.filter(stage="playoff", state="planned").exists():
        desk.goto(f"/desk/{event.slug}/")
        start = desk.locator("#next-act").get_by_role("button", name="Start")
        if not start.count():
            break
        presses.tap(start)
        desk.wait_for_load_state()
        event.refresh_from_db()
        running = event.rounds.get(state="running")
        titles.append(str(running))
        if len(titles) == 2:
            phone = new_page(PHONE)
            phone.goto(f"/e/{event.slug}/bracket/")
            parts = phone.locator(".parttitle").all_inner_texts()
            assert parts[0] == "Main bracket" and "Second bracket" in parts
            assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE[0], "nothing sticks out"
        played.append(finish_all(event))
        desk.goto(f"/desk/{event.slug}/")
        presses.tap(desk.locator("#next-act").get_by_role("button", name="Close"))
        desk.wait_for_load_state()
    assert titles[0] == "Playoff round 1"
    # Three matches of the consolation are byes: the seeds that could lose into them have won.
    assert (len(titles), sum(played)) == (5, 25)
    places = final_places(fresh(event))
    assert places.groups[:8] == tuple((number,) for number in range(1, 9))
    assert places.index_lines()[9].how == "Won the second bracket final 5–0"
    assert sorted(number for group in places.groups for number in group) == list(range(1, 20))
    # Two presses at the cut, besides what is typed; then a start and a close for each round of the hall.
    assert (at_the_cut, presses.taps) == (2, 2 + 2 * len(titles))
    phone.reload()
    titles_now = [" ".join(words.split()) for words in phone.locator(".parttitle").all_inner_texts()]
    assert "Second bracket won by Team 9" in titles_now and "For fifth place won by Full Deck" in titles_now
