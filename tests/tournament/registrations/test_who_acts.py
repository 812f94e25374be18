"""Who did it, as the log and the answer to a second act say it: a player, a tablet of the hall, an official."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from tests.factories import make_teams, signed_in, words_of
from tests.sure import fresh
from tests.tournament.registrations.conftest import open_event
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.gate.middleware import TABLE_COOKIE
from tournament.models import Event
from tournament.queries.history import acts_found
from tournament.services.devices import issue_card, pair_device
from tournament.services.laptops import begin_epoch

BY_PHONE = "a player, by phone"
TYPED = {"name": "Reds", "player1": "Otis Reed", "player2": "Ann Hall", "contact": "555-0100", "show": "full"}
TYPED |= {"more": ""}


def log_of(event: Event) -> list[tuple[str, str]]:
    """Who did what, the first act first."""
    return [(act.who, act.text) for act in event.journal.select_related("user", "device").order_by("pk")]


def refused_at_the_desk(desk: Client, event: Event) -> str:
    """What the desk reads that accepts an entry which no longer waits."""
    answer: Any = desk.post(f"/desk/{event.slug}/entries/acceptance/", {"entry": "1"})
    assert answer.status_code == 409
    return words_of(answer)


def test_by_the_link_of_an_entry(dana: User) -> None:
    event, phone = open_event(dana), Client()
    link = phone.post(f"/e/{event.slug}/enter/", TYPED)["Location"]
    phone.post(link, {"what": "withdraw"})
    assert log_of(event) == [
        (BY_PHONE, "Reds entered by themselves"),
        (BY_PHONE, "1 Reds entered"),
        (BY_PHONE, "Reds: entry withdrawn by its link"),
        (BY_PHONE, "1 Reds removed from the list"),
    ]
    page = refused_at_the_desk(signed_in(dana), event)
    assert f"The last change here, by {BY_PHONE}, at " in page
    # Of what was pressed, and not what somebody did to a team since.
    assert "Reds: entry withdrawn by its link" in page and "removed from the list" not in page
    assert "tablet" not in page
    again = import_event(Actor(dana), export_event(fresh(event)))
    assert log_of(again)[: len(log_of(event))] == log_of(event)
    assert len(acts_found(event, "player phone")) == 4


def test_at_check_in_by_phone_by_a_tablet_and_by_an_official(dana: User) -> None:
    event, desk, phone, tablet = open_event(dana, checks_in=True), signed_in(dana), Client(), Client()
    make_teams(event, 3)
    tablet.cookies[TABLE_COOKIE] = pair_device(Actor(address="10.0.0.3"), issue_card(Actor(dana), event, 5))
    there = f"/e/{event.slug}/check-in/"
    phone.post(there, {"number": "1", "code": event.wall_code})
    tablet.post(there, {"number": "2"})
    desk.post(f"/desk/{event.slug}/check-in/", {"number": "3"})
    acts = event.journal.filter(action__in=["check-in", "pair"]).select_related("user", "device").order_by("pk")
    seen = [(act.who, act.text) for act in acts]
    assert seen == [
        ("Table 5", "Table 5: tablet set up"),
        (BY_PHONE, "1 Aces checked in from a phone"),
        ("Table 5", "2 Books checked in on a shared tablet"),
        ("dana", "3 Night Owls checked in at the desk"),
    ]
    page = words_of(desk.get(f"/desk/{event.slug}/log/"))
    assert all(who in page for who, _ in seen)


def test_the_last_change_is_said_of_each_of_them(dana: User) -> None:
    event, desk, phone, tablet = open_event(dana, checks_in=True), signed_in(dana), Client(), Client()
    make_teams(event, 3)
    tablet.cookies[TABLE_COOKIE] = pair_device(Actor(address="10.0.0.3"), issue_card(Actor(dana), event, 5))
    there, heads = f"/e/{event.slug}/check-in/", []
    for browser, path, typed in (
        (phone, there, {"number": "1", "code": event.wall_code}),
        (tablet, there, {"number": "2"}),
        (desk, f"/desk/{event.slug}/check-in/", {"number": "3"}),
    ):
        browser.post(path, typed)
        page = words_of(desk.post(f"/desk/{event.slug}/check-in/", {"number": "77"}))
        heads.append(page[page.index("The last change") :].partition(", at ")[0])
    assert heads == [f"The last change here, by {who}" for who in (BY_PHONE, "Table 5", "dana")]


def test_what_the_program_did_is_nobodys(dana: User) -> None:
    event = open_event(dana)
    make_teams(event, 2)
    begin_epoch("backup")
    acts = event.journal.filter(action="restore")
    assert {act.who for act in acts} == {""}
