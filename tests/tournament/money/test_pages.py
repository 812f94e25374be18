"""The page “Money”: one tap “paid”, forms that keep what was typed, receipts on paper, and who may see it."""

from __future__ import annotations

import csv
import io
import re
import uuid
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.factories import make_event, make_teams, page_of, signed_in
from tests.programs import recalculated
from tests.quick import remembered
from tests.sure import fresh, sure
from tests.tournament.money.conftest import priced
from tests.tournament.money.test_ledger import lines
from tests.tournament.money.test_payouts import finished
from tests.tournament.reports.evenings import pdf_text, printed
from tests.tournament.results.evenings import after_the_cut, played_round, win
from tests.tournament.test_sessions import typed_long_ago
from tournament.access import Actor
from tournament.errors import ValidationFailed
from tournament.models import Event, Game, Team
from tournament.queries.ledger import Wording, cash, payouts
from tournament.queries.todo_next import checklist
from tournament.services import ledger
from tournament.services.corrections import correct_sheet
from tournament.services.events import copy_event
from tournament.services.payouts import charge, move_cash, pay, pay_out_all, refund
from tournament.services.teams import draw_numbers


def test_one_tap_pays_all_that_a_team_owes_and_a_second_tap_nothing(event: Event, desk: Client) -> None:
    page = page_of(desk.get(f"/desk/{event.slug}/money/"))
    key = sure(re.search(r'name="key" value="([0-9a-f-]{36})"', page))[1]
    for _ in range(2):
        answer = desk.post(f"/desk/{event.slug}/money/teams/1/payments/", {"key": key, "from": "list"})
        assert (answer.status_code, answer["Location"]) == (302, f"/desk/{event.slug}/money/#team-1")
    assert lines(event) == [(1, "fee", 2000), (2, "pot", 500)]
    page = page_of(desk.get(f"/desk/{event.slug}/money/"))
    assert "Taken from Aces. Receipts 1 and 2." in page
    assert "The books balance" in page


def test_a_part_paid_by_a_player_is_on_the_receipt(event: Event, desk: Client) -> None:
    answer = desk.post(f"/desk/{event.slug}/money/teams/1/payments/", {"cents": "12.50", "person": "Al Dee"})
    assert answer["Location"] == f"/desk/{event.slug}/money/teams/1/"
    text = pdf_text(desk.get(f"/desk/{event.slug}/money/receipts/1.pdf").content)
    assert ["Receipt 1" in text, "$12.50" in text, "Aces, by Al Dee" in text, "recorded by dana" in text] == [True] * 4
    assert desk.get(f"/desk/{event.slug}/money/receipts/2.pdf").status_code == 404


@pytest.mark.parametrize(
    ("what", "form", "sentence"),
    [
        ("payments", {"cents": "99"}, "Only $25 is owed by Aces. Nothing was taken."),
        ("payments", {"cents": "a lot"}, "An amount is needed, like 10 or 12.50."),
        ("charges", {"way": "less", "cents": "21", "reason": "kept words"}, "the amount cannot go below zero"),
        ("charges", {"way": "less", "cents": "5"}, "Write down why."),
        ("refunds", {"cents": "5", "reason": "kept words"}, "Only $0 was paid by Aces: give back at most that."),
    ],
)
def test_refused_forms_keep_what_was_typed(
    event: Event, desk: Client, what: str, form: dict[str, str], sentence: str
) -> None:
    answer = desk.post(f"/desk/{event.slug}/money/teams/1/{what}/", form)
    page = page_of(answer)
    assert (answer.status_code, sentence in page, f'value="{form["cents"]}"' in page) == (422, True, True)
    assert ("kept words" in page) == ("reason" in form)
    assert lines(event) == []


