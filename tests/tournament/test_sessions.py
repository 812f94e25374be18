"""How long a sign-in lasts, the password before what is costly, and typed values that survive both."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from tests.factories import MADE_FIVE, PASSWORD, make_teams, page_of, play, signed_in
from tests.halls import Prepared
from tests.sure import fresh, sure
from tests.tournament.results.evenings import round_robin
from tests.tournament.test_accounts import is_in
from tournament.access import Actor
from tournament.models import Event, Game, Official, Team
from tournament.queries.accounts import browser_words, sign_ins_of
from tournament.services.devices import issue_card, pair_device
from tournament.services.playoffs import make_cut
from tournament.site import sessions

OWLS = {"number": "", "name": "Night Owls & Co", "player1": "Cy Dee", "player2": "Di Ell", "city": "Toledo"}
MINUTE, HOUR = 60, 3600
Clock = Callable[[int], None]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets the clock this many seconds after the beginning of the test."""
    began, now = time.time(), timezone.now()

    def later(seconds: int) -> None:
        monkeypatch.setattr(time, "time", lambda: began + seconds)
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=seconds))

    return later


def typed_long_ago(user: User) -> Client:
    """Signed in, with a password that was typed more than ten minutes ago."""
    client = signed_in(user)
    session = client.session
    session[sessions.PASSWORD] -= 11 * MINUTE
    session.save()
    return client


def poll(client: Client, path: str) -> Any:
    return client.get(path, headers={"HX-Request": "true"})


def desk_of(event: Event) -> str:
    return f"/desk/{event.slug}/"


def last_written(client: Client) -> Any:
    """When the session ends says when it was written."""
    return Session.objects.get(session_key=client.session.session_key).expire_date


@pytest.mark.parametrize(
    ("idle", "lasts"), [(11 * HOUR, True), (12 * HOUR - MINUTE, True), (12 * HOUR + MINUTE, False)]
)
def test_a_sign_in_lasts_twelve_hours_untouched(
    event: Event, clock: Clock, idle: int, lasts: bool, desk: Client
) -> None:
    clock(idle)
    page, act = desk.get(desk_of(event)), desk.post(f"{desk_of(event)}teams/", OWLS)
    expected = (200, 302, True) if lasts else (302, 403, False)
    assert (page.status_code, act.status_code, Team.objects.exists()) == expected
    assert lasts or page["Location"] == f"/sign-in/?next={desk_of(event)}"


def test_every_page_and_act_of_a_person_begins_the_twelve_hours_again(event: Event, clock: Clock, desk: Client) -> None:
    clock(11 * HOUR)
    assert desk.get(desk_of(event)).cookies["sessionid"]["max-age"] == 12 * HOUR
    clock(22 * HOUR)
    assert desk.post(f"{desk_of(event)}teams/", OWLS).status_code == 302
    clock(33 * HOUR)
    assert desk.get(desk_of(event)).status_code == 200
    clock(46 * HOUR)
    assert desk.get(desk_of(event)).status_code == 302


def test_what_a_page_asks_for_by_itself_neither_lengthens_nor_writes(
    game: Game, event: Event, dana: User, clock: Clock, desk: Client
) -> None:
    """The desk, a public page, and a tablet's scripts in the browser of an official."""
    token = pair_device(Actor(), issue_card(Actor(dana), event, 1))
    written, polls = last_written(desk), []
    for hour in range(1, 14):
        clock(hour * HOUR)
        polls.append(poll(desk, f"{desk_of(event)}?round=1&version=0").status_code)
        poll(desk, f"/e/{event.slug}/?version=0")
        assert desk.get("/t/api/state/", headers={"Authorization": f"Table {token}"}).status_code == 200
    assert (polls, Session.objects.get().expire_date) == ([200] * 12 + [401], written)


def test_the_time_is_written_every_ten_minutes_at_most(event: Event, clock: Clock, desk: Client) -> None:
    began, written = last_written(desk), []
    for minutes in range(1, 31):
        clock(minutes * MINUTE)
        desk.get(desk_of(event))
        written.append(round((last_written(desk) - began).total_seconds() / MINUTE))
    assert written == [0] * 9 + [10] * 10 + [20] * 10 + [30]


