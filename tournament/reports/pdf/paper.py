"""Sheets of paper: sizes, margins, a pen, and a file of pages that is the same bytes for the same content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from typing import NamedTuple, TypeVar

from django.urls import reverse
from django.utils import timezone
from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.pdfgen.canvas import Canvas

from tournament import PROGRAM
from tournament.models import Event
from tournament.reports.pdf.colors import BLACK, GOLD, GREEN, INK, LINE, MUTED, RED
from tournament.reports.pdf.lettering import BOLD, PLAIN, Pen, qr_runs
from tournament.reports.pictures import Picture, Shape
from tournament.words.phrases import day_time

SIZES = {"letter": LETTER, "a4": A4}
MARGIN = 36.0
# The frame of a score sheet, centered on its paper.
SHEET_WIDTH, SHEET_HEIGHT = 540.0, 736.0
# The margin of a small paper on all four sides after it is cut.
CUT = 26.0
ItemT = TypeVar("ItemT")
# Pages are stored as bytes: reportlab's default, text, makes every file an eighth larger.
rl_config.useA85 = 0
# A sheet that would be scaled below this to fit half a page gets its own page: type of 8 points stays above 6.8.
SMALLEST, GAP = 0.85, 18.0


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

    def __init__(self, title: str, paper: str = "letter", *, site: str = "") -> None:
        self._file = BytesIO()
        # The address that printed QR codes lead to; without it none is printed.
        self.site = site
        self.size = SIZES.get(paper, LETTER)
        self.canvas = Canvas(self._file, pagesize=self.size, invariant=1, pageCompression=1, lang="en-US")
        self.canvas.setTitle(title)
        self.canvas.setAuthor("Uptown")
        self.canvas.setCreator(PROGRAM)
        self.canvas.setSubject(title)
        self.canvas.setViewerPreference("DisplayDocTitle", "true")
        # The date alone: the time is printed on the paper, and printing again gives the same file.
        self.canvas.setDateFormatter(lambda *_: f"D:{timezone.now():%Y%m%d}")
        self.pen = Pen(self.canvas)
        self.pages = 0
        self._marks = 0
        # The text at the bottom of every page of a book, before the page number.
        self.foot = ""

    def live(self, name: str, *args: str | int) -> str:
        """The address of a public page; empty if the site's address is unknown."""
        return f"{self.site.rstrip('/')}{reverse(name, args=args)}" if self.site else ""

    def bookmark(self, title: str, level: int = 0) -> str:
        """Add the next page to the file's outline under this title; return the key of the bookmark."""
        self._marks += 1
        key = f"mark-{self._marks}"
        self.canvas.bookmarkPage(key)
        # The first bookmark of a file has no parent.
        self.canvas.addOutlineEntry(title, key, level=level if self._marks > 1 else 0)
        return key

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
            self.pen.text(MARGIN, 20, text, size=7, width=width, align="center", color=MUTED)
        self.canvas.showPage()
        self.canvas.setPageSize(self.size)

    def close_up(self, top: float, bottom: float) -> None:
        """Say which band of the page is empty, before the foot is drawn: a book leaves the band out."""

    def turn(self, *, landscape: bool) -> None:
        """Use landscape or portrait for the pages that follow."""
        short, long = sorted(self.size)
        self.size = (long, short) if landscape else (short, long)
        self.canvas.setPageSize(self.size)

    def finish(self) -> bytes:
        """The whole file; a file without pages gets an empty page, because viewers refuse a file without any."""
        if not self.pages:
            self.next_page()
        self.canvas.save()
        return self._file.getvalue()


def paper_of(event: Event, title: str, draw: Callable[[Papers], None], site: str = "") -> bytes:
    """A file of its own for what is drawn for an event."""
    papers = Papers(f"{event.name}: {title}", event.paper, site=site)
    draw(papers)
    return papers.finish()


def draw_stack(
    papers: Papers,
    items: Sequence[ItemT],
    columns: int,
    rows: int,
    draw: Callable[[Pen, Area, ItemT], None],
) -> None:
    """Draw small papers, several to a page, with lines to cut along.

    When a stack of pages is cut as a whole, each place becomes a pile, and the piles put on top of each other are in
    order.
    """
    pen, (wide, high) = papers.pen, papers.size
    # All pieces have the same size after they are cut, with their content in the middle.
    width, height = wide / columns, high / rows
    for page in stacked(items, columns * rows):
        for index, item in enumerate(page):
            left, top = index % columns * width, high - index // columns * height
            if item is not None:
                draw(pen, Area(left + CUT, top - height + CUT, left + width - CUT, top - CUT), item)
        pen.canvas.setDash(2, 3)
        for column in range(1, columns):
            pen.rule(column * width, CUT / 2, column * width, high - CUT / 2, color=LINE)
        for row in range(1, rows):
            pen.rule(CUT / 2, row * height, wide - CUT / 2, row * height, color=LINE)
        pen.canvas.setDash()
        papers.next_page()


