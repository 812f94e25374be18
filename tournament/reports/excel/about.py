"""The hidden page that tells another laptop which event and games the workbook holds, so that it can be read back."""

from __future__ import annotations

from collections.abc import Iterable

from openpyxl import Workbook

from tournament.queries.book import EventFacts
from tournament.queries.resultsbook import ABOUT, VERSION, game_said, packed
from tournament.reports.excel.cells import Page
from tournament.reports.excel.hands import GameLines


def write_about(workbook: Workbook, event: EventFacts, games: Iterable[GameLines]) -> None:
    """Write the page: a word for the version, what is played, then a row for every game that was begun."""
    page = Page(workbook, ABOUT)
    page.sheet.sheet_state = "hidden"
    page.write([VERSION])
    page.write([packed({"event": event.name, "sheet": event.sheet_key, "options": event.pinned})])
    for game in games:
        if game.lines or game.sheet.totals:
            page.write([game_said(game.key, game.sheet, game.lines)])
