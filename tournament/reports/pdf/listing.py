"""Lists on paper: standings, seating, teams; heads on every page, long texts wrapped, page numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen, wrapped
from tournament.reports.pdf.paper import Area, Papers

MUTED, GREEN = "#5d6762", "#0f5b46"
SIZE = 8.5
LEADING = 11.0
PAD = 3.0


class Column(NamedTuple):
    """A column: its head, its share of the width, and how it is set."""

    title: str
    share: float
    align: str = "left"
    strong: bool = False
    before: float = PAD


def draw_list(
    papers: Papers, title: str, under: str, columns: Sequence[Column], rows: Iterable[Sequence[str]], *, empty: str = ""
) -> None:
    """Draw a list over as many pages as it needs."""
    area, pen = papers.area, papers.pen
    widths = _widths(columns, area.width)
    columns = _apart(columns)
    y = _head(pen, area, title, under, columns, widths)
    drawn = False
    for row in rows:
        cells = [_cell(text, width, column) for text, width, column in zip(row, widths, columns, strict=True)]
        height = LEADING * max(len(cell) for cell in cells) + 7
        if y - height < area.bottom + 16:
            _foot(papers, area)
            y = _head(pen, area, title, under, columns, widths)
        _row(pen, area, columns, widths, cells, y)
        y -= height
        pen.rule(area.left, y, area.right, y, color="#cccccc")
        drawn = True
    if not drawn:
        pen.text(area.left, y - 18, empty or "Nothing here yet.", size=10, color=MUTED)
    _foot(papers, area)


def _widths(columns: Sequence[Column], whole: float) -> list[float]:
    total = sum(column.share for column in columns)
    return [whole * column.share / total for column in columns]


def _apart(columns: Sequence[Column]) -> list[Column]:
    """A text that follows a column of numbers stands away from them."""
    pairs = zip(columns, [Column("", 0), *columns], strict=False)
    return [
        one._replace(before=3 * PAD) if one.align == "left" and last.align == "right" else one for one, last in pairs
    ]


def _head(pen: Pen, area: Area, title: str, under: str, columns: Sequence[Column], widths: Sequence[float]) -> float:
    pen.text(area.left, area.top - 16, title, size=18, font=SERIF, width=area.width)
    y = pen.block(area.left, area.top - 31, under, size=9, color=MUTED, width=area.width, most=3) - 19
    x = area.left
    for column, width in zip(columns, widths, strict=True):
        room = width - PAD - column.before
        pen.text(x + column.before, y, column.title, size=7.5, font=BOLD, width=room, align=column.align, color=MUTED)
        x += width
    pen.rule(area.left, y - 5, area.right, y - 5, weight=1.2, color=GREEN)
    return y - 5


def _cell(text: str, width: float, column: Column) -> list[str]:
    font = BOLD if column.strong else PLAIN
    return wrapped(text, SIZE, width - PAD - column.before, font) or [""]


def _row(
    pen: Pen, area: Area, columns: Sequence[Column], widths: Sequence[float], cells: Sequence[list[str]], y: float
) -> None:
    x = area.left
    for column, width, lines in zip(columns, widths, cells, strict=True):
        font = BOLD if column.strong else PLAIN
        for number, line in enumerate(lines):
            base = y - LEADING * (number + 1)
            room = width - PAD - column.before
            pen.text(x + column.before, base, line, size=SIZE, font=font, width=room, align=column.align)
        x += width


def _foot(papers: Papers, area: Area) -> None:
    if not papers.foot:
        papers.pen.text(area.left, area.bottom, f"Page {papers.pages + 1}", size=7.5, color=MUTED)
    papers.next_page()
