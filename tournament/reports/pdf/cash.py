"""The cash sheet: what should be in hand, a form to count it on, lines to sign, then accounts and receipts."""

from __future__ import annotations

from reportlab.platypus import Spacer, Table, TableStyle

from tournament.lists.money import cash_lists
from tournament.models import Event
from tournament.phrases import exact_money
from tournament.queries.ledger import Cash
from tournament.reports.pdf.lettering import BOLD, PLAIN, register_fonts
from tournament.reports.pdf.lists import Command, draw_lists
from tournament.reports.pdf.paper import GREY, Papers

# Notes and coins as they lie in the box; for another currency the lines are left open.
COUNTED = {
    "$": (("$100", "$50", "$20", "$10", "$5", "$1"), ("25¢", "10¢", "5¢", "1¢", "checks", "cards")),
}
OPEN = (("",) * 6, ("",) * 6)
SIZE, HIGH = 10.0, 17.0
# A note, how many of them, what they come to; twice, then the sums and who signs.
SHARES = (0.07, 0.025, 0.08, 0.025, 0.1, 0.03)
INK, LINE = "#111111", "#999999"


def draw_cash(papers: Papers, event: Event, books: Cash) -> None:
    """Draw the cash sheet, with the form on which the money is counted."""
    draw_lists(papers, *cash_lists(event, books), above=[Spacer(1, 10), _count(papers, event, books)])


def _count(papers: Papers, event: Event, books: Cash) -> Table:
    """Count by notes and coins: each line has room for how many there are, and what they come to."""
    register_fonts()
    notes, coins = COUNTED.get(event.currency, OPEN)
    sums = ("In hand by the books", "Counted", "Difference", "", "Counted by", "Checked by")
    values = (exact_money(books.in_hand, event.currency), *[""] * 5)
    rows = [
        (note, "×", "", "=", "", "", coin, "×" if coin[-1:] != "s" else "", "", "=", "", "", words, value)
        for note, coin, words, value in zip(notes, coins, sums, values, strict=True)
    ]
    # As wide as the lists of the sheet: all of them lie on the same side of the paper.
    width = papers.area.width
    widths = [*(share * width for share in SHARES * 2), width * 0.19, width * 0.15]
    lines: list[Command] = [("LINEBELOW", (at, 0), (at, -1), 0.6, LINE) for at in (2, 4, 8, 10)]
    signed: list[Command] = [("LINEBELOW", (13, row), (13, row), 0.6, INK) for row in (1, 2, 4, 5)]
    style: list[Command] = [
        ("FONT", (0, 0), (-1, -1), PLAIN, SIZE),
        ("FONT", (13, 0), (13, 0), BOLD, SIZE),
        ("TEXTCOLOR", (1, 0), (5, -1), GREY),
        ("TEXTCOLOR", (7, 0), (11, -1), GREY),
        ("ALIGN", (0, 0), (0, -1), "RIGHT"),
        ("ALIGN", (6, 0), (6, -1), "RIGHT"),
        ("ALIGN", (13, 0), (13, 0), "RIGHT"),
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
    ]
    return Table(rows, widths, [HIGH] * len(rows), style=TableStyle([*style, *lines, *signed]), hAlign="LEFT")
