"""The workbook of an event: it agrees with the screen to the cell, and it keeps calculating; the rules come last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

from tournament.lists.column import SIDES, Listing, where
from tournament.lists.corrections import corrections_list
from tournament.lists.money import money_list, receipts_list
from tournament.lists.pot import pot_list
from tournament.lists.rules import rules_list
from tournament.lists.rulings import rulings_list
from tournament.lists.schedule import bracket_list
from tournament.lists.standings import places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.queries.eventbook import WholeBook
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.excel.cells import BOLD, LEFT, Page, PageColumn, RowSheet, finished, money_format, new_book
from tournament.reports.excel.columns import GameColumns
from tournament.reports.excel.hands import write_games, write_hands
from tournament.reports.excel.lists import write_lists
from tournament.reports.excel.prices import CALLS, PRICES
from tournament.reports.excel.race import race_columns, write_race

TITLE = "Rules"
# The result comes first, ready to be mailed; the rules come last.
ORDER = (
    "Final places",
    "Standings",
    "Games",
    "Hands",
    "Bracket",
    "Teams and money",
    "Players and money",
    "Rulings",
    TITLE,
    PRICES,
    CALLS,
)
COLUMNS = (PageColumn("Rule", 48, wraps=True), PageColumn("How it is played", 70, wraps=True), PageColumn("Chosen", 14))


def event_workbook(whole: WholeBook, sheets: Iterable[GameSheet]) -> bytes:
    """All pages. `sheets` are written as they come; none of them is kept."""
    workbook, book, event = new_book(), whole.book, whole.book.event
    # The order of the pages is not the order of making: standings count games, and games count hands.
    board = GameColumns(whole.formulas)
    games = write_hands(workbook, sheets, board, whole.lines, event.paper)
    write_games(workbook, book, games, board)
    if board.prices is not None:
        board.prices.write(workbook)
    for title, listings in _pages(whole):
        if title == "Standings":
            _write_standings(workbook, whole, listings[0])
        elif listings:
            over = event.name if title == "Final places" else ""
            write_lists(workbook, title, listings, SIDES[: book.rules.table_sizes[-1]], over=over)
    write_summary(workbook, whole)
    standings = whole.book.standings.title
    # What a workbook is sorted by is no part of its stub.
    sheets_in_it: list[RowSheet] = workbook._sheets  # type: ignore[attr-defined]
    sheets_in_it.sort(key=lambda sheet: ORDER.index("Standings" if sheet.title == standings else sheet.title))
    return finished(workbook)


def _pages(whole: WholeBook) -> Iterator[tuple[str, list[Listing]]]:
    """The lists by their pages; a list of what did not happen is left out."""
    book, event = whole.book, whole.book.event
    if whole.finale.exists:
        yield "Final places", [places_list(event, whole.finale)]
    yield "Standings", [standings_list(event, book.standings)]
    if whole.bracket is not None:
        yield "Bracket", [bracket_list(event, whole.bracket)]
    by_points = whole.formulas.record_by_points
    money = [pot_list(event, whole.pot, by_points=by_points)] if whole.pot.teams else []
    money += [money_list(event, whole.cash), receipts_list(event, whole.cash)]
    teams = teams_list(event, book.teams)
    yield f"{teams.title} and money", [teams, *money]
    decided = rulings_list(event, whole.rulings), corrections_list(event, whole.struck)
    yield "Rulings", [listing for listing in decided if listing.rows]


def _write_standings(workbook: Workbook, whole: WholeBook, listing: Listing) -> None:
    """The standings, and below them the race of those who lead."""
    race = whole.pictures.race
    drawn = race.runners and len(race.rounds) > 1
    page = write_lists(
        workbook,
        listing.title,
        [listing],
        SIDES[: whole.book.rules.table_sizes[-1]],
        over="" if whole.finale.exists else whole.book.event.name,
        below=[race_columns(whole)] if drawn else [],
    )
    if drawn:
        write_race(page, whole)


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
