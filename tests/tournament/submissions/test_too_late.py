"""Hands that a tablet kept while it had no network, and that arrive when time is up or the round is closed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import play
from tests.tournament.submissions.conftest import TWO_SET, Tablet
from tests.tournament.submissions.test_receive import books
from tournament.access import Actor
from tournament.errors import Conflict
from tournament.models import Event, Game, Notice, Round, Submission
from tournament.services.rounds import call_time, close_round
from tournament.services.submissions import decide

TWO = {"entry": "hand", "seat": 0, "bid": "2", "books": 8}
LAST = {"entry": "hand", "seat": 1, "bid": "4", "books": 11}


@pytest.fixture
def time_is_up(event: Event, game: Game, dana: User) -> None:
    """Forty minutes were to be played; the director has called time. The tablet of table 1 has not heard of it."""
    Event.objects.filter(pk=event.pk).update(options={"round_minutes": 40})
    Round.objects.update(started_at=timezone.now() - timedelta(minutes=41))
    event.refresh_from_db()
    call_time(Actor(dana), event, 1)
    game.refresh_from_db()


@pytest.fixture
def closed(event: Event, tables: list[Game], tablet: Tablet, dana: User) -> Event:
    """Table 1 was typed from its paper sheet, with 9 books where the tablet has 8; everybody signed, the round is
    closed."""
    for game in tables:
        play(dana, game, {**TWO, "books": 9}, LAST)
    close_round(Actor(dana), event, 1)
    return event


def state_of(game: Game) -> tuple[str, str]:
    fresh = Game.objects.select_related("result").get(pk=game.pk)
    return fresh.state, fresh.result.how


def test_the_hand_in_play_counts_and_ends_the_game_and_what_comes_after_it_waits(
    tablet: Tablet, game: Game, time_is_up: None, desk: Client, event: Event
) -> None:
    """What was kept and comes after time is taken in order: the first hand was in play, no other one can have been."""
    queue = [tablet.hand(1, TWO), tablet.hand(2, TWO_SET), tablet.hand(3, TWO)]
    assert tablet.results(*queue) == [("applied", ""), ("parked", "conflict"), ("parked", "waiting")]
    assert (books(game)[:1], state_of(game)) == ([8], ("to-sign", "time"))
    page = desk.get(reverse("desk-parked", args=[event.slug]))
    (row,) = page.context["parked"].rows
    assert (row.why, len(row.behind)) == ("Another line is already in its place", 1)


def test_the_desk_takes_the_end_by_time_back_for_hands_that_were_played_before_it(
    tablet: Tablet, game: Game, time_is_up: None, desk: Client, event: Event, dana: User
) -> None:
    """The table played two hands before time was called, without a network: the desk puts them in their places."""
    tablet.results(tablet.hand(1, TWO), tablet.hand(2, TWO_SET))
    [row] = Submission.objects.filter(status="parked")
    where = reverse("parked-decision", args=[event.slug, row.pk])
    assert desk.post(where, {"choice": "replace", "reason": "Played before time"}).status_code == 302
    assert (books(game), state_of(game)[0]) == ([8, 7], "playing")


def test_after_the_round_was_closed_everything_is_kept_with_its_reason(
    tablet: Tablet, closed: Event, game: Game, desk: Client
) -> None:
    before = books(game)
    queue = [tablet.hand(1, TWO), tablet.hand(2, LAST), tablet.item("call", about="count")]
    queue.append(tablet.item("sign", side=0, name="Ann 1", lines=[queue[0]["uid"], queue[1]["uid"]]))
    assert tablet.results(*queue) == [("parked", "closed")] * 4
    assert tablet.results(*queue) == [("parked", "closed")] * 4
    rows = desk.get(reverse("desk-parked", args=[closed.slug])).context["parked"].rows
    assert [(row.why, row.reason) for row in rows] == [
        ("After the round was closed", "Game 1 is no longer in play.")
    ] * 4
    assert (books(game), state_of(game)[0]) == (before, "final")


def test_the_desk_puts_a_late_hand_in_the_place_of_the_one_from_paper(
    tablet: Tablet, closed: Event, game: Game, desk: Client
) -> None:
    tablet.results(tablet.hand(1, TWO), tablet.hand(2, LAST))
    first, second = Submission.objects.order_by("pk")
    where = [reverse("parked-decision", args=[closed.slug, row.pk]) for row in (first, second)]
    told = desk.post(where[0], {"choice": "apply", "reason": "The tablet is right"})
    assert (told.status_code, "is not in play" in told.content.decode()) == (409, True)
    assert desk.post(where[0], {"choice": "replace", "reason": "The tablet is right"}).status_code == 302
    assert desk.post(where[1], {"choice": "discard", "reason": "The same hand"}).status_code == 302
    assert (books(game), state_of(game)[0], Notice.objects.count()) == ([8, 11], "final", 2)
    assert list(Submission.objects.order_by("pk").values_list("status", flat=True)) == ["replaced", "discarded"]
    known = tablet.post("known", {"uids": [str(first.uid), str(second.uid)]}).json()["known"]
    assert known == {str(first.uid): "replaced", str(second.uid): "discarded"}


def test_the_services_say_the_same_without_a_page(tablet: Tablet, closed: Event, game: Game, dana: User) -> None:
    tablet.results(tablet.hand(1, TWO))
    row = Submission.objects.get()
    with pytest.raises(Conflict, match="is not in play"):
        decide(Actor(dana), row, "apply", "The tablet is right")
    assert Submission.objects.get().status == "parked"
    assert decide(Actor(dana), row, "replace", "The tablet is right").status == "replaced"
    assert books(game) == [8, 11]