def test_a_receipt_has_the_number_that_its_team_has_now(dana: User) -> None:
    event, client = priced(dana, seed=3), signed_in(dana)
    pay(Actor(dana), event, 1)
    draw_numbers(Actor(dana), event)
    Team.objects.filter(event=event, name="Aces").update(name="Royal Aces")
    assert [(line.team and line.team.number, line.who) for line in cash(event).lines] == [(3, "3 Aces")] * 2
    assert "3 Aces" in " ".join(pdf_text(client.get(f"/desk/{event.slug}/money/receipts/1.pdf").content).split())
    assert "3 Aces" in page_of(client.get(f"/desk/{event.slug}/money/"))


def test_a_receipt_is_taken_back_on_a_page_of_its_own(event: Event, desk: Client, dana: User) -> None:
    pay(Actor(dana), event, 1)
    assert desk.post(f"/desk/{event.slug}/money/receipts/1/reversal/", {"reason": ""}).status_code == 422
    assert desk.post(f"/desk/{event.slug}/money/receipts/1/reversal/", {"reason": "wrong team"}).status_code == 302
    page = page_of(desk.get(f"/desk/{event.slug}/money/"))
    assert ["Taken back by 3." in page, "Takes 1 back. wrong team" in page] == [True, True]
    assert "taken back by receipt 3" in page_of(desk.get(f"/desk/{event.slug}/money/receipts/1/reversal/"))


def test_cash_and_payout_table_are_recorded_and_refused(event: Event, desk: Client) -> None:
    to = f"/desk/{event.slug}/money"
    assert desk.post(f"{to}/cash/", {"way": "in", "cents": "50", "reason": "Change"}).status_code == 302
    assert desk.post(f"{to}/cash/", {"way": "out", "cents": "51", "reason": "Hall"}).status_code == 422
    assert desk.post(f"{to}/prizes/", {"by": "percent", "values": "50, 60"}).status_code == 422
    assert desk.post(f"{to}/prizes/", {"by": "percent", "values": "half"}).status_code == 422
    assert desk.post(f"{to}/prizes/", {"by": "place", "values": "100, 12,50; 10"}).status_code == 302
    assert fresh(event).prizes == {"by": "place", "prizes": [10000, 1250, 1000]}
    assert 'value="100, 12.50, 10"' in page_of(desk.get(f"{to}/"))


def test_a_place_without_a_prize_stays_when_the_form_is_saved_again(event: Event, desk: Client) -> None:
    to = f"/desk/{event.slug}/money"
    sentence = "100, 0, 40"
    for _ in range(2):
        assert desk.post(f"{to}/prizes/", {"by": "place", "values": sentence}).status_code == 302
        assert fresh(event).prizes == {"by": "place", "prizes": [10000, 0, 4000]}
        sentence = sure(re.search(r'name="values" value="([^"]*)"', page_of(desk.get(f"{to}/"))))[1]
    assert sentence == "100, 0, 40"


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
def test_a_comma_parts_two_prizes(event: Event, desk: Client, by: str, values: str, read: list[object]) -> None:
    answer = desk.post(f"/desk/{event.slug}/money/prizes/", {"by": by, "values": values})
    assert (answer.status_code, fresh(event).prizes[by if by == "percent" else "prizes"]) == (302, read)


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
def test_prizes_that_could_be_read_in_two_ways(event: Event, desk: Client, values: str, sentence: str) -> None:
    answer = desk.post(f"/desk/{event.slug}/money/prizes/", {"by": "place", "values": values})
    assert (answer.status_code, fresh(event).prizes) == (422, {})
    assert sentence in page_of(answer)


def test_paying_out_at_the_desk(dana: User) -> None:
    event, client = finished(dana), signed_in(dana)
    to = f"/desk/{event.slug}/money/payouts/"
    assert client.post(to, {"number": "1", "purpose": "pot", "key": str(uuid.uuid4())}).status_code == 302
    assert cash(event).paid_out("pot") == 2000
    assert client.post(to, {}).status_code == 409
    assert client.post(to, {"number": "x"}).status_code == 422


