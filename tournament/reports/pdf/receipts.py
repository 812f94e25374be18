"""Receipts from the ledger, several to a page: number, sum, who and what for, who took it."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.phrases import day, money
from tournament.queries.book import EventFacts
from tournament.queries.cash import LedgerLine
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen
from tournament.reports.pdf.paper import GREY, Area, Papers, draw_stack
from tournament.times import clock_time, hall_time

RED = "#a81d29"


def ledger_receipts_paper(event: EventFacts, lines: Iterable[LedgerLine]) -> bytes:
    """A receipt for every line on which money changed hands, in order of their numbers."""
    papers = Papers(f"{event.name}: receipts", event.paper)
    draw_receipts(papers, event, lines)
    return papers.finish()


def draw_receipts(papers: Papers, event: EventFacts, lines: Iterable[LedgerLine]) -> None:
    """Draw the receipts, eight to a page."""

    def draw(pen: Pen, area: Area, line: LedgerLine) -> None:
        _receipt(pen, area, event, line)

    draw_stack(papers, [line for line in lines if line.is_cash], 2, 4, draw)


def _receipt(pen: Pen, area: Area, event: EventFacts, line: LedgerLine) -> None:
    pen.text(area.left, area.top - 10, f"Receipt {line.number}", size=14, font=SERIF)
    date = f"{day(hall_time(line.at, event.time_zone).date())}, {clock_time(line.at, event.time_zone)}"
    pen.text(area.left, area.top - 10, date, size=8.5, color=GREY, width=area.width, align="right")
    pen.text(area.left, area.top - 24, event.name, size=8.5, color=GREY, width=area.width)
    pen.text(area.left, area.top - 54, money(abs(line.cents), event.currency), size=24, font=SERIF, width=area.width)
    pen.text(area.left, area.top - 71, _what_for(line), size=8.5, color=GREY, width=area.width)
    y = pen.block(area.left, area.top - 85, _who(line), size=11, font=BOLD, width=area.width, most=2)
    if line.reason:
        y = pen.block(area.left, y - 13, line.reason, size=8, color=GREY, width=area.width, most=2)
    if line.reversed_by:
        pen.text(area.left, y - 13, f"Taken back by receipt {line.reversed_by}.", size=8, color=RED, width=area.width)
    pen.rule(area.left, area.bottom + 14, area.right, area.bottom + 14, color="#111111")
    signs = (
        "Signed for the club"
        if line.cents > 0
        else f"Signed for {line.payee.partition(' ')[2]}"
        if line.payee
        else "Signed"
    )
    by = f" · recorded by {line.by}" if line.by else ""
    pen.text(area.left, area.bottom + 4, signs + by, size=7, color=GREY, width=area.width)


def _what_for(line: LedgerLine) -> str:
    how = "received from" if line.cents > 0 else "paid to"
    if not line.payee:
        how = "put in" if line.cents > 0 else "taken out"
    back = f", takes receipt {line.reverses} back" if line.reverses else ""
    return f"{line.words}{back}, {how}"


def _who(line: LedgerLine) -> str:
    if not line.payee:
        return "Cash box"
    number, _, name = line.payee.partition(" ")
    person = f", by {line.person}" if line.person else ""
    return f"{number}  {name}{person}"
