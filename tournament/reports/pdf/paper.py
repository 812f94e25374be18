"""Sheets of paper: sizes, margins, and a file of pages that is the same bytes for the same content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import NamedTuple, TypeVar

from reportlab.lib.pagesizes import A4, LETTER
from reportlab.pdfgen.canvas import Canvas

from tournament.reports.pdf.lettering import Pen

SIZES = {"letter": LETTER, "a4": A4}
MARGIN = 36.0
GREY = "#5d6762"
ItemT = TypeVar("ItemT")


class Area(NamedTuple):
    """The printable part of a page, in points from the lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left


class Papers:
    """A PDF that is written page by page."""

    def __init__(self, title: str, paper: str = "letter", *, landscape: bool = False) -> None:
        self._file = BytesIO()
        size = SIZES.get(paper, LETTER)
        self.size = (size[1], size[0]) if landscape else size
        self.canvas = Canvas(self._file, pagesize=self.size, invariant=1, pageCompression=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor("Uptown")
        self.pen = Pen(self.canvas)
        self.pages = 0
        # What stands at the foot of every page of a book, before the number of the page.
        self.foot = ""

    @property
    def area(self) -> Area:
        """The printable part of the page."""
        width, height = self.size
        return Area(MARGIN, MARGIN, width - MARGIN, height - MARGIN)

    def next_page(self) -> None:
        """Finish the page."""
        self.pages += 1
        if self.foot:
            width = self.size[0] - 2 * MARGIN
            text = f"{self.foot} · page {self.pages}"
            self.pen.text(MARGIN, 20, text, size=7, width=width, align="center", color=GREY)
        self.canvas.showPage()
        self.canvas.setPageSize(self.size)

    def turn(self, *, landscape: bool) -> None:
        """Lay the pages that follow on their long or their short side."""
        short, long = sorted(self.size)
        self.size = (long, short) if landscape else (short, long)
        self.canvas.setPageSize(self.size)

    def finish(self) -> bytes:
        """The whole file; a file without pages gets an empty one, because readers refuse none."""
        if not self.pages:
            self.next_page()
        self.canvas.save()
        return self._file.getvalue()


def draw_stack(
    papers: Papers,
    items: Sequence[ItemT],
    columns: int,
    rows: int,
    draw: Callable[[Pen, Area, ItemT], None],
) -> None:
    """Draw small papers, several to a page with lines to cut along.

    A pile of pages that is cut as a whole gives one pile a place, and the piles put on top of each other are in order.
    """
    area, pen = papers.area, papers.pen
    width, height = area.width / columns, (area.top - area.bottom) / rows
    for page in stacked(items, columns * rows):
        for place, item in enumerate(page):
            left = area.left + place % columns * width
            top = area.top - place // columns * height
            if item is not None:
                draw(pen, Area(left + 10, top - height + 10, left + width - 10, top - 10), item)
        pen.canvas.setDash(2, 3)
        for column in range(1, columns):
            x = area.left + column * width
            pen.rule(x, area.bottom - 18, x, area.top + 18, color="#bbbbbb")
        for row in range(1, rows):
            y = area.top - row * height
            pen.rule(area.left - 18, y, area.right + 18, y, color="#bbbbbb")
        pen.canvas.setDash()
        papers.next_page()


def stacked(items: Sequence[ItemT], places: int) -> Iterator[list[ItemT | None]]:
    """The pages of a cut stack: the first place of all pages holds the first items, the second place the next ones."""
    pages = -(-len(items) // places)
    for page in range(pages):
        at = (page + place * pages for place in range(places))
        yield [items[index] if index < len(items) else None for index in at]
