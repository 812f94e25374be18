"""A part payment, a changed fee and a refund: the same cents on the desk, the cash sheet, in lists and workbook."""

from __future__ import annotations

import csv
import html
import io
import re
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from tests.pages import signed_in
from tests.programs import recalculated
from tests.remembered import remembered
from tests.tournament.money.test_ledger import priced
from tournament.access import Actor
from tournament.models import Event
from tournament.queries.ledger import Said, cash
from tournament.services import payouts

WHY = Said(reason="as agreed")
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
    payouts.pay(Actor(dana), event, 1, 1234)
    payouts.pay(Actor(dana), event, 2)
    payouts.charge(Actor(dana), event, 2, -500, WHY)
    payouts.refund(Actor(dana), event, 2, 100, WHY)
    payouts.pay(Actor(dana), event, 3)
    event.refresh_from_db()
    return event


def papers(dana: User, event: Event, name: str) -> bytes:
    answer = signed_in(dana).get(f"/desk/{event.slug}/papers/{name}")
    assert answer.status_code == 200
    return bytes(answer.content)


def test_ledger_gives_the_accounts(dana: User) -> None:
    books = cash(half_paid(dana))
    found = {
        one.number: (one.due_fee, one.pot, one.due, one.paid, one.owes, one.over, one.payouts) for one in books.accounts
    }
    assert (found, books.balances, books.in_hand) == (ACCOUNTS, True, 5634)


def test_desk_cash_sheet_and_book_show_the_same_sums(dana: User) -> None:
    event = half_paid(dana)
    pages = [html.unescape(signed_in(dana).get(f"/desk/{event.slug}/money/").content.decode())]
    for name in ("cash.pdf", "book.pdf"):
        pages.append("\n".join(page.extract_text() for page in PdfReader(io.BytesIO(papers(dana, event, name))).pages))
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
    head, *rows = csv.reader(io.StringIO(papers(dana, event, "money.csv").decode("utf-8-sig")))
    sums = ("fee", "pot", "due", "paid", "owes", "over", "payouts")
    assert head == ["number", "name", *(f"{one}_cents" for one in sums)]
    assert {int(row[0]): tuple(map(int, row[2:])) for row in rows} == ACCOUNTS
    head, *rows = csv.reader(io.StringIO(papers(dana, event, "receipts.csv").decode("utf-8-sig")))
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
    book = openpyxl.load_workbook(recalculated(papers(dana, event, "workbook.xlsx")), data_only=True)
    money = list(book["Money"].iter_rows(min_row=5, values_only=True))
    rows = {row[0]: row for row in money}
    found = {number: tuple(_cents(rows[number][at]) for at in (3, 4, 5, 6, 7, 8)) for number in ACCOUNTS}
    assert found == {number: account[1:] for number, account in ACCOUNTS.items()}
    fees = {number: _cents(rows[number][2]) for number in ACCOUNTS}
    assert fees == {number: account[0] for number, account in ACCOUNTS.items()}
    assert [_cents(cell) for cell in money[-1][4:8]] == [9000, 5634, 3766, 400]
    lines = book["Receipts"].iter_rows(min_row=5, values_only=True)
    receipts = [(line[0], _cents(line[5]), _cents(line[-1])) for line in lines]
    assert receipts == [(1, 1234, 1234), (2, 2000, 3234), (3, 500, 3734), (4, -500, 3734), (5, -100, 3634),
                        (6, 2000, 5634)]  # fmt: skip


def _cents(cell: Any) -> int:
    return round((cell or 0) * 100)
