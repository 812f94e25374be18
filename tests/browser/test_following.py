"""Open pages hear what happened: a phone within five seconds, desk and projector within two."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.browser.conftest import LAPTOP, PHONE, TURN
from tests.browser.test_desk import at_desk
from tests.factories import make_event
from tests.public import addresses_in, asked_in, phone_of
from tests.sure import sure
from tests.tournament.results.evenings import played_round, win
from tests.tournament.results.test_playoffs import play_round
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.roster import RosterRow
from tournament.services.corrections import correct_sheet
from tournament.services.playoffs import finish_event, make_cut
from tournament.services.teams import change_team
from tournament.urls import PUBLIC
from tournament.views.checkin import COOKIE

ON_A_PHONE, IN_THE_HALL = 5, 2
# Pages of the desk that show games, standings, or who is there.
DESK = {
    name: f"/desk/columbus-open/{path}"
    for name, path in {"desk": "", "standings": "standings/", "check-in": "check-in/", "game": "games/{final}/"}.items()
}
READS = "() => document.querySelector('#main').innerText"


@pytest.fixture
def evening(dana: User) -> Event:
    """The final was played. Team 1 checked in with a phone."""
    event = make_event(director=dana, rounds_planned=1, checks_in=True, teams=4)
    event.teams.filter(number=1).update(here_at=timezone.now())
    played_round(event, [(1, 2, win(0)), (3, 4, win(0))])
    make_cut(Actor(dana), event, 2)
    event.refresh_from_db()
    play_round(dana, event)
    return event


def rename(dana: User, event: Event) -> None:
    """Team 1 is on every page that shows a game."""
    name = f"Aces {time.monotonic_ns()}"
    change_team(Actor(dana), event, 1, RosterRow(number=1, name=name, players=("Ann 1", "Bea 1"), city="Columbus"))


def correct(dana: User, event: Event) -> None:
    """The score of the final, each time another one."""
    lines = final_of(event).entries.filter(position=1)
    facts, revision = win(0)[0] | {"books": 11 + lines.count()}, max(line.revision for line in lines)
    correct_sheet(Actor(dana), final_of(event), facts=facts, position=1, revision=revision, reason="as on paper")


def final_of(event: Event) -> Game:
    return sure(Game.objects.filter(round__event=event).order_by("pk").last())


def seconds(page: Any, address: str, act: Any) -> float:
    """How long an open page shows what is no longer so."""
    page.goto(address)
    page.wait_for_function("() => window.htmx")
    before = page.evaluate(READS)
    with TURN:
        act()
    begun = time.monotonic()
    page.wait_for_function("(before) => document.querySelector('#main').innerText !== before", arg=before)
    return time.monotonic() - begun


@pytest.mark.parametrize("stage", ["playoffs", pytest.param("over", marks=pytest.mark.nightly)])
def test_open_pages_follow_a_phone_and_the_hall(new_page: Any, dana: User, evening: Event, stage: str) -> None:
    if stage == "over":
        finish_event(Actor(dana), evening)
    phone, hall, desk = new_page(PHONE), new_page(LAPTOP), at_desk(new_page, dana, LAPTOP)
    door = phone_of(evening.teams.get(number=1)).cookies[COOKIE].value
    phone.context.add_cookies([{"name": COOKIE, "value": door, "domain": "localhost", "path": "/"}])
    pages = addresses_in(evening) | asked_in(evening)
    took = {}
    for name in (str(page.name) for page in PUBLIC if page.follows):
        page, most = (hall, IN_THE_HALL) if name == "board" else (phone, ON_A_PHONE)
        act = correct if name == "corrections" else rename
        took[name] = seconds(page, pages[name], partial(act, dana, evening)), most
    for name, address in DESK.items():
        act = correct if name == "game" else rename
        address = address.format(final=final_of(evening).pk)
        took[f"desk: {name}"] = seconds(desk, address, partial(act, dana, evening)), IN_THE_HALL
    assert {name: time for name, (time, most) in took.items() if time > most} == {}
