"""The page “Money”: one tap “paid”, forms that keep what was typed, receipts on paper, and who may see it."""

from __future__ import annotations

import io
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pypdf import PdfReader

from tests.factories import make_event, make_teams
from tests.pages import page_of, signed_in
from tests.sure import sure
from tests.tournament.money.test_ledger import lines, priced
from tests.tournament.money.test_payouts import finished
from tournament.access import Actor
from tournament.models import Event, Team
from tournament.queries.ledger import Said, cash
from tournament.services import payouts
from tournament.services.teams import draw_numbers


def text_of(answer: Any) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(answer.content)).pages)


def test_one_tap_pays_all_that_a_team_owes_and_a_second_tap_nothing(dana: User) -> None:
    event, client = priced(dana), signed_in(dana)
    page = page_of(client.get(f"/desk/{event.slug}/money/"))
    key = sure(re.search(r'name="key" value="([0-9a-f-]{36})"', page))[1]
    for _ in range(2):
        answer = client.post(f"/desk/{event.slug}/money/teams/1/payments/", {"key": key, "from": "list"})
        assert (answer.status_code, answer["Location"]) == (302, f"/desk/{event.slug}/money/#team-1")
    assert lines(event) == [(1, "fee", 2000), (2, "pot", 500)]
    page = page_of(client.get(f"/desk/{event.slug}/money/"))
    assert "Taken from Aces. Receipts 1 and 2." in page
    assert "The books balance" in page


def test_a_part_paid_by_a_player_is_on_the_receipt(dana: User) -> None:
    event, client = priced(dana), signed_in(dana)
    answer = client.post(f"/desk/{event.slug}/money/teams/1/payments/", {"cents": "12.50", "person": "Al Dee"})
    assert answer["Location"] == f"/desk/{event.slug}/money/teams/1/"
    text = text_of(client.get(f"/desk/{event.slug}/money/receipts/1.pdf"))
    assert ["Receipt 1" in text, "$12.50" in text, "Aces, by Al Dee" in text, "recorded by dana" in text] == [True] * 4
    assert client.get(f"/desk/{event.slug}/money/receipts/2.pdf").status_code == 404


@pytest.mark.parametrize(
    ("what", "said", "sentence"),
    [
        ("payments", {"cents": "99"}, "Aces: $25 owed."),
        ("payments", {"cents": "a lot"}, "An amount is needed, like 10 or 12.50."),
        ("charges", {"way": "less", "cents": "21", "reason": "kept words"}, "the amount cannot go below zero"),
        ("charges", {"way": "less", "cents": "5"}, "Write down why."),
        ("refunds", {"cents": "5", "reason": "kept words"}, "Only $0 was paid by Aces: give back at most that."),
    ],
)
def test_refused_forms_keep_what_was_typed(dana: User, what: str, said: dict[str, str], sentence: str) -> None:
    event = priced(dana)
    answer = signed_in(dana).post(f"/desk/{event.slug}/money/teams/1/{what}/", said)
    page = page_of(answer)
    assert (answer.status_code, sentence in page, f'value="{said["cents"]}"' in page) == (422, True, True)
    assert ("kept words" in page) == ("reason" in said)
    assert lines(event) == []


def test_a_receipt_has_the_number_that_its_team_has_now(dana: User) -> None:
    event, client = priced(dana, seed=3), signed_in(dana)
    payouts.pay(Actor(dana), event, 1)
    draw_numbers(Actor(dana), event)
    Team.objects.filter(event=event, name="Aces").update(name="Royal Aces")
    assert [(line.team, line.payee) for line in cash(event).lines] == [(3, "3 Aces")] * 2
    assert "3 Aces" in " ".join(text_of(client.get(f"/desk/{event.slug}/money/receipts/1.pdf")).split())
    assert "3 Aces" in page_of(client.get(f"/desk/{event.slug}/money/"))


def test_a_receipt_is_taken_back_on_a_page_of_its_own(dana: User) -> None:
    event, client = priced(dana), signed_in(dana)
    payouts.pay(Actor(dana), event, 1)
    assert client.post(f"/desk/{event.slug}/money/receipts/1/reversal/", {"reason": ""}).status_code == 422
    answer = client.post(f"/desk/{event.slug}/money/receipts/1/reversal/", {"reason": "wrong team"})
    assert answer.status_code == 302
    page = page_of(client.get(f"/desk/{event.slug}/money/"))
    assert ["Taken back by 3." in page, "Takes 1 back. wrong team" in page] == [True, True]
    assert "taken back by receipt 3" in page_of(client.get(f"/desk/{event.slug}/money/receipts/1/reversal/"))


