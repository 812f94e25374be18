"""Every paper by its name; the cash count and receipts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from reportlab.platypus import Spacer, Table, TableStyle

from tournament.lists.catalog import LISTS, games_on_paper, recap, seating
from tournament.lists.money import cash_lists
from tournament.lists.sheets import hands_by_line
from tournament.models import Event, Ledger
from tournament.queries.bracket import bracket
from tournament.queries.certificates import certificates
from tournament.queries.ledger import Cash, cash, payments
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.queries.rules import EVERYTHING, rulebook
from tournament.queries.schedule import round_cards, team_slips
from tournament.reports.pdf.book import draw_event_book, draw_poster
from tournament.reports.pdf.bracket import (
    TableCard,
    draw_bracket,
    draw_check_in,
    draw_entry_poster,
    draw_pickup_slips,
    draw_table_cards,
    draw_team_slips,
)
from tournament.reports.pdf.certificates import draw_certificates
from tournament.reports.pdf.colors import INK, LINE, MUTED, RED
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, TIED, Pen, register_fonts
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Area, Papers, draw_stack
from tournament.reports.pdf.rules import draw_rules
from tournament.reports.pdf.score_sheet import draw_score_sheets
from tournament.words.phrases import clock_time, day, exact_money, hall_time

# The cash sheet: the cash that should be there, a form for counting it, lines to sign, then accounts and receipts.


# The notes and coins in the box; for other currencies the lines are blank.
COUNTED = {
    "$": (("$100", "$50", "$20", "$10", "$5", "$1"), ("25¢", "10¢", "5¢", "1¢", "checks", "cards")),
}
OPEN = (("",) * 6, ("",) * 6)
SIZE, HIGH = 10.0, 17.0
# A note, how many of them, and their total; all of it twice, then the sums and the signatures.
SHARES = (0.07, 0.025, 0.08, 0.025, 0.1, 0.03)
# A command of a table's style: what it does, from which cell to which cell, and its values.
Command = tuple[str, tuple[int, int], tuple[int, int], *tuple[Any, ...]]


def draw_cash(papers: Papers, event: Event, books: Cash) -> None:
    """Draw the cash sheet, with the form for counting the money."""
    draw_lists(papers, *cash_lists(event, books), above=[Spacer(1, 10), _count(papers, event, books)])


def _count(papers: Papers, event: Event, books: Cash) -> Table:
    """The form for counting by notes and coins: each line has room for the number and the amount."""
    register_fonts()
    notes, coins = COUNTED.get(event.currency, OPEN)
    sums = ("Cash on hand by the books", "Counted", "Difference", "", "Counted by", "Checked by")
    values = (exact_money(books.in_hand, event.currency), *[""] * 5)
    rows = [
        (note, "×", "", "=", "", "", coin, "×" if coin[-1:] != "s" else "", "", "=", "", "", words, value)
        for note, coin, words, value in zip(notes, coins, sums, values, strict=True)
    ]
    # As wide as the lists of the sheet, so that their left edges match.
    width = papers.area.width
    widths = [*(share * width for share in SHARES * 2), width * 0.19, width * 0.15]
    lines: list[Command] = [("LINEBELOW", (column, 0), (column, -1), 0.6, LINE) for column in (2, 4, 8, 10)]
    signed: list[Command] = [("LINEBELOW", (13, row), (13, row), 0.6, INK) for row in (1, 2, 4, 5)]
    style: list[Command] = [
        ("FONT", (0, 0), (-1, -1), PLAIN, SIZE),
        ("FONT", (13, 0), (13, 0), BOLD, SIZE),
        ("TEXTCOLOR", (1, 0), (5, -1), MUTED),
        ("TEXTCOLOR", (7, 0), (11, -1), MUTED),
        ("ALIGN", (0, 0), (0, -1), "RIGHT"),
        ("ALIGN", (6, 0), (6, -1), "RIGHT"),
        ("ALIGN", (13, 0), (13, 0), "RIGHT"),
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
    ]
    return Table(rows, widths, [HIGH] * len(rows), style=TableStyle([*style, *lines, *signed]), hAlign="LEFT")


# Receipts from the ledger, several to a page: one for each payment, signed by the people who took and gave the money.

GAP = 14.0


def draw_receipts(papers: Papers, event: Event, lines: Sequence[Ledger]) -> None:
    """Draw a receipt for every payment, in order of their numbers, eight to a page."""

    def draw(pen: Pen, area: Area, payment: tuple[Ledger, ...]) -> None:
        _receipt(pen, area, event, payment)

    draw_stack(papers, payments(lines), 2, 4, draw)


def _receipt(pen: Pen, area: Area, event: Event, payment: tuple[Ledger, ...]) -> None:
    first, last = payment[0], payment[-1]
    numbers = f"{first.number}" if first is last else f"{first.number}–{last.number}"
    pen.text(area.left, area.top - 11, f"Receipt {numbers}", size=15, font=SERIF, width=area.width - 130)
    date = f"{day(hall_time(first.made_at, event.time_zone).date())}, {clock_time(first.made_at, event.time_zone)}"
    pen.text(area.right - 130, area.top - 11, date, size=9, color=MUTED, width=130, align="right")
    where = f"{TIED}· ".join(part for part in (event.name, event.place) if part)
    y = pen.block(area.left, area.top - 24, where, size=9, color=MUTED, width=area.width, most=2)
    sum_ = exact_money(abs(sum(line.cents for line in payment)), event.currency)
    # The words that link the amount to the name below it are printed between the two.
    wide = pen.text(area.left, y - 26, sum_, size=22, font=SERIF, width=area.width - 170)
    pen.text(area.left + wide + 6, y - 26, _how(first), size=9, color=MUTED, width=64)
    by = f"recorded by {first.by}" if first.by else ""
    pen.block(area.right - 100, y - 14, by, size=9, color=MUTED, width=100, align="right")
    y = pen.block(area.left, y - 41, _who(first), size=11.5, font=BOLD, width=area.width, most=2)
    y = pen.block(area.left, y - 12, _what_for(payment, event), size=9, width=area.width, most=2)
    if first.reason:
        y = pen.block(area.left, y - 11, first.reason, size=9, color=MUTED, width=area.width)
    for line in payment:
        if line.taken_back:
            text = f"{line.words}: taken back by receipt {line.taken_back.number}."
            y = pen.block(area.left, y - 11, text, size=9, color=RED, width=area.width)
    _signatures(pen, area, first)


def _signatures(pen: Pen, area: Area, line: Ledger) -> None:
    """Who took the money and who gave it, side by side; if the other side is nobody, there is one signature."""
    club, team = "the event", line.who.partition(" ")[2]
    taker, giver = (club, team) if line.cents > 0 else (team, club)
    width = (area.width - GAP) / 2
    for index, words in enumerate((f"Received for {taker}", f"Paid for {giver}") if team else (f"Signed for {club}",)):
        x = area.left + index * (width + GAP)
        pen.rule(x, area.bottom + 17, x + width, area.bottom + 17, weight=0.7, color=INK)
        pen.block(x, area.bottom + 7, words, size=8, color=MUTED, width=width)


def _what_for(payment: tuple[Ledger, ...], event: Event) -> str:
    line = payment[0]
    if len(payment) == 1:
        return line.words + (f", takes receipt {line.reverses.number} back" if line.reverses else "")
    return " and ".join(f"{line.words} {exact_money(line.cents, event.currency)}" for line in payment)


def _how(line: Ledger) -> str:
    if not line.who:
        return "put in" if line.cents > 0 else "taken out"
    return "received from" if line.cents > 0 else "paid to"


def _who(line: Ledger) -> str:
    if not line.who:
        return "Cash box"
    number, _, name = line.who.partition(" ")
    person = f", by {line.person}" if line.person else ""
    return f"{number}  {name}{person}"


# Every paper by its name in addresses and print jobs, with the queries that it needs.


class Wanted(NamedTuple):
    """What a paper is for: the event, one of its rounds, and codes of cards, which are shown only this once.

    Only people who handle the money get a paper with money on it.
    """

    event: Event
    round: int = 0
    cards: Sequence[TableCard] = ()
    with_money: bool = False


# Draws what was read.
Draw = Callable[[Papers], None]


def _read(draw: Callable[..., None], *facts: Any) -> Draw:
    return lambda papers: draw(papers, *facts)


def _list(name: str) -> Callable[[Wanted], Draw]:
    return lambda of: _read(draw_lists, LISTS[name](of.event).seen(of.with_money))


# The facts of these lists are on the papers of the games.
ON_GAMES = ("rounds", "games-by-table")
# The papers of a whole event.
PAPERS: dict[str, Callable[[Wanted], Draw]] = {name: _list(name) for name in LISTS if name not in ON_GAMES} | {
    # In print a game or a hand is one row; files have a row for each side.
    "games": lambda of: _read(draw_lists, games_on_paper(of.event)),
    "hands": lambda of: _read(draw_lists, hands_by_line(of.event, event_sheets(of.event))),
    "bracket": lambda of: _read(draw_bracket, of.event, bracket(of.event)),
    "check-in": lambda of: _read(draw_check_in, of.event),
    "entry-poster": lambda of: _read(draw_entry_poster, of.event),
    "cash": lambda of: _read(draw_cash, of.event, cash(of.event)),
    "receipts": lambda of: _read(draw_receipts, of.event, cash(of.event).lines),
    "rules": lambda of: _read(draw_rules, of.event, rulebook(of.event)),
    "slips": lambda of: _read(draw_team_slips, of.event, team_slips(of.event)),
    "certificates": lambda of: _read(draw_certificates, of.event, certificates(of.event)),
    "poster": lambda of: _read(draw_poster, whole_book(of.event)),
    "book": lambda of: _read(
        partial(draw_event_book, with_money=of.with_money), whole_book(of.event), event_sheets(of.event)
    ),
}
# The papers of one round, and those printed with codes.
OTHERS: dict[str, Callable[[Wanted], Draw]] = {
    "seating": lambda of: _read(draw_lists, *seating(of.event.rounds.get(number=of.round))),
    "sheets": lambda of: _read(
        partial(draw_score_sheets, level=1), event_sheets(of.event, rounds=[of.round]), of.event.time_zone
    ),
    "recap": lambda of: _read(draw_lists, recap(of.event.rounds.get(number=of.round))),
    "pickup": lambda of: _read(
        draw_pickup_slips, of.event, round_cards(of.event.rounds.filter(number=of.round), EVERYTHING)[0]
    ),
    "cards": lambda of: _read(draw_table_cards, of.event, of.cards),
}


# The titles in the PDF's outline that differ from the names.
TITLES = {"sheets": "Score sheets", "cards": "Table cards", "pickup": "Pick-up slips", "cash": "Cash sheet"}


def printed(of: Wanted, keys: Iterable[str], title: str, site: str = "") -> bytes:
    """The papers with these names in one file; unknown names are skipped. Everything is read first, then drawn."""
    every = PAPERS | OTHERS
    drawings = [(key, every[key](of)) for key in keys if key in every]
    papers = Papers(title, of.event.paper, site=site)
    for key, draw in drawings:
        if key != "book":
            papers.bookmark(TITLES.get(key, key.replace("-", " ").capitalize()))
        draw(papers)
    return papers.finish()
