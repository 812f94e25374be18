"""A draw is made from what was read once. What others write meanwhile is seen; nothing is planned twice without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import make_event, make_teams
from tests.pages import signed_in
from tests.tournament.setup.test_draws import drawn, finish
from tournament.access import Actor
from tournament.models import Event
from tournament.queries.roster import RosterRow
from tournament.refusals import Changed
from tournament.services.draws import draw_rounds
from tournament.services.teams import add_team
from tournament.services.transactions import writing


def draw_while(event: Event, dana: User, act: Callable[[], object]) -> None:
    """Draw, and let somebody else act when the plan is made and the event is not locked yet."""
    plan_is_made = False

    def run(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal plan_is_made
        if "tournament_bye" in sql and not plan_is_made:
            plan_is_made = True
            answer = execute(sql, *rest)
            act()
            return answer
        return execute(sql, *rest)

    with connection.execute_wrapper(run):
        draw_rounds(Actor(dana), event, seed=7)


@pytest.fixture
def swiss(dana: User) -> Event:
    event = make_event("Swiss", dana, movement="swiss", rounds_planned=3)
    make_teams(event, 6)
    draw_rounds(Actor(dana), event)
    finish(event, dana, 1)
    return event


def test_a_team_that_comes_while_a_draw_is_made_is_not_left_out(swiss: Event, dana: User) -> None:
    with pytest.raises(Changed, match="Please draw again"):
        draw_while(swiss, dana, lambda: add_team(Actor(dana), swiss, RosterRow(0, None, "Late Birds", ("Al", "Bo"))))
    assert len(drawn(swiss)) == 1


def test_what_changes_nothing_of_the_draw_does_not_hinder_it(swiss: Event, dana: User) -> None:
    def write() -> None:
        with writing(swiss):
            pass

    draw_while(swiss, dana, write)
    assert len(drawn(swiss)) == 2


@pytest.mark.parametrize("teams", [8, 24])
def test_a_draw_takes_as_many_statements_for_many_teams_as_for_few(dana: User, teams: int) -> None:
    event = make_event(f"Swiss of {teams}", dana, slug="swiss", movement="swiss", rounds_planned=3)
    make_teams(event, teams)
    draw_rounds(Actor(dana), event)
    finish(event, dana, 1)
    client = signed_in(dana)
    with CaptureQueriesContext(connection) as queries:
        assert client.post("/desk/swiss/draw/", {"seats": "lot"}).status_code == 302
    assert len(queries) == 29
