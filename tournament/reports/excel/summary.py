"""The last page: the event, its officials, the numbers that formulas use, and the rule sheet in words."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from tournament.lists.column import where
from tournament.lists.rules import rules_list
from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import BOLD, LEFT, Page, PageColumn

TITLE = "Rules"
COLUMNS = (PageColumn("Rule", 48, wraps=True), PageColumn("How it is played", 70, wraps=True), PageColumn("Chosen", 14))


def write_summary(workbook: Workbook, whole: WholeBook) -> None:
    """Write the page; the numbers on it have names, and every formula of the workbook uses the names."""
    book, event = whole.book, whole.book.event
    page = Page(workbook, TITLE, event.paper)
    page.sheet.page_setup.orientation = "portrait"
    page.widen([COLUMNS])
    page.title(event.name, " · ".join(part for part in (where(event), event.get_stage_display()) if part))
    for words, value in (
        ("Rule sheet", book.rules.sheet.title),
        (f"{book.rules.unit.capitalize()}s", len(book.teams)),
        ("Games planned", event.rounds_planned),
        ("Ordered by", book.standings.order),
        *((role, name) for name, role in book.officials),
    ):
        page.write([words, value], aligned={1: LEFT})
    money = money_format(event.currency)
    named = (
        ("Fee", "Entry fee", event.fee_cents / 100, money),
        ("Pot_each", "Each pays into the Boston pot", event.pot_cents / 100, money),
        ("Pot_window", "Bostons count for the pot in games 1 to", whole.formulas.pot_window, "0"),
        ("Pot_settled", "The pot is settled", "yes" if whole.pot.settled else "no", "General"),
    )
    page.write([])
    page.write(["Numbers that the money follows: change one, and fees and pot change with it"], font=BOLD)
    for name, words, value, number_format in named:
        at = page.write([words, value], formats=["General", number_format], aligned={1: LEFT})
        workbook.defined_names[name] = DefinedName(name, attr_text=f"'{TITLE}'!$B${at}")
    rules = rules_list(event)
    page.write([])
    page.begin_list(rules.title, rules.under, COLUMNS, frozen_columns=None)
    for option in rules.rows:
        page.list_row([column.value(option) for column in rules.columns])


def money_format(currency: str) -> str:
    """The number format of amounts of money."""
    return f'"{currency}"#,##0.00'