def test_the_cash_sheet_adds_up_on_paper(event: Event, dana: User) -> None:
    pay(Actor(dana), event, 1)
    move_cash(Actor(dana), event, 5000, Wording(reason="Change"))
    text = pdf_text(signed_in(dana).get(f"/desk/{event.slug}/papers/cash.pdf").content)
    for words in ("The sheet balances", "Cash on hand", "$75", "Still owed by teams", "$70", "Change"):
        assert words in text
    assert "Receipt 3" in pdf_text(signed_in(dana).get(f"/desk/{event.slug}/papers/receipts.pdf").content)


def test_money_page_of_an_empty_event_and_an_old_version(dana: User, desk: Client) -> None:
    event = make_event(director=dana)
    page = page_of(desk.get(f"/desk/{event.slug}/money/"))
    assert ["No teams yet." in page, "No money has changed hands yet." in page] == [True, True]
    poll = desk.get(f"/desk/{event.slug}/money/?version={event.version}", headers={"HX-Request": "true"})
    assert poll.status_code == 204


# Money in awkward moments: what would refuse is off with its reason, and is checked before a password is asked for.
BOSTON = {"entry": "hand", "bidder": 0, "bid": "4", "books": 13}


def paid_pot(dana: User) -> Event:
    """The pot of $20 was paid to team 1 for its Boston, which then was a mistake: team 3 made one, too."""
    event = after_the_cut(dana, 2, (1, 2, [BOSTON]), (3, 4, win(0)), pot_cents=500)
    pay_out_all(Actor(dana), event)
    game = Game.objects.get(round__event=event, table=1)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=win(0)[0], reason="12 books")
    game = Game.objects.get(round__event=event, table=2)
    correct_sheet(Actor(dana), game, position=1, revision=0, facts=BOSTON, reason="13 books")
    return fresh(event)


def test_a_share_that_was_corrected_away_is_taken_back_from_its_chip(dana: User) -> None:
    event, client = paid_pot(dana), signed_in(dana)
    page_text = page_of(client.get(f"/desk/{event.slug}/money/"))
    receipt = sure(payouts(event).payee(1, "pot")).receipt
    assert "Must return $20" in page_text
    assert re.search(rf'money/receipts/{receipt}/reversal/">Take \$20 back</a>', page_text)
    assert re.search(r'<button class="btn primary" disabled[^>]*>Pay out everything: \$20', page_text)
    assert f"Aces must return $20. Take back receipt {receipt} first." in page_text
    listed = page_of(client.get(f"/desk/{event.slug}/"))
    assert f"Aces must return $20 of the Boston pot (receipt {receipt})." in listed
    back = reverse("money-reversal", args=[event.slug, receipt])
    assert 'value="The results were corrected"' in client.get(back).content.decode()
    assert client.post(back, {"reason": "The results were corrected"}).status_code == 302
    page_text = page_of(client.get(f"/desk/{event.slug}/money/"))
    assert ("Must return" in page_text, 'disabled aria-describedby="no-payout"' in page_text) == (False, False)
    pay_out_all(Actor(dana), event)
    books = cash(event)
    assert (books.in_hand, books.balances, payouts(event).left) == (0, True, 0)


def test_paying_out_is_checked_before_the_password_is_asked_for(dana: User) -> None:
    event, client = paid_pot(dana), typed_long_ago(dana)
    answer = client.post(reverse("money-payout", args=[event.slug]))
    page = page_of(answer)
    assert (answer.status_code, "must return $20" in page, "again_password" in page) == (422, True, False)


def begun(dana: User) -> Event:
    event = make_event("Begun Open", director=dana, fee_cents=2000, pot_cents=500, rounds_planned=2, teams=2)
    played_round(event, [(1, 2, win(0))])
    return event


