"""The score sheet on paper: blank, pre-filled, so far, or final, with every reason, mark and signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from tournament.queries.deals import Deal
from tournament.queries.sheetcells import BELOW, LEFT, ROW, ROWS, TABLE, Layout, sheet_layout
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.pdf.lettering import BOLD
from tournament.reports.pdf.paper import Pages, Papers
from tournament.reports.pdf.sheet_below import draw_below
from tournament.reports.pdf.sheet_lines import Item, draw_item, finished, items_of, varies
from tournament.reports.pdf.sheet_parts import (
    Print,
    draw_empty_row,
    draw_foot,
    draw_head,
    draw_heads,
    draw_number,
    draw_parting,
    draw_rule,
    draw_sides,
    form_of,
    frame_of,
    partings,
)


class Slot(NamedTuple):
    """Where something stands on a page: the row in which it begins, and what is printed or still to be written."""

    at: int
    item: Item | None = None
    deal: Deal | None = None

    @property
    def end(self) -> int:
        """The row after it."""
        return self.at + (self.item.slots if self.item else 1)


def score_sheets(
    sheets: Iterable[GameSheet],
    *,
    paper: str = "letter",
    zone: str = "UTC",
    title: str = "Score sheets",
    simple: bool = False,
    site: str = "",
    at: datetime | None = None,
) -> bytes:
    """One page per game, and a continuation where its lines need one. `simple` ones ask for bids and scores alone."""
    papers = Papers(title, paper, site=site)
    for sheet in sheets:
        draw_score_sheet(papers, sheet, zone, simple=simple, at=at)
    return papers.finish()


def draw_score_sheet(
    papers: Pages, sheet: GameSheet, zone: str, *, simple: bool = False, at: datetime | None = None
) -> None:
    """Draw one game's sheet on as many pages as its lines need."""
    layout, frame = sheet_layout(sheet.rules, simple=simple), frame_of(papers)
    form = _form(papers, sheet, layout, simple=simple)
    layout = finished(layout, len(sheet.sides)) if sheet.over else layout
    pages = _pages(sheet, items_of(sheet, layout))
    printed = Print(zone, papers.site, at or timezone.now())
    cards, parted = varies(sheet), partings(layout)
    for number, slots in enumerate(pages, start=1):
        pen = papers.pen
        draw_head(pen, frame, sheet, layout, printed, f"Page {number} of {len(pages)}" if len(pages) > 1 else "")
        draw_sides(pen, frame, sheet, layout, varies=cards)
        draw_heads(pen, frame, layout, left=sheet.over)
        for slot in slots:
            draw_rule(pen, frame, slot.end)
            for x in parted:
                if slot.item is None or not slot.item.crosses(x):
                    draw_parting(pen, frame, x, slot.at, slot.end)
            if slot.item is not None:
                draw_item(pen, frame, slot.at, slot.item)
            elif slot.deal is not None:
                under = (f"{slot.deal.cards}c",) if cards else ()
                draw_number(pen, frame, slot.at, str(slot.deal.number), under, 16 if cards else 21)
                draw_empty_row(papers, frame, slot.at, form)
        used = max((slot.end for slot in slots), default=0)
        papers.close_up(frame.y(TABLE + used * ROW), frame.y(TABLE + ROWS * ROW))
        if number < len(pages):
            pen.text(frame.x(LEFT), frame.y(BELOW[0] + 12), f"Continued on page {number + 1}", size=10, font=BOLD)
        else:
            draw_below(pen, frame, sheet, layout, printed)
        draw_foot(pen, frame, sheet, layout, printed)
        papers.next_page()


def _form(papers: Pages, sheet: GameSheet, layout: Layout, *, simple: bool) -> str:
    """The name of the form of an empty row, where the sheet has one."""
    name = f"row-{sheet.sheet_key}-{len(sheet.sides)}-{simple}".replace("/", "-")
    return "" if sheet.over else form_of(papers, layout, name)


def _pages(sheet: GameSheet, items: list[Item]) -> list[list[Slot]]:
    """What stands in the rows of each page: what is written, then what is still to be written."""
    pages: list[list[Slot]] = [[]]
    used = 0
    for item in items:
        if used and used + item.slots > ROWS:
            pages.append([])
            used = 0
        pages[-1].append(Slot(used, item))
        used += item.slots
    for deal in _deals(sheet, ROWS - used):
        if used == ROWS:
            pages.append([])
            used = 0
        pages[-1].append(Slot(used, deal=deal))
        used += 1
    return pages


def _deals(sheet: GameSheet, room: int) -> Iterator[Deal]:
    """The hands to come: to the end of the schedule, or of the page that is being written; a full page has another."""
    if sheet.over or not sheet.coming:
        return
    if not sheet.endless:
        yield from sheet.coming
        return
    first = sheet.coming[0]
    for more in range(room or ROWS):
        yield first._replace(number=first.number + more)
