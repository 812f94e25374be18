"""The table of a score sheet: heads, a row per line that is written, and the lines that are still to be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.phrases import minus
from tournament.queries.deals import Deal
from tournament.queries.sheet import GameSheet, Row
from tournament.reports.pdf.columns import Column, why_of
from tournament.reports.pdf.lettering import BOLD, PLAIN, Pen, block
from tournament.reports.pdf.paper import Area

ROW_HEIGHT = 31.0
HEAD_HEIGHT = 26.0
# The head of a column that holds one figure goes to its edges.
NARROW = 24.0
# What would be smaller than this in two lines takes more.
LEGIBLE = 6.5
MUTED, RED, GREEN, GOLD, PALE = "#5d6762", "#a81d29", "#0f5b46", "#83560a", "#999999"


class TableLine(NamedTuple):
    """A line of the paper: what was written, a hand that is still to come, or what a game was carried on from."""

    row: Row | None = None
    deal: Deal | None = None
    opening: tuple[int, ...] | None = None


def lines_of(sheet: GameSheet) -> list[TableLine]:
    """All lines of a sheet in order."""
    lines = [TableLine(opening=sheet.opening)] if sheet.opening is not None else []
    return lines + [TableLine(row) for row in sheet.rows] + [TableLine(deal=deal) for deal in sheet.coming]


def draw_table(
    pen: Pen, area: Area, sheet: GameSheet, columns: Sequence[Column], lines: Sequence[TableLine], top: float
) -> float:
    """Draw the table and return where it ends."""
    xs = [area.left]
    for column in columns:
        xs.append(xs[-1] + column.width)
    _heads(pen, area, sheet, columns, xs, top)
    y = top - HEAD_HEIGHT
    for line in lines:
        if line.row is not None:
            _row(pen, area, sheet, columns, xs, line.row, y)
        elif line.deal is not None:
            _deal(pen, sheet, columns, xs, line.deal, y)
        elif line.opening is not None:
            sure = "" if sheet.paper is None or not sheet.paper.flagged else " (not verified)"
            text = f"Continued from paper{sure}: " + " to ".join(minus(score) for score in line.opening)
            pen.text(area.left + 4, y - 19, text, size=8.5, color=MUTED)
        y -= ROW_HEIGHT
        pen.rule(area.left, y, area.right, y)
    sides = [None, *(column.side for column in columns), None]
    for index, x in enumerate(xs):
        inside = sides[index] is not None and sides[index] == sides[index + 1]
        begins = sides[index] != sides[index + 1] or index in (0, len(columns))
        # The name of a side stands over all of its columns.
        start = top - 13 if inside else top
        pen.rule(x, start, x, y, color="#777777" if begins else "#cccccc", weight=0.7 if begins else 0.4)
    pen.rule(area.left, top, area.right, top)
    return y


def _heads(pen: Pen, area: Area, sheet: GameSheet, columns: Sequence[Column], xs: Sequence[float], top: float) -> None:
    pen.canvas.setFillColor("#f3efe4")
    pen.canvas.rect(area.left, top - HEAD_HEIGHT, area.width, HEAD_HEIGHT, stroke=0, fill=1)
    for side in sheet.sides:
        own = [index for index, column in enumerate(columns) if column.side == side.index]
        left, right = xs[own[0]], xs[own[-1] + 1]
        name = side.name or f"{'Player' if sheet.single else 'Team'} {'ABCDEF'[side.index]}"
        pen.text(left + 3, top - 10, name, size=7.5, font=BOLD, width=right - left - 6, align="center", color=MUTED)
    for x, column in zip(xs, columns, strict=False):
        pad = 3 if column.width >= NARROW else 1
        pen.text(x + pad, top - 21, column.title, size=7.5, font=BOLD, width=column.width - 2 * pad, align=column.align)


def _row(
    pen: Pen, area: Area, sheet: GameSheet, columns: Sequence[Column], xs: Sequence[float], row: Row, y: float
) -> None:
    told = row.kind != "hand" and sheet.everybody_bids
    if told:
        # Where everybody bids there is no column for words: they stand over the whole line.
        text = " · ".join(part for part in (row.written.text, why_of(row)) if part)
        pen.canvas.setFillColor("#f7f5ee")
        pen.canvas.rect(area.left, y - 14, area.width, 14, stroke=0, fill=1)
        pen.text(area.left + 4, y - 10.5, text, size=8, color=RED, width=area.width - 8)
    for x, column in zip(xs, columns, strict=False):
        if not told:
            _cell(pen, x, y, column, row)
        elif column.score or column.title == "±":
            pen.text(x + 3, y - 25, column.cell(row)[0], size=8.5, width=column.width - 6, align="right")
        if column.score and column.side is not None:
            _marks(pen, x, y, column, row)


def _cell(pen: Pen, x: float, y: float, column: Column, row: Row) -> None:
    main, small = column.cell(row)
    room, font = column.width - 6, BOLD if column.strong else PLAIN
    color = {"set": RED, "made": GREEN}.get(row.written.outcome) if column.colored else None
    if column.wraps:
        most = 3 if column.colored else 2
        size = 7.0 if len(main) > 45 else 9.0
        lines, fits = block(main, font, size, room, most)
        if fits < LEGIBLE and not column.colored:
            # Under a bid stands nothing else: there is room for one more.
            size, most = LEGIBLE, 3 if column.side is None else 4
            lines, _ = block(main, font, size, room, most)
        if len(lines) > 2 and column.colored:
            # A long ruling fills the whole cell, and its rule stands at its end.
            main, small = f"{main} ({small})" if small else main, ""
        base = y - (14.5 if len(lines) == 1 else 10 if len(lines) == 2 else 8)
        pen.block(x + 3, base, main, width=room, size=size, most=most, font=font, color=color)
    else:
        pen.text(x + 3, y - 14.5, main, size=9, font=font, width=room, align=column.align, color=color)
    pen.text(x + 3, y - 27.0, small, size=6.5, width=room, align=column.align, color=MUTED)


def _marks(pen: Pen, x: float, y: float, column: Column, row: Row) -> None:
    """The check mark at the leader, and a ring around a Boston."""
    if row.leader == column.side:
        pen.text(x + 3, y - 27, "✓", size=9, color=GREEN)
    if row.boston == column.side:
        pen.circle(x + column.width - 10, y - 11.2, 9.5, color=GOLD)


def _deal(pen: Pen, sheet: GameSheet, columns: Sequence[Column], xs: Sequence[float], deal: Deal, y: float) -> None:
    """An empty line: its number, and who deals how many cards as far as that is known."""
    dealer = sheet.seats[deal.dealer].name if sheet.seats and deal.dealer < len(sheet.seats) else ""
    known = {"#": str(deal.number), "Cards": str(deal.cards), "Dealer": dealer if sheet.begun else ""}
    for x, column in zip(xs, columns, strict=False):
        text = known.get(column.title, "")
        if text:
            pen.block(x + 3, y - 14.5, text, size=8, width=column.width - 6, align=column.align, most=2, color=PALE)
