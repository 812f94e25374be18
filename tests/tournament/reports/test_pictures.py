"""Pictures say what the hands say, on the page and in the book, and need nothing from outside."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_round, make_teams, play
from tests.tournament.reports.evenings import club_24
from tournament.models import Event
from tournament.queries.pictures import BidCount, Bin, pictures
from tournament.queries.standings import standings
from tournament.reports.pictures import all_pictures


def test_pictures_count_final_games(event: Event, dana: User) -> None:
    teams = make_teams(event, 4)
    games = list(make_round(event, [(teams[0], teams[1]), (teams[2], teams[3])]).games.order_by("table"))
    play(dana, games[0], {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
    play(dana, games[1], {"entry": "hand", "bidder": 1, "bid": "3-no", "books": 10})
    drawn = pictures(event, standings(event))
    assert drawn.bids == (BidCount("straight", "4", 1, 0), BidCount("no", "3", 1, 0))
    assert [one for one in drawn.points if one.won or one.lost] == [Bin("0", 0, 2), Bin("5", 1, 0), Bin("8", 1, 0)]
    assert [(runner.number, runner.places, runner.points) for runner in drawn.race.runners] == [
        (4, (1,), (8,)),
        (1, (2,), (5,)),
        (2, (3,), (0,)),
        (3, (3,), (0,)),
    ]


def test_a_game_that_is_played_on_shows_no_picture(client: Client, event: Event, dana: User) -> None:
    teams = make_teams(event, 2)
    make_round(event, [tuple(teams)])
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    assert "There is nothing to draw yet" in page or "<svg" in page
    assert "Bids made and set" not in page


def test_pictures_page_needs_no_style_no_script_and_no_internet(client: Client, dana: User) -> None:
    event = club_24(dana)
    page = client.get(f"/e/{event.slug}/pictures/").content.decode()
    drawings = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(drawings) == 3
    for drawing in drawings:
        assert not re.search(r"style=|<script|https?:|<image", drawing)
    words = [picture.words for picture in all_pictures(pictures(event, standings(event)))]
    assert words[1] == "Game points of the winners and the losers of 72 games."