def draw_printed(papers: Papers, zone: str) -> None:
    """Write the time of printing at the bottom of the page, so that people can tell papers of one evening apart."""
    text = f"Printed {day_time(timezone.now(), zone)}"
    papers.pen.text(papers.area.left, papers.area.bottom, text, size=8, color=MUTED)


def draw_qr(pen: Pen, x: float, y: float, size: float, text: str, level: str = "M") -> None:
    """Draw a QR code as one path: a rectangle for each module takes three times as long."""
    code, canvas = qr_runs(text, level), pen.canvas
    scale = size / code.size
    canvas.saveState()
    # Coordinates in modules from the upper left corner.
    canvas.transform(scale, 0, 0, -scale, x, y + size)
    path = canvas.beginPath()
    for column, row, count in code.runs:
        path.rect(column, row, count, 1)
    canvas.setFillColor(BLACK)
    canvas.drawPath(path, stroke=0, fill=1)
    canvas.restoreState()


def stacked(items: Sequence[ItemT], places: int) -> Iterator[list[ItemT | None]]:
    """The pages of a stack to cut: the first place of every page has the first items, the second one the next."""
    pages = -(-len(items) // places)
    for page in range(pages):
        numbers = (page + part * pages for part in range(places))
        yield [items[index] if index < len(items) else None for index in numbers]


class Halves:
    """Replaces `Papers` for code that draws sheets: each page is kept until its height is known."""

    def __init__(self, papers: Papers, name: str) -> None:
        self._papers, self._name = papers, name
        self.canvas, self.pen, self.size, self.site = papers.canvas, papers.pen, papers.size, papers.site
        self._drawn, self._left_out, self._waiting = 0, 0.0, False
        # Called while the page is drawn on which the next sheet is placed, and then forgotten.
        self.begun: Callable[[], object] | None = None
        self._begin()

    @property
    def area(self) -> Area:
        """The printable part of a whole page."""
        return self._papers.area

    def close_up(self, top: float, bottom: float) -> None:
        """Move the rest of the page up by the height of an empty band."""
        self._left_out = max(0.0, top - bottom)
        self.canvas.translate(0, self._left_out)

    def next_page(self) -> None:
        """Place the page that was drawn: in the upper half, in the lower half, or on a page of its own."""
        self.canvas.endForm()
        high = SHEET_HEIGHT - self._left_out
        room = (self.size[1] - 2 * MARGIN - GAP) / 2
        if (scale := min(1.0, room / high)) < SMALLEST:
            self._turn()
            self._place(1.0, (self.size[1] + SHEET_HEIGHT) / 2)
            self._papers.next_page()
        elif self._waiting:
            self.pen.rule(MARGIN, MARGIN + room + GAP / 2, self.size[0] - MARGIN, MARGIN + room + GAP / 2)
            self._place(scale, MARGIN + room)
            self._papers.next_page()
            self._waiting = False
        else:
            self._place(scale, self.size[1] - MARGIN)
            self._waiting = True
        self._drawn += 1
        self._begin()

    def finish(self) -> None:
        """Finish the last page; a form that was begun for another sheet is not shown."""
        self.canvas.endForm()
        self._turn()

    def _begin(self) -> None:
        self._left_out = 0.0
        self.canvas.beginForm(self._form, 0, 0, *self.size)

    @property
    def _form(self) -> str:
        return f"{self._name}-{self._drawn}"

    def _turn(self) -> None:
        if self._waiting:
            self._papers.next_page()
            self._waiting = False

    def _place(self, scale: float, top: float) -> None:
        """Show the page that was drawn, with its upper edge at `top`, centered on the paper."""
        begun, self.begun = self.begun, None
        if begun is not None:
            begun()
        self.canvas.saveState()
        edge = (self.size[1] + SHEET_HEIGHT) / 2
        self.canvas.translate(self.size[0] * (1 - scale) / 2, top - edge * scale)
        self.canvas.scale(scale, scale)
        self.canvas.doForm(self._form)
        self.canvas.restoreState()


# What a score sheet is drawn on.
Pages = Papers | Halves


# Pictures in the book: the shapes of `reports.pictures`, drawn with the pen.

COLORS = {
    "grid": HexColor("#d8d2c2"),
    "label": MUTED,
    "count": INK,
    "group": INK,
    "won": GREEN,
    "made": GREEN,
    "lost": HexColor("#c9a24a"),
    "set": RED,
    "other": HexColor("#b9b9b9"),
    "series-0": GREEN,
    "series-1": RED,
    "series-2": HexColor("#1f5f99"),
    "series-3": GOLD,
    "series-4": HexColor("#6b3f8f"),
    "series-5": HexColor("#b0387f"),
    "series-6": HexColor("#b3541e"),
    "series-7": HexColor("#555555"),
}
# Lost games and sets are hollow, because red and green print as the same gray.
HOLLOW, STRIPE = ("set", "lost"), 4.0
# Half of the lines are dashed: eight colors alone cannot be told apart, and the printer may print only grays.
DASHED = ("series-4", "series-5", "series-6", "series-7")


# The title and the sentence are above a drawing; the names of its lines are below it, in two columns.
WORDS, KEY, UNDER = 26.0, 21.0, 14.0


def picture_height(picture: Picture, width: float) -> float:
    """The height of a picture of this width, with its text."""
    return WORDS + picture.height * width / picture.width + KEY * ((len(_names(picture)) + 1) // 2) + UNDER


def draw_whole_picture(pen: Pen, picture: Picture, area: Area) -> None:
    """Draw a picture with its title, its sentence and the names of its lines."""
    pen.text(area.left, area.top - 10, picture.title, size=12, font=BOLD)
    pen.text(area.left, area.top - 22, picture.words, size=9, color=MUTED, width=area.width)
    scale = area.width / picture.width
    draw_picture(pen, picture, area.left, area.top - WORDS, scale)
    names, top = _names(picture), area.top - WORDS - picture.height * scale
    rows, half = (len(names) + 1) // 2, area.width / 2
    for index, (look, name) in enumerate(names):
        x, low = area.left + index // rows * half, top - (index % rows + 1) * KEY
        _draw(pen, Shape("line", look, ((0, 0), (22, 0))), x, low + KEY / 2, 1)
        pen.middle(x + 28, low, name, size=10, width=half - 40, high=KEY)


def _names(picture: Picture) -> list[tuple[str, str]]:
    return [(look, name) for look, name in picture.key if look.startswith("series")]


def draw_picture(pen: Pen, picture: Picture, left: float, top: float, scale: float) -> None:
    """Draw one picture with its upper left corner at this place."""
    for shape in picture.shapes:
        _draw(pen, shape, left, top, scale)


def _bar(pen: Pen, x: float, top: float, width: float, height: float, color: Color, *, hollow: bool) -> None:
    """Draw a full bar, or a hollow one with stripes, which can be told from a full one when printed in gray."""
    canvas = pen.canvas
    if not hollow:
        canvas.setFillColor(color)
        canvas.rect(x, top - height, width, height, stroke=0, fill=1)
        return
    if height <= 0:
        return
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(x, top - height, width, height)
    canvas.clipPath(path, stroke=0, fill=0)
    for step in range(int((width + height) / STRIPE) + 1):
        pen.rule(x, top - height + step * STRIPE, x + width, top - height + step * STRIPE - width, color=color)
    canvas.restoreState()
    canvas.setLineWidth(1)
    canvas.setStrokeColor(color)
    canvas.rect(x + 0.5, top - height, width - 1, height, stroke=1, fill=0)


def _draw(pen: Pen, shape: Shape, left: float, top: float, scale: float) -> None:
    points = [(left + x * scale, top - y * scale) for x, y in shape.points]
    color = COLORS[shape.look.rpartition(" ")[2]]
    x, y = points[0]
    if shape.kind == "line":
        weight = 0.5 if shape.look == "grid" else 1.6
        pen.canvas.setDash(5, 3) if shape.look in DASHED else pen.canvas.setDash()
        for (x1, y1), (x2, y2) in pairwise(points):
            pen.rule(x1, y1, x2, y2, weight=weight, color=color)
        pen.canvas.setDash()
    elif shape.kind == "bar":
        _bar(pen, x, y, shape.size[0] * scale, shape.size[1] * scale, color, hollow=shape.look in HOLLOW)
    elif shape.kind == "dot":
        pen.canvas.setFillColor(color)
        pen.canvas.circle(x, y, shape.size[0] * scale, stroke=0, fill=1)
    elif shape.text:
        font = BOLD if shape.look.startswith(("name", "group")) else PLAIN
        width = 150.0
        start = {"start": x, "middle": x - width / 2, "end": x - width}[shape.anchor]
        align = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        pen.text(start, y, shape.text, size=11 * scale, font=font, width=width, align=align, color=color)
