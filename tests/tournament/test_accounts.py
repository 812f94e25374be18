"""Accounts: closed and opened again, invited by mail, a forgotten password, and how long a password is."""

from __future__ import annotations

import json
import logging
import re
import time
from base64 import b32decode
from binascii import unhexlify
from collections.abc import Callable
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import get_default_password_validators, validate_password
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import PASSWORD, make_event, make_user
from tests.halls import Prepared
from tests.sure import sure
from tests.tournament.racing import failed, together
from tournament.errors import ValidationFailed
from tournament.models import Event, Journal
from tournament.queries.accounts import accounts
from tournament.services.accounts import check_factor, confirm_factor, new_key
from tournament.site.passwords import PLAIN

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
    listed = [vars(account) for account in accounts()]
    assert [
        tuple(facts[key] for key in ("username", "is_staff", "events", "is_active", "has_factor")) for facts in listed
    ] == [("dana", False, 1, True, True), ("otis", True, 0, False, False)]


def test_a_reset_second_factor_signs_the_account_out(otis: User, dana: User, event: Event) -> None:
    TOTPDevice.objects.create(user=dana, name="app")
    owner, director = signed_in("otis"), signed_in("dana")
    assert (change(owner, "factor", dana), is_in(director), TOTPDevice.objects.count()) == (302, False, 0)


def link_in(message: str) -> str:
    return sure(re.search(r"http://testserver(/password/new/\S+)", message))[1]


def choose(link: str, password: str = "nobody else knows this") -> tuple[Client, int]:
    client = Client()
    form = client.get(link)["Location"]
    return client, client.post(form, {"new_password1": password, "new_password2": password}).status_code


def test_who_is_invited_chooses_a_password_that_nobody_else_knows(dana: User, event: Event, mails: None) -> None:
    page = signed_in("dana")
    form = {"username": "vera", "role": "verifier", "email": "vera@example.org"}
    assert page.post(reverse("officials", args=[event.slug]), form).status_code == 302
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


def test_a_forgotten_password_comes_by_mail_and_tells_nobody_which_accounts_there_are(dana: User, mails: None) -> None:
    User.objects.filter(pk=dana.pk).update(email="dana@example.org")
    old = signed_in("dana")
    asked = [Client().post("/password/forgotten/", {"email": to}) for to in ("dana@example.org", "nobody@example.org")]
    assert [answer["Location"] for answer in asked] == ["/password/sent/"] * 2
    (sent,) = mail.outbox
    assert choose(link_in(str(sent.body)))[1] == 302
    assert (is_in(old), is_in(signed_in("dana"))) == (False, False)


@pytest.mark.usefixtures("mails")
def test_a_link_to_an_account_that_was_closed_opens_nothing_and_no_other_is_sent(otis: User, dana: User) -> None:
    """A person who reads the account's email may be the reason why it was closed."""
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


def test_nobody_has_mail_sent_without_end(dana: User, mails: None) -> None:
    User.objects.filter(pk=dana.pk).update(email="dana@example.org")
    asked = [Client().post("/password/forgotten/", {"email": "dana@example.org"}).status_code for _ in range(6)]
    assert (asked, len(mail.outbox)) == ([302] * 5 + [429], 5)


def test_everybody_may_keep_an_address_for_that(dana: User, mails: None) -> None:
    form = {"old_password": PASSWORD, "new_password1": "another long enough one", "email": "dana@example.org"}
    signed_in("dana").post("/password/", form | {"new_password2": form["new_password1"]})
    assert User.objects.get(pk=dana.pk).email == "dana@example.org"


def test_a_site_without_mail_says_what_works(dana: User) -> None:
    page, sent = Client().get("/password/forgotten/"), Client().post("/password/forgotten/", {"email": "x@example.org"})
    assert "manage.py changepassword NAME" in page.content.decode()
    assert (page.status_code, sent.status_code, mail.outbox) == (200, 409, [])


@pytest.mark.parametrize(
    ("password", "code", "texts"),
    [
        ("fourteen signs", False, ["This password is too short. It must contain at least 15 characters."]),
        ("fifteen signs!!", False, []),
        ("twelve signs", True, []),
        ("eleven sign", True, ["This password is too short. It must contain at least 12 characters."]),
        ("1q2w3e4r5t6y7u8i", False, [PLAIN, "This password is too common."]),
        *(
            (word, False, [PLAIN])
            for word in "abcdefghijklmnop 1111111111111111 ZyxWvuTsrqPonml danaDANAdana-2026".split()
        ),
        *((word, False, [PLAIN]) for word in ("321 321 321 321 321", "asdfghjkl;asdfghjkl", "abc-abc-abc-abc-abc")),
        ("dana knits blue socks", False, []),
    ],
)
def test_a_password_is_long_or_beside_a_code_and_neither_common_nor_plain(
    dana: User, monkeypatch: pytest.MonkeyPatch, password: str, code: bool, texts: list[str]
) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", code)
    TOTPDevice.objects.create(user=dana, name="app")
    # Threads share them: what one password needs must not be asked of another's.
    before = [dict(vars(validator)) for validator in get_default_password_validators()]
    try:
        validate_password(password, dana)
        found = []
    except ValidationError as fault:
        found = fault.messages
    assert (found, [vars(validator) for validator in get_default_password_validators()]) == (texts, before)


