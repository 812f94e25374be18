"""The second factor of owners and directors on the internet: nothing of the desk before it; and where it is lost."""

from __future__ import annotations

import re
import time
from base64 import b32decode
from binascii import unhexlify
from collections.abc import Callable
from functools import partial
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import PASSWORD, make_user
from tests.tournament.racing import failed, together
from tournament.models import Event
from tournament.refusals import Invalid
from tournament.services.accounts import check_factor, confirm_factor, new_key

CODE_PAGE = "/sign-in/code/?next=%2Fdesk%2Fcolumbus-open%2F"
SET_UP_PAGE = CODE_PAGE.replace("code", "second-factor")


@pytest.fixture(autouse=True)
def internet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", True)


def app_code(user: User, steps: int = 0) -> str:
    """What the app shows, now or so many times 30 seconds later: no code is taken twice."""
    return code_of(TOTPDevice.objects.get(user=user).bin_key, steps)


def code_of(key: bytes, steps: int = 0) -> str:
    shown = TOTP(key, drift=steps)
    shown.time = time.time()
    return f"{shown.token():06d}"


def key_shown(client: Client) -> bytes:
    """What the page that sets an app up shows to this browser."""
    return key_on(client.get(SET_UP_PAGE).content.decode())


def key_on(page: str) -> bytes:
    return b32decode("".join(re.findall(r'class="key">([A-Z2-7 ]+)<', page)[0].split()))


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
    said = {"code": code_of(key_shown(client)), "next": "/desk/columbus-open/"}
    page = client.post(SET_UP_PAGE, said).content.decode()
    return client, re.findall(r"<code>(\w+)</code>", page)


def status(client: Client, path: str = "/desk/columbus-open/") -> int:
    return client.get(path).status_code


def test_a_director_does_nothing_before_the_app_is_set_up(dana: User, event: Event) -> None:
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


def test_set_up_at_the_first_sign_in_shows_ten_recovery_codes_once(dana: User, event: Event) -> None:
    client, _ = sign_in("dana")
    page = client.get(SET_UP_PAGE).content.decode()
    assert (len(key_shown(client)), 'aria-label="QR code for the authenticator app of dana"' in page) == (20, True)
    wrong = client.post(SET_UP_PAGE, {"code": "12"})
    assert (wrong.status_code, status(client)) == (422, 302)
    right = client.post(SET_UP_PAGE, {"code": code_of(key_shown(client)), "next": "/desk/columbus-open/"})
    codes = re.findall(r"<code>(\w+)</code>", right.content.decode())
    assert (len(set(codes)), 'href="/desk/columbus-open/"' in right.content.decode(), status(client)) == (10, True, 200)
    assert client.get(SET_UP_PAGE)["Location"] == "/sign-in/"


def test_who_looks_at_the_page_first_does_not_know_the_app_that_somebody_else_sets_up(dana: User, event: Event) -> None:
    """The password may be known to whoever made the account: each browser is shown a key of its own."""
    (first, _), (own, _) = sign_in("dana"), sign_in("dana")
    seen, key = key_shown(first), key_shown(own)
    assert (seen == key, key_shown(own) == key) == (False, True)
    assert own.post(SET_UP_PAGE, {"code": code_of(seen)}).status_code == 422
    assert own.post(SET_UP_PAGE, {"code": code_of(key)}).status_code == 200
    assert first.post(SET_UP_PAGE, {"code": code_of(seen)})["Location"] == CODE_PAGE
    assert first.post(CODE_PAGE, {"code": code_of(seen)}).status_code == 422


def test_of_two_browsers_that_set_it_up_at_once_one_has(own_file: None) -> None:
    dana, keys = make_user("dana"), [new_key(), new_key()]
    shown = [code_of(unhexlify(key)) for key in keys]
    came = together(*(partial(confirm_factor, dana, key, code) for key, code in zip(keys, shown, strict=True)))
    assert (sorted(map(failed, came)), TOTPDevice.objects.count(), StaticToken.objects.count()) == (
        [False, True],
        1,
        10,
    )