@pytest.mark.parametrize(
    ("name", "question"), [("team-paid", "Aces: not paid?"), ("team-pot", "out of the Boston pot?")]
)
def test_after_game_1_a_mark_of_money_asks_and_takes_a_reason(dana: User, name: str, question: str) -> None:
    event, client = begun(dana), signed_in(dana)
    to = reverse(name, args=[event.slug, 1])
    answer = client.post(to, {"on": "no"})
    assert (answer.status_code, question in page_of(answer)) == (422, True)
    team = event.teams.get(number=1)
    assert (team.paid, team.in_pot, cash(event).taken) == (True, True, 5000)
    assert client.post(to, {"on": "no", "reason": "The check bounced"}).status_code == 302
    assert (fresh(team).paid and team.in_pot, cash(event).balances) == (False, True)


def test_a_voluntary_pot_with_nobody_in_it_is_said_and_a_copy_keeps_who_is(dana: User) -> None:
    event = make_event("Pot Open", director=dana, pot_cents=500, teams=3)
    event.teams.update(in_pot=False)
    assert "Nobody is in the pot of $5 each" in [item.text for item in checklist(event).items]
    event.teams.exclude(number=3).update(in_pot=True)
    assert "Nobody is in the pot of $5 each" not in [item.text for item in checklist(event).items]
    copied = copy_event(Actor(dana), event, event.name, event.date, with_teams=True)
    words = copied.journal.get(action="create").text
    assert (list(copied.teams.values_list("in_pot", flat=True)), "like the earlier one" in words) == (
        [True, True, False],
        True,
    ), words


def test_before_game_1_a_mark_of_money_asks_nothing(dana: User) -> None:
    event = make_event("Open", director=dana, fee_cents=2000, teams=1)
    assert signed_in(dana).post(reverse("team-paid", args=[event.slug, 1]), {"on": "no"}).status_code == 302
    assert cash(event).taken == 0


def test_the_form_of_a_team_changes_no_money_once_games_are_played(dana: User) -> None:
    event = begun(dana)
    form = {"number": "1", "name": "Aces", "player1": "Ann 1", "player2": "Bea 1"}
    assert signed_in(dana).post(f"/desk/{event.slug}/teams/1/", form).status_code == 302
    team = event.teams.get(number=1)
    assert (team.paid, team.in_pot) == (True, True)
    with pytest.raises(ValidationFailed):
        ledger.set_paid(Actor(dana), event, 1, False)


def test_the_check_list_counts_what_is_owed(dana: User) -> None:
    event = make_event("Open", director=dana, fee_cents=2000)
    assert [item.text for item in checklist(event).items if item.key == "fees"] == []
    make_teams(event, 3)
    Event.objects.filter(pk=event.pk).update(fee_cents=2500)
    fresh(event).teams.filter(number=3).update(paid=False)
    assert [item.text for item in checklist(event).items if item.key == "fees"] == ["$15 owed by 3 of 3 teams"]
    Event.objects.filter(pk=event.pk).update(fee_cents=0)
    fresh(event).teams.update(paid=False)
    assert [item.text for item in checklist(event).items if item.key == "fees"] == []


# A part payment, a changed fee and a refund: the same cents on the desk, the cash sheet, in lists and workbook.
WHY = Wording(reason="as agreed")
# No.: fee, pot, due, paid, owes, too much, paid out, all in cents.
ACCOUNTS = {
    1: (2000, 500, 2500, 1234, 1266, 0, 0),
    2: (1500, 500, 2000, 2400, 0, 400, 0),
    3: (2000, 0, 2000, 2000, 0, 0, 0),
    4: (2000, 500, 2500, 0, 2500, 0, 0),
}
SUMS = ["$12.34", "$12.66", "$24", "$4", "$20", "$25"]


@remembered
def half_paid(dana: User) -> Event:
    """Team 1 paid a part; 2 paid all, then its fee fell and a part came back; 3 paid, was charged wrongly; 4 owes."""
    event = priced(dana)
    pay(Actor(dana), event, 1, 1234)
    pay(Actor(dana), event, 2)
    charge(Actor(dana), event, 2, -500, WHY)
    refund(Actor(dana), event, 2, 100, WHY)
    pay(Actor(dana), event, 3)
    return fresh(event)