# The second factor of owners and directors on the internet: nothing of the desk before it; and where it is lost.
CODE_PAGE = "/sign-in/code/?next=%2Fdesk%2Fcolumbus-open%2F"
SET_UP_PAGE = CODE_PAGE.replace("code", "second-factor")


@pytest.fixture
def internet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", True)


def app_code(user: User, steps: int = 0) -> str:
    """What the app shows, now or some multiple of 30 seconds later: no code is accepted twice."""
    return code_of(TOTPDevice.objects.get(user=user).bin_key, steps)


def code_of(key: bytes, steps: int = 0) -> str:
    shown = TOTP(key, drift=steps)
    shown.time = time.time()
    return f"{shown.token():06d}"


def key_shown(client: Client) -> bytes:
    """What the page that sets an app up shows to this browser."""
    return key_on(client.get(SET_UP_PAGE).content.decode())


def key_on(page: str) -> bytes:
    return b32decode("".join(re.findall(r'<code class="wrap">([A-Z2-7 ]+)<', page)[0].split()))


def later() -> None:
    """A few seconds after a wrong code the next one is looked at again."""
    TOTPDevice.objects.update(throttling_failure_timestamp=None, throttling_failure_count=0)


def sign_in(name: str, to: str = "/desk/columbus-open/") -> tuple[Client, str]:
    client = Client()
    answer = client.post(f"/sign-in/?next={to}", {"username": name, "password": PASSWORD, "next": to})
    return client, answer["Location"]


def set_up(user: User) -> tuple[Client, list[str]]:
    """Set up at the first sign-in; the browser and the recovery codes."""
    client, _ = sign_in(user.username)
    form = {"code": code_of(key_shown(client)), "next": "/desk/columbus-open/"}
    page = client.post(SET_UP_PAGE, form).content.decode()
    return client, re.findall(r"<code>(\w+)</code>", page)


def status(client: Client, path: str = "/desk/columbus-open/") -> int:
    return client.get(path).status_code


def test_a_director_does_nothing_before_the_app_is_set_up(dana: User, event: Event, internet: None) -> None:
    client, to = sign_in("dana")
    assert to == CODE_PAGE
    asked = [client.get(path)["Location"] for path in ("/desk/columbus-open/", "/sign-ins/", "/password/", to)]
    assert asked == [
        "/sign-in/?next=/desk/columbus-open/",
        "/sign-in/?next=/sign-ins/",
        "/sign-in/?next=/password/",
        SET_UP_PAGE,
    ]
    assert client.get("/sign-in/?next=/desk/columbus-open/")["Location"] == CODE_PAGE
    assert client.post(reverse("desk-teams", args=[event.slug]), {"name": "Owls"}).status_code == 403
    assert "Sign out" not in client.get("/").content.decode()


def test_set_up_at_the_first_sign_in_shows_ten_recovery_codes_once(dana: User, event: Event, internet: None) -> None:
    client, _ = sign_in("dana")
    page = client.get(SET_UP_PAGE).content.decode()
    assert (len(key_shown(client)), 'aria-label="QR code for the authenticator app of dana"' in page) == (20, True)
    assert (client.post(SET_UP_PAGE, {"code": "12"}).status_code, status(client)) == (422, 302)
    right = client.post(SET_UP_PAGE, {"code": code_of(key_shown(client)), "next": "/desk/columbus-open/"})
    codes = re.findall(r"<code>(\w+)</code>", right.content.decode())
    assert (len(set(codes)), 'href="/desk/columbus-open/"' in right.content.decode(), status(client)) == (10, True, 200)
    assert client.get(SET_UP_PAGE)["Location"] == "/sign-in/"


@pytest.mark.usefixtures("internet")
def test_who_looks_at_the_page_first_does_not_know_the_app_that_somebody_else_sets_up(dana: User, event: Event) -> None:
    """The person who made the account may know the password: each browser is shown a key of its own."""
    (first, _), (own, _) = sign_in("dana"), sign_in("dana")
    seen, key = key_shown(first), key_shown(own)
    assert (seen == key, key_shown(own) == key) == (False, True)
    assert own.post(SET_UP_PAGE, {"code": code_of(seen)}).status_code == 422
    assert own.post(SET_UP_PAGE, {"code": code_of(key)}).status_code == 200
    assert first.post(SET_UP_PAGE, {"code": code_of(seen)})["Location"] == CODE_PAGE
    assert first.post(CODE_PAGE, {"code": code_of(seen)}).status_code == 422


