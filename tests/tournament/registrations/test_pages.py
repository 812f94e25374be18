"""The entry page, a private link and the desk's list of entries, as browsers ask for them."""

from __future__ import annotations

import re
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.factories import begin, make_event, page_of, signed_in, words_of
from tests.public import addresses_in
from tests.sure import fresh, sure
from tests.tournament.registrations.conftest import alone, entered, open_event, states, team
from tests.tournament.test_rights_by_content import text_of
from tournament.access import NOBODY, Actor
from tournament.forms.teams import FILLED
from tournament.lists.catalog import LISTS
from tournament.models import Event, Journal, Player
from tournament.queries.registrations import player_by_link
from tournament.queries.roster import RosterRow
from tournament.services import registrations
from tournament.services.draws import draw_rounds
from tournament.services.rounds import start_round
from tournament.services.teams import change_team

TYPED = {"name": "Reds", "player1": "Al Red", "player2": "Bo Red", "contact": "al@example.com", "show": "full"}


def send(client: Client, event: Event, query: str = "", **typed: Any) -> Any:
    return client.post(f"/e/{event.slug}/enter/{query}", TYPED | typed)


def linked(client: Client, event: Event, **typed: Any) -> str:
    """The address of the private link that an entry came to."""
    answer = send(client, event, **typed)
    assert answer.status_code == 302, words_of(answer)
    return str(answer["Location"])


# The entry page.


def test_a_member_enters_by_phone_and_keeps_a_private_link(client: Client, dana: User) -> None:
    event = open_event(
        dana,
        entries_wait=True,
        entry_limit=2,
        fee_cents=2000,
        pot_cents=500,
        entry_words="Cash at the door",
        place="Elks",
    )
    page = words_of(client.get(f"/e/{event.slug}/enter/"))
    for words in ("November 21, 2026 Elks", "$20 a team · $5 for the Boston pot Cash at the door", "2 spots left"):
        assert words in page
    link = linked(client, event)
    answer = client.get(link)
    assert "Waiting for the desk to approve it." in words_of(answer) and "al@example.com" in page_of(answer)
    assert ("no-store" in answer["Cache-Control"], answer["X-Robots-Tag"]) == (True, "noindex")
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "start=" not in page_of(answer)
    token = link.split("/")[-2]
    first = Player.objects.get(name="Al Red")
    assert len(token) == 32 and first.token_hash not in link
    assert player_by_link(event.slug, token) == first
    # Nobody else reads anything of it before the desk has seen it, nor ever how they are reached.
    page = page_of(Client().get(f"/e/{event.slug}/enter/"))
    assert ("Reds" in page, "Al Red" in page, "1 waiting for approval" in page) == (False, False, True)
    registrations.decide(Actor(dana), event, [1], accepted=True)
    page = page_of(Client().get(f"/e/{event.slug}/enter/"))
    assert ("Reds" in page, "al@example.com" in page, "1 spot left" in page) == (True, False, True)
    assert "You are in as No. 1." in words_of(client.get(link))


def test_the_waiting_list_is_said_before_one_enters(client: Client, dana: User) -> None:
    event = open_event(dana, entry_limit=1, entries_until=timezone.now() + timedelta(days=1))
    entered(event, team("Reds"), team("Blues"))
    page = words_of(client.get(f"/e/{event.slug}/enter/"))
    assert "The only spot is taken. New entries go on the waiting list, behind 1." in page
    assert "Open until" in page


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"name": "\u200d"}, "A name is needed."),
        ({"player1": ""}, "Please fill this in."),
        ({"contact": ""}, "Please fill this in."),
        ({"player2": "Al Red"}, "Al Red is named twice."),
        ({"more": "http://cheap.example"}, FILLED),
    ],
)
def test_what_was_typed_stays_where_it_is_refused(
    client: Client, dana: User, typed: dict[str, str], words: str
) -> None:
    event = open_event(dana)
    entered(event, team("Blues"))
    answer = send(client, event, **typed)
    page = page_of(answer)
    assert (answer.status_code, words in page, event.registrations.count()) == (422, True, 1)
    assert all(
        f'value="{text}"' in page
        for text in (TYPED | typed).values()
        if text and text not in ("full", "\u200d") and "cheap" not in text
    )
    # What a program filled in is gone: the same press again does it.
    assert "cheap" not in page


