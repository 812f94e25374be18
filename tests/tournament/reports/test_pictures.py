"""Pictures say what the hands say, on the page and in the book, and need nothing from outside."""

from __future__ import annotations

import re
from itertools import pairwise
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_event, make_round, make_teams, play
from tests.tournament.reports.evenings import club_24
from tournament.access import Actor
from tournament.models import Entry, Event, Game
from tournament.queries.pictures import BidCount, Bin, pictures
from tournament.queries.playoffs import highlights
from tournament.queries.standings import standings
from tournament.reports.pictures import NARROW, all_pictures, wide_and_narrow
from tournament.services.corrections import correct_sheet
from tournament.services.rounds import close_round

FOUR = {"entry": "hand", "bidder": 0, "bid": "4", "books": 11}
THREE_NO = {"entry": "hand", "bidder": 1, "bid": "3-no", "books": 10}


def test_pictures_count_final_games(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    games = list(make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.order_by("table"))
    play(dana, games[0], FOUR)
    play(dana, games[1], THREE_NO)
    drawn = pictures(event, standings(event))
    assert drawn.bids == (BidCount("straight", "4", 1, 0), BidCount("no", "3", 1, 0))
    assert [one for one in drawn.points if one.won or one.lost] == [Bin("0", 0, 2), Bin("5", 1, 0), Bin("8", 1, 0)]
    assert [(runner.number, runner.places, runner.points) for runner in drawn.race.runners] == [
        (4, (1,), (8,)),
        (1, (2,), (5,)),
        (2, (3,), (0,)),
        (3, (3,), (0,)),
    ]


def counted(event: Event) -> tuple[list[str], int]:
    """The bids of the pictures, and the points of the biggest hand."""
    biggest = highlights(event).biggest
    return [one.words for one in pictures(event, standings(event)).bids], biggest.points if biggest else 0


@pytest.mark.django_db(transaction=True)
def test_what_a_transaction_takes_back_is_not_counted(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    one, two = make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.order_by("table")
    with transaction.atomic():
        play(dana, one, FOUR)
        assert counted(event) == (["4"], 5)
        transaction.set_rollback(True)
    play(dana, two, THREE_NO)
    assert counted(event) == (["3"], 8)


@pytest.mark.django_db(transaction=True)
def test_another_final_game_in_the_place_of_one_that_goes_on_is_counted(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    one, two = make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.order_by("table")
    play(dana, one, FOUR)
    assert counted(event) == (["4"], 5)
    with CaptureQueriesContext(connection) as again:
        assert counted(event) == (["4"], 5)
    assert not [one["sql"] for one in again.captured_queries if "tournament_entry" in one["sql"]]
    facts = {"entry": "hand", "bidder": 0, "bid": "2", "books": 8}
    correct_sheet(Actor(dana), one, position=1, revision=0, facts=facts, reason="two books too many")
    play(dana, two, THREE_NO)
    assert counted(event) == (["3"], 8)


@pytest.mark.django_db(transaction=True)
def test_a_final_game_is_counted_again_when_it_was_corrected_and_when_a_restore_changed_it(
    event: Event, dana: User
) -> None:
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    play(dana, game, FOUR)
    assert counted(event) == (["4"], 5)
    five = {"entry": "hand", "bidder": 0, "bid": "5", "books": 12}
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=five, reason="as on paper")
    corrected = counted(event)
    assert corrected[0] == ["5"]
    # The same game under the same version: only the epoch of the event is another.
    QuerySet(Entry).filter(game=game, revision=1).update(facts=Entry.objects.get(game=game, revision=0).facts)
    assert counted(event) == corrected
    Event.objects.filter(pk=event.pk).update(epoch=uuid4())
    event.refresh_from_db()
    assert counted(event) == (["4"], 5)


@pytest.mark.django_db(transaction=True)
def test_a_round_that_is_closed_is_drawn_for_those_who_waited_for_it(client: Client, dana: User) -> None:
    event = make_event(director=dana, rounds_planned=2, options={"standings_visible": "after-round"})
    game = make_round(event, [tuple(make_teams(event, 2))]).games.get()
    play(dana, game, FOUR)
    before = client.get(f"/e/{event.slug}/pictures/").content.decode()
    close_round(Actor(dana), event, 1)
    after = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert ["Bids made and set" in page for page in (before, after)] == [False, True]


def test_a_game_that_is_played_on_shows_no_picture(client: Client, event: Event, dana: User) -> None:
    teams = make_teams(event, 2)
    make_round(event, [tuple(teams)])
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert "There is nothing to draw yet: no game is final." in page
    assert ("<svg" in page, "In the lead" in page) == (False, False)
    play(dana, Game.objects.get(), FOUR)
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert ("<svg" in page, "In the lead: Aces" in page, "nothing to draw" in page) == (True, True, False)


def test_pictures_page_needs_no_style_no_script_and_no_internet(client: Client, dana: User) -> None:
    event = club_24(dana)
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    drawings = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(drawings) == 6
    for drawing in drawings:
        assert not re.search(r"style=|<script|https?:|<image", drawing)
    words = [picture.words for picture in all_pictures(pictures(event, standings(event)))]
    assert words[1] == "Game points of the winners and the losers of 72 games."


def test_narrow_pictures_say_the_same_within_a_phone(event: Event, dana: User) -> None:
    event = club_24(dana)
    facts = pictures(event, standings(event))
    for wide, narrow in wide_and_narrow(facts):
        assert (wide.title, wide.words, wide.key) == (narrow.title, narrow.words, narrow.key)
        assert max(x for shape in narrow.shapes for x, _ in shape.points) <= narrow.width == NARROW.width
    race = wide_and_narrow(facts)[0][1]
    ends = [shape.text for shape in race.shapes if shape.look.startswith("name")]
    assert ends == [str(runner.number) for runner in facts.race.runners]
    assert [words for _, words in race.key] == [f"{one.number} {one.team}" for one in facts.race.runners]


def test_labels_below_narrow_bars_keep_off_one_another(dana: User) -> None:
    facts = pictures(event := club_24(dana), standings(event))
    drawn = all_pictures(facts, NARROW)[1:]
    assert [picture.title for picture in drawn] == ["Points per game", "Bids made and set"]
    for picture in drawn:
        labels = [(*shape.points[0], len(shape.text)) for shape in picture.shapes if shape.look == "label"]
        assert labels
        for (x1, y1, one), (x2, y2, two) in pairwise(labels):
            assert y1 != y2 or x2 - x1 > 3.5 * (one + two) - 1