def test_of_two_browsers_that_set_it_up_at_once_one_has(own_file: None, internet: None) -> None:
    dana, keys = make_user("dana"), [new_key(), new_key()]
    shown = [code_of(unhexlify(key)) for key in keys]
    came = together(*(partial(confirm_factor, dana, key, code) for key, code in zip(keys, shown, strict=True)))
    assert (sorted(map(failed, came)), TOTPDevice.objects.count(), StaticToken.objects.count()) == (
        [False, True],
        1,
        10,
    )


def test_the_next_sign_in_asks_for_the_code(dana: User, event: Event, internet: None) -> None:
    set_up(dana)
    client, to = sign_in("dana")
    assert (to, client.get(SET_UP_PAGE)["Location"]) == (CODE_PAGE, CODE_PAGE)
    again = client.post(to, {"code": app_code(dana), "next": "/desk/columbus-open/"})
    assert (again.status_code, "This code is not right." in again.content.decode()) == (422, True)
    later()
    right = client.post(to, {"code": app_code(dana, 1), "next": "/desk/columbus-open/"})
    assert (right["Location"], status(client)) == ("/desk/columbus-open/", 200)


def test_a_recovery_code_counts_once(dana: User, event: Event, internet: None) -> None:
    _, codes = set_up(dana)
    client, to = sign_in("dana")
    spoken = f"{codes[0][:4].upper()}-{codes[0][4:]}"
    assert client.post(to, {"code": spoken, "next": "https://elsewhere.example/"})["Location"] == "/"
    other, _ = sign_in("dana")
    assert (status(client), other.post(to, {"code": codes[0]}).status_code, status(other)) == (200, 422, 302)
    assert StaticToken.objects.count() == 9


def check_unlocked(user: User, code: str, _address: str) -> None:
    """The control: the app, or the recovery codes, are read as they were before somebody else's code was taken."""
    kind = TOTPDevice if code.isdecimal() else StaticDevice
    if not kind.objects.get(user=user).verify_token(code):
        raise ValidationFailed([])


@pytest.mark.parametrize(("kind", "place"), [("app", "UPDATE"), ("recovery code", "DELETE")])
@pytest.mark.parametrize(("check", "taken"), [(check_factor, 1), (check_unlocked, 2)])
def test_a_code_that_is_sent_twice_at_once_counts_once(
    own_file: None, kind: str, place: str, check: Callable[[User, str, str], object], taken: int, internet: None
) -> None:
    dana, key = make_user("dana"), new_key()
    TOTPDevice.objects.create(user=dana, name="app", key=key)
    StaticDevice.objects.create(user=dana, name="recovery").token_set.create(token="abcdefgh")
    code = code_of(unhexlify(key)) if kind == "app" else "abcdefgh"
    places = ((place,),) * 2 if check is check_unlocked else ()
    came = together(*[partial(check, dana, code, "192.0.2.7")] * 2, places=places)
    assert sum(not failed(outcome) for outcome in came) == taken


def test_the_page_that_asks_again_asks_for_the_code_too(dana: User, event: Event, internet: None) -> None:
    """What was typed while the sign-in ended goes on its way with name, password and code."""
    set_up(dana)
    client, path = Client(), reverse("desk-teams", args=[event.slug])
    form: dict[str, Any] = {"name": "Owls", "player_1": "Olga", "again_name": "dana", "again_password": PASSWORD}
    assert 'name="again_code"' in client.post(path, {"name": "Owls"}).content.decode()
    assert (client.post(path, form).status_code, status(client)) == (403, 302)
    later()
    client.post(path, form | {"again_code": app_code(dana, 1)})
    assert status(client) == 200


def test_a_verifier_is_not_asked_until_made_a_director(vic: User, event: Event, internet: None) -> None:
    client, to = sign_in("vic")
    assert (to, status(client)) == ("/desk/columbus-open/", 200)
    event.officials.filter(user=vic).update(role="director")
    assert status(client) == 302


def test_in_a_hall_nobody_is_asked(dana: User, event: Event, monkeypatch: pytest.MonkeyPatch, internet: None) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", False)
    client, to = sign_in("dana")
    assert (to, status(client), status(client, "/sign-in/code/")) == ("/desk/columbus-open/", 200, 302)


def test_guesses_are_counted_by_address(dana: User, event: Event, internet: None) -> None:
    set_up(dana)
    client, to = sign_in("dana")
    assert [client.post(to, {"code": "000000"}).status_code for _ in range(31)] == [422] * 30 + [429]


