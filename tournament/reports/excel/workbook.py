"""The workbook of an event: its lists, a sheet each; the result comes first, the rules come last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournament.lists.catalog import rules_list
from tournament.lists.column import Listing, in_order, where
from tournament.lists.money import money_list, receipts_list
from tournament.lists.schedule import bracket_list, games_list
from tournament.lists.sheets import corrections_list, hands_list, rulings_list
from tournament.lists.standings import cross_table, places_list, pot_list, standings_list
from tournament.lists.teams import teams_list
from tournament.phrases import exact_money
from tournament.queries.pictures import WholeBook
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.cells import finished, new_book
from tournament.reports.excel.lists import write_list

# What did not happen has no sheet.
ONLY_WITH_ROWS = ("cross-table", "pot", "rulings", "corrections")


def event_workbook(whole: WholeBook, sheets: Sequence[GameSheet]) -> bytes:
    """All lists of an event, with the lines of its sheets."""
    workbook = new_book(whole.book.event.name)
    for listing in _lists(whole, sheets):
        if listing.rows or listing.name not in ONLY_WITH_ROWS:
            write_list(workbook, listing)
    return finished(workbook)


def _lists(whole: WholeBook, sheets: Sequence[GameSheet]) -> Iterator[Listing]:
    book, event = whole.book, whole.book.event
    if whole.finale.exists:
        yield places_list(event, whole.finale)
    yield standings_list(event, book.standings)
    yield cross_table(event, book.standings)
    yield games_list(event, sheets, bostons=book.standings.bostons)
    yield hands_list(event, sheets)
    if whole.bracket is not None:
        yield bracket_list(event, whole.bracket)
    yield teams_list(event, book.teams)
    yield pot_list(event, whole.pot)
    yield money_list(event, whole.cash)
    yield receipts_list(event, whole.cash)
    yield rulings_list(event, whole.rulings)
    yield corrections_list(event, whole.struck)
    yield rules_list(event)
    yield _event_list(whole)


def _event_list(whole: WholeBook) -> Listing:
    """What stands on the cover of the event book."""
    book, event = whole.book, whole.book.event
    rows = [
        ("Date and place", where(event)),
        ("Stage", event.get_stage_display()),
        ("Rule sheet", book.rules.sheet.title),
        (f"{book.rules.unit.capitalize()}s", str(len(book.teams))),
        ("Games planned", str(event.rounds_planned)),
        ("Ordered by", book.standings.order),
        ("Entry fee", exact_money(event.fee_cents, event.currency)),
        ("Each pays into the Boston pot", exact_money(event.pot_cents, event.currency)),
        *((role, name) for name, role in book.officials),
    ]
    return Listing("event", "Event", event, in_order(("what", "What"), ("words", "In words")), rows)
