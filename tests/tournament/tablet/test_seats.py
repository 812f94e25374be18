"""Before the first hand: any tablet of the table says who is seated, and the page says until when."""

from __future__ import annotations

import html

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.messages import send
from tournament.access import Actor
from tournament.middleware import TABLE_COOKIE
from tournament.models import Event, Game, Submission
from tournament.services.devices import issue_second_card, pair_device
from tournament.services.rounds import seat_side


@pytest.fixture
def second(dana: User, event: Event, tablet: Client) -> Client:
    """A further tablet of table 1, which only shows the score."""
    client = Client()
    client.cookies[TABLE_COOKIE] = pair_device(Actor(), issue_second_card(Actor(dana), event, 1))
    return client


def page(tablet: Client) -> str:
    return html.unescape(tablet.get("/t/table/").content.decode())


def test_a_tablet_that_only_shows_the_score_seats_both_sides(second: Client, game: Game) -> None:
    said = page(second)
    assert ("Tablet A is keeping score. This tablet (B) only shows it." in said, said.count("We are seated")) == (
        True,
        2,
    )
    for side in ("0", "1"):
        assert send(second, "seat", game, {"side": side})["status"] == "applied"
    statuses = set(Submission.objects.values_list("status", flat=True))
    assert (game.sides.filter(seated_at=None).count(), statuses) == (0, {"applied"})


def test_only_the_tablet_that_keeps_score_names_the_dealer(second: Client, tablet: Client, game: Game) -> None:
    for side in (0, 1):
        seat_side(Actor(), game, side)
    shows, keeps = page(second), page(tablet)
    assert [text in shows for text in ('name="dealer"', "Tablet A names the first dealer and keeps score.")] == [
        False,
        True,
    ]
    assert 'name="dealer"' in keeps
    assert "Deal until someone gets a club: that player deals first. Tap the player to begin." in keeps
    assert send(second, "dealer", game, {"dealer": "0"})["code"] == "not-writer"


def test_the_time_to_be_seated_by_is_the_title(tablet: Client, game: Game) -> None:
    said = page(tablet)
    title = said.partition('<h2 class="table-title">')[2].partition("</h2>")[0]
    assert title.startswith("Seated by ") and 'data-until="' in title
    assert "A team not seated by then is late (5 minutes after the start). Sit across from your partner." in said
