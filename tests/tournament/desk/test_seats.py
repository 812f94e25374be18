"""Who sits where, marked at the desk: everybody but the late ones, one side from its card, and both taken back."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_round, make_teams, play
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Device, Event, Game, Round, Side
from tournament.queries.desk import desk_round
from tournament.refusals import Changed
from tournament.services.rounds import (
    seat_everybody,
    seat_side,
    start_round,
    take_start_back,
    unseat_everybody,
    unseat_side,
)

THREE = {"entry": "hand", "bidder": 0, "seat": 0, "bid": "3", "books": 9}
LATE_BY = timedelta(minutes=5, seconds=13)


@pytest.fixture
def hall(event: Event) -> Round:
    """Four tables, five minutes and thirteen seconds after the start."""
    teams = make_teams(event, 8)
    round_ = make_round(event, [(teams[i], teams[i + 1]) for i in range(0, 8, 2)])
    Round.objects.update(started_at=timezone.now() - LATE_BY)
    return round_


def seated(round_: Round) -> list[tuple[int, int]]:
    """Table and side of everybody who sits."""
    sides = Side.objects.filter(round=round_).exclude(seated_at=None).order_by("game__table", "index")
    return list(sides.values_list("game__table", "index"))


def test_one_press_seats_everybody_but_who_is_missing_from_a_table(dana: User, hall: Round) -> None:
    seat_side(Actor(dana), hall.games.get(table=2), 0)
    done = seat_everybody(Actor(dana), hall.event, 1)
    assert (done.tables, done.waiting.words) == (3, "Eagles (table 2)")
    assert seated(hall) == [(1, 0), (1, 1), (2, 0), (3, 0), (3, 1), (4, 0), (4, 1)]


def test_a_table_whose_tablet_says_nothing_after_five_minutes_stays_late(dana: User, hall: Round) -> None:
    Device.objects.create(event=hall.event, table=3, token_hash="x", paired_at=timezone.now())
    done = seat_everybody(Actor(dana), hall.event, 1)
    assert (done.tables, done.waiting.words) == (3, "Full Deck (table 3) and High Rollers (table 3)")


def test_a_table_with_a_tablet_is_seated_before_anybody_is_late(dana: User, hall: Round) -> None:
    Device.objects.create(event=hall.event, table=3, token_hash="x", paired_at=timezone.now())
    Round.objects.update(started_at=timezone.now())
    assert seat_everybody(Actor(dana), hall.event, 1).tables == 4


def test_everybody_seated_is_taken_back_by_one_press(dana: User, hall: Round) -> None:
    seat_side(Actor(dana), hall.games.get(table=2), 0)
    seat_everybody(Actor(dana), hall.event, 1)
    assert sure(desk_round(hall.event)).seated_back == 3
    assert unseat_everybody(Actor(dana), hall.event, 1) == 3
    assert seated(hall) == [(2, 0)]
    with pytest.raises(Changed, match=r"^Nothing to undo"):
        unseat_everybody(Actor(dana), hall.event, 1)


def test_seats_are_not_taken_back_once_a_hand_is_written(dana: User, hall: Round) -> None:
    seat_everybody(Actor(dana), hall.event, 1)
    play(dana, hall.games.get(table=1), THREE)
    assert sure(desk_round(hall.event)).seated_back == 0
    with pytest.raises(Changed, match=r"^Nothing to undo"):
        unseat_everybody(Actor(dana), hall.event, 1)
    assert len(seated(hall)) == 8


def test_one_side_is_unseated_and_late_at_once(dana: User, game: Game) -> None:
    Round.objects.update(started_at=timezone.now() - LATE_BY)
    for side in (0, 1):
        seat_side(Actor(dana), game, side)
    unseat_side(Actor(dana), game, 1)
    [card] = sure(desk_round(game.round.event)).tables
    assert ([side.here for side in card.sides], card.words) == ([True, False], "Late")


def test_nobody_is_unseated_in_play(dana: User, game: Game) -> None:
    play(dana, game, THREE)
    with pytest.raises(Changed, match=r"^Table 1 has begun to play, so the seat of Books cannot be undone.$"):
        unseat_side(Actor(dana), game, 1)


def test_card_seats_and_unseats_a_side_and_stays_on_the_round(client: Client, dana: User, game: Game) -> None:
    client.force_login(dana)
    to = reverse("game-seat", args=[game.round.event.slug, game.pk])
    answer = client.post(to, {"side": "1", "card": "yes"})
    assert (answer.status_code, answer["Location"]) == (302, "/desk/columbus-open/?round=1#table-1")
    assert seated(game.round) == [(1, 1)]
    client.post(to, {"side": "1", "card": "yes", "away": "yes"})
    assert seated(game.round) == []


def test_cards_keep_their_places(dana: User, hall: Round) -> None:
    play(dana, hall.games.get(table=1), THREE)
    seat_side(Actor(dana), hall.games.get(table=3), 0)
    assert [card.table for card in sure(desk_round(hall.event)).tables] == [1, 2, 3, 4]


def test_a_start_is_taken_back_while_nothing_is_written(dana: User, event: Event) -> None:
    aces, books = make_teams(event, 2)
    round_ = make_round(event, [(aces, books)], state="planned")
    start_round(Actor(dana), event, 1)
    seat_everybody(Actor(dana), event, 1)
    assert sure(desk_round(event)).start_back
    take_start_back(Actor(dana), event, 1)
    event.refresh_from_db()
    round_.refresh_from_db()
    game = round_.games.get()
    assert (event.stage, event.frozen_at, event.printed) == ("setup", None, "")
    assert (round_.state, round_.started_at) == ("planned", None)
    assert (game.state, seated(round_), hasattr(game, "result")) == ("planned", [], False)
    start_round(Actor(dana), event, 1)


def test_a_start_stays_once_a_line_was_written(dana: User, game: Game) -> None:
    play(dana, game, THREE)
    assert not sure(desk_round(game.round.event)).start_back
    with pytest.raises(Changed, match=r"^Game 1 has begun: there is a line on the sheet of table 1.$"):
        take_start_back(Actor(dana), game.round.event, 1)