def test_ledger_gives_the_accounts(dana: User) -> None:
    books = cash(half_paid(dana))
    sums = {
        account.team.number: (
            account.due_fee,
            account.pot,
            account.due,
            account.paid,
            account.owes,
            account.over,
            account.payouts,
        )
        for account in books.accounts
    }
    assert (sums, books.balances, books.in_hand) == (ACCOUNTS, True, 5634)


def test_desk_cash_sheet_and_book_show_the_same_sums(dana: User) -> None:
    event = half_paid(dana)
    pages = [page_of(signed_in(dana).get(f"/desk/{event.slug}/money/"))]
    pages += [pdf_text(printed(dana, event, name)) for name in ("cash.pdf", "book.pdf")]
    foot = pages[0].partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert re.findall(r'class="num (\w+)">([^<]*)', foot) == [
        ("fee_cents", "$75.00"),
        ("pot_cents", "$15.00"),
        ("paid_cents", "$56.34"),
        ("owes_cents", "$37.66"),
    ]
    for page in pages:
        assert [sum_ for sum_ in (*SUMS, "$56.34", "$37.66") if sum_ not in page] == []


def test_list_of_money_shows_the_ledger(dana: User) -> None:
    event = half_paid(dana)
    head, *rows = csv.reader(io.StringIO(printed(dana, event, "money.csv").decode("utf-8-sig")))
    sums = ("fee", "pot", "due", "paid", "owes", "over", "payouts")
    assert head == ["number", "name", *(f"{kind}_cents" for kind in sums)]
    assert {int(row[0]): tuple(map(int, row[2:])) for row in rows} == ACCOUNTS
    head, *rows = csv.reader(io.StringIO(printed(dana, event, "receipts.csv").decode("utf-8-sig")))
    assert [(row[0], row[2], row[3], row[5], row[8]) for row in rows] == [
        ("1", "Entry fee", "1 Aces", "1234", ""),
        ("2", "Entry fee", "2 Books", "2000", ""),
        ("3", "Boston pot", "2 Books", "500", ""),
        ("4", "Adjustment: what is owed", "2 Books", "-500", "as agreed"),
        ("5", "Refund", "2 Books", "-100", "as agreed"),
        ("6", "Entry fee", "3 Clubs", "2000", ""),
    ]


@pytest.mark.office
def test_workbook_computes_to_the_ledger(dana: User) -> None:
    event = half_paid(dana)
    book = openpyxl.load_workbook(recalculated(printed(dana, event, "workbook.xlsx")), data_only=True)
    sheet_of_money = list(book["Money"].iter_rows(min_row=5, values_only=True))
    rows = {row[0]: row for row in sheet_of_money}
    sums = {number: tuple(_cents(rows[number][index]) for index in (3, 4, 5, 6, 7, 8)) for number in ACCOUNTS}
    assert sums == {number: account[1:] for number, account in ACCOUNTS.items()}
    fees = {number: _cents(rows[number][2]) for number in ACCOUNTS}
    assert fees == {number: account[0] for number, account in ACCOUNTS.items()}
    assert [_cents(cell) for cell in sheet_of_money[-1][4:8]] == [9000, 5634, 3766, 400]
    lines = book["Receipts"].iter_rows(min_row=5, values_only=True)
    receipts = [(line[0], _cents(line[5]), _cents(line[-1])) for line in lines]
    assert receipts == [(1, 1234, 1234), (2, 2000, 3234), (3, 500, 3734), (4, -500, 3734), (5, -100, 3634),
                        (6, 2000, 5634)]  # fmt: skip


def _cents(cell: Any) -> int:
    return round((cell or 0) * 100)