def test_an_event_that_takes_no_entries_shows_nothing_of_it(client: Client, dana: User) -> None:
    event = make_event(director=dana)
    assert [client.get(f"/e/{event.slug}/enter/").status_code, send(client, event).status_code] == [404, 404]
    assert "Columbus Open" not in page_of(client.get("/"))
    assert "Entries by players" not in page_of(signed_in(dana).get(f"/desk/{event.slug}/teams/"))


def test_of_an_event_that_is_not_drawn_strangers_see_the_entry_page_alone(client: Client, dana: User) -> None:
    event = open_event(dana, place="Elks")
    home = page_of(client.get("/"))
    assert (f'href="/e/{event.slug}/enter/"' in home, f'href="/e/{event.slug}/"' in home) == (True, False)
    statuses = [client.get(f"/e/{event.slug}/{page}").status_code for page in ("", "teams/", "schedule/")]
    assert statuses == [302, 404, 404]
    Event.objects.update(entries_until=timezone.now())
    assert "Columbus Open" not in page_of(client.get("/"))
    assert "Entries are closed." in words_of(client.get(f"/e/{event.slug}/enter/"))
    answer = send(client, event)
    assert (answer.status_code, "Entries are closed." in page_of(answer), 'value="Al Red"' in page_of(answer)) == (
        409,
        True,
        True,
    )
    # A player who was refused is not told who did what in the event.
    assert "The last change here" not in page_of(answer)
    Event.objects.update(entries_from=timezone.now() + timedelta(days=2), entries_until=None)
    assert "Entries open on" in words_of(client.get(f"/e/{event.slug}/enter/"))
    Event.objects.all().delete()
    assert send(client, event).status_code == 404


def test_once_it_is_drawn_its_pages_lead_to_the_entry_page(client: Client, dana: User) -> None:
    event = open_event(dana, rounds_planned=1, teams=4)
    draw_rounds(Actor(dana), event)
    assert "Enter a team" in words_of(client.get(f"/e/{event.slug}/"))
    begin(event)
    assert "Enter a team" not in words_of(client.get(f"/e/{event.slug}/rules/"))


def test_thirty_entries_a_minute_and_address_unless_the_code_of_the_wall_is_there(client: Client, dana: User) -> None:
    event = open_event(dana)
    for count in range(30):
        assert send(client, event, name="\u200d").status_code == 422, count
    answer = send(client, event)
    assert (answer.status_code, answer["Retry-After"]) == (429, "60")
    page = page_of(answer)
    assert "Too many entries came from here. Please wait a minute, then try again." in page
    # What was typed stays, and the code can be typed with it.
    assert ('value="Al Red"' in page, 'name="code"' in page, event.registrations.count()) == (True, True, 0)
    assert send(client, event, "?code=AAAAAA").status_code == 429
    assert send(client, event, f"?code={event.wall_code.lower()}").status_code == 302
    cache.clear()
    assert send(client, event, name="Blues", player1="C D", player2="").status_code == 302


def test_single_players_have_no_partner_to_look_for(client: Client, dana: User) -> None:
    event = open_event(dana, sheet="back_alley/individual")
    page = page_of(client.get(f"/e/{event.slug}/enter/"))
    assert ("I need a partner" in page, "Team name" in page) == (False, False)
    assert "You are in as No. 1." in words_of(client.get(linked(client, event)))


def test_names_are_offered_to_be_shown_by_no_more_than_the_club_shows(client: Client, dana: User) -> None:
    event = open_event(dana, names="initial")
    assert re.findall(r'<option value="(\w+)"', page_of(client.get(f"/e/{event.slug}/enter/")))[:2] == [
        "initial",
        "hidden",
    ]
    assert send(client, event, show="full").status_code == 422


# The private link.


