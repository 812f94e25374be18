"""Certificates: who gets one, what it says, and what is said before there is a champion."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_event
from tests.sure import fresh
from tests.tournament.reports.evenings import pdf_pages, printed
from tests.tournament.results.evenings import after_the_cut, bracket_of, finish_game, played_round, win
from tournament.access import Actor
from tournament.models import Event
from tournament.queries.certificates import Certificate, certificates
from tournament.services.playoffs import finish_event, make_cut, start_playoff_round
from tournament.services.rounds import close_round

ACES, OWLS = ("Ann 1", "Bea 1"), ("Ann 3", "Bea 3")


@pytest.fixture
def over(dana: User) -> Event:
    """Aces and Night Owls won their games and met in the final; Eagles made the only Boston of the evening."""
    event = after_the_cut(dana, 2, (1, 2, win(0, 6)), (3, 4, win(0, 5)), (5, 6, win(1, 7)))
    played = [event]
    while bracket_of(played[0]).champion_number is None:
        round_ = start_playoff_round(Actor(dana), played[0])
        for game in round_.games.all():
            finish_game(played[0], game, win(0, 5, 2))
        close_round(Actor(dana), fresh(event), round_.number)
        played = [fresh(event)]
    return finish_event(Actor(dana), played[0])


def test_the_first_places_and_the_most_bostons_have_one_each(over: Event) -> None:
    told = certificates(over)
    assert [page.title for page in told.pages] == ["Champions", "Second place", "Third place", "Most Bostons"]
    first, second, third, bostons = told.pages
    assert (first.how, second.how) == ("Won the final 5–2", "")
    assert third.how == "" and len(first.players) == 2
    assert (bostons.team, bostons.how) == ("High Rollers", "1 Boston")
    assert told.director == "dana"


def test_a_shared_place_is_a_certificate_for_each(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=1, teams=4)
    played_round(event, [(1, 2, win(0, 6, 1)), (3, 4, win(0, 5, 1))])
    make_cut(Actor(dana), event, 1)
    event = finish_event(Actor(dana), fresh(event))
    pages = certificates(event).pages
    assert pages[0] == Certificate("Champions", "Aces", ACES, "1 game won, 6 points")
    assert pages[1] == Certificate("Second place", "Night Owls", OWLS, "1 game won, 5 points")
    assert [page.title for page in pages[2:]] == ["Shared third place"] * 2


def test_the_pot_says_which_games_count(dana: User) -> None:
    event = make_event(director=dana, rounds_planned=5, teams=2, pot_cents=500)
    for number in range(5):
        # The last Bostons are too late for the pot.
        played_round(event, [(1, 2, win(0, 7) if number == 0 else win(1, 7 if number == 4 else 5))])
    make_cut(Actor(dana), event, 1)
    pages = certificates(finish_event(Actor(dana), fresh(event))).pages
    assert [(page.team, page.how) for page in pages if page.title == "Most Bostons"] == [
        ("Aces", "1 Boston, games 1–4")
    ]


def test_a_certificate_has_club_event_day_and_a_line_to_sign(over: Event, dana: User, settings: Any) -> None:
    settings.CLUB = "Columbus Bid Whist Club"
    Event.objects.filter(pk=over.pk).update(place="Union Hall")
    pages = pdf_pages(printed(dana, over, "certificates.pdf"))
    assert len(pages) == 4
    for words in (
        "Columbus Bid Whist Club",
        over.name,
        "Champions",
        "November 21, 2026",
        "Union Hall",
        "dana, director",
    ):
        assert words in pages[0], words


def test_asked_too_early_there_is_a_sentence(event: Event, dana: User, desk: Client) -> None:
    (page,) = pdf_pages(printed(dana, event, "certificates.pdf"))
    assert "There is no champion yet." in page
    assert certificates(event).pages == ()
    answer = desk.get(f"/desk/{event.slug}/papers/one/", {"thing": "certificates", "of": "", "as": "pdf"})
    assert (answer.status_code, "Certificates: ready when the event is finished." in answer.content.decode()) == (
        422,
        True,
    )
