"""What is kept of public pages for strangers is for strangers alone, and for all of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.factories import make_user, signed_in
from tests.tournament.tablet.conftest import bind
from tournament.models import Event
from tournament.public_pages import FOR_PROXIES, PublicPagesMiddleware

PAGES = ("standings", "schedule", "teams", "bracket", "board", "pictures", "rules")


@pytest.fixture
def dana(own_file: None) -> User:
    return make_user("dana")


def at(event: Event, name: str = "standings") -> str:
    return reverse(name, args=[event.slug])


def test_a_message_is_read_by_whoever_it_is_for_and_by_nobody_else(dana: User, event: Event) -> None:
    """Also after signing out, when only the message tells who it is."""
    director = signed_in(dana)
    cash = {"way": "in", "cents": "20", "reason": "change"}
    assert director.post(reverse("money-cash", args=[event.slug]), cash).status_code == 302
    del director.cookies[settings.SESSION_COOKIE_NAME]
    visitors = (Client(), director, Client())
    shown = ["Recorded as receipt 1." in one.get(at(event)).content.decode() for one in visitors]
    assert shown == [False, True, False]


def test_a_table_is_no_stranger(dana: User, event: Event) -> None:
    tablet = bind(dana, event, 1)
    assert [one.get(at(event))["Cache-Control"] for one in (Client(), tablet, Client())] == [
        FOR_PROXIES,
        "no-store",
        FOR_PROXIES,
    ]


def test_a_page_under_a_name_that_is_not_the_sites_is_refused_also_where_it_is_kept(event: Event) -> None:
    hosts = ("testserver", "elsewhere.example", "testserver")
    assert [Client().get(at(event), headers={"host": host}).status_code for host in hosts] == [200, 400, 200]


def cookie() -> HttpResponse:
    made = HttpResponse("once")
    made.set_cookie("csrftoken", "secret")
    return made


@pytest.mark.parametrize(
    "make", [cookie, lambda: HttpResponse("once", status=404), lambda: StreamingHttpResponse(["once"])]
)
def test_what_is_for_one_visitor_is_made_for_each(event: Event, make: Callable[[], HttpResponse]) -> None:
    made: list[HttpResponse] = []

    def view(request: object) -> HttpResponse:
        made.append(make())
        return made[-1]

    site, request = PublicPagesMiddleware(view), RequestFactory().get(at(event))
    assert [site(request), site(request)] == made and len(made) == 2
    assert not made[0].has_header("Cache-Control")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_nothing_of_how_new_the_one_was_that_asked_first(event: Event, name: str) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        first = Client().get(f"{at(event, name)}?version=7-planted", headers=headers)
        assert "planted" not in first.content.decode()


@pytest.mark.parametrize("name", ["HX-Request", "HX-Boosted", "HX-History-Restore-Request"])
def test_a_proxy_is_told_of_everything_that_decides_between_a_page_and_its_part(event: Event, name: str) -> None:
    """Whoever asks for the whole page where phones ask for a part must not have it given to them."""
    asked = [{"HX-Request": "true"}, {"HX-Request": "true", name: "true"}]
    pages = [Client().get(at(event), headers=headers) for headers in asked]
    assert ["<html" in page.content.decode() for page in pages] == [False, name != "HX-Request"]
    assert all(name in page["Vary"].split(", ") for page in pages)
