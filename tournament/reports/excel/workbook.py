"""The workbook of an event: it agrees with the screen to the cell, and it keeps calculating."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.lists.column import SIDES
from tournament.lists.standings import places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.queries.eventbook import WholeBook
from tournament.queries.sheet import GameSheet
from tournament.reports.excel.bidder_board import BidderBoard
from tournament.reports.excel.cells import finished, new_book
from tournament.reports.excel.games import write_games
from tournament.reports.excel.hands import Board, write_hands
from tournament.reports.excel.listing import write_list
from tournament.reports.excel.lists import (
    write_bracket,
    write_corrections,
    write_rounds,
    write_rulings,
)
from tournament.reports.excel.money import write_money, write_pot, write_receipts
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
    if whole.finale.exists:
        write_list(workbook, places_list(event, whole.finale))
    write_summary(workbook, whole)
    # The order of the pages is not the order of making: standings count games, and games count hands.
    board = board_of(whole)
    games = write_hands(workbook, sheets, board, whole.lines)
    write_games(workbook, whole.book, games, board)
    write_list(workbook, standings_list(event, whole.book.standings), SIDES[: event.sides])
    write_race(workbook, whole)
    write_rounds(workbook, whole)
    if whole.bracket is not None:
        write_bracket(workbook, whole)
    write_pot(workbook, whole)
    write_money(workbook, whole)
    write_receipts(workbook, whole)
    write_rulings(workbook, whole)
    write_corrections(workbook, whole)
    write_list(workbook, teams_list(event, whole.book.teams, event.unit))
    title = whole.book.standings.title
    workbook._sheets.sort(key=lambda sheet: ORDER.index("Standings" if sheet.title == title else sheet.title))
    return finished(workbook)


def board_of(whole: WholeBook) -> Board:
    """The columns in which the event's game is written."""
    one_bids, sides = whole.formulas.one_bids, whole.book.event.sides
    return BidderBoard(whole.formulas) if one_bids else TrickBoard(whole.formulas, sides)