def test_a_link_leads_to_its_own_entry_and_to_no_other(client: Client, dana: User) -> None:
    event, other = open_event(dana), open_event(dana, name="Other")
    link = linked(client, event)
    words = "There is no entry at this link"
    for path in (link.replace(event.slug, other.slug), f"/e/{event.slug}/entry/{'x' * 32}/"):
        answers = [client.get(path), client.post(path, TYPED), client.post(path, {"what": "withdraw"})]
        assert [(row.status_code, words in page_of(row)) for row in answers] == [(404, True)] * 3
    assert states(event) == ["1 Reds in 1"]
    Event.objects.filter(pk=event.pk).update(stage="over")
    assert "This event is over." in words_of(client.get(link))
    assert client.post(link, TYPED | {"name": "New"}).status_code == 409
    Event.objects.filter(pk=event.pk).delete()
    answer = client.get(link)
    assert (answer.status_code, "The event may also have been deleted" in page_of(answer)) == (404, True)


def test_withdrawn_and_entered_again_by_the_press_itself(client: Client, dana: User) -> None:
    event = open_event(dana, entry_limit=1)
    link = linked(client, event)
    entered(event, team("Blues"))
    assert client.post(link, {"what": "withdraw"}).status_code == 302
    page = words_of(client.get(link))
    assert "Withdrawn." in page and "Enter again" in page
    client.post(link, {"what": "again"})
    assert "No. 1 on the waiting list." in words_of(client.get(link))
    answer = client.post(link, {"what": "again"})
    assert (answer.status_code, "This entry has changed." in page_of(answer)) == (409, True)
    client.post(link, TYPED | {"contact": "555-0199"})
    assert Player.objects.get(name="Al Red").contact == "555-0199"


def test_two_find_each_other_by_their_links(client: Client, dana: User) -> None:
    event = open_event(dana, names="initial")
    typed = {"alone": "yes", "alone-contact": "555", "alone-show": "initial", "alone-note": "plays on Fridays"}
    otis, ann = (linked(client, event, **typed | {"alone-player1": name}) for name in ("Otis Reed", "Ann Hall"))
    page = words_of(client.get(f"/e/{event.slug}/enter/"))
    assert ("Otis R. plays on Fridays" in page, "Otis Reed" in page) == (True, False)
    assert "Play with Ann H." in words_of(client.get(otis))
    client.post(otis, {"what": "choose", "partner": "2"})
    assert "wants to play with you" in words_of(client.get(ann))
    assert "Undo" in words_of(client.get(otis))
    client.post(ann, {"what": "choose", "partner": "1"})
    assert "You are in as No. 1." in words_of(client.get(otis))
    assert "You play for Reed / Hall, No. 1." in words_of(client.get(ann))
    answer = client.post(ann, {"what": "choose", "partner": "x"})
    assert (answer.status_code, "You’re no longer looking for a partner." in page_of(answer)) == (409, True)


ODD = ("", " ", "\0", "x" * 5000, "-1", "9" * 30, "١٢", "\ud7ff", "＜b＞<b>", "=1+1", "\u202egnp.exe", "[]", "%00")


def test_nothing_that_is_sent_breaks_a_page(client: Client, dana: User) -> None:
    """Every field of every form, and the code, with what nobody types by mistake."""
    event, desk = open_event(dana, entries_wait=True), signed_in(dana)
    link = linked(client, event)
    fields = (*TYPED, "alone", "alone-player1", "alone-note", "alone-show", "more", "note")
    sent = [(client, f"/e/{event.slug}/enter/?code={event.wall_code}", TYPED | {"alone": ""}, fields)]
    sent += [(client, link, TYPED, fields), (client, link, {"what": "choose"}, ("what", "partner"))]
    sent += [(desk, f"/desk/{event.slug}/entries/acceptance/", {}, ("entry", "refuse"))]
    sent += [(desk, f"/desk/{event.slug}/entries/teams/", {"first": "1", "second": "1"}, ("first", "second", "name"))]
    for browser, path, typed, names in sent:
        for name in names:
            for odd in ODD:
                assert browser.post(path, typed | {name: odd}).status_code in (302, 404, 409, 422), (path, name, odd)
    for odd in ODD:
        assert client.get(f"/e/{event.slug}/enter/", {"code": odd}).status_code == 200
        assert client.get(f"/e/{event.slug}/entry/{odd.strip() or 'x'}/".replace("\0", "%00")).status_code == 404


