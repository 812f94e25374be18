"""Accounts: closed and opened again, invited by mail, a forgotten password, and how long a password is."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import get_default_password_validators, validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import PASSWORD, make_event, make_user
from tournament.models import Event, Journal
from tournament.queries.accounts import accounts

NOBODY_LEFT = "No director is left for"


@pytest.fixture
def mails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MAIL", "smtp://mail.example")


def signed_in(name: str) -> Client:
    client = Client()
    client.post("/sign-in/", {"username": name, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/sign-ins/").status_code == 200


def change(owner: Client, act: str, user: User) -> int:
    return owner.post(reverse(f"account-{act}", args=[user.pk])).status_code


def test_a_closed_account_is_signed_out_and_signs_in_no_more(otis: User, dana: User, event: Event) -> None:
    owner, director = signed_in("otis"), signed_in("dana")
    director.post(
        reverse("officials", args=[event.slug]), {"username": "vera", "role": "verifier", "password": PASSWORD}
    )
    assert (is_in(director), change(owner, "closing", dana)) == (True, 302)
    assert "The account dana is closed" in owner.get("/accounts/").content.decode()
    assert (is_in(director), is_in(signed_in("dana"))) == (False, False)
    # The name stays in the log.
    assert sorted({str(line.user) for line in Journal.objects.exclude(user=None)}) == ["dana"]
    assert (change(owner, "opening", dana), is_in(signed_in("dana"))) == (302, True)
    # What ended when it was closed does not live again.
    assert not is_in(director)


def test_a_closed_account_is_no_director_who_could_act(otis: User, dana: User, event: Event) -> None:
    other = make_user("other")
    event.officials.create(user=other, role="director")
    make_event("Second", dana)
    make_event("Last year", dana, stage="over")
    owner, director = signed_in("otis"), signed_in("dana")
    assert change(owner, "closing", other) == 302
    assert NOBODY_LEFT not in owner.get("/accounts/").content.decode()
    for answer in (
        director.post(reverse("officials", args=[event.slug]), {"username": "dana", "role": "verifier"}),
        director.post(reverse("official-dismissal", args=[event.slug, dana.pk])),
    ):
        assert (answer.status_code, "An event needs a director" in answer.content.decode()) == (422, True)
    # An owner must be able to lock anybody out at once, and hears what is left to do.
    assert change(owner, "closing", dana) == 302
    assert f"{NOBODY_LEFT} Second, Columbus Open. The site’s first owner" in owner.get("/accounts/").content.decode()


def test_nobody_closes_the_own_account_or_that_of_the_installation(otis: User, dana: User) -> None:
    root, owner = make_user("root", is_superuser=True), signed_in("otis")
    assert [change(owner, "closing", one) for one in (otis, root)] == [422, 422]
    assert [change(owner, "factor", one) for one in (root, dana)] == [422, 302]
    assert owner.post(reverse("account-closing", args=[99999])).status_code == 409
    assert set(User.objects.values_list("is_active", flat=True)) == {True}


def test_the_list_says_who_has_what(otis: User, dana: User, event: Event) -> None:
    TOTPDevice.objects.create(user=dana, name="app")
    User.objects.filter(pk=otis.pk).update(is_active=False)
    said = [(one.name, one.is_owner, one.events, one.is_closed, one.has_factor, one.own) for one in accounts(dana)]
    assert said == [("dana", False, 1, False, True, True), ("otis", True, 0, True, False, False)]


def test_a_reset_second_factor_signs_the_account_out(otis: User, dana: User, event: Event) -> None:
    TOTPDevice.objects.create(user=dana, name="app")
    owner, director = signed_in("otis"), signed_in("dana")
    assert (change(owner, "factor", dana), is_in(director), TOTPDevice.objects.count()) == (302, False, 0)


def link_in(message: str) -> str:
    found = re.search(r"http://testserver(/password/new/\S+)", message)
    assert found
    return found[1]


def choose(link: str, password: str = "nobody else knows this") -> tuple[Client, int]:
    client = Client()
    form = client.get(link)["Location"]
    return client, client.post(form, {"new_password1": password, "new_password2": password}).status_code


@pytest.mark.usefixtures("mails")
def test_who_is_invited_chooses_a_password_that_nobody_else_knows(dana: User, event: Event) -> None:
    page = signed_in("dana")
    said = {"username": "vera", "role": "verifier", "email": "vera@example.org"}
    assert page.post(reverse("officials", args=[event.slug]), said).status_code == 302
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["vera@example.org"], "Columbus Open: you are verifier")
    link = link_in(str(sent.body))
    assert not User.objects.get(username="vera").has_usable_password()
    assert [choose(link, "short")[1], choose(link)[1], Client().get(link).status_code] == [200, 302, 200]
    client = Client()
    client.post("/sign-in/", {"username": "vera", "password": "nobody else knows this"})
    assert client.get(f"/desk/{event.slug}/").status_code == 200


@pytest.mark.usefixtures("mails")
def test_an_invitation_needs_an_address_and_the_setup_asks_for_no_password(dana: User, event: Event) -> None:
    client = signed_in("dana")
    page = client.get(reverse("desk-setup", args=[event.slug]))
    assert list(page.context["official"].fields) == ["username", "role", "email"]
    answer = client.post(reverse("officials", args=[event.slug]), {"username": "vera", "role": "verifier"})
    assert (answer.status_code, "where does its invitation go?" in answer.content.decode()) == (422, True)


@pytest.mark.usefixtures("mails")
def test_a_forgotten_password_comes_by_mail_and_tells_nobody_which_accounts_there_are(dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(email="dana@example.org")
    old = signed_in("dana")
    asked = [Client().post("/password/forgotten/", {"email": to}) for to in ("dana@example.org", "nobody@example.org")]
    assert [one["Location"] for one in asked] == ["/password/sent/"] * 2
    (sent,) = mail.outbox
    assert choose(link_in(str(sent.body)))[1] == 302
    assert (is_in(old), is_in(signed_in("dana"))) == (False, False)


@pytest.mark.usefixtures("mails")
def test_a_link_to_an_account_that_was_closed_opens_nothing_and_no_other_is_sent(otis: User, dana: User) -> None:
    """Whoever reads the mails of an account may be why it was closed."""
    User.objects.filter(pk=dana.pk).update(email="dana@example.org")
    owner = signed_in("otis")
    Client().post("/password/forgotten/", {"email": "dana@example.org"})
    change(owner, "closing", dana)
    Client().post("/password/forgotten/", {"email": "dana@example.org"})
    (sent,) = mail.outbox
    link = link_in(str(sent.body))
    assert Client().get(link).status_code == 200
    change(owner, "opening", dana)
    assert Client().get(link).status_code == 302


@pytest.mark.usefixtures("mails")
def test_nobody_has_mail_sent_without_end(dana: User) -> None:
    User.objects.filter(pk=dana.pk).update(email="dana@example.org")
    asked = [Client().post("/password/forgotten/", {"email": "dana@example.org"}).status_code for _ in range(6)]
    assert (asked, len(mail.outbox)) == ([302] * 5 + [429], 5)


@pytest.mark.usefixtures("mails")
def test_everybody_may_keep_an_address_for_that(dana: User) -> None:
    said = {"old_password": PASSWORD, "new_password1": "another long enough one", "email": "dana@example.org"}
    signed_in("dana").post("/password/", said | {"new_password2": said["new_password1"]})
    assert User.objects.get(pk=dana.pk).email == "dana@example.org"


def test_a_site_without_mail_says_what_works(dana: User) -> None:
    page, sent = Client().get("/password/forgotten/"), Client().post("/password/forgotten/", {"email": "x@example.org"})
    assert "manage.py changepassword NAME" in page.content.decode()
    assert (page.status_code, sent.status_code, mail.outbox) == (200, 409, [])


@pytest.mark.parametrize(
    ("password", "code", "said"),
    [
        ("fourteen signs", False, ["This password is too short. It must contain at least 15 characters."]),
        ("fifteen signs!!", False, []),
        ("twelve signs", True, []),
        ("eleven sign", True, ["This password is too short. It must contain at least 12 characters."]),
        ("1q2w3e4r5t6y7u8i", False, ["This password is too common."]),
    ],
)
def test_a_password_is_long_or_beside_a_code_and_not_a_common_one(
    dana: User, monkeypatch: pytest.MonkeyPatch, password: str, code: bool, said: list[str]
) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", code)
    TOTPDevice.objects.create(user=dana, name="app")
    # Threads share them: what one password needs must not be asked of another's.
    before = [dict(vars(one)) for one in get_default_password_validators()]
    try:
        validate_password(password, dana)
        found = []
    except ValidationError as fault:
        found = fault.messages
    assert (found, [vars(one) for one in get_default_password_validators()]) == (said, before)
