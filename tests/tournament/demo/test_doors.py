"""Through the doors: one press each, for any number of visitors, and never as the owner."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from tests.factories import make_user, signed_in
from tests.tournament.test_access import EVERY_PATTERN, named_patterns
from tournament import demo
from tournament.access import Actor, allowed_actions
from tournament.demo.evenings import EVENING, TABLE, begin, begin_again, evening_in_play, load_samples
from tournament.middleware import TABLE_COOKIE
from tournament.models import Call, Device, Event
from tournament.queries.devices import device_of
from tournament.services.events import create_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(demo_site: Any) -> Event:
    return begin(EVENING)


def test_the_samples_are_two_evenings_in_play_and_a_finished_one(demo_site: Any) -> None:
    load_samples()
    load_samples()
    today = timezone.localdate(timezone=datetime.timezone(datetime.timedelta(hours=-5)))
    told = {event.name: (event.stage, event.sheet, event.teams.count()) for event in Event.objects.all()}
    assert told == {
        "Autumn Open": ("over", "bid_whist/no-kitty-2021", 24),
        "Autumn Evening": ("playing", "bid_whist/no-kitty-2021", 24),
        "Spades Night": ("playing", "spades/standard", 8),
    }
    ages = {event.name: (today - event.date).days for event in Event.objects.all()}
    assert {name: age - ages["Autumn Evening"] for name, age in ages.items()} == {
        "Autumn Open": 1,
        "Autumn Evening": 0,
        "Spades Night": 0,
    }
    assert abs(ages["Autumn Evening"]) <= 1


def test_the_desk_is_opened_as_dana_who_owns_nothing(evening: Event) -> None:
    client = Client()
    assert client.post("/demo/desk/")["Location"] == f"/desk/{evening.slug}/"
    page = client.get(f"/desk/{evening.slug}/")
    dana = page.wsgi_request.user
    assert (page.status_code, dana.username, dana.is_staff, dana.is_superuser) == (200, "dana", False, False)
    assert "create-event" not in allowed_actions(Actor(dana), evening)
    assert "Table 10" in page.content.decode() and "Renege, called" in page.content.decode()


def test_whoever_is_at_the_desk_already_keeps_the_session(evening: Event) -> None:
    client = Client()
    client.post("/demo/desk/")
    first = client.session.session_key
    client.post("/demo/desk/")
    assert client.session.session_key == first


def test_any_number_of_visitors_sit_down_and_nobody_is_turned_out(evening: Event) -> None:
    visitors = [Client() for _ in range(30)]
    for visitor in visitors:
        assert visitor.post("/demo/tablet/")["Location"] == "/t/table/"
    tokens = [visitor.cookies[TABLE_COOKIE].value for visitor in visitors]
    devices = [device_of(token) for token in tokens]
    assert [device is not None and device.table for device in devices] == [TABLE] * 30
    assert [device.letter for device in devices if device][-5:] == ["Z", "AA", "AB", "AC", "AD"]
    assert [device.writes for device in devices if device] == [True] + [False] * 29
    assert {visitor.get("/t/table/").status_code for visitor in visitors} == {200}
    assert "Tablet A" in visitors[-1].get("/t/table/").content.decode()


def test_pressing_again_binds_nothing_again(evening: Event) -> None:
    client = Client()
    client.post("/demo/tablet/")
    client.post("/demo/tablet/")
    client.post("/demo/hall/")
    assert Device.objects.filter(event=evening).count() == 1


def test_the_hall_is_opened_at_desk_and_table_at_once(evening: Event) -> None:
    client = Client()
    assert client.post("/demo/hall/")["Location"] == "/demo/hall/"
    statuses = [client.get(path).status_code for path in (f"/desk/{evening.slug}/", "/t/table/", "/demo/hall/")]
    assert statuses == [200, 200, 200]


def test_nobody_signs_in_as_an_owner_without_a_password(demo_site: Any, otis: User) -> None:
    make_user("dana", is_staff=True)
    assert [signs_in(name) for name in ("otis", "dana", "owner")] == [False, False, False]


def test_a_clubs_site_asks_for_the_password(dana: User) -> None:
    assert (signs_in("dana"), signs_in("dana", "a long enough password")) == (False, True)


def test_one_press_confirms_what_asks_for_a_password(evening: Event) -> None:
    client = Client()
    client.post("/demo/desk/")
    Session.objects.all().delete()
    call = Call.objects.get()
    answer = f"/desk/{evening.slug}/calls/{call.pk}/answer/"
    page = client.post(answer).content.decode()
    assert "Please confirm" in page and 'type="password"' not in page
    hidden = dict(re.findall(r'type="hidden" name="(again_\w+)" value="(\w+)"', page))
    assert client.post(answer, hidden)["Location"] == f"/desk/{evening.slug}/"
    call.refresh_from_db()
    assert call.answered_at is not None


def test_an_evening_of_another_day_is_begun_again_by_one_press(evening: Event) -> None:
    Event.objects.filter(pk=evening.pk).update(date=evening.date - datetime.timedelta(days=2))
    client = Client()
    assert "Start over" in client.get("/").content.decode()
    for _ in range(2):
        assert client.post("/demo/evenings/")["Location"] == "/"
    names = list(Event.objects.order_by("pk").values_list("name", "date"))
    assert names == [("Autumn Evening", evening.date - datetime.timedelta(days=2)), ("Autumn Evening 2", evening.date)]
    assert "Start over" not in client.get("/").content.decode()
    assert evening_in_play() == begin_again()


def test_the_home_page_tells_how_far_the_evening_is(evening: Event) -> None:
    page = Client().get("/").content.decode()
    for words in (
        "Demo",
        "24 teams, in game 4.",
        "Table 10 is calling you: renege.",
        "Trump Tight against Blind Board Kings, hand 3.",
        "Game 4 of 6",
    ):
        assert words in page, words


def test_a_clubs_home_page_has_neither_doors_nor_demo(otis: User) -> None:
    create_event(Actor(otis), {"name": "Columbus Open", "date": "2026-11-21"})
    client = signed_in(otis)
    page = client.get("/").content.decode()
    assert "Columbus Open" in page and "New event" in page
    assert "Demo" not in page and "/demo/" not in page


def signs_in(name: str, password: str = "demo") -> bool:
    client = Client()
    client.post("/sign-in/", {"username": name, "password": password})
    return SESSION_KEY in client.session


# The demo's own addresses: a club's site has none of them, and each answers those whom it is for.
# name: (what a stranger's GET gives, what their POST gives); a door that nobody must open by a link answers 405.
ADDRESSES = {
    "demo-desk": (405, 302),
    "demo-tablet": (405, 302),
    "demo-evenings": (405, 302),
    "demo-hall": (200, 302),
    "demo-feed": (302, 405),
    "demo-play": (200, 302),
    "demo-directing": (405, 302),
    "demo-pause": (405, 302),
}


def own_patterns() -> dict[str, URLPattern]:
    """What the demo has beside every other site; its home and sign-in stand in front of the site's."""
    found = {str(one.name): one for one in named_patterns(get_resolver(demo.ROOT_URLCONF).url_patterns)}
    return {name: one for name, one in found.items() if name not in {str(one.name) for one in EVERY_PATTERN}}


def address(name: str) -> str:
    takes = {"event": "autumn-evening"} if name == "demo-feed" else {}
    return reverse(name, kwargs=takes, urlconf=demo.ROOT_URLCONF)


def test_every_address_of_the_demo_has_a_row() -> None:
    assert sorted(own_patterns()) == sorted(ADDRESSES)


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_a_clubs_site_has_no_such_address(name: str, db: None, otis: User) -> None:
    client = signed_in(otis)
    url = address(name)
    assert (client.get(url).status_code, client.post(url).status_code) == (404, 404)


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_the_demo_answers_a_stranger(name: str, demo_site: Any) -> None:
    begin(EVENING)
    url = address(name)
    assert (Client().get(url).status_code, Client().post(url).status_code) == ADDRESSES[name]


@pytest.mark.parametrize("name", sorted(ADDRESSES))
def test_a_door_opens_for_a_page_of_this_site_alone(name: str, demo_site: Any) -> None:
    begin(EVENING)
    assert Client(enforce_csrf_checks=True).post(address(name)).status_code == 403
