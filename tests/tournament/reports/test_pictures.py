"""Pictures say what the hands say, on the page and in the book, and need nothing from outside."""

from __future__ import annotations

import re
from itertools import pairwise

from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_round, make_teams, play
from tests.tournament.reports.evenings import club_24
from tournament.models import Event, Game
from tournament.queries.pictures import BidCount, Bin, pictures
from tournament.queries.standings import standings
from tournament.reports.pictures import NARROW, all_pictures, wide_and_narrow


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
    assert "There is nothing to draw yet: no game is final." in page
    assert ("<svg" in page, "In the lead" in page) == (False, False)
    play(dana, Game.objects.get(), {"entry": "hand", "bidder": 0, "bid": "4", "books": 11})
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