def test_a_clock_that_is_set_back_ends_nothing(event: Event, clock: Clock, desk: Client) -> None:
    clock(-24 * HOUR)
    assert desk.get(desk_of(event)).status_code == 200
    clock(-13 * HOUR)
    assert desk.get(desk_of(event)).status_code == 200


def test_signing_out_leaves_no_session(event: Event, clock: Clock, desk: Client) -> None:
    clock(HOUR)
    desk.post("/sign-out/")
    assert (Session.objects.exists(), poll(desk, f"{desk_of(event)}?version=0").status_code) == (False, 401)


def test_a_session_of_the_version_before_carries_on(event: Event, dana: User, desk: Client) -> None:
    """Its scripts ask an address that is gone, and its times have other names; a costly act asks for the password."""
    session = desk.session
    for key in (sessions.SINCE, sessions.SEEN, sessions.PASSWORD, sessions.ADDRESS, sessions.BROWSER):
        del session[key]
    session["_auth_user_backend"] = "tournament.passwords.PasswordBackend"
    session["sitting_began"] = session["sitting_seen"] = session["sitting_password"] = int(time.time()) - HOUR
    session.save()
    assert desk.get("/sign-in/again/").status_code == 404
    assert desk.post(f"{desk_of(event)}teams/", OWLS).status_code == 302
    assert "signed in just now" in page_of(desk.get("/sign-ins/"))
    answer = desk.post(f"{desk_of(event)}setup/officials/", {"username": "dana", "role": "verifier"})
    assert 'name="again_password"' in page_of(answer)


@pytest.fixture
def ended(dana: User) -> Client:
    """Dana's browser, twelve hours after she was last there."""
    client = signed_in(dana)
    Session.objects.update(expire_date=timezone.now())
    return client


def test_a_form_sent_after_the_sign_in_ended_goes_on_with_what_was_typed(event: Event, ended: Client) -> None:
    answer = ended.post(f"{desk_of(event)}teams/", OWLS)
    page = page_of(answer)
    assert (answer.status_code, 'value="Night Owls & Co"' in page, "no longer signed in" in page) == (403, True, True)
    assert not Team.objects.exists()
    wrong = ended.post(f"{desk_of(event)}teams/", OWLS | {"again_name": "dana", "again_password": "guess"})
    page = page_of(wrong)
    assert (wrong.status_code, 'value="Cy Dee"' in page, 'value="dana"' in page) == (403, True, True)
    assert not Team.objects.exists()
    right = ended.post(f"{desk_of(event)}teams/", OWLS | {"again_name": "dana", "again_password": PASSWORD})
    assert (right.status_code, Team.objects.get().name) == (302, "Night Owls & Co")
    assert ended.get(f"{desk_of(event)}teams/").status_code == 200


def test_a_file_that_was_chosen_before_the_sign_in_ended_is_chosen_on_the_page_that_asks(
    event: Event, ended: Client
) -> None:
    def chosen() -> Any:
        return {"file": SimpleUploadedFile("teams.csv", b"Night Larks, Cy Dee, Di Ell\n"), "text": ""}

    page = page_of(ended.post(f"{desk_of(event)}roster/", chosen()))
    for words in ('type="file" name="file"', "The file you chose is not kept.", 'enctype="multipart/form-data"'):
        assert words in page
    answer = ended.post(f"{desk_of(event)}roster/", chosen() | {"again_name": "dana", "again_password": PASSWORD})
    assert (answer.status_code, "Night Larks" in page_of(answer)) == (200, True)


def test_whoever_signs_in_again_needs_the_right_to_do_it(event: Event, ended: Client, stranger: User) -> None:
    form = OWLS | {"again_name": "stranger", "again_password": PASSWORD}
    assert ended.post(f"{desk_of(event)}teams/", form).status_code == 403
    assert not Team.objects.exists()


def test_whoever_opens_another_page_comes_back_to_it(event: Event, ended: Client) -> None:
    to = f"{desk_of(event)}log/"
    asked = ended.get(to)["Location"]
    back = ended.post(asked, {"username": "dana", "password": PASSWORD, "next": to})
    assert (asked, back["Location"]) == (f"/sign-in/?next={to}", to)


def test_a_new_password_ends_the_sign_in_elsewhere(event: Event, dana: User, desk: Client) -> None:
    dana.set_password("another long password")
    dana.save()
    assert poll(desk, f"{desk_of(event)}?round=1&version=0").status_code == 401


