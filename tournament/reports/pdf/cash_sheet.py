"""The cash sheet: what came in and went out by kind, every team's account, every receipt; all three add up alike."""

from __future__ import annotations

from tournament.lists.column import where
from tournament.phrases import money
from tournament.queries.book import EventFacts
from tournament.queries.cash import Account, Cash
from tournament.reports.pdf.listing import Column, draw_list
from tournament.reports.pdf.paper import Papers
from tournament.times import day_time


def cash_sheet_paper(event: EventFacts, books: Cash) -> bytes:
    """The cash sheet of an event."""
    papers = Papers(f"{event.name}: cash sheet", event.paper)
    draw_cash(papers, event, books)
    return papers.finish()


def draw_cash(papers: Papers, event: EventFacts, books: Cash) -> None:
    """Draw the cash sheet: by kind, by team, by receipt."""
    _draw_kinds(papers, event, books)
    _draw_accounts(papers, event, books)
    _draw_receipts(papers, event, books)


def _draw_kinds(papers: Papers, event: EventFacts, books: Cash) -> None:
    columns = [Column("", 40, strong=True), Column("In", 14, "right"), Column("Out", 14, "right")]
    rows = [
        (words, _sum(cents, books) if cents > 0 else "", _sum(-cents, books) if cents < 0 else "")
        for _, words, cents in books.kinds
        if cents
    ]
    rows.append(("In hand", _sum(books.in_hand, books), ""))
    rows.append((f"Still owed by {event.unit}s", _sum(books.owed, books), ""))
    if books.over:
        rows.append((f"To be given back to {event.unit}s", "", _sum(books.over, books)))
    if books.pot_left:
        rows.append(("In hand for the Boston pot", _sum(books.pot_left, books), ""))
    verdict = "The sheet balances" if books.balances else "The sheet does not balance"
    total = _sum(books.in_hand, books)
    under = f"{where(event)} · {verdict}: by kind, by {event.unit} and by receipt the total is {total}."
    draw_list(papers, f"{event.name}: cash sheet", under, columns, rows)


def _draw_accounts(papers: Papers, event: EventFacts, books: Cash) -> None:
    names = ("Fee", "Pot", "Paid", "Owes", "Too much", "Paid out")
    columns = [Column("No.", 5, "right"), Column(event.unit.capitalize(), 34, strong=True)]
    columns += [Column(name, 10, "right") for name in names]
    rows = [
        (str(one.number), one.name, *(_sum(cents, books) if cents else "" for cents in _sums(one)))
        for one in books.accounts
    ]
    totals = [sum(column) for column in zip(*(_sums(one) for one in books.accounts), strict=True)] or [0] * len(names)
    rows.append(("", "Total", *(_sum(cents, books) for cents in totals)))
    draw_list(papers, f"{event.name}: accounts", f"What every {event.unit} has to pay, and has paid.", columns, rows)


def _sums(one: Account) -> tuple[int, ...]:
    return one.due_fee, one.pot, one.paid, one.owes, one.over, one.payouts


def _draw_receipts(papers: Papers, event: EventFacts, books: Cash) -> None:
    columns = [Column("No.", 5, "right"), Column("Time", 23), Column("What", 18), Column("Who", 28, strong=True)]
    columns += [Column("Amount", 10, "right"), Column("In hand", 11, "right"), Column("By", 10), Column("Why", 26)]
    rows, held = [], 0
    for line in books.lines:
        held += line.cents if line.is_cash else 0
        when = day_time(line.at, event.time_zone)
        why = "; ".join(part for part in (_back(line.reverses, line.reversed_by), line.reason) if part)
        who = f"{line.payee}{', ' + line.person if line.person else ''}"
        sums = (_sum(line.cents, books), _sum(held, books))
        rows.append((str(line.number), when, line.words, who, *sums, line.by, why))
    draw_list(papers, f"{event.name}: receipts", "Every line of the ledger.", columns, rows, empty="No receipts yet.")


def _back(reverses: int, reversed_by: int) -> str:
    if reverses:
        return f"takes {reverses} back"
    return f"taken back by {reversed_by}" if reversed_by else ""


def _sum(cents: int, books: Cash) -> str:
    return money(cents, books.currency)
