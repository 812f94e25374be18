"""What is filled in by hand on a score sheet: heads, circles and boxes, at the places that `sheetcells` gives."""

from __future__ import annotations

from itertools import groupby, pairwise
from typing import NamedTuple

from tournament.queries.sheetcells import HEADS, HEIGHT, LEFT, NUMBER, RIGHT, ROW, TABLE, WIDTH, Layout
from tournament.reports.pdf.halves import Pages
from tournament.reports.pdf.lettering import BOLD, Pen

MUTED, GREY, LINE = "#5d6762", "#767676", "#999999"
INK = "#111111"
# What is circled is printed in one grey, lighter than a pencil.
CIRCLED, OUTLINE = 6.8, 0.5


class Frame(NamedTuple):
    """The frame of a sheet, in the middle of its paper: places in it count from its upper left corner."""

    left: float
    top: float

    def x(self, x: float) -> float:
        """A place across the page."""
        return self.left + x

    def y(self, y: float) -> float:
        """A place up the page."""
        return self.top - y


def frame_of(papers: Pages) -> Frame:
    """The frame on paper of any size."""
    width, height = papers.size
    return Frame((width - WIDTH) / 2, height - (height - HEIGHT) / 2)


def draw_heads(pen: Pen, frame: Frame, layout: Layout, *, left: bool) -> None:
    """Write what stands over the columns, and whose they are below it; over text at the `left`."""
    for (head, _), columns in groupby(layout.columns, key=lambda one: (one.head, one.side)):
        group = list(columns)
        x, right = group[0].x, group[-1].x + group[-1].width
        whose = any(one.who for one in group)
        if left and not whose:
            pen.text(frame.x(x), frame.y(HEADS + 18.5), head, size=9, font=BOLD)
            continue
        _head(pen, frame, x, right, head, HEADS + (9.5 if whose else 18.5))
        for one in group:
            _head(pen, frame, one.x, one.x + one.width, one.who, HEADS + 18.5)
    pen.rule(frame.x(LEFT), frame.y(TABLE), frame.x(RIGHT), frame.y(TABLE), weight=0.8, color=INK)


def _head(pen: Pen, frame: Frame, x: float, right: float, words: str, y: float) -> None:
    pen.text(frame.x(x) - 6, frame.y(y), words, size=9, font=BOLD, width=right - x + 12, align="center")


def form_of(papers: Pages, layout: Layout, name: str) -> str:
    """An empty row as a form of the file: drawn once, however many sheets show it."""
    canvas, pen = papers.canvas, papers.pen
    if not canvas.hasForm(name):
        canvas.beginForm(name, 0, 0, WIDTH, ROW)
        for cell in layout.row:
            y = ROW - cell.y - cell.height
            canvas.setLineWidth(OUTLINE)
            canvas.setStrokeColor(GREY)
            if cell.is_circle:
                canvas.roundRect(cell.x, y, cell.width, cell.height, cell.height / 2, stroke=1, fill=0)
                x, wide = cell.x + 1, cell.width - 2
                pen.text(x, y + 3.3, cell.words, size=CIRCLED, width=wide, align="center", color=GREY)
            elif cell.group != "notes":
                canvas.rect(cell.x, y, cell.width, cell.height, stroke=1, fill=0)
                if cell.value == "sign":
                    pen.text(
                        cell.x, y + cell.height - 7, "±", size=CIRCLED, width=cell.width, align="center", color=GREY
                    )
        canvas.endForm()
    return name


def draw_empty_row(papers: Pages, frame: Frame, slot: int, form: str) -> None:
    """Show the empty row at its place in the table."""
    canvas = papers.canvas
    canvas.saveState()
    canvas.translate(frame.left, frame.y(TABLE + (slot + 1) * ROW))
    canvas.doForm(form)
    canvas.restoreState()


def draw_number(pen: Pen, frame: Frame, slot: int, words: str, under: tuple[str, ...], first: float) -> None:
    """Write the number of a hand at its first line, and below it what is known of the deal."""
    y = TABLE + slot * ROW
    left, wide = frame.x(LEFT), NUMBER - 2
    pen.text(left, frame.y(y + first), words, size=12, font=BOLD, width=wide, align="center")
    for line, one in enumerate(under, start=1):
        below = frame.y(y + first + 9.5 * line)
        pen.text(left - 3, below, one, size=9, width=wide + 6, align="center", color=MUTED)


def draw_rule(pen: Pen, frame: Frame, end: int) -> None:
    """Draw a line under a row that ends something."""
    y = frame.y(TABLE + end * ROW)
    pen.rule(frame.x(LEFT), y, frame.x(RIGHT), y, weight=0.6, color=LINE)


def partings(layout: Layout) -> list[float]:
    """Where the columns of one side end and those of the next begin, if each has its own."""
    return [
        (one.x + one.width + other.x) / 2
        for one, other in pairwise(() if layout.circles else layout.columns)
        if one.side is not None and one.side != other.side
    ]


def draw_parting(pen: Pen, frame: Frame, x: float, begin: int, end: int) -> None:
    """Draw a line between two sides, from one row to another."""
    pen.rule(frame.x(x), frame.y(TABLE + begin * ROW), frame.x(x), frame.y(TABLE + end * ROW), weight=0.6, color=LINE)