def test_removing_and_appointing_paying_out_and_giving_back_ask_for_the_password(
    event: Event, dana: User, vic: User
) -> None:
    prizes = {"by": "place", "prizes": [1000]}
    Event.objects.filter(pk=event.pk).update(fee_cents=2000, rounds_planned=1, prizes=prizes)
    make_teams(event, 2)
    round_robin(event, [1, 2])
    make_cut(Actor(dana), event, 1)
    client = typed_long_ago(dana)
    for path, form in (
        ("setup/officials/", {"username": "vic", "role": "director"}),
        (f"setup/officials/{vic.pk}/dismissal/", {}),
        ("money/payouts/", {"number": "1", "purpose": "prize"}),
        ("money/teams/1/refunds/", {"cents": "5", "reason": "why"}),
    ):
        answer = client.post(f"{desk_of(event)}{path}", form)
        assert (answer.status_code, 'name="again_password"' in page_of(answer)) == (422, True), path
    assert Official.objects.get(user=vic).role == "verifier"
    to = f"{desk_of(event)}setup/officials/{vic.pk}/dismissal/"
    assert client.post(to, {"again_password": "guess"}).status_code == 422
    assert client.post(to, {"again_password": PASSWORD}).status_code == 302
    assert (Official.objects.filter(user=vic).exists(), sessions.is_fresh(client.session)) == (False, True)


@pytest.mark.parametrize("act", ["closing", "opening", "second-factor"])
def test_acts_on_an_account_ask_for_the_password(otis: User, stranger: User, act: str) -> None:
    client, to = typed_long_ago(otis), f"/accounts/{stranger.pk}/{act}/"
    asked = client.post(to)
    assert (asked.status_code, 'name="again_password"' in page_of(asked)) == (422, True)
    assert client.post(to, {"again_password": PASSWORD}).status_code == 302


def test_what_costs_nothing_asks_for_no_password(event: Event, dana: User) -> None:
    """A team is sent away and comes back; the event is finished."""
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    make_teams(event, 3)
    event.refresh_from_db()
    client, to = typed_long_ago(dana), f"{desk_of(event)}teams/3/withdrawal/"
    assert client.post(to, {"after_round": "0", "disqualified": "on"}).status_code == 302
    round_robin(event, [1, 2])
    make_cut(Actor(dana), event, 1)
    assert client.post(f"{desk_of(event)}playoffs/end/").status_code == 302
    assert fresh(event).stage == "over"


