"""The workbook of an event: it agrees with the screen to the cell, and it keeps calculating."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tournament.lists.column import SIDES, Listing
from tournament.lists.corrections import corrections_list
from tournament.lists.money import money_list, receipts_list
from tournament.lists.pot import pot_list
from tournament.lists.rulings import rulings_list
from tournament.lists.schedule import bracket_list, rounds_list
from tournament.lists.standings import places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.queries.eventbook import WholeBook
from tournament.queries.sheet import GameSheet
from tournament.reports.excel.bidder_board import BidderBoard
from tournament.reports.excel.cells import finished, new_book
from tournament.reports.excel.games import write_games
from tournament.reports.excel.hands import Board, write_hands
from tournament.reports.excel.lists import write_list
from tournament.reports.excel.race import write_race
from tournament.reports.excel.summary import write_summary
from tournament.reports.excel.trick_board import TrickBoard

ORDER = (
    "Final places",
    "Summary",
    "Standings",
    "Race",
    "Rounds",
    "Bracket",
    "Games",
    "Hands",
    "Boston pot",
    "Money",
    "Receipts",
    "Rulings",
    "Corrections",
    "Teams",
    "Players",
)


def event_workbook(whole: WholeBook, sheets: Iterable[GameSheet]) -> bytes:
    """All pages. `sheets` are written as they come; none of them is kept."""
    workbook, event = new_book(), whole.book.event
    write_summary(workbook, whole)
    # The order of the pages is not the order of making: standings count games, and games count hands.
    board = board_of(whole)
    games = write_hands(workbook, sheets, board, whole.lines)
    write_games(workbook, whole.book, games, board)
    write_race(workbook, whole)
    for listing in _lists(whole):
        write_list(workbook, listing, SIDES[: event.sides])
    title = whole.book.standings.title
    workbook._sheets.sort(key=lambda sheet: ORDER.index("Standings" if sheet.title == title else sheet.title))
    return finished(workbook)


def _lists(whole: WholeBook) -> Iterator[Listing]:
    book, event = whole.book, whole.book.event
    if whole.finale.exists:
        yield places_list(event, whole.finale)
    yield standings_list(event, book.standings)
    yield rounds_list(event, whole.rounds)
    if whole.bracket is not None:
        yield bracket_list(event, whole.bracket)
    yield pot_list(event, whole.pot, event.unit, by_points=whole.formulas.record_by_points)
    yield money_list(event, whole.cash, event.unit)
    yield receipts_list(event, whole.cash)
    yield rulings_list(event, whole.rulings)
    yield corrections_list(event, whole.struck)
    yield teams_list(event, book.teams, event.unit)


def board_of(whole: WholeBook) -> Board:
    """The columns in which the event's game is written."""
    one_bids, sides = whole.formulas.one_bids, whole.book.event.sides
    return BidderBoard(whole.formulas) if one_bids else TrickBoard(whole.formulas, sides)
