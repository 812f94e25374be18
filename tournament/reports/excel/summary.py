"""The first page: the event, its officials, the numbers that formulas use, and the rule sheet in words."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from tournament.phrases import day
from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import BOLD, LEFT, Page

GROUPS = {"event": "The event", "bidding": "Bidding", "scoring": "Scoring", "end": "End of a game", "cards": "Cards"}


def write_summary(workbook: Workbook, whole: WholeBook) -> None:
    """Write the page; the numbers on it have names, and every formula of the workbook uses the names."""
    book, event, formulas = whole.book, whole.book.event, whole.formulas
    page = Page(workbook, "Summary")
    page.sheet.column_dimensions["A"].width, page.sheet.column_dimensions["B"].width = 54, 70
    page.title(event.name, " · ".join(part for part in (day(event.date), event.place, event.stage) if part))
    for words, value in (
        ("Rule sheet", event.sheet_title),
        (f"{event.unit.capitalize()}s", len(book.teams)),
        ("Games planned", event.rounds),
        ("Ordered by", book.standings.order),
        (book.standings.title, book.standings.state),
    ):
        page.write([words, value], aligned={1: LEFT})
    for name, role in event.officials:
        page.write([role, name])
    page.write([])
    page.write(["Numbers that the formulas use: change one, and everything follows"], font=BOLD)
    named: list[tuple[str, str, object, str]] = []
    if formulas.one_bids:
        named.append(("No_counts", "A No bid is multiplied by", formulas.no_counts, "0"))
    else:
        named.append(("Per_trick", "Each trick bid counts", formulas.per_trick, "0"))
        named.append(("Per_over", "Each trick over the bid counts", formulas.per_over, "0"))
    named += [
        ("Fee", "Entry fee", event.fee_cents / 100, money_format(event.currency)),
        ("Pot_each", "Each pays into the Boston pot", event.pot_cents / 100, money_format(event.currency)),
        ("Pot_window", "Bostons count for the pot in games 1 to", formulas.pot_window, "0"),
        ("Pot_settled", "The pot is settled", "yes" if whole.pot.settled else "no", "General"),
    ]
    for name, words, value, number_format in named:
        at = page.write([words, value], formats=["General", number_format], aligned={1: LEFT})
        workbook.defined_names[name] = DefinedName(name, attr_text=f"'Summary'!$B${at}")
    for group, title in GROUPS.items():
        options = [option for option in event.options if option[0] == group]
        if options:
            page.write([])
            page.write([title], font=BOLD)
        for _, words, value, chosen in options:
            page.write([words, value + (" (chosen by the club)" if chosen else "")])


def money_format(currency: str) -> str:
    """The number format of amounts of money."""
    return f'"{currency}"#,##0.00'