# At the desk.


def test_the_desk_sees_who_waits_and_decides(dana: User) -> None:
    event, desk = open_event(dana, entries_wait=True, entry_limit=2), signed_in(dana)
    entered(event, team("Reds"), team("Blues"), alone("Otis Reed"), alone("Ann Hall"), team("Greens"), team("Golds"))
    assert "6 entries wait." in words_of(desk.get(f"/desk/{event.slug}/setup/"))
    path = f"/desk/{event.slug}/entries/"
    page = words_of(desk.get(path))
    assert "Reds Reds One · reds@example.com Reds Two New link" in page
    answer = desk.post(f"{path}acceptance/", {"entry": "6", "refuse": "yes"}, follow=True)
    assert "1 not accepted." in words_of(answer)
    assert "1 team is in." in words_of(desk.post(f"{path}acceptance/", {"entry": "2"}, follow=True))
    ticked = {"entry": ["1", "3", "4", "5"]}
    answer = desk.post(f"{path}acceptance/", ticked, follow=True)
    assert "1 team is in, 1 on the waiting list, 2 look for a partner." in words_of(answer)
    assert "Waiting list 1 Greens" in words_of(answer)
    answer = desk.post(f"{path}acceptance/", ticked)
    assert (answer.status_code, "no longer waiting for the desk" in page_of(answer)) == (409, True)
    assert desk.post(f"{path}teams/", {"first": "3", "second": ""}).status_code == 409
    assert desk.post(f"{path}teams/", {"first": "3", "second": "3"}).status_code == 422
    answer = desk.post(f"{path}teams/", {"first": "4", "second": "3"}, follow=True)
    assert "They are a team: Reed / Hall." in words_of(answer)
    assert "On the waiting list" not in words_of(desk.get(f"/desk/{event.slug}/setup/"))
    listed = desk.get(f"/desk/{event.slug}/papers/entries.csv").content.decode()
    assert "reds@example.com" in listed and "Reed / Hall" in listed
    assert "Entries by players" in words_of(desk.get(f"/desk/{event.slug}/papers/"))


def test_players_are_told_nothing_of_other_entries_in_the_log(client: Client, dana: User) -> None:
    """What a stranger typed to be reached by is in no line that stays."""
    event = open_event(dana)
    link = linked(client, event)
    client.post(link, TYPED | {"contact": "555-0199"})
    stored = str([*Journal.objects.values_list("facts", "before", "after")])
    assert "example.com" not in stored and "555" not in stored


def test_entries_are_set_up_in_the_time_of_the_hall(dana: User) -> None:
    event, desk = make_event(director=dana, time_zone="America/Chicago", rounds_planned=6), signed_in(dana)
    page = page_of(desk.get(f"/desk/{event.slug}/setup/"))
    names = re.findall(r'name="(\w+)" value="([^"]*)"', page)
    given = {name: value for name, value in names if name not in ("csrfmiddlewaretoken",)}
    given |= {"name": event.name, "date": "2026-11-21", "sheet": event.sheet, "game": "bid_whist", "movement": "moving"}
    given |= {"time_zone": event.time_zone, "currency": "$", "best_of": "1", "paper": "letter"}
    given |= {"entries_from": "2026-11-20T18:00", "entry_limit": "24", "entries_wait": "on", "entry_words": "Cash"}

    def save(**typed: str) -> Any:
        return desk.post(f"/desk/{event.slug}/setup/", given | typed)

    assert save().status_code == 302
    event = fresh(event)
    assert sure(event.entries_from).isoformat() == "2026-11-21T00:00:00+00:00"
    assert (event.entry_limit, event.entry_words) == (24, "Cash")
    assert 'value="2026-11-20T18:00"' in page_of(desk.get(f"/desk/{event.slug}/setup/"))
    assert "Entries close before they open." in page_of(save(entries_until="2026-11-20T17:59"))