def test_what_was_reset_is_set_up_anew(dana: User, event: Event, internet: None) -> None:
    """By the command, which the only owner has left when phone and recovery codes are gone."""
    _, codes = set_up(dana)
    call_command("reset_second_factor", "dana", stdout=StringIO())
    with pytest.raises(CommandError, match="There is no account “nobody”"):
        call_command("reset_second_factor", "nobody")
    client, to = sign_in("dana")
    assert client.get(to)["Location"] == SET_UP_PAGE
    # Until then the old recovery codes let nobody in.
    form = {"again_name": "dana", "again_password": PASSWORD, "again_code": codes[0]}
    assert Client().post(reverse("desk-teams", args=[event.slug]), form).status_code == 403


@pytest.mark.usefixtures("internet")
def test_the_second_factor_of_one_account_is_none_of_another(dana: User, otis: User, event: Event) -> None:
    """On a page that somebody else's sign-in left behind, a person who types another name types that account's code."""
    set_up(otis)
    client, _ = set_up(dana)
    Session.objects.all().delete()
    form = {"again_name": "otis", "again_password": PASSWORD}
    assert (client.post("/new/draft/", form).status_code, client.get("/accounts/").status_code) == (403, 302)


# What the environment says of a site holds where people sign in: by whom it is asked, and what it asks of them.
# Dana signs in, once while the line is full and once when it is not.
SIGN_IN = """
import json
from contextlib import ExitStack
import django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from tournament.site.passwords import IN_LINE, QueuedHasher
from tournament.queries.accounts import sign_ins_of

dana = User.objects.get(username="dana")
dana.set_password("a long enough password")
dana.save()
asked = {"x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9, 192.0.2.7, 198.51.100.1"}
browser = Client(headers={"host": "localhost", **asked})

def sign_in():
    said = {"username": "dana", "password": "a long enough password"}
    return browser.post("/sign-in/?next=/desk/columbus-open/", said)

with ExitStack() as line:
    for _ in range(IN_LINE):
        line.enter_context(QueuedHasher._line)
    crowded = sign_in().status_code
answer = sign_in()
there = [one.address for one in sign_ins_of(dana, None)]
print(json.dumps([crowded, answer.get("Location"), there]))
"""


@pytest.mark.parametrize(
    ("environment", "to", "address"),
    [
        ({}, "/desk/columbus-open/", "127.0.0.1"),
        (
            {"UPTOWN_PROFILE": "internet", "UPTOWN_BEHIND_PROXY": "2"},
            "/sign-in/code/?next=%2Fdesk%2Fcolumbus-open%2F",
            "192.0.2.7",
        ),
    ],
    ids=["hall", "internet, behind two proxies"],
)
def test_a_director_signs_in_as_the_profile_says(
    prepared_hall: Prepared, tmp_path: Path, environment: dict[str, str], to: str, address: str
) -> None:
    """Behind a line of passwords in every profile; on the internet with a code, and from the true address."""
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings", **environment)
    assert json.loads(hall.program(SIGN_IN)) == [429, to, [address]]


# What the site's log says of an address: never what would give its readers access to something.
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        # A mail program takes the full stop behind a link for a part of it.
        ("/password/new/Mg/dijo0e-9ec05a820d7dd71422d471c4a4b6cf21/.", "/password/new/***"),
        ("/password/new/Mg/dijo0e-9ec05a820d7dd71422d471c4a4b6cf21/%20x", "/password/new/***"),
        # The code of a card is typed behind the address.
        ("/t/2U8T-2R6J", "/t/***"),
        ("/t/2u8t2r6j/", "/t/***/"),
        ("/T/2U8T-2R6J", "/T/***"),
        ("/t/2U8T%202R6J", "/t/***"),
        ("/t/nobody/", "/t/nobody/"),
        ("/t/notices/x/", "/t/notices/x/"),
        ("/t/table/games/9/", "/t/table/games/9/"),
    ],
)
def test_what_opens_something_is_left_out_of_addresses(
    client: Client, caplog: pytest.LogCaptureFixture, address: str, sentence: str
) -> None:
    assert client.get(address).status_code == 404
    (console,) = (handler for handler in logging.getLogger().handlers if handler.name == "console")
    (record,) = caplog.records
    assert console.format(record).endswith(f" WARNING django.request Not Found: {sentence}")


def test_a_name_that_is_not_the_sites_is_one_line_of_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/sign-in/", headers={"host": "elsewhere.example"}).status_code == 400
    (console,) = (handler for handler in logging.getLogger().handlers if handler.name == "console")
    lines = [console.format(record) for record in caplog.records if console.filter(record)]
    assert [line.count("\n") for line in lines] == [0] * len(lines)
    assert "elsewhere.example" in lines[0]
