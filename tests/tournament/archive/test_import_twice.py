"""An event file that was checked is imported by one more press: nobody chooses it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_teams, make_user
from tests.pages import signed_in
from tests.tournament.results.test_playoffs import play_round, seeded
from tournament.access import Actor
from tournament.archive.store import export_event
from tournament.models import Event
from tournament.queries.events import directed_events
from tournament.services.playoffs import finish_event
from tournament.services.teams import withdraw_team


def test_the_checked_file_is_kept_for_the_import(otis: User, dana: User) -> None:
    event = make_event("Autumn Open", dana)
    make_teams(event, 4)
    content = json.dumps(export_event(event)).encode()
    client, to = signed_in(otis), reverse("event-import")
    Event.objects.update(name="Autumn Open, as it was played")
    checked = client.post(to, {"file": SimpleUploadedFile("event.json", content), "check": "yes"})
    assert (checked.status_code, Event.objects.count()) == (200, 1)
    assert "Import Autumn Open" in checked.content.decode()
    answer = client.post(to, {"kept": checked.context["form"].to_keep})
    assert (answer.status_code, Event.objects.count()) == (302, 2)


def test_an_import_without_a_file_says_so(otis: User) -> None:
    answer = signed_in(otis).post(reverse("event-import"), {})
    assert (answer.status_code, answer.context["form"].errors) == (422, {"file": ["Choose the event file."]})
    said = "Signatures are included, tablets are not. In a file written by hand, finished games without"
    assert said in " ".join(answer.content.decode().split())


def exported(dana: User, **fields: object) -> bytes:
    event = make_event("Autumn Open", dana, **fields)
    make_teams(event, 4)
    return json.dumps(export_event(event)).encode()


def test_a_file_that_is_imported_a_second_time_is_asked_about(otis: User, dana: User) -> None:
    content, client, to = exported(dana), signed_in(otis), reverse("event-import")
    answer = client.post(to, {"file": SimpleUploadedFile("event.json", content)})
    assert (answer.status_code, Event.objects.count()) == (409, 1)
    assert "There is already an event with this name and date:" in answer.content.decode()
    said = {"kept": answer.context["form"].to_keep, "beside": "yes"}
    assert (client.post(to, said).status_code, Event.objects.count()) == (302, 2)


@pytest.mark.usefixtures("own_file")
def test_a_file_that_is_sent_twice_at_once_is_one_event() -> None:
    """As by a second press, while the first is still being read."""
    content, otis = exported(make_user("dana")), make_user("otis", is_staff=True)
    Event.objects.update(name="Earlier")
    clients = [signed_in(otis) for _ in range(2)]

    def send(client: Client) -> str | None:
        try:
            answer = client.post(reverse("event-import"), {"file": SimpleUploadedFile("event.json", content)})
            # Where the first was done before the second was read, it is asked about.
            return None if answer.status_code == 409 else answer["Location"]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        led_to = set(pool.map(send, clients))
    assert (led_to - {None}, Event.objects.count()) == ({"/import/autumn-open-2/"}, 2)
    # Nobody else gets that event by sending the same file.
    other = signed_in(make_user("olga", is_staff=True))
    said = {"file": SimpleUploadedFile("event.json", content), "beside": "1"}
    assert (other.post(reverse("event-import"), said).status_code, Event.objects.count()) == (302, 3)


def test_two_events_of_one_name_and_date_are_told_apart_in_lists(dana: User) -> None:
    make_event("Winter Open", dana, slug="one")
    make_event("Winter Open", dana, slug="two")
    make_event("Club Night", dana, slug="three", place="Union Hall")
    make_event("Club Night", dana, slug="four", place="Elks Lodge")
    make_event("Spring Open", dana, slug="five")
    assert directed_events(Actor(dana)) == [
        ("five", "Spring Open, Nov 21, 2026"),
        ("four", "Club Night, Nov 21, 2026, Elks Lodge"),
        ("three", "Club Night, Nov 21, 2026, Union Hall"),
        ("two", "Winter Open, Nov 21, 2026, no. 2"),
        ("one", "Winter Open, Nov 21, 2026, no. 1"),
    ]


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (lambda content: content[: len(content) // 2], "This event file is damaged or cut off"),
        (lambda content: content.decode().encode("utf-16"), "This file is saved as UTF-16."),
    ],
)
def test_a_damaged_event_file_is_named_for_what_it_is(
    otis: User, dana: User, cut: Callable[[bytes], bytes], words: str
) -> None:
    file = SimpleUploadedFile("event.json", cut(exported(dana)))
    answer = signed_in(otis).post(reverse("event-import"), {"file": file})
    assert (answer.status_code, words in answer.content.decode()) == (422, True)


def test_a_finished_event_is_copied_from_its_own_page_and_who_left_is_named(dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(is_staff=True)
    event = seeded(User.objects.get(pk=dana.pk), 4)
    withdraw_team(Actor(dana), event, 4, 1)
    play_round(dana, event)
    play_round(dana, event)
    finish_event(Actor(dana), event)
    client = signed_in(dana)
    assert f"/new/?like={event.slug}" in client.get(f"/desk/{event.slug}/playoffs/").content.decode()
    form = client.get(reverse("event-new"), {"like": event.slug}).content.decode()
    assert f'value="{event.slug}" selected' in form
    said = {"copy-like": event.slug, "copy-name": "Next Open", "copy-date": "2026-12-19", "copy-with_teams": "on"}
    page = client.post(reverse("event-copy"), said, follow=True).content.decode()
    assert "Not copied, because they left: 4 Eagles." in page
