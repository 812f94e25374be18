"""The demo's own addresses: a club's site has none of them, and each answers those whom it is for."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from tests.pages import signed_in
from tests.tournament.test_access import EVERY_PATTERN, named_patterns
from tournament import demo
from tournament.demo.evenings import EVENING, begin

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
