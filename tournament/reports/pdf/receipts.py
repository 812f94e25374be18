"""Receipts from the ledger, several to a page: one for each payment, signed by who took and who gave the money."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.models import Event
from tournament.phrases import day, exact_money
from tournament.queries.ledger import LedgerLine, payments
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen
from tournament.reports.pdf.paper import GREY, Area, Papers, draw_stack
from tournament.times import clock_time, hall_time

RED = "#a81d29"
GAP = 14.0


def draw_receipts(papers: Papers, event: Event, lines: Sequence[LedgerLine]) -> None:
    """Draw a receipt for every payment, in order of their numbers, eight to a page."""

    def draw(pen: Pen, area: Area, paid: tuple[LedgerLine, ...]) -> None:
        _receipt(pen, area, event, paid)

    draw_stack(papers, payments(lines), 2, 4, draw)


def _receipt(pen: Pen, area: Area, event: Event, paid: tuple[LedgerLine, ...]) -> None:
    first, last = paid[0], paid[-1]
    numbers = f"{first.number}" if first is last else f"{first.number}–{last.number}"
    pen.text(area.left, area.top - 11, f"Receipt {numbers}", size=15, font=SERIF, width=area.width - 130)
    date = f"{day(hall_time(first.at, event.time_zone).date())}, {clock_time(first.at, event.time_zone)}"
    pen.text(area.right - 130, area.top - 11, date, size=9, color=GREY, width=130, align="right")
    where = " · ".join(part for part in (event.name, event.place) if part)
    y = pen.block(area.left, area.top - 24, where, size=9, color=GREY, width=area.width, most=2)
    sum_ = exact_money(abs(sum(line.cents for line in paid)), event.currency)
    # What the sum and the name below it have to do with each other stands between them.
    wide = pen.text(area.left, y - 26, sum_, size=22, font=SERIF, width=area.width - 90)
    pen.text(area.left + wide + 6, y - 26, _how(first), size=9, color=GREY, width=84)
    by = f"recorded by {first.by}" if first.by else ""
    pen.text(area.right - 90, y - 14, by, size=9, color=GREY, width=90, align="right")
    y = pen.block(area.left, y - 41, _who(first), size=11.5, font=BOLD, width=area.width, most=2)
    y = pen.block(area.left, y - 12, _what_for(paid, event), size=9, width=area.width, most=2)
    if first.reason:
        y = pen.block(area.left, y - 11, first.reason, size=9, color=GREY, width=area.width, most=1)
    for line in paid:
        if line.reversed_by:
            y -= 11
            text = f"{line.words}: taken back by receipt {line.reversed_by}."
            pen.text(area.left, y, text, size=9, color=RED, width=area.width)
    _signatures(pen, area, first)


def _signatures(pen: Pen, area: Area, line: LedgerLine) -> None:
    """Who took the money and who gave it, side by side; cash that is nobody's is signed for once."""
    club, team = "the event", line.payee.partition(" ")[2]
    taker, giver = (club, team) if line.cents > 0 else (team, club)
    width = (area.width - GAP) / 2
    for at, words in enumerate((f"Received for {taker}", f"Paid for {giver}") if team else (f"Signed for {club}",)):
        x = area.left + at * (width + GAP)
        pen.rule(x, area.bottom + 11, x + width, area.bottom + 11, weight=0.7, color="#111111")
        pen.text(x, area.bottom, words, size=8, color=GREY, width=width)


def _what_for(paid: tuple[LedgerLine, ...], event: Event) -> str:
    line = paid[0]
    if len(paid) == 1:
        return line.words + (f", takes receipt {line.reverses} back" if line.reverses else "")
    return " and ".join(f"{one.words} {exact_money(one.cents, event.currency)}" for one in paid)


def _how(line: LedgerLine) -> str:
    if not line.payee:
        return "put in" if line.cents > 0 else "taken out"
    return "received from" if line.cents > 0 else "paid to"


def _who(line: LedgerLine) -> str:
    if not line.payee:
        return "Cash box"
    number, _, name = line.payee.partition(" ")
    person = f", by {line.person}" if line.person else ""
    return f"{number}  {name}{person}"