# An event that wants none of this shows none of it; setup and the form of a team, where it is turned on, are no part.
WORDS = re.compile(
    r"check(?:s|ed)?[ -]in\b|entry page|enter a team|entries by players|waiting list|look(?:s|ing)? for a partner|"
    r"\bstays? at table \d|(?-i:\w stays\b)(?! here)|no names|entries? waits?\b|not here yet|left out",
    re.IGNORECASE,
)
DESK = ("", "teams/", "roster/", "draw/", "standings/", "playoffs/", "money/", "tablets/", "papers/", "log/")


def test_an_event_that_wants_none_of_it_shows_none_of_it(dana: User) -> None:
    event, client = make_event(director=dana, rounds_planned=2, teams=4), signed_in(dana)
    for state in ("set up", "drawn", "in play"):
        if state == "drawn":
            draw_rounds(Actor(dana), event)
        if state == "in play":
            start_round(Actor(dana), event, 1)
        pages = ["/", *addresses_in(event).values(), *(f"/desk/{event.slug}/{path}" for path in DESK)]
        pages += [f"/desk/{event.slug}/papers/{name}.{ending}" for name in LISTS for ending in ("csv", "json")]
        shown = {path: words_of(client.get(path, follow=True)) for path in pages}
        assert {path: matches for path, words in shown.items() if (matches := WORDS.findall(words))} == {}, state
        for paper in ["slips", "book", *(["rounds/1/seating"] if state != "set up" else [])]:
            answer = client.get(f"/desk/{event.slug}/papers/{paper}.pdf")
            assert WORDS.findall(text_of(b"".join(answer))) == [], paper


# What a stale page says: what became of the entry, by whom; and nothing of typing where nobody typed.


def test_an_entry_that_was_decided_meanwhile_says_by_whom_and_how(dana: User) -> None:
    event = open_event(dana, entries_wait=True)
    entered(event, team("Reds"), team("Blues"))
    desk, address = signed_in(dana), f"/desk/{event.slug}/entries/acceptance/"
    desk.post(address, {"entry": "1"})
    change_team(Actor(dana), fresh(event), 1, RosterRow(number=1, name="Cole & Dean", players=("Al", "Bo")))
    stale = desk.post(address, {"entry": "1"})
    words = words_of(stale)
    assert (stale.status_code, "This is no longer waiting for the desk." in words) == (409, True)
    assert "Reds" in words and "by dana" in words and "Cole & Dean" not in words
    assert ("what you typed" in words, "Load the page again" in words) == (False, True)


def test_a_stale_page_of_a_team_says_from_what_to_what(dana: User) -> None:
    event = open_event(dana)
    entered(event, team("Reds"), team("Blues"))
    row = RosterRow(number=1, name="Reds", players=("Reds One", "Reds Two"), city="Dayton")
    change_team(Actor(dana), fresh(event), 1, row)
    begin(fresh(event))
    stale = signed_in(dana).post(f"/desk/{event.slug}/teams/1/removal/")
    words = words_of(stale)
    assert (stale.status_code, "by dana" in words) == (409, True)
    assert "1 Reds changed: — → city Dayton" in words


def test_what_was_typed_is_still_there_where_something_was(dana: User) -> None:
    event = open_event(dana)
    answer = signed_in(dana).post(f"/desk/{event.slug}/word/", {"word": "x" * 99, "minutes": "20"})
    assert "what you typed is still there" in words_of(answer)


def test_a_private_link_leads_to_the_event_once_it_can_be_seen(dana: User) -> None:
    event = open_event(dana)
    entered(event, *map(team, ("Reds", "Blues", "Greens")))
    token = token_urlsafe(24)
    registrations.enter(NOBODY, event, token, **team("Golds"))
    address = f"/e/{event.slug}/entry/{token}/"
    assert f'href="/e/{event.slug}/"' not in page_of(Client().get(address))
    draw_rounds(Actor(dana), fresh(event), seed=1)
    page = page_of(Client().get(address))
    assert f'href="/e/{event.slug}/"' in page and f'href="/e/{event.slug}/teams/4/"' in page
