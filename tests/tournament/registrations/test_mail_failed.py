"""A mail that could not be sent: the desk reads it on its list until somebody has told them."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import words_of
from tests.tournament.registrations.conftest import entered, log_of, open_event, own, team
from tournament.access import NOBODY, Actor
from tournament.models import Event
from tournament.queries.registrations import EntriesToDo, Untold, entries_to_do
from tournament.queries.roster import RosterRow
from tournament.services import mail, registrations, teams
from tournament.services.draws import draw_rounds

SAID = "Blues moved up from the waiting list, but the email to them could not be sent. Please tell them."
BLUES = Untold(2, "Blues")


def free_port() -> int:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        return int(nobody.getsockname()[1])


@pytest.fixture
def moved_up(transactional_db: None, dana: User, settings: Any) -> Event:
    """Blues moved up, and no mail server answers."""
    settings.MAIL = "smtp://mail.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    event = open_event(dana, entry_limit=1)
    reds, *_ = entered(event, team("Reds"), team("Blues"))
    others = set(threading.enumerate())
    registrations.withdraw(NOBODY, own(reds))
    for sending in set(threading.enumerate()) - others:
        sending.join(60)
    return event


def test_the_desk_says_who_was_not_told_until_somebody_has(moved_up: Event, dana: User, client: Client) -> None:
    client.force_login(dana)
    desk = f"/desk/{moved_up.slug}/"
    assert SAID in words_of(client.get(f"{desk}setup/"))
    assert "Not told yet 1" in words_of(client.get(f"{desk}entries/"))
    assert log_of(moved_up)[-1] == "Blues moved up, but the email could not be sent"
    client.post(f"{desk}entries/2/told/")
    assert SAID not in words_of(client.get(f"{desk}setup/"))
    assert "Not told yet" not in words_of(client.get(f"{desk}entries/"))
    assert log_of(moved_up)[-1] == "Blues told by the desk that they moved up"


def test_it_stays_on_the_list_when_games_are_drawn(moved_up: Event, dana: User, client: Client) -> None:
    client.force_login(dana)
    teams.add_team(Actor(dana), moved_up, RosterRow(name="Golds", players=("Ann Lee", "Bo Day")))
    draw_rounds(Actor(dana), moved_up)
    desk = f"/desk/{moved_up.slug}/"
    assert SAID in words_of(client.get(desk))
    answer = client.post(f"{desk}entries/2/told/", follow=True)
    assert ("Blues has been told." in words_of(answer), SAID in words_of(answer)) == (True, False)


def test_a_mail_that_fails_again_is_said_again(moved_up: Event, dana: User) -> None:
    [blues] = moved_up.registrations.filter(state="in")
    mail.note_told(Actor(dana), moved_up, blues)
    assert entries_to_do(moved_up) == EntriesToDo(0, ())
    mail.note_unsent(moved_up.pk, blues)
    assert entries_to_do(moved_up) == EntriesToDo(0, (BLUES,))


def test_whoever_is_no_longer_in_need_not_be_told(moved_up: Event, dana: User) -> None:
    teams.remove_team(Actor(dana), moved_up, 1)
    assert entries_to_do(moved_up).untold == ()


def test_entries_that_wait_are_counted_beside_mails_that_failed(moved_up: Event) -> None:
    moved_up.registrations.filter(state="withdrawn").update(state="asked")
    assert entries_to_do(moved_up) == EntriesToDo(1, (BLUES,))


def test_an_event_that_was_deleted_meanwhile_says_nothing(moved_up: Event) -> None:
    [blues] = moved_up.registrations.filter(state="in")
    mail.note_unsent(0, blues)
    assert entries_to_do(moved_up).untold == (BLUES,)