def test_correcting_a_final_sheet_asks_for_the_password_after_what_it_changes_was_read(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    client = typed_long_ago(dana)
    to = f"/desk/{game.round.event.slug}/games/{game.pk}/entries/1/revisions/"
    form = {"seat": "0", "bid": "7", "books": "11", "revision": "0", "reason": "the bid was 7"}
    form["confirmed"] = client.post(to, form).context["impact"].key
    asked = client.post(to, form)
    assert (asked.status_code, 'value="the bid was 7"' in page_of(asked), game.entries.count()) == (422, True, 1)
    assert client.post(to, form | {"again_password": PASSWORD}).status_code == 302
    assert game.entries.count() == 2


def test_five_wrong_passwords_lock_the_name_at_this_address(event: Event, dana: User) -> None:
    client = typed_long_ago(dana)
    to = f"/desk/{event.slug}/money/payouts/"
    seen = [client.post(to, {"again_password": f"guess {number}"}).status_code for number in range(6)]
    assert (seen[:4], seen[-1]) == ([422] * 4, 429)


def test_a_password_is_never_written_into_the_page(event: Event, ended: Client) -> None:
    form = {"username": "new", "role": "verifier", "password": "secret words to keep"}
    page = page_of(ended.post(f"/desk/{event.slug}/setup/officials/", form))
    assert ('value="new"' in page, "secret words" in page, 'name="password"' in page) == (True, False, True)
    again = {"again_name": "dana", "again_password": PASSWORD}
    answer = ended.post(f"/desk/{event.slug}/setup/officials/", form | again)
    assert (answer.status_code, Official.objects.get(user__username="new").role) == (302, "verifier")


def test_a_page_from_before_signing_in_elsewhere_is_sent_once_more_and_a_foreign_one_is_not(
    event: Event, dana: User
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(dana)
    own = client.post(f"/desk/{event.slug}/teams/", OWLS, headers={"Origin": "http://testserver"})
    assert (own.status_code, 'value="Cy Dee"' in page_of(own)) == (422, True)
    foreign = client.post(f"/desk/{event.slug}/teams/", OWLS, headers={"Origin": "http://elsewhere.example"})
    assert (foreign.status_code, "Cy Dee" in page_of(foreign)) == (403, False)
    assert not Team.objects.exists()


def test_swaps_of_htmx_show_the_question_on_the_whole_page(event: Event, ended: Client) -> None:
    make_teams(event, 1)
    answer = ended.post(f"/desk/{event.slug}/teams/1/paid/", {"on": "no"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"]) == (422, "body")


@pytest.mark.parametrize(("minutes", "fresh"), [(1, True), (9, True), (11, False)])
def test_the_password_is_fresh_for_ten_minutes(clock: Clock, minutes: int, fresh: bool, desk: Client) -> None:
    clock(minutes * MINUTE)
    assert sessions.is_fresh(desk.session) is fresh


# Where an account is signed in: every browser, since when, from where; one of them ended, or all others.
LAPTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"


def by_the_form(user: User, agent: str, address: str) -> Client:
    client = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    form = {"username": user.username, "password": "a long enough password"}
    assert client.post("/sign-in/", form).status_code == 302
    return client


def test_every_browser_of_the_account_is_listed_and_nobody_elses(dana: User, stranger: User) -> None:
    laptop, _ = by_the_form(dana, LAPTOP, "10.0.0.5"), by_the_form(dana, PHONE, "10.0.0.9")
    by_the_form(stranger, PHONE, "10.0.0.77")
    listed = [
        (sign_in.browser, sign_in.address, sign_in.here) for sign_in in sign_ins_of(dana, laptop.session.session_key)
    ]
    assert listed == [("Chrome on Linux", "10.0.0.5", True), ("Safari on iPhone", "10.0.0.9", False)]
    page = page_of(laptop.get("/sign-ins/"))
    shown = [
        words in page
        for words in ("Chrome on Linux", "This browser", "From 10.0.0.9", "last seen just now", "10.0.0.77")
    ]
    assert shown == [True, True, True, True, False]
    assert sure(laptop.session.session_key) not in page


def test_one_other_browser_is_signed_out(dana: User, event: Event) -> None:
    laptop, phone = by_the_form(dana, LAPTOP, "10.0.0.5"), by_the_form(dana, PHONE, "10.0.0.9")
    tablet = by_the_form(dana, PHONE, "10.0.0.10")
    (key,) = re.findall(r'name="key" value="([0-9a-f]{32})"><button class="btn"\s+aria-label="[^"]*10.0.0.9 out"',
                        page_of(laptop.get("/sign-ins/")))  # fmt: skip
    for sentence in ("1 browser signed out.", "It was signed out already."):
        assert laptop.post("/sign-ins/", {"key": key})["Location"] == "/sign-ins/"
        assert sentence in page_of(laptop.get("/sign-ins/"))
    assert [is_in(browser) for browser in (laptop, phone, tablet)] == [True, False, True]
    assert phone.get(f"/desk/{event.slug}/").status_code == 302


def test_all_other_browsers_are_signed_out_and_nobody_else(dana: User, stranger: User) -> None:
    laptop = by_the_form(dana, LAPTOP, "10.0.0.5")
    others = [by_the_form(dana, PHONE, "10.0.0.9") for _ in range(2)]
    foreign = by_the_form(stranger, PHONE, "10.0.0.9")
    assert laptop.post("/sign-ins/").status_code == 302
    page = page_of(laptop.get("/sign-ins/"))
    assert ["2 browsers signed out." in page, "You are not signed in anywhere else." in page] == [True, True]
    assert [is_in(browser) for browser in (laptop, *others, foreign)] == [True, False, False, True]


def test_the_key_of_somebody_else_ends_nothing(dana: User, stranger: User) -> None:
    laptop, foreign = by_the_form(dana, LAPTOP, "10.0.0.5"), by_the_form(stranger, PHONE, "10.0.0.9")
    (theirs,) = sign_ins_of(stranger, None)
    laptop.post("/sign-ins/", {"key": theirs.key})
    assert [is_in(laptop), is_in(foreign)] == [True, True]


def test_a_sign_in_that_is_over_is_not_listed(dana: User) -> None:
    laptop, phone = by_the_form(dana, LAPTOP, "10.0.0.5"), by_the_form(dana, PHONE, "10.0.0.9")
    Session.objects.filter(session_key=phone.session.session_key).update(expire_date=timezone.now())
    assert [sign_in.address for sign_in in sign_ins_of(dana, laptop.session.session_key)] == ["10.0.0.5"]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        (LAPTOP, "Chrome on Linux"),
        (PHONE, "Safari on iPhone"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64) Chrome/126.0 Safari/537.36 Edg/126.0", "Edge on Windows"),
        ("Mozilla/5.0 (Android 14; Mobile) Firefox/127.0", "Firefox on Android"),
        ("<b>", "A browser"),
        ("", "A browser"),
    ],
)
def test_browser_words(sentence: str, words: str) -> None:
    assert browser_words(sentence) == words


def test_the_first_sign_in_offers_a_password_of_ones_own_and_the_second_does_not(dana: User) -> None:
    offered = []
    for _ in range(2):
        client = by_the_form(dana, LAPTOP, "10.0.0.5")
        offered.append('<a href="/password/">Choose a password of your own</a>' in client.get("/").content.decode())
    assert offered == [True, False]


def test_a_new_password_signs_other_browsers_out_and_opens_the_door(dana: User) -> None:
    laptop, phone = by_the_form(dana, LAPTOP, "10.0.0.5"), by_the_form(dana, PHONE, "10.0.0.9")
    new = "seven purple umbrellas"
    form = {"old_password": "a long enough password", "new_password1": new, "new_password2": new}
    page = page_of(laptop.post("/password/", form, follow=True))
    assert "Your password is changed. 1 other browser signed out." in page
    assert [is_in(laptop), is_in(phone)] == [True, False]
    assert [fresh(dana).check_password(password) for password in ("a long enough password", new)] == [False, True]


@pytest.mark.parametrize(
    ("old", "new", "again", "sentence"),
    [
        ("wrong", "seven purple umbrellas", "seven purple umbrellas", "Your old password was entered incorrectly."),
        ("a long enough password", "short", "short", "It must contain at least 15 characters."),
        ("a long enough password", "seven purple umbrellas", "another thing", "The two password fields didn’t match."),
    ],
)
def test_a_password_that_cannot_be_taken_changes_nothing(
    dana: User, old: str, new: str, again: str, sentence: str
) -> None:
    laptop = by_the_form(dana, LAPTOP, "10.0.0.5")
    answer = laptop.post("/password/", {"old_password": old, "new_password1": new, "new_password2": again})
    assert (answer.status_code, sentence in page_of(answer)) == (422, True)
    assert fresh(dana).check_password("a long enough password")


SIGN_IN = """
import json
import django
django.setup()
from django.conf import settings
from django.test import Client
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
client = Client(headers={"host": "localhost"})
client.get("/sign-in/", secure=True)
client.post("/sign-in/", {"username": "dana", "password": "a long enough password"}, secure=True)
kept = sorted(client.cookies.items())
print(json.dumps([[name, bool(one["secure"]), one["path"], one["domain"]] for name, one in kept]))
"""


@pytest.mark.parametrize(
    ("environment", "names", "secure"),
    [
        ({}, ("csrftoken", "sessionid"), False),
        ({"UPTOWN_HTTPS": "1"}, ("__Host-csrftoken", "__Host-sessionid"), True),
        ({"UPTOWN_PROFILE": "internet"}, ("__Host-csrftoken", "__Host-sessionid"), True),
    ],
    ids=["hall on http", "hall on https", "internet"],
)
def test_over_https_a_browser_gives_the_cookies_to_this_very_host_alone(
    prepared_hall: Prepared, tmp_path: Path, environment: dict[str, str], names: tuple[str, str], secure: bool
) -> None:
    """A browser takes the names for that at their word only with these attributes."""
    hall = prepared_hall.copy(tmp_path / "data", DJANGO_SETTINGS_MODULE="tournament.settings", **environment)
    cookies = [[name, secure, "/", ""] for name in sorted((*names, "messages"))]
    assert json.loads(hall.program(SIGN_IN)) == cookies
