"""After a takeover every page of the desk says what may be missing, until a director has checked it."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_event, make_user, signed_in, words_of
from tournament.models import Event, Journal, Official
from tournament.services.laptops import begin_epoch
from tournament.words.journal import text

FROM = "The copy is from 7:42:10 p.m."
NEXT = "Receipts go on at no. 1001: the numbers in between may be on paper already."


@pytest.fixture
def event(dana: User) -> Event:
    """Today, from a copy of 7:42:10 p.m. by the clock of the hall."""
    event = make_event(director=dana, teams=2, time_zone="UTC")
    now = timezone.now()
    begin_epoch("copy.sqlite3", copied=now.replace(hour=19, minute=42, second=10))
    event.refresh_from_db()
    return event


def at(event: Event, page: str) -> str:
    return reverse(page, args=[event.slug])


def test_every_page_of_the_desk_says_it_to_directors_until_it_is_checked(desk: Client, event: Event) -> None:
    for page in ("desk", "desk-teams", "desk-log"):
        said = words_of(desk.get(at(event, page), follow=True))
        assert FROM in said and NEXT in said
    said = words_of(desk.post(at(event, "copy-checked"), follow=True))
    assert "Checked: what the copy lacked is no longer asked for." in said and FROM not in said
    desk.post(at(event, "copy-checked"))
    acts = Journal.objects.filter(event=event, action="restore").order_by("pk").values_list("code", "user__username")
    assert list(acts) == [("backup", None), ("unknown", None), ("checked", "dana")]
    assert text("restore", "checked", {}) == "Checked what the copy may lack"


def test_a_verifier_is_not_asked(event: Event) -> None:
    vic = make_user("vic")
    Official.objects.create(event=event, user=vic, role="verifier")
    browser = signed_in(vic)
    assert FROM not in words_of(browser.get(at(event, "desk")))
    assert browser.post(at(event, "copy-checked")).status_code == 403


def test_an_open_page_learns_it_with_the_next_act(desk: Client, event: Event) -> None:
    answer = desk.get(at(event, "next-act"), {"version": "1", "tab": "log"}, headers={"HX-Request": "true"})
    assert b'<div id="laptops" hx-swap-oob="true">' in answer.content and FROM in words_of(answer)
    asked = {"version": str(event.version), "tab": "log"}
    assert desk.get(at(event, "next-act"), asked, headers={"HX-Request": "true"}).status_code == 204


@pytest.mark.django_db
def test_of_what_is_over_nothing_is_asked() -> None:
    over = make_event(stage="over")
    begin_epoch("copy.sqlite3", copied=timezone.now() - datetime.timedelta(days=1))
    over.refresh_from_db()
    assert (over.since_copy, over.receipts_from) == ({}, 1001)
