"""A payout of an event with further officials: one of the others confirms it by name and password."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import PASSWORD, make_user
from tests.tournament.money.test_payouts import finished
from tests.tournament.setup.test_events import signed_in
from tests.tournament.test_second_factor import app_code, later
from tournament import sessions
from tournament.access import Actor
from tournament.models import Event, Journal, Official
from tournament.queries.cash import cash
from tournament.queries.payouts import payouts
from tournament.refusals import Changed
from tournament.services.payouts import pay_out, set_prizes

VIC = {"second_name": "vic", "second_password": PASSWORD}


def evening(dana: User, *others: str, **fields: Any) -> Event:
    """A finished event with prizes and a pot of 90 in all, directed by Dana; the others verify."""
    event = finished(dana, **fields)
    set_prizes(Actor(dana), event, {"by": "place", "prizes": [5000, 2000]})
    for name in others:
        Official.objects.create(event=event, user=make_user(name), role="verifier")
    event.refresh_from_db()
    return event


def pay(client: Client, event: Event, **said: str) -> tuple[int, str]:
    answer = client.post(reverse("money-payout", args=[event.slug]), {"number": "2", "purpose": "prize", **said})
    return answer.status_code, html.unescape(answer.content.decode())


def test_a_second_official_confirms_a_payout_and_both_are_named(dana: User) -> None:
    event = evening(dana, "vic")
    client = signed_in(dana)
    status, page = pay(client, event)
    assert (status, "Pay out $20 to Books." in page, 'name="second_password"' in page) == (422, True, True)
    assert (cash(event).paid_out("prize"), 'name="again_password"' in page) == (0, False)
    assert pay(client, event, **VIC)[0] == 302
    assert (cash(event).paid_out("prize"), cash(event).lines[-1].by) == (2000, "dana and vic")
    act = Journal.objects.filter(event=event, action="pay-out").get()
    assert act.user == dana
    assert act.text.startswith("2 Books got $20 from the prizes, confirmed by vic (receipt ")
    # Whoever confirmed is not signed in by it.
    assert 'name="second_password"' in pay(client, event, number="1")[1]
    assert client.session["_auth_user_id"] == str(dana.pk)


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("vic", "a guess"),
        ("dana", PASSWORD),
        ("stranger", PASSWORD),
        ("nobody", PASSWORD),
        ("", ""),
        ("away", PASSWORD),
    ],
)
def test_only_another_official_of_the_event_confirms(dana: User, stranger: User, name: str, password: str) -> None:
    event = evening(dana, "vic", "away")
    User.objects.filter(username="away").update(is_active=False)
    status, page = pay(signed_in(dana), event, second_name=name, second_password=password)
    assert (status, "Wrong password." in page, payouts(event).left) == (422, True, 9000)
    assert re.findall(r"<option[^>]*>(\w+)</option>", page) == ["vic"]
    # What was typed goes on; the name is chosen anew, and the password stands nowhere.
    assert page.count('name="second_name"') == page.count('name="second_password"') == 1
    assert ('name="purpose" value="prize"' in page, password in page and bool(password)) == (True, False)


def test_who_acts_alone_is_asked_for_no_second_official(dana: User) -> None:
    event = evening(dana)
    assert "second official" not in signed_in(dana).get(reverse("desk-money", args=[event.slug])).content.decode()
    assert pay(signed_in(dana), event)[0] == 302


def test_the_answer_alone_at_set_up_leaves_no_official_out(dana: User) -> None:
    event = evening(dana, "vic", verify_own=True)
    client = signed_in(dana)
    assert 'name="second_password"' in pay(client, event)[1]
    assert pay(client, event, **VIC)[0] == 302


def test_the_own_password_is_asked_first_where_it_was_not_typed_lately(dana: User) -> None:
    event = evening(dana, "vic")
    client = signed_in(dana)
    session = client.session
    session[sessions.PASSWORD] = 0
    session.save()
    page = pay(client, event)[1]
    assert ('name="again_password"' in page, 'name="second_password"' in page) == (True, False)
    page = pay(client, event, again_password=PASSWORD)[1]
    assert ('name="again_password"' in page, 'name="second_password"' in page) == (False, True)
    assert pay(client, event, **VIC)[0] == 302


def test_the_page_names_who_confirms_and_how_it_goes_on_when_nobody_does(dana: User) -> None:
    event = evening(dana, "vic", "wes")
    client = signed_in(dana)
    page = client.get(reverse("desk-money", args=[event.slug])).content.decode()
    assert "A second official confirms each payout with name and password: vic or wes." in page
    assert "The director can remove that official under Setup" in pay(client, event)[1]
    for name in ("vic", "wes"):
        client.post(reverse("official-dismissal", args=[event.slug, User.objects.get(username=name).pk]))
    assert pay(client, event)[0] == 302


def test_what_is_refused_is_refused_before_anybody_is_fetched(dana: User) -> None:
    event = evening(dana, "vic")
    assert pay(signed_in(dana), event, number="4")[0] == 409
    assert "There is nothing left to pay out here." in pay(signed_in(dana), event, number="4")[1]


def test_wrong_passwords_of_a_second_official_lock_that_name_for_a_minute(dana: User) -> None:
    event = evening(dana, "vic")
    client = signed_in(dana)
    tries = [pay(client, event, second_name="vic", second_password=f"guess {at}")[0] for at in range(6)]
    assert (tries[:4], tries[-1]) == ([422] * 4, 429)


def test_the_service_pays_nothing_without_the_second_official(dana: User) -> None:
    event = evening(dana, "vic")
    for second in (None, dana, make_user("somebody")):
        for number in (None, 1):
            with pytest.raises(Changed, match="A second official of this event must confirm a payout"):
                pay_out(Actor(dana), event, number, "prize", None, second)
    assert payouts(event).left == 9000
    assert len(pay_out(Actor(dana), event, None, "", None, User.objects.get(username="vic"))) == 3


@pytest.fixture
def internet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", True)


def with_app(*names: str) -> None:
    for name in names:
        TOTPDevice.objects.create(user=User.objects.get(username=name), name="app")


def signed_in_with_code(user: User) -> Client:
    client = signed_in(user)
    session = client.session
    session[DEVICE_ID_SESSION_KEY] = "shown"
    session.save()
    return client


def test_on_the_internet_a_second_official_with_an_app_shows_its_code_too(dana: User, internet: None) -> None:
    event = evening(dana, "vic", "wes")
    with_app("dana", "vic")
    client, vic = signed_in_with_code(dana), User.objects.get(username="vic")
    assert 'name="second_code"' in pay(client, event)[1]
    for guess in ("", "000000"):
        status, page = pay(client, event, **VIC, second_code=guess)
        assert (status, "Wrong password or code." in page, payouts(event).left) == (422, True, 9000)
        later()
    code = app_code(vic)
    assert pay(client, event, **VIC, second_code=code)[0] == 302
    # The code of this moment confirms one payout, and is sent on nowhere.
    page = pay(client, event, **VIC, number="1", second_code=code)[1]
    assert ("Wrong password or code." in page, code in page) == (True, False)
    # Wes has no app, and needs none.
    assert pay(client, event, number="1", second_name="wes", second_password=PASSWORD)[0] == 302


def test_a_second_director_without_an_app_confirms_nothing_by_password_alone(dana: User, internet: None) -> None:
    """Whoever made the account may know that password: its app is set up at the next sign-in, and then it counts."""
    event = evening(dana, "vic")
    with_app("dana")
    event.officials.filter(user__username="vic").update(role="director")
    client = signed_in_with_code(dana)
    status, page = pay(client, event, **VIC)
    assert (status, "Wrong password or code." in page, payouts(event).left) == (422, True, 9000)


def test_where_no_second_official_has_an_app_nobody_is_asked_for_a_code(dana: User, internet: None) -> None:
    event = evening(dana, "vic")
    with_app("dana")
    client = signed_in_with_code(dana)
    page = client.get(reverse("desk-money", args=[event.slug])).content.decode()
    assert ("confirms each payout with name and password: vic." in page, "second_code" in pay(client, event)[1]) == (
        True,
        False,
    )
    assert pay(client, event, **VIC)[0] == 302


def test_in_a_hall_no_code_is_asked_for_also_where_apps_were_set_up(dana: User) -> None:
    event = evening(dana, "vic")
    with_app("dana", "vic")
    assert "second_code" not in pay(signed_in(dana), event)[1]
    assert pay(signed_in(dana), event, **VIC)[0] == 302
