"""The home page: what this is, and the events of the club with how far each one is."""

from __future__ import annotations

import datetime
import json

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import make_event, make_round, make_teams
from tests.pages import signed_in
from tournament.access import NOBODY, Actor
from tournament.archive.store import import_event
from tournament.models import Event
from tournament.queries.checklist import SHOWN, Champion, day_words, example, home_events


@pytest.mark.parametrize(
    ("day", "hour", "words"),
    [
        (21, 19, "tonight"),
        (21, 9, "today"),
        (20, 9, "yesterday"),
        (22, 19, "tomorrow"),
        (14, 9, "November 14, 2026"),
    ],
)
def test_a_day_is_told_as_people_say_it(day: int, hour: int, words: str) -> None:
    assert day_words(datetime.date(2026, 11, day), datetime.datetime(2026, 11, 21, hour)) == words


def test_a_chip_says_how_far_an_event_is(event: Event, dana: User) -> None:
    def chip() -> tuple[str, str]:
        (card,) = home_events(Actor(dana)).cards
        return card.state, card.tone

    assert chip() == ("Being set up", "gold")
    pair = tuple(make_teams(event, 2))
    first = make_round(event, [pair])
    assert chip() == ("Game 1 of 6", "")
    first.state = "closed"
    first.save()
    assert chip() == ("After game 1 of 6", "sky")
    Event.objects.update(stage="playoffs")
    assert chip() == ("Playoffs", "sky")
    make_round(event, [pair], number=2, stage="playoff", title="Semifinal")
    assert chip() == ("Semifinal", "")
    Event.objects.update(stage="over")
    assert chip() == ("Finished", "plain")


def test_a_finished_event_names_its_champion_with_the_players(dana: User) -> None:
    file = settings.ROOT / "fixtures" / "demo" / "autumn-open.json"
    import_event(Actor(dana), json.loads(file.read_text(encoding="utf-8")))
    (card,) = home_events(NOBODY).cards
    assert (card.state, card.champion) == ("Finished", Champion("Blind Board Kings", ("Ted Ivory", "Ray Carver")))
    assert "(Ted Ivory, Ray Carver)" in Client().get("/").content.decode()


def test_the_page_needs_the_same_few_queries_for_thirty_events(dana: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            home_events(NOBODY)
        return len(asked)

    make_event("First", dana, stage="playing")
    one = queries()
    for number in range(29):
        make_event(f"Event {number}", dana, stage="playing")
    assert (one, queries()) == (2, 2)
    found = home_events(NOBODY)
    assert (len(found.cards), len(found.earlier)) == (SHOWN, 30 - SHOWN)
    assert "18 earlier events" in Client().get("/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_champion_is_looked_for_once(dana: User) -> None:
    make_event("Old", dana, stage="over")
    home_events(NOBODY)
    with CaptureQueriesContext(connection) as asked:
        home_events(NOBODY)
    assert len(asked) == 2


def test_the_first_hand_that_a_visitor_sees_is_scored_by_the_rules(db: None) -> None:
    shown = example()
    assert (shown.title, shown.side, shown.points) == (
        "Hand 3 · Cal bid 3-No and took 9 books",
        "Night Owls",
        "+6",
    )
    assert "3 over six, +3 (rule 4); No bid, doubled, +3 (rule 5)" in shown.why[0]
    page = Client().get("/").content.decode()
    assert all(sentence in page for sentence in shown.why)


def test_a_club_without_events_is_told_what_to_do(db: None, otis: User) -> None:
    assert "No events yet." in Client().get("/").content.decode()
    client = signed_in(otis)
    assert "Set up the first one" in client.get("/").content.decode()
