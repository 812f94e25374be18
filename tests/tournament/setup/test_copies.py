"""A new event like an earlier one."""

from __future__ import annotations

import datetime

from django.contrib.auth.models import User

from tests.factories import make_teams
from tests.pages import signed_in
from tournament.access import Actor
from tournament.models import Event
from tournament.services.events import copy_event


def test_copy_event_takes_rules_officials_and_unpaid_teams(event: Event, dana: User, vic: User) -> None:
    make_teams(event, 3)
    event.options = {"grace_minutes": 10}
    event.save()
    copy = copy_event(Actor(dana), event, "Columbus Open", datetime.date(2027, 11, 20), with_teams=True)
    assert (copy.slug, copy.options, copy.stage) == ("columbus-open-2", {"grace_minutes": 10}, "setup")
    assert list(copy.teams.values_list("number", "paid", "in_pot")) == [
        (1, False, False),
        (2, False, False),
        (3, False, False),
    ]
    assert copy.teams.get(number=1).players.count() == 2
    assert set(copy.officials.values_list("user__username", "role")) == {("dana", "director"), ("vic", "verifier")}


def test_event_copy_page_copies_and_refuses_events_of_others(event: Event, dana: User, otis: User) -> None:
    said = {"copy-like": event.slug, "copy-name": "Next", "copy-date": "2027-11-20"}
    assert signed_in(otis).post("/new/copy/", said).status_code == 422
    User.objects.filter(pk=dana.pk).update(is_staff=True)
    answer = signed_in(User.objects.get(pk=dana.pk)).post("/new/copy/", said)
    assert answer["Location"] == "/desk/next/setup/"


def test_copy_event_leaves_out_teams_that_had_gone(event: Event, dana: User) -> None:
    make_teams(event, 4)
    event.teams.filter(number=2).update(status="left")
    event.teams.filter(number=3).update(status="disqualified")
    copied = copy_event(Actor(dana), event, "Again", datetime.date(2027, 11, 20), with_teams=True)
    assert list(copied.teams.values_list("number", flat=True)) == [1, 4]