def test_the_next_sign_in_asks_for_the_code(dana: User, event: Event) -> None:
    set_up(dana)
    client, to = sign_in("dana")
    assert (to, client.get(SET_UP_PAGE)["Location"]) == (CODE_PAGE, CODE_PAGE)
    again = client.post(to, {"code": app_code(dana), "next": "/desk/columbus-open/"})
    assert (again.status_code, "This code is not right." in again.content.decode()) == (422, True)
    later()
    right = client.post(to, {"code": app_code(dana, 1), "next": "/desk/columbus-open/"})
    assert (right["Location"], status(client)) == ("/desk/columbus-open/", 200)


def test_a_recovery_code_counts_once(dana: User, event: Event) -> None:
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
        raise Invalid([])


@pytest.mark.parametrize(("kind", "place"), [("app", "UPDATE"), ("recovery code", "DELETE")])
@pytest.mark.parametrize(("check", "taken"), [(check_factor, 1), (check_unlocked, 2)])
def test_a_code_that_is_sent_twice_at_once_counts_once(
    own_file: None, kind: str, place: str, check: Callable[[User, str, str], object], taken: int
) -> None:
    dana, key = make_user("dana"), new_key()
    TOTPDevice.objects.create(user=dana, name="app", key=key)
    StaticDevice.objects.create(user=dana, name="recovery").token_set.create(token="abcdefgh")
    code = code_of(unhexlify(key)) if kind == "app" else "abcdefgh"
    places = ((place,),) * 2 if check is check_unlocked else ()
    came = together(*[partial(check, dana, code, "192.0.2.7")] * 2, places=places)
    assert sum(not failed(one) for one in came) == taken


def test_the_page_that_asks_again_asks_for_the_code_too(dana: User, event: Event) -> None:
    """What was typed while the sign-in ended goes on its way with name, password and code."""
    set_up(dana)
    client, path = Client(), reverse("desk-teams", args=[event.slug])
    said: dict[str, Any] = {"name": "Owls", "player_1": "Olga", "again_name": "dana", "again_password": PASSWORD}
    assert 'name="again_code"' in client.post(path, {"name": "Owls"}).content.decode()
    without = client.post(path, said)
    assert (without.status_code, status(client)) == (403, 302)
    later()
    client.post(path, said | {"again_code": app_code(dana, 1)})
    assert status(client) == 200


def test_a_verifier_is_not_asked_until_made_a_director(vic: User, event: Event) -> None:
    client, to = sign_in("vic")
    assert (to, status(client)) == ("/desk/columbus-open/", 200)
    event.officials.filter(user=vic).update(role="director")
    assert status(client) == 302


def test_in_a_hall_nobody_is_asked(dana: User, event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SECOND_FACTOR", False)
    client, to = sign_in("dana")
    assert (to, status(client), status(client, "/sign-in/code/")) == ("/desk/columbus-open/", 200, 302)


def test_guesses_are_counted_by_address(dana: User, event: Event) -> None:
    set_up(dana)
    client, to = sign_in("dana")
    assert [client.post(to, {"code": "000000"}).status_code for _ in range(31)] == [422] * 30 + [429]


def test_what_was_reset_is_set_up_anew(dana: User, event: Event) -> None:
    """By the command, which the only owner has left when phone and recovery codes are gone."""
    _, codes = set_up(dana)
    call_command("reset_second_factor", "dana", stdout=StringIO())
    with pytest.raises(CommandError, match="There is no account “nobody”"):
        call_command("reset_second_factor", "nobody")
    client, to = sign_in("dana")
    assert client.get(to)["Location"] == SET_UP_PAGE
    # Until then the old recovery codes let nobody in.
    said = {"again_name": "dana", "again_password": PASSWORD, "again_code": codes[0]}
    assert Client().post(reverse("desk-teams", args=[event.slug]), said).status_code == 403


def test_the_second_factor_of_one_account_is_none_of_another(dana: User, otis: User, event: Event) -> None:
    """On a page that somebody else's sign-in left behind, whoever types another name types the code of that account."""
    set_up(otis)
    client, _ = set_up(dana)
    Session.objects.all().delete()
    said = {"again_name": "otis", "again_password": PASSWORD}
    answer = client.post("/new/draft/", said)
    assert (answer.status_code, client.get("/accounts/").status_code) == (403, 302)
