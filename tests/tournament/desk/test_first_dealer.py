"""Who dealt first is named at the desk, and the desk knows which table comes next."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import MADE_FIVE, make_round, make_teams, play
from tests.sure import sure
from tests.tournament.desk.test_games import THREE, at
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.deskgame import desk_game


def test_who_dealt_first_is_named_at_the_desk_and_seats_everybody(desk: Client, game: Game) -> None:
    for seat in ("2", "1"):
        assert desk.post(at("game-seat", game), {"dealer": seat}).status_code == 302
    game.refresh_from_db()
    assert (game.first_dealer, game.begun_at is None) == (1, False)
    assert not game.sides.filter(seated_at=None).exists()


@pytest.mark.parametrize("seat", ["4", "-1", "", "²", "abc", "99999999"])
def test_a_first_dealer_who_sits_nowhere_is_refused_and_seats_nobody(desk: Client, game: Game, seat: str) -> None:
    answer = desk.post(at("game-seat", game), {"dealer": seat})
    game.refresh_from_db()
    assert (answer.status_code, game.begun_at, game.sides.filter(seated_at=None).count()) == (422, None, 2)
    assert "There is no such seat at this table." in answer.content.decode()


def test_a_first_dealer_after_the_first_hand_is_refused(desk: Client, game: Game, dana: User) -> None:
    play(dana, game, THREE)
    assert desk.post(at("game-seat", game), {"dealer": "1"}).status_code == 409


def test_the_next_open_table_is_the_one_behind_and_then_the_first(event: Event, dana: User) -> None:
    teams = make_teams(event, 8)
    round_ = make_round(event, [(teams[2 * i], teams[2 * i + 1]) for i in range(4)])
    games = list(round_.games.order_by("table"))
    play(dana, games[1], MADE_FIVE)
    shown = [sure(desk_game(Actor(dana), game.pk).next_open).table for game in games]
    assert shown == [3, 3, 4, 1]
    for game in (games[0], games[2], games[3]):
        play(dana, game, MADE_FIVE)
    assert desk_game(Actor(dana), games[0].pk).next_open is None
