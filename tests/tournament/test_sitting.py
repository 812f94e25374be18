"""How long a sign-in lasts, the password before what cannot be undone, and typed values that survive both."""

from __future__ import annotations

import html
import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import MADE_FIVE, PASSWORD, make_teams, play
from tests.tournament.results.evenings import round_robin
from tournament import sitting
from tournament.access import Actor
from tournament.models import Event, Game, Official, Team
from tournament.services.calls import call_director
from tournament.services.playoffs import make_cut

OWLS = {"number": "", "name": "Night Owls & Co", "player1": "Cy Dee", "player2": "Di Ell", "city": "Toledo"}


def browser(user: User, **seconds_ago: int) -> Client:
    """Signed in, with parts of the sitting set back."""
    client = Client()
    client.force_login(user)
    session = client.session
    for name, ago in seconds_ago.items():
        session[getattr(sitting, name)] = int(time.time()) - ago
    session.save()
    return client


def page_of(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def test_a_form_sent_after_half_an_hour_asks_to_sign_in_and_goes_on_with_what_was_typed(
    event: Event, dana: User
) -> None:
    client = browser(dana, SEEN=31 * 60)
    answer = client.post(f"/desk/{event.slug}/teams/", OWLS)
    page = page_of(answer)
    assert (answer.status_code, 'value="Night Owls & Co"' in page, 'value="dana"' in page) == (403, True, True)
    assert not Team.objects.exists()
    wrong = client.post(f"/desk/{event.slug}/teams/", OWLS | {"again_name": "dana", "again_password": "guess"})
    assert (wrong.status_code, 'value="Cy Dee"' in page_of(wrong), Team.objects.exists()) == (403, True, False)
    right = client.post(f"/desk/{event.slug}/teams/", OWLS | {"again_name": "dana", "again_password": PASSWORD})
    assert (right.status_code, Team.objects.get().name) == (302, "Night Owls & Co")
    assert client.get(f"/desk/{event.slug}/teams/").status_code == 200


def test_whoever_signs_in_again_needs_the_right_to_do_it(event: Event, dana: User, stranger: User) -> None:
    client = browser(dana, SEEN=31 * 60)
    said = OWLS | {"again_name": "stranger", "again_password": PASSWORD}
    assert client.post(f"/desk/{event.slug}/teams/", said).status_code == 403
    assert not Team.objects.exists()


@pytest.mark.parametrize(
    ("part", "ago", "lasts"),
    [
        ("SEEN", 29 * 60, True),
        ("SEEN", 31 * 60, False),
        ("BEGAN", 12 * 3600 - 60, True),
        ("BEGAN", 12 * 3600 + 60, False),
    ],
)
def test_a_sign_in_lasts_half_an_hour_untouched_and_twelve_hours_at_most(
    event: Event, dana: User, part: str, ago: int, lasts: bool
) -> None:
    answer = browser(dana, **{part: ago}).get(f"/desk/{event.slug}/")
    assert (answer.status_code == 200) == lasts
    assert lasts or answer["Location"] == f"/sign-in/?next=/desk/{event.slug}/"


def test_a_page_that_asks_for_news_by_itself_keeps_nobody_signed_in(event: Event, dana: User) -> None:
    client = browser(dana, SEEN=20 * 60)
    client.get(f"/desk/{event.slug}/?version=0", headers={"HX-Request": "true"})
    assert time.time() - client.session[sitting.SEEN] > 19 * 60
    client.get(f"/desk/{event.slug}/")
    assert time.time() - client.session[sitting.SEEN] < 60
    late = browser(dana, SEEN=31 * 60).get(f"/desk/{event.slug}/?version=0", headers={"HX-Request": "true"})
    assert late.status_code == 401


def poll(client: Client, path: str) -> Any:
    return client.get(path, headers={"HX-Request": "true"})


def moved(client: Client, seconds: int) -> None:
    """The clock goes on: for this sign-in everything is so much longer ago."""
    session = client.session
    for part in (sitting.BEGAN, sitting.SEEN, sitting.PASSWORD):
        session[part] -= seconds
    session.save()


@pytest.fixture
def watching(event: Event, dana: User) -> Client:
    """Dana's desk is open in her browser, and asks for news."""
    client = browser(dana, BEGAN=0, SEEN=0, PASSWORD=0)
    assert poll(client, f"/desk/{event.slug}/?round=1&version=0").status_code == 200
    return client


def test_the_page_that_is_open_goes_on_for_twelve_hours_and_ends(event: Event, watching: Client) -> None:
    answers = []
    for _ in range(12 * 12 + 1):
        moved(watching, 300)
        answers.append(poll(watching, f"/desk/{event.slug}/?round=1&version=0").status_code)
    # The test itself takes some seconds: at the 144th time twelve hours are over.
    assert answers == [200] * 143 + [401] * 2
    assert watching.session[sitting.SEEN] < time.time() - 12 * 3600


def test_a_desk_left_alone_shows_a_new_call_and_says_that_it_is_asleep(
    game: Game, event: Event, watching: Client
) -> None:
    assert "Sitting" not in poll(watching, f"/desk/{event.slug}/?round=1&version=0")
    moved(watching, 45 * 60)
    call_director(Actor(), game, "renege")
    answer = poll(watching, f"/desk/{event.slug}/?round=1&version=0")
    assert ("Renege, called" in page_of(answer), answer["Sitting"]) == (True, "asleep")


@pytest.mark.parametrize(
    "path",
    [
        "/desk/{}/",
        "/desk/{}/?round=1",
        "/desk/{}/?round=2&version=0",
        "/desk/{}/?round=1&version=0&q=owls",
        "/desk/{}/games/{game}/?version=0",
        "/desk/{}/log/?version=0",
        "/desk/{}/export/",
        "/",
    ],
)
def test_nothing_else_is_answered_while_nobody_is_there(
    game: Game, event: Event, watching: Client, stranger: User, path: str
) -> None:
    path = path.format(event.slug, game=game.pk)
    moved(watching, 45 * 60)
    for asks_for_news in (False, True):
        ask = poll if asks_for_news else Client.get
        seen, strange = ask(watching, path), ask(Client(), path)
        assert (seen.status_code, seen.get("Location")) == (strange.status_code, strange.get("Location"))
        assert "Sign out" not in page_of(seen)


def test_acts_of_a_page_that_is_asleep_are_not_done(event: Event, watching: Client) -> None:
    moved(watching, 45 * 60)
    answer = watching.post(f"/desk/{event.slug}/teams/?round=1&version=0", OWLS, headers={"HX-Request": "true"})
    assert (answer.status_code, Team.objects.exists()) == (422, False)
    assert "Nobody was at this page for half an hour" in page_of(answer)


def test_a_page_that_was_never_open_is_not_watched_and_the_oldest_are_forgotten(event: Event, watching: Client) -> None:
    for number in range(2, 2 + sitting.MOST_WATCHED):
        poll(watching, f"/desk/{event.slug}/?round={number}&version=0")
    moved(watching, 45 * 60)
    last = 1 + sitting.MOST_WATCHED
    answers = [poll(watching, f"/desk/{event.slug}/?round={n}&version=0").status_code for n in (1, 2, last, last + 1)]
    assert answers == [401, 200, 200, 401]


def test_the_box_wakes_the_sign_in_with_the_password_and_the_same_session(event: Event, watching: Client) -> None:
    again = "/sign-in/again/"
    assert watching.get(again).json()["asks"] == ""
    moved(watching, 45 * 60)
    key, began = watching.session.session_key, watching.session[sitting.BEGAN]
    said = watching.get(again).json()
    assert (said["asks"], said["name"], said["why"].startswith("Nobody was")) == ("password", "dana", True)
    wrong = watching.post(again, {"name": "dana", "password": "guess"})
    assert (wrong.status_code, wrong.json()["asks"]) == (422, "password")
    right = watching.post(again, {"name": "somebody else", "password": PASSWORD})
    assert (right.status_code, right.json()["asks"]) == (200, "")
    assert (watching.session.session_key, watching.session[sitting.BEGAN]) == (key, began)
    assert watching.post(f"/desk/{event.slug}/teams/", OWLS).status_code == 302


def test_after_twelve_hours_the_box_signs_in_anew(event: Event, watching: Client) -> None:
    moved(watching, 13 * 3600)
    said = watching.get("/sign-in/again/").json()
    assert (said["asks"], said["why"]) == (
        "password",
        "You signed in twelve hours ago, so it is time to sign in again.",
    )
    assert watching.post("/sign-in/again/", {"password": PASSWORD}).json()["asks"] == ""
    assert time.time() - watching.session[sitting.BEGAN] < 60


def test_the_box_of_somebody_who_was_signed_out_elsewhere_asks_for_the_name_too(watching: Client) -> None:
    watching.session.flush()
    watching.cookies.clear()
    assert watching.get("/sign-in/again/").json()["asks"] == "sign-in"
    assert watching.post("/sign-in/again/", {"name": "dana", "password": "guess"}).status_code == 422
    assert watching.post("/sign-in/again/", {"name": "dana", "password": PASSWORD}).json()["asks"] == ""


def test_five_wrong_passwords_in_the_box_lock_the_name(watching: Client) -> None:
    moved(watching, 45 * 60)
    answers = [watching.post("/sign-in/again/", {"password": f"guess {n}"}).status_code for n in range(6)]
    assert (answers[:4], answers[-1]) == ([422] * 4, 429)


def test_whoever_opens_another_page_is_told_why_and_comes_back_to_it(event: Event, watching: Client) -> None:
    moved(watching, 45 * 60)
    to = f"/desk/{event.slug}/log/"
    page = page_of(watching.get(to, follow=True))
    assert ("Nobody was at this page for half an hour" in page, 'value="dana"' in page) == (True, True)
    back = watching.post("/sign-in/", {"username": "dana", "password": PASSWORD, "next": to})
    assert back["Location"] == to


def test_a_new_password_ends_what_is_asleep_elsewhere(event: Event, watching: Client, dana: User) -> None:
    moved(watching, 45 * 60)
    dana.set_password("another long password")
    dana.save()
    assert poll(watching, f"/desk/{event.slug}/?round=1&version=0").status_code == 401


def test_finishing_an_event_asks_for_the_password_after_ten_minutes(event: Event, dana: User) -> None:
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    make_teams(event, 2)
    event.refresh_from_db()
    round_robin(event, [1, 2])
    make_cut(Actor(dana), event, 1)
    client = browser(dana, PASSWORD=11 * 60)
    answer = client.post(f"/desk/{event.slug}/playoffs/end/")
    assert (answer.status_code, "You are about to finish the event. Champion:" in page_of(answer)) == (422, True)
    assert client.post(f"/desk/{event.slug}/playoffs/end/", {"again_password": "guess"}).status_code == 422
    event.refresh_from_db()
    assert event.stage == "playoffs"
    assert client.post(f"/desk/{event.slug}/playoffs/end/", {"again_password": PASSWORD}).status_code == 302
    event.refresh_from_db()
    assert (event.stage, sitting.is_fresh(client.session)) == ("over", True)


def test_disqualifying_asks_for_the_password_and_leaving_does_not(event: Event, dana: User) -> None:
    make_teams(event, 2)
    to = f"/desk/{event.slug}/teams/2/withdrawal/"
    client = browser(dana, PASSWORD=11 * 60)
    answer = client.post(to, {"after_round": "0", "disqualified": "on"})
    assert ["You are about to disqualify " in page_of(answer), 'name="disqualified"' in page_of(answer)] == [
        True,
        True,
    ]
    assert client.post(to, {"after_round": "0"}).status_code == 302
    assert Team.objects.get(number=2).status == "left"


def test_dismissing_paying_out_and_giving_back_ask_for_the_password(event: Event, dana: User, vic: User) -> None:
    Event.objects.filter(pk=event.pk).update(fee_cents=2000, prizes={"by": "place", "prizes": [1000]})
    event.refresh_from_db()
    make_teams(event, 2)
    round_robin(event, [1, 2])
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    event.refresh_from_db()
    make_cut(Actor(dana), event, 1)
    client = browser(dana, PASSWORD=11 * 60)
    for path, said in (
        (f"setup/officials/{vic.pk}/dismissal/", {}),
        ("money/payouts/", {"number": "1", "purpose": "prize"}),
        ("money/teams/1/refunds/", {"cents": "5", "reason": "why"}),
    ):
        answer = client.post(f"/desk/{event.slug}/{path}", said)
        assert (answer.status_code, 'name="again_password"' in page_of(answer)) == (422, True), path
    assert Official.objects.filter(user=vic).exists()
    assert client.post(f"/desk/{event.slug}/setup/officials/{vic.pk}/dismissal/", {"again_password": PASSWORD})
    assert not Official.objects.filter(user=vic).exists()


def test_correcting_a_final_sheet_asks_for_the_password_after_what_it_changes_was_read(game: Game, dana: User) -> None:
    play(dana, game, MADE_FIVE)
    client = browser(dana, PASSWORD=11 * 60)
    to = f"/desk/{game.round.event.slug}/games/{game.pk}/entries/1/revisions/"
    said = {"seat": "0", "bid": "7", "books": "11", "revision": "0", "reason": "the bid was 7"}
    said["announced"] = client.post(to, said).context["impact"].key
    asked = client.post(to, said)
    assert (asked.status_code, 'value="the bid was 7"' in page_of(asked), game.entries.count()) == (422, True, 1)
    assert client.post(to, said | {"again_password": PASSWORD}).status_code == 302
    assert game.entries.count() == 2


def test_five_wrong_passwords_lock_the_name_at_this_address(event: Event, dana: User) -> None:
    client = browser(dana, PASSWORD=11 * 60)
    seen = [
        client.post(f"/desk/{event.slug}/money/payouts/", {"again_password": f"guess {number}"}).status_code
        for number in range(6)
    ]
    assert (seen[:4], seen[-1]) == ([422] * 4, 429)


def test_a_password_is_never_written_into_the_page(event: Event, dana: User) -> None:
    said = {"username": "new", "role": "verifier", "password": "secret words to keep"}
    page = page_of(browser(dana, SEEN=31 * 60).post(f"/desk/{event.slug}/setup/officials/", said))
    assert ('value="new"' in page, "secret words" in page) == (True, False)


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


def test_swaps_of_htmx_show_the_question_on_the_whole_page(event: Event, dana: User) -> None:
    make_teams(event, 1)
    answer = browser(dana, SEEN=31 * 60).post(
        f"/desk/{event.slug}/teams/1/paid/", {"on": "no"}, headers={"HX-Request": "true"}
    )
    assert (answer.status_code, answer["HX-Retarget"]) == (422, "body")


@pytest.mark.parametrize(("minutes", "fresh"), [(0, True), (9, True), (11, False)])
def test_the_password_is_fresh_for_ten_minutes(dana: User, minutes: int, fresh: bool) -> None:
    assert sitting.is_fresh(browser(dana, PASSWORD=minutes * 60).session) is fresh
