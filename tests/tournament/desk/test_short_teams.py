"""No game starts while a team has fewer players than its side seats, unless the director says so once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.factories import confirmed_in, make_event, page_of, signed_in, words_of
from tests.sure import fresh
from tournament.access import Actor
from tournament.models import Event
from tournament.queries.roster import RosterRow
from tournament.services.draws import draw_rounds
from tournament.services.rounds import close_round
from tournament.services.teams import add_team, enter_roster, withdraw_team

ACES = RosterRow(name="Aces", players=("Otis Reed",))
BOOKS = RosterRow(name="Books", players=("Cy Dill", "Flo Kay"))
CLUBS = RosterRow(name="Clubs", players=("Gus Poe",))
# A club that types no names.
DEUCES = RosterRow(name="Deuces")


def entered(dana: User, *rows: RosterRow, **fields: Any) -> Event:
    event = make_event(director=dana, **({"rounds_planned": 1, "seed": 5} | fields))
    enter_roster(Actor(dana), event, rows)
    return event


def drawn(dana: User, *rows: RosterRow, **fields: Any) -> Event:
    event = entered(dana, *rows, **fields)
    draw_rounds(Actor(dana), event, seed=5)
    return fresh(event)


def straight_to_the_bracket(dana: User, *rows: RosterRow) -> Event:
    event = entered(dana, *rows)
    event.stage, event.cut = "playoffs", len(rows)
    event.save()
    return event


def start_of(event: Event) -> str:
    return f"/desk/{event.slug}/{'playoffs/rounds/' if event.stage == 'playoffs' else 'rounds/1/start/'}"


def is_running(event: Event) -> bool:
    return event.rounds.filter(state="running").exists()


@pytest.mark.parametrize("begin", [drawn, straight_to_the_bracket])
def test_the_start_asks_once_about_all_of_them(dana: User, begin: object) -> None:
    assert callable(begin)
    event = begin(dana, ACES, BOOKS, CLUBS, DEUCES)
    desk, there = signed_in(dana), start_of(event)
    question = desk.post(there)
    words = words_of(question)
    assert "Not enough players:" in words
    assert "Aces has 1 player; the game seats 2 a side." in words
    assert "Clubs has 1 player; the game seats 2 a side." in words
    assert ("Books has" in words, "Deuces has" in words, is_running(event)) == (False, False, False)
    assert desk.post(there, {"confirmed": confirmed_in(page_of(question))}).status_code == 302
    assert is_running(event)


@pytest.mark.parametrize("begin", [drawn, straight_to_the_bracket])
def test_an_answer_holds_for_the_teams_that_were_named(dana: User, begin: object) -> None:
    assert callable(begin)
    event = begin(dana, ACES, BOOKS, CLUBS, DEUCES)
    desk, there = signed_in(dana), start_of(event)
    read = confirmed_in(page_of(desk.post(there)))
    desk.post(f"/desk/{event.slug}/teams/4/", {"name": "Deuces", "number": "4", "player1": "Jo Pike"})
    again = words_of(desk.post(there, {"confirmed": read}))
    assert "This is different now. Check it again." in again
    assert ("Deuces has 1 player; the game seats 2 a side." in again, is_running(event)) == (True, False)


@pytest.mark.parametrize("begin", [drawn, straight_to_the_bracket])
def test_where_nobody_is_missing_it_starts_at_once(dana: User, begin: object) -> None:
    assert callable(begin)
    more = RosterRow(name="Eagles", players=("Al Poe", "Bo Low", "Cal Coe"))
    event = begin(dana, BOOKS, DEUCES, more, RosterRow(name="Foxes"))
    assert signed_in(dana).post(start_of(event)).status_code == 302
    assert is_running(event)


def test_who_plays_alone_is_whole(dana: User) -> None:
    names = ("Al Bo", "Cy Di", "Ed Flo", "Gus Hal")
    event = drawn(dana, *(RosterRow(name=name) for name in names), sheet="back_alley/individual")
    assert signed_in(dana).post(start_of(event)).status_code == 302


def test_with_a_team_that_left_it_is_one_question(dana: User) -> None:
    event = drawn(dana, ACES, BOOKS, CLUBS, DEUCES)
    withdraw_team(Actor(dana), event, 3, 0)
    desk, there = signed_in(dana), start_of(event)
    question = desk.post(there)
    words = words_of(question)
    assert "Aces has 1 player; the game seats 2 a side." in words
    assert "without Clubs: the game goes to" in words
    assert ("Clubs has" in words, "Start anyway" in words) == (False, True)
    assert desk.post(there, {"confirmed": confirmed_in(page_of(question))}).status_code == 302


def test_once_games_are_played_nothing_is_asked_again(dana: User) -> None:
    event = drawn(dana, BOOKS, DEUCES, rounds_planned=2)
    desk = signed_in(dana)
    assert desk.post(start_of(event)).status_code == 302
    add_team(Actor(dana), fresh(event), ACES)
    game = event.rounds.get(number=1).games.get()
    game.state = "final"
    game.save()
    close_round(Actor(dana), fresh(event), 1)
    assert desk.post(f"/desk/{event.slug}/rounds/2/start/").status_code == 302
