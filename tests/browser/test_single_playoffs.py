"""Single players in Chromium: from the cut over semifinals of two at a table to the champion."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.browser.conftest import LAPTOP, PHONE, look
from tests.browser.test_desk import at_desk
from tests.browser.turns import TURN
from tests.factories import make_user
from tests.sure import sure
from tests.tournament.games.play import play_out
from tests.tournament.games.test_single_players import evening, play_round
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.bracket import bracket
from tournament.services.rounds import start_round


@pytest.fixture
def dana(transactional_db: None) -> User:
    return make_user("dana", is_staff=True)


def play(dana: User, event: Event, number: int) -> list[int]:
    """Every hand of a round; gives how many sat at each table."""
    with TURN:
        games = list(Game.objects.filter(round__event=event, round__number=number).order_by("table"))
        for game in games:
            play_out(dana, game, Random(game.pk))
        return [game.sides.count() for game in games]


def test_four_of_six_players_play_off_two_at_a_table(new_page: Callable[..., Any], dana: User) -> None:
    event = evening(dana)
    start_round(Actor(dana), event, 1)
    play_round(dana, event, event.rounds.get(number=1))
    desk, playoffs = at_desk(new_page, dana, LAPTOP), f"/desk/{event.slug}/playoffs/"
    desk.goto(playoffs)
    desk.get_by_label("How many advance").fill("4")
    desk.get_by_role("button", name="Make the cut").click()
    desk.get_by_role("heading", name="Next: Semifinal").wait_for()
    look(desk, "singles-cut")
    for number, title, tables in ((2, "Semifinal", [2, 2]), (3, "Final", [2])):
        desk.get_by_role("button", name=f"Start {title}").click()
        desk.get_by_role("heading", name=f"{title} is in play").wait_for()
        assert play(dana, event, number) == tables
        desk.goto(playoffs)
        desk.get_by_role("button", name=f"Close {title}").click()
        desk.wait_for_url(f"**/desk/{event.slug}/")
        desk.goto(playoffs)
    with TURN:
        champion = sure(bracket(Event.objects.get(pk=event.pk))).champion
    desk.get_by_role("heading", name=f"Champion: {champion}").wait_for()
    desk.get_by_role("button", name="Finish the event").click()
    desk.get_by_text("The event is finished.").first.wait_for()
    phone = new_page(PHONE)
    phone.goto(f"/e/{event.slug}/bracket/")
    phone.get_by_text(champion).first.wait_for()
    look(phone, "singles-bracket")
