"""What a table sees of the round's clock, and the way out when the teams do not agree on the sheet."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.factories import MADE_FIVE, play
from tests.messages import send
from tests.tournament.tablet.conftest import at
from tournament.access import Actor
from tournament.models import Call, Event, Game, Round
from tournament.services.rounds import call_time, pause_round

HAND = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}


def timed(event: Event, minutes: int) -> None:
    Event.objects.filter(pk=event.pk).update(options={"round_minutes": 40})
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=minutes))
    event.refresh_from_db()


def test_tablet_names_the_times_of_its_notices(ready: Client, event: Event) -> None:
    timed(event, 10)
    page = ready.get("/t/table/").content.decode()
    assert page.count("data-from=") == 3
    assert "The hand in play may be the last." in page


def test_tablet_looks_again_when_the_clock_is_stopped(ready: Client, event: Event, dana: User) -> None:
    timed(event, 10)
    version = ready.get("/t/table/").context["page"].version
    ask = {"HX-Request": "true"}
    assert ready.get(f"/t/table/?version={version}", headers=ask).status_code == 204
    pause_round(Actor(dana), event, 1, "fire alarm")
    assert "The clock is stopped." in ready.get(f"/t/table/?version={version}", headers=ask).content.decode()


def test_tablet_says_what_to_do_at_time_and_ends_a_game_without_a_hand(
    ready: Client, event: Event, game: Game, dana: User
) -> None:
    timed(event, 41)
    play(dana, game, HAND)
    assert ready.post(at("tablet-time", game), {"position": "2"}).status_code == 409
    call_time(Actor(dana), event, 1)
    page = ready.get("/t/table/").content.decode()
    assert "Finish the hand in play and record it" in page and "No hand was in play" in page
    assert "Then the game ends with this score: Aces: 2, Books: 0." in page
    assert ready.post(at("tablet-time", game), {"position": "2"}).status_code == 302
    game.refresh_from_db()
    assert (game.state, game.result.how, game.result.winner) == ("to-sign", "time", 0)


def test_teams_that_do_not_agree_call_the_director(ready: Client, game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE, sign=False)
    assert "We do not agree: call the director" in ready.get("/t/table/").content.decode()
    assert send(ready, "call", game, {"kind": "score"})["status"] == "applied"
    assert Call.objects.get().kind == "score"
    assert "We do not agree" not in ready.get("/t/table/").content.decode()


def test_the_last_hand_after_time_says_before_it_is_recorded_that_it_ends_the_game(
    ready: Client, event: Event, game: Game, dana: User
) -> None:
    timed(event, 41)
    call_time(Actor(dana), event, 1)
    typed = {"seat": "0", "bid": "2", "books": "8", "position": "1"}
    shown = ready.get(at("tablet-preview", game), typed, headers={"HX-Request": "true"}).content.decode()
    assert "Game over: Aces" in shown and "is-over" in shown


def test_desk_tablet_and_projector_say_one_sentence_when_the_time_is_over(
    ready: Client, event: Event, game: Game, dana: User
) -> None:
    timed(event, 41)
    words = "Time for this round is up. Play on until the director calls time."
    desk = Client()
    desk.force_login(dana)
    assert words in ready.get("/t/table/").content.decode()
    assert words in desk.get(f"/e/{event.slug}/board/").content.decode()
    assert "still playing: call time" in desk.get(f"/desk/{event.slug}/").content.decode()
