"""The money as lists: what came in and went out, the teams' accounts, the receipts; from `queries/cash.py`."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from tournament.lists.column import CENTS, NUMBER, TIME, Cells, Column, Hall, Listing, said, where
from tournament.queries.cash import Account, Cash, LedgerLine


def money_list(event: Hall, books: Cash, unit: str) -> Listing:
    """What every team has to pay and has paid."""
    return Listing(
        name="money",
        title="Money",
        event=event,
        columns=columns(unit),
        rows=books.accounts,
        under=f"What every {unit} has to pay, and has paid.",
        empty=f"No {unit}s yet.",
        total=True,
    )


def columns(unit: str) -> tuple[Column, ...]:
    return (
        Column("number", "No.", attrgetter("number"), NUMBER),
        Column("name", unit.capitalize(), attrgetter("name")),
        Column("fee_cents", "Fee", attrgetter("due_fee"), CENTS, formula=_fee),
        Column("pot_cents", "Boston pot", attrgetter("pot"), CENTS, formula=_pot),
        Column("due_cents", "Due", attrgetter("due"), CENTS,
               formula=lambda one, cells: f"=SUM({cells['fee_cents']},{cells['pot_cents']})"),
        Column("paid_cents", "Paid", attrgetter("paid"), CENTS),
        Column("owes_cents", "Owes", attrgetter("owes"), CENTS,
               formula=lambda one, cells: f"=MAX(0,{cells['due_cents']}-SUM({cells['paid_cents']}))"),
        Column("over_cents", "Too much", attrgetter("over"), CENTS,
               formula=lambda one, cells: f"=MAX(0,SUM({cells['paid_cents']})-{cells['due_cents']})"),
        Column("payouts_cents", "Paid out", attrgetter("payouts"), CENTS),
    )  # fmt: skip


def _fee(one: Account, cells: Cells) -> str:
    return f"=MAX(0,Fee{one.adjusted / 100:+.2f})" if one.adjusted else "=Fee"


def _pot(one: Account, cells: Cells) -> str:
    return "=Pot_each" if one.in_pot else ""


class Receipt(NamedTuple):
    """A line of the ledger, and what is in hand after it."""

    line: LedgerLine
    held: int


def receipts_list(event: Hall, books: Cash) -> Listing:
    """Every line of the ledger."""
    rows = list(_receipts(books.lines))
    return Listing(
        "receipts", "Receipts", event, receipt_columns(), rows, "Every line of the ledger.", empty="No receipts yet."
    )


def receipt_columns() -> tuple[Column, ...]:
    return (
        Column("number", "No.", lambda one: one.line.number, NUMBER),
        Column("at", "Time", lambda one: one.line.at, TIME),
        Column("what", "What", lambda one: one.line.words),
        Column("who", "Who", lambda one: one.line.payee),
        Column("person", "By whom", lambda one: one.line.person),
        Column("amount_cents", "Amount", lambda one: one.line.cents, CENTS),
        Column("cash", "Moves cash", lambda one: "yes" if one.line.is_cash else "no"),
        Column("reverses", "Takes back", lambda one: one.line.reverses or None, NUMBER),
        Column("reason", "Why", lambda one: one.line.reason),
        Column("by", "Recorded by", lambda one: one.line.by),
        Column("held_cents", "In hand", attrgetter("held"), CENTS, formula=_held),
    )


def _receipts(lines: Iterable[LedgerLine]) -> Iterable[Receipt]:
    held = 0
    for line in lines:
        held += line.cents if line.is_cash else 0
        yield Receipt(line, held)


def _held(one: Receipt, cells: Cells) -> str:
    cash, amount = (f"{cells.at[key]}${cells.first}:{cells[key]}" for key in ("cash", "amount_cents"))
    return f'=SUMIF({cash},"yes",{amount})'


def cash_lists(event: Hall, books: Cash, unit: str) -> tuple[Listing, ...]:
    """The cash sheet: by kind, by team and by receipt; all three add up alike."""
    return cash_list(event, books, unit), money_list(event, books, unit), receipts_list(event, books)


def cash_list(event: Hall, books: Cash, unit: str) -> Listing:
    """What came in and went out by kind, what is in hand and what is still owed."""
    rows = [(words, cents) for _, words, cents in books.kinds if cents]
    rows += [("In hand", books.in_hand), (f"Still owed by {unit}s", books.owed)]
    rows += [(f"To be given back to {unit}s", -books.over)] * bool(books.over)
    rows += [("In hand for the Boston pot", books.pot_left)] * bool(books.pot_left)
    verdict = "The sheet balances" if books.balances else "The sheet does not balance"
    total = said(books.in_hand, CENTS, event) or "nothing"
    return Listing(
        name="cash",
        title="Cash sheet",
        event=event,
        columns=(
            Column("what", "What", lambda row: row[0]),
            Column("in_cents", "In", lambda row: max(row[1], 0), CENTS),
            Column("out_cents", "Out", lambda row: max(-row[1], 0), CENTS),
        ),
        rows=rows,
        under=f"{where(event)} · {verdict}: by kind, by {unit} and by receipt the total is {total}.",
    )
