"""How long a sign-in lasts, the password before what cannot be undone, and typed values that survive both."""

from __future__ import annotations

import html
import time

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.factories import MADE_FIVE, make_teams, play
from tests.tournament.results.evenings import round_robin
from tournament import sitting
from tournament.access import Actor
from tournament.models import Event, Game, Official, Team
from tournament.services.playoffs import make_cut

PASSWORD = "a long enough password"
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


def page_of(answer: object) -> str:
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


def test_finishing_an_event_asks_for_the_password_after_ten_minutes(event: Event, dana: User) -> None:
    Event.objects.filter(pk=event.pk).update(rounds_planned=1)
    make_teams(event, 2)
    event.refresh_from_db()
    round_robin(event, [1, 2])
    make_cut(Actor(dana), event, 1)
    client = browser(dana, PASSWORD=11 * 60)
    answer = client.post(f"/desk/{event.slug}/playoffs/end/")
    assert (answer.status_code, "You are about to finish the event." in page_of(answer)) == (422, True)
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
    assert ["You are about to disqualify somebody." in page_of(answer), 'name="disqualified"' in page_of(answer)] == [
        True,
        True,
    ]
    assert client.post(to, {"after_round": "0"}).status_code == 302
    assert Team.objects.get(number=2).status == "left"


def test_dismissing_paying_out_and_giving_back_ask_for_the_password(event: Event, dana: User, vic: User) -> None:
    make_teams(event, 1)
    client = browser(dana, PASSWORD=11 * 60)
    for path, said in (
        (f"setup/officials/{vic.pk}/dismissal/", {}),
        ("money/payouts/", {"number": "1", "purpose": "pot"}),
        ("money/teams/1/refunds/", {"cents": "5", "reason": "why"}),
    ):
        answer = client.post(f"/desk/{event.slug}/{path}", said)
        assert (answer.status_code, "Your password, please" in page_of(answer)) == (422, True), path
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
