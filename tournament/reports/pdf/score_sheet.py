"""The score sheet on paper: blank, pre-filled, so far, or final, with every reason, mark and signature."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.queries.sheet import GameSheet
from tournament.reports.pdf.columns import columns_of
from tournament.reports.pdf.corrections import corrections_of, draw_corrections
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.sheet_parts import (
    MUTED,
    draw_ending,
    draw_foot,
    draw_head,
    draw_sides,
    draw_signatures,
)
from tournament.reports.pdf.sheet_table import TableLine, draw_table, lines_of

ROWS = 12
# A game of thirteen hands, or twice as many, stands better on whole pages.
SCHEDULED_ROWS = 13
SIGNATURES = 96.0


def score_sheets(
    sheets: Iterable[GameSheet],
    *,
    paper: str = "letter",
    zone: str = "UTC",
    title: str = "Score sheets",
    simple: bool = False,
) -> bytes:
    """One page per game, and a continuation where its lines need one. `simple` boards leave the reasons out."""
    papers = Papers(title, paper)
    for sheet in sheets:
        draw_score_sheet(papers, sheet, zone, simple=simple)
    return papers.finish()


def draw_score_sheet(papers: Papers, sheet: GameSheet, zone: str, *, simple: bool = False) -> None:
    """Draw one game's sheet on as many pages as its lines need."""
    area, pen = papers.area, papers.pen
    columns = columns_of(sheet, area.width, simple=simple)
    pages = _pages(sheet)
    struck = corrections_of(sheet)
    for number, lines in enumerate(pages, start=1):
        top = draw_head(pen, area, sheet, f"page {number} of {len(pages)}" if len(pages) > 1 else "")
        top = draw_sides(pen, area, sheet, top)
        top = draw_table(pen, area, sheet, columns, lines, top)
        if number < len(pages):
            pen.text(area.left, top - 14, "Continued on the next page", size=9, color=MUTED)
        else:
            top = draw_ending(pen, area, sheet, top)
            struck = draw_corrections(pen, area, struck, top, area.bottom + SIGNATURES)
            draw_signatures(pen, area, sheet, zone)
        draw_foot(pen, area, sheet, zone)
        papers.next_page()
    while struck:
        top = draw_head(pen, area, sheet, "corrections")
        struck = draw_corrections(pen, area, struck, top, area.bottom + 30)
        draw_foot(pen, area, sheet, zone)
        papers.next_page()


def _pages(sheet: GameSheet) -> list[list[TableLine]]:
    """The lines of the sheet in portions of a page: what is written, then what is still to be written."""
    lines = lines_of(sheet)
    scheduled = sheet.coming and len(sheet.rows) + len(sheet.coming) > ROWS and not sheet.endless
    each = SCHEDULED_ROWS if scheduled or len(lines) in (SCHEDULED_ROWS, 2 * SCHEDULED_ROWS) else ROWS
    if sheet.rows and not sheet.over and sheet.endless:
        # Empty lines fill the page that is being written, and no further one.
        lines = lines[: max(ROWS, -(-(len(sheet.rows)) // ROWS) * ROWS)]
    return [lines[start : start + each] for start in range(0, len(lines), each)] or [[]]