def test_cash_and_payout_table_are_recorded_and_refused(dana: User) -> None:
    event, client = priced(dana), signed_in(dana)
    to = f"/desk/{event.slug}/money"
    assert client.post(f"{to}/cash/", {"way": "in", "cents": "50", "reason": "Change"}).status_code == 302
    assert client.post(f"{to}/cash/", {"way": "out", "cents": "51", "reason": "Hall"}).status_code == 422
    assert client.post(f"{to}/prizes/", {"by": "percent", "values": "50, 60"}).status_code == 422
    assert client.post(f"{to}/prizes/", {"by": "percent", "values": "half"}).status_code == 422
    assert client.post(f"{to}/prizes/", {"by": "place", "values": "100, 12,50; 10"}).status_code == 302
    event.refresh_from_db()
    assert event.prizes == {"by": "place", "prizes": [10000, 1250, 1000]}
    assert 'value="100, 12.50, 10"' in page_of(client.get(f"{to}/"))


def test_a_place_without_a_prize_stays_when_the_form_is_saved_again(dana: User) -> None:
    event, client = priced(dana), signed_in(dana)
    to = f"/desk/{event.slug}/money"
    said = "100, 0, 40"
    for _ in range(2):
        assert client.post(f"{to}/prizes/", {"by": "place", "values": said}).status_code == 302
        event.refresh_from_db()
        assert event.prizes == {"by": "place", "prizes": [10000, 0, 4000]}
        said = sure(re.search(r'name="values" value="([^"]*)"', page_of(client.get(f"{to}/"))))[1]
    assert said == "100, 0, 40"


@pytest.mark.parametrize(
    ("by", "values", "read"),
    [
        ("place", "100,60", [10000, 6000]),
        ("place", "$100,$60,$40", [10000, 6000, 4000]),
        ("place", "12.50,10", [1250, 1000]),
        ("place", "12,50, 10", [1250, 1000]),
        ("place", "100", [10000]),
        ("place", "100,", [10000]),
        ("percent", "50,30,20", ["50", "30", "20"]),
        ("percent", "12,5; 10", ["12.5", "10"]),
        ("percent", "33,333, 20", ["33.333", "20"]),
    ],
)
def test_a_comma_parts_two_prizes_with_and_without_a_space(
    dana: User, by: str, values: str, read: list[object]
) -> None:
    event = priced(dana)
    answer = signed_in(dana).post(f"/desk/{event.slug}/money/prizes/", {"by": by, "values": values})
    event.refresh_from_db()
    assert (answer.status_code, event.prizes[by if by == "percent" else "prizes"]) == (302, read)


THOUSANDS = "Write thousands without a comma, and a space after each prize: 1000, 500."
MISSING = "A prize is missing between two commas: enter 0 where a place gets nothing."


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ("1,000", THOUSANDS),
        ("1,500,300", THOUSANDS),
        ("1,000, 500", THOUSANDS),
        ("100,,40", MISSING),
        ("100, , 40", MISSING),
    ],
)
def test_prizes_that_could_be_read_in_two_ways_are_refused(dana: User, values: str, sentence: str) -> None:
    event = priced(dana)
    answer = signed_in(dana).post(f"/desk/{event.slug}/money/prizes/", {"by": "place", "values": values})
    event.refresh_from_db()
    assert (answer.status_code, event.prizes) == (422, {})
    assert sentence in page_of(answer)


def test_paying_out_at_the_desk(dana: User) -> None:
    event, client = finished(dana), signed_in(dana)
    to = f"/desk/{event.slug}/money/payouts/"
    answer = client.post(to, {"number": "1", "purpose": "pot", "key": str(uuid.uuid4())})
    assert answer.status_code == 302
    assert cash(event).paid_out("pot") == 2000
    assert client.post(to, {}).status_code == 409
    assert client.post(to, {"number": "x"}).status_code == 422


def test_the_cash_sheet_adds_up_on_paper(dana: User) -> None:
    event = priced(dana)
    payouts.pay(Actor(dana), event, 1)
    payouts.move_cash(Actor(dana), event, 5000, Said(reason="Change"))
    text = text_of(signed_in(dana).get(f"/desk/{event.slug}/papers/cash.pdf"))
    for words in ("The sheet balances", "In hand", "$75", "Still owed by teams", "$70", "Change"):
        assert words in text
    assert "Receipt 3" in text_of(signed_in(dana).get(f"/desk/{event.slug}/papers/receipts.pdf"))


def test_money_page_needs_as_many_queries_for_two_teams_as_for_thirty(dana: User) -> None:
    counts = []
    for count in (2, 30):
        event = make_event(f"Event {count}", director=dana, fee_cents=100, pot_cents=100)
        make_teams(event, count)
        client = signed_in(dana)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/desk/{event.slug}/money/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_money_page_of_an_empty_event_and_an_old_version(dana: User, event: Event) -> None:
    client = signed_in(dana)
    page = page_of(client.get(f"/desk/{event.slug}/money/"))
    assert ["No teams yet." in page, "No money has changed hands yet." in page] == [True, True]
    poll = client.get(f"/desk/{event.slug}/money/?version={event.version}", headers={"HX-Request": "true"})
    assert poll.status_code == 204


def test_money_is_for_the_director(event: Event, vic: User) -> None:
    assert signed_in(vic).get(f"/desk/{event.slug}/money/").status_code == 403
    assert Client().get(f"/desk/{event.slug}/money/").status_code == 302
