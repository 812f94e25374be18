"""Three jobs of an evening, each one file in the order of handing out; and any single thing by one line."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import make_event, make_round, make_teams
from tests.pages import pdf_pages, signed_in
from tests.sure import sure
from tournament.access import Actor
from tournament.models import Device, Event, Journal
from tournament.queries.papers import PrintJob, print_jobs
from tournament.services.devices import issue_card, issue_cards, pair_device
from tournament.times import clock_time
from tournament.views.papers import KINDS, things


@pytest.fixture
def drawn(dana: User) -> Event:
    """Four teams, games 1 and 2 drawn, none begun."""
    event = make_event(director=dana, rounds_planned=2)
    aces, books, owls, eagles = make_teams(event, 4)
    make_round(event, [(aces, books), (owls, eagles)], 1, state="planned")
    make_round(event, [(aces, owls), (books, eagles)], 2, state="planned")
    return event


def begun(event: Event, number: int) -> None:
    """The rounds before this one are closed, this one is in play."""
    event.rounds.filter(number__lt=number).update(state="closed", closed_at=timezone.now())
    event.rounds.filter(number=number).update(state="running", started_at=timezone.now())


def said(job: PrintJob) -> tuple[str, list[str]]:
    return job.awaits or job.button, [f"{'x' if part.ticked else '-'} {part.words}" for part in job.parts]


TONIGHT = ["x Seating of game 1", "x 4 team slips", "x 2 score sheets", "- 2 new table cards", "- Rules in words"]


def test_before_the_draw_nothing_is_to_be_printed(event: Event) -> None:
    assert [said(job) for job in print_jobs(event)] == [
        ("Draw the first game, then print.", []),
        ("Ready when the first game is in play.", []),
        ("Ready when the event is finished.", []),
    ]


def test_jobs_follow_the_evening(drawn: Event) -> None:
    tonight = ("Everything for tonight", TONIGHT)
    late: tuple[str, list[str]] = ("Ready when the event is finished.", [])
    assert [said(job) for job in print_jobs(drawn)] == [tonight, ("Ready when the first game is in play.", []), late]
    begun(drawn, 1)
    between = ["x Standings for the wall", "x Seating of game 2", "x 2 score sheets of game 2"]
    assert [said(job) for job in print_jobs(drawn)] == [tonight, ("For game 2", between), late]
    begun(drawn, 2)
    assert [said(job) for job in print_jobs(drawn)][1] == ("For the wall", ["x Standings for the wall"])
    begun(drawn, 3)
    Event.objects.update(stage="over")
    drawn.refresh_from_db()
    tonight_, _, after = print_jobs(drawn)
    assert (said(tonight_), said(after)) == (tonight, ("Results and records", ["x Results poster", "x Event book"]))


def test_everything_for_tonight_is_in_the_order_of_handing_out(drawn: Event, dana: User) -> None:
    client, address = signed_in(dana), f"/desk/{drawn.slug}/papers/tonight.pdf"
    before = (Device.objects.count(), Journal.objects.count())
    first, again = (client.get(address).content for _ in range(2))
    texts = pdf_pages(first)
    assert [len(texts), "Side A" in texts[0], "find your table" in texts[1]] == [5, True, True]
    assert ["Ann 1 and Bea 1" in texts[2], "Table 1" in texts[3], "Table 2" in texts[4]] == [True] * 3
    assert first == again
    assert (Device.objects.count(), Journal.objects.count()) == before


def test_only_what_is_ticked_is_printed(drawn: Event, dana: User) -> None:
    client, address = signed_in(dana), f"/desk/{drawn.slug}/papers/"
    answer = client.post(f"{address}jobs/tonight/", {"part": ["rules", "sheets", "nonsense"]})
    assert (answer.status_code, answer["Location"]) == (302, f"{address}tonight.pdf?part=sheets&part=rules")
    texts = pdf_pages(client.get(answer["Location"]).content)
    assert ["Table 1" in texts[0], "Table 2" in texts[1], "How it is played" in texts[2]] == [True] * 3
    answer = client.post(f"{address}jobs/tonight/", {})
    assert (answer.status_code, "Choose at least one paper." in answer.content.decode()) == (422, True)
    assert client.post(f"{address}jobs/after/", {"part": "poster"}).status_code == 409


def test_cards_are_made_where_they_are_asked_for_and_it_is_said_which_stop_working(drawn: Event, dana: User) -> None:
    client, page = signed_in(dana), f"/desk/{drawn.slug}/papers/"
    issue_cards(Actor(dana), drawn, [1, 2])
    printed = sure(Device.objects.filter(event=drawn).first()).created_at
    at = clock_time(printed, drawn.time_zone)
    assert f"2 cards printed at {at} stop working." in client.get(page).content.decode()
    token = pair_device(Actor(), issue_card(Actor(dana), drawn, 1))
    shown = client.get(page).content.decode()
    assert "1 card printed at " in shown
    assert "stops working. No card for table 1: a tablet is in use there." in shown
    answer = client.post(f"{page}jobs/tonight/", {"part": ["cards", "sheets"]})
    texts = pdf_pages(answer.content)
    assert [len(texts), "Table 2" in texts[2], "Table 1" in texts[2]] == [3, True, False]
    live = Device.objects.filter(event=drawn, revoked_at=None).order_by("table")
    assert [(one.table, bool(one.token_hash)) for one in live] == [(1, True), (2, False)]
    assert token


def test_between_games_and_when_it_is_over_are_one_file_each(drawn: Event, dana: User) -> None:
    begun(drawn, 1)
    client, page = signed_in(dana), f"/desk/{drawn.slug}/papers/"
    texts = pdf_pages(client.get(f"{page}between.pdf").content)
    assert [len(texts), "standings" in texts[0], "game 2" in texts[1], "Table 2" in texts[4]] == [5, True, True, True]
    begun(drawn, 3)
    Event.objects.update(stage="over")
    texts = pdf_pages(client.get(f"{page}after.pdf").content)
    assert "Event book" in texts[1]
    assert "page 3" in texts[2]
    assert client.get(f"{page}after.pdf?part=rules").status_code == 404


def test_every_single_thing_that_is_offered_is_there_and_nothing_else(drawn: Event, dana: User) -> None:
    client, page = signed_in(dana), f"/desk/{drawn.slug}/papers/"
    begins = {"pdf": b"%PDF", "xlsx": b"PK", "csv": b"\xef\xbb\xbf", "json": b"["}
    for thing in things(drawn):
        for of, offered in (("", thing.whole), ("2", thing.each)):
            for kind in KINDS:
                answer = client.get(f"{page}one/", {"thing": thing.key, "of": of, "as": kind})
                if kind not in offered:
                    assert (answer.status_code, thing.words in answer.content.decode()) == (422, True), (thing, of)
                    continue
                made = client.get(answer["Location"])
                assert (made.status_code, made.content[: len(begins[kind])]) == (200, begins[kind]), (thing, of, kind)


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"thing": "horoscope"}, "Choose what to print, and as what."),
        ({"as": "docx"}, "Choose what to print, and as what."),
        ({"of": "7"}, "There is no such game."),
        ({"of": "²"}, "There is no such game."),
        ({"thing": "seating"}, "Seating: choose a game."),
        ({"thing": "standings", "of": "1"}, "Standings: of the whole evening only."),
        ({"as": "json"}, "Score sheets: as PDF."),
    ],
)
def test_a_thing_that_is_not_there_is_refused_in_words(
    drawn: Event, dana: User, asked: dict[str, str], fault: str
) -> None:
    answer = signed_in(dana).get(f"/desk/{drawn.slug}/papers/one/", asked)
    assert (answer.status_code, fault in answer.content.decode()) == (422, True)


def test_the_page_takes_a_constant_number_of_queries(dana: User) -> None:
    counts = []
    for teams in (2, 30):
        event = make_event(f"Open {teams}", director=dana)
        entered = make_teams(event, teams)
        make_round(event, list(zip(entered[::2], entered[1::2], strict=True)))
        client = signed_in(dana)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert client.get(f"/desk/{event.slug}/papers/").status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_a_stranger_gets_no_job(drawn: Event, stranger: User, client: Client) -> None:
    client.force_login(stranger)
    for address in ("tonight.pdf", "one/"):
        assert client.get(f"/desk/{drawn.slug}/papers/{address}").status_code == 403
    assert client.post(f"/desk/{drawn.slug}/papers/jobs/tonight/", {"part": "cards"}).status_code == 403
    assert Device.objects.count() == 0
