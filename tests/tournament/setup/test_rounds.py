"""Rounds open, run and close; the first start pins the rule sheet."""

from __future__ import annotations

import html
import threading
import time

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection

from tests.factories import MADE_FIVE, begin, make_event, make_round, make_teams, make_user, play
from tests.pages import signed_in
from tournament.access import Actor
from tournament.models import Event, Game, Journal
from tournament.refusals import Changed, Invalid, Refusal
from tournament.services.draws import draw_rounds
from tournament.services.rounds import close_round, start_round
from tournament.services.teams import withdraw_team


def test_start_round_opens_every_table_and_pins_the_sheet(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    started = start_round(Actor(dana), event, 1)
    event.refresh_from_db()
    assert (started.state, event.stage, event.frozen_at is not None) == ("running", "playing", True)
    assert set(started.games.values_list("state", flat=True)) == {"playing"}
    assert [game.result.scores for game in started.games.all()] == [[0, 0], [0, 0]]
    assert list(Journal.objects.values_list("action", flat=True))[:2] == ["start", "freeze"]


def test_start_round_with_something_missing_says_what(event: Event, dana: User) -> None:
    aces, books, _ = make_teams(event, 3)
    make_round(event, [(aces, books)], state="planned")
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/start/")
    assert answer.status_code == 422
    assert "Not in round 1: Night Owls. Draw again." in answer.content.decode()
    event.refresh_from_db()
    assert (event.stage, event.frozen_at) == ("setup", None)


def test_start_round_out_of_turn_is_refused(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    with pytest.raises(Changed, match="Game 1 comes first"):
        start_round(Actor(dana), event, 2)
    start_round(Actor(dana), event, 1)
    with pytest.raises(Changed, match="Game 1 was already started"):
        start_round(Actor(dana), event, 1)
    with pytest.raises(Changed, match="Game 1 is still in play"):
        start_round(Actor(dana), event, 2)
    with pytest.raises(Changed, match="Round 9 was drawn again"):
        start_round(Actor(dana), event, 9)


def test_close_round_names_every_table_that_is_missing_and_why(event: Event, dana: User) -> None:
    aces, books, owls, eagles, deck, rollers = make_teams(event, 6)
    round_ = make_round(event, [(aces, books), (owls, eagles), (deck, rollers)])
    first, second, third = round_.games.all()
    play(dana, first, MADE_FIVE)
    play(dana, second, MADE_FIVE, sign=False)
    play(dana, third, {"entry": "hand", "bidder": 0, "bid": "3", "books": 9})
    answer = signed_in(dana).post(f"/desk/{event.slug}/rounds/1/closure/")
    assert answer.status_code == 422
    page = html.unescape(answer.content.decode())
    assert "Table 2: no signature yet from Night Owls and Eagles." in page
    assert "Table 3: still playing, 1 hand so far (Full Deck – High Rollers)." in page
    assert "Table 1" not in page
    round_.refresh_from_db()
    assert round_.state == "running"


def test_close_round_when_every_game_is_final(event: Event, dana: User) -> None:
    round_ = make_round(event, [tuple(make_teams(event, 2))])
    play(dana, round_.games.get(), MADE_FIVE)
    assert signed_in(dana).post(f"/desk/{event.slug}/rounds/1/closure/").status_code == 302
    round_.refresh_from_db()
    assert (round_.state, round_.closed_at is not None) == ("closed", True)
    with pytest.raises(Changed, match="closed already"):
        close_round(Actor(dana), event, 1)


def test_games_of_a_team_that_left_go_to_its_opponents(event: Event, dana: User) -> None:
    make_teams(event, 4)
    draw_rounds(Actor(dana), event, by_number=True)
    start_round(Actor(dana), event, 1)
    for game in Game.objects.filter(round__number=1):
        play(dana, game, MADE_FIVE)
    close_round(Actor(dana), event, 1)
    withdraw_team(Actor(dana), event, 2, 1)
    round_ = start_round(Actor(dana), event, 2)
    given = round_.games.get(sides__team__number=2)
    here = next(side.index for side in given.sides.all() if side.team.number != 2)
    assert (given.state, given.result.winner, given.result.how, given.result.rule) == ("final", here, "forfeit", "46")
    assert round_.games.exclude(pk=given.pk).get().state == "playing"


def test_a_team_that_leaves_later_still_plays_this_round(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="planned")
    withdraw_team(Actor(dana), event, 2, 1)
    begin(event)
    assert start_round(Actor(dana), event, 1).games.get().state == "playing"


@pytest.mark.django_db(transaction=True)
def test_two_desks_that_start_at_once_start_once() -> None:
    dana = make_user("dana")
    event = make_event(director=dana)
    make_teams(event, 4)
    draw_rounds(Actor(dana), event)
    outcomes: list[str] = []
    gate = threading.Barrier(2)

    def press() -> None:
        gate.wait()
        while True:
            try:
                start_round(Actor(dana), event, 1)
                outcomes.append("started")
            except OperationalError:
                # The tests' database lies in memory and does not queue: the site says “busy”, the desk presses again.
                time.sleep(0.01)
                continue
            except Refusal as refusal:
                outcomes.append(type(refusal).__name__)
            break
        connection.close()

    desks = [threading.Thread(target=press) for _ in range(2)]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()
    assert sorted(outcomes) == ["Changed", "started"]
    assert Journal.objects.filter(action="start").count() == 1


def test_rounds_are_for_the_director(event: Event, vic: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))])
    assert signed_in(vic).post(f"/desk/{event.slug}/rounds/1/closure/").status_code == 403
    assert signed_in(vic).get(f"/desk/{event.slug}/rounds/1/closure/").status_code == 405


def test_loading_the_address_of_a_form_answers_with_a_page_not_an_empty_error(event: Event, dana: User) -> None:
    answer = signed_in(dana).get(f"/desk/{event.slug}/rounds/1/closure/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "This address only takes what a page sends." in answer.content.decode()


def test_start_round_without_tables_is_refused(event: Event, dana: User) -> None:
    make_round(event, [tuple(make_teams(event, 2))], state="closed")
    make_round(event, [], number=2, state="planned")
    with pytest.raises(Invalid, match="has no tables yet"):
        start_round(Actor(dana), event, 2)
