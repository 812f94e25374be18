"""Titles, paragraphs, rows and drawings below each other on paper, divided into pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from reportlab.lib.colors import Color
from reportlab.platypus import Flowable, Spacer

from tournament.models import Event, Season
from tournament.reports.pdf.colors import GREEN, INK, MUTED, PALE
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen, register_fonts, text_width, wrapped
from tournament.reports.pdf.paper import Area, Papers, draw_printed
from tournament.reports.pdf.spreading import Piece, spread

FOOT = 16.0
# The distance between lines of a cell, the room above and below them, and both together, as multiples of the type
# size.
LINE_HEIGHT, ABOVE, BELOW = 1.2, 0.2, 0.34
PADDED = ABOVE + BELOW
# A list that is lower than this share of a page is not divided; of other lists at least this many rows follow the
# title.
SHORT, FIRST = 0.2, 5


class Text(NamedTuple):
    """How text is set: its font, size and color, on the left or right."""

    font: str
    size: float
    right: bool = False
    color: Color = INK


class Gap(Spacer):
    """The room between two paragraphs, after which a page may end."""


class Setting(NamedTuple):
    """A column of rows: the style of its texts and of its heading, and its left and right edges."""

    text: Text
    head: Text
    left: float
    right: float


# A cell in lines.
Lines = Sequence[str]


class Rows(Flowable):
    """The rows of a list below their headings.

    `ends` are the numbers of rows, from 0, after which a page may end. `size` is the type size, and `heights` are the
    heights of the headings and of each row. If `total` is set, the last row is bold.
    """

    def __init__(
        self,
        columns: Sequence[Setting],
        heads: Sequence[Lines],
        rows: Sequence[Sequence[Lines]],
        ends: Sequence[int],
        size: float,
        width: float,
        *,
        total: bool = False,
    ) -> None:
        super().__init__()
        self.columns, self.heads, self.rows, self.ends, self.size, self.total = columns, heads, rows, ends, size, total
        high = max(
            len(lines) * column.head.size for column, lines in zip(columns, heads, strict=True)
        )  # Every heading has a line.
        lines = [max(1, *map(len, row)) for row in rows]
        self.heights = [LINE_HEIGHT * high + PADDED * size, *((LINE_HEIGHT * many + PADDED) * size for many in lines)]
        self.width, self.height = width, sum(self.heights)

    def wrap(self, _width: float, _height: float) -> tuple[float, float]:
        return self.width, self.height

    def cut(self, row: int) -> tuple[Rows, Rows]:
        """The rows before this one, and the rows from it on, each below the headings."""
        return self._part(0, row), self._part(row, len(self.rows))

    def _part(self, begin: int, end: int) -> Rows:
        ends = [at - begin for at in self.ends if begin <= at <= end]
        total = self.total and end == len(self.rows)
        return Rows(self.columns, self.heads, self.rows[begin:end], ends, self.size, self.width, total=total)

    def draw(self) -> None:
        canvas, pen, size = self.canv, Pen(self.canv), self.size
        canvas.saveState()
        canvas.setLineCap(1)
        head, *heights = self.heights
        y = self.height - head
        for column, lines in zip(self.columns, self.heads, strict=True):
            # Headings are at the bottom of their row.
            base = y + BELOW * size + (LINE_HEIGHT * len(lines) - 1) * column.head.size
            _write(pen, column, column.head, base, lines)
        pen.rule(0, y, self.width, y, weight=1.2, color=GREEN)
        ends = set(self.ends)
        for number, (row, height) in enumerate(zip(self.rows, heights, strict=True), start=1):
            is_total = self.total and number == len(self.rows)
            for column, lines in zip(self.columns, row, strict=True):
                style = column.text._replace(font=BOLD) if is_total else column.text
                _write(pen, column, style, y - (ABOVE + 1) * size, lines)
            y -= height
            if number in ends:
                pen.rule(0, y, self.width, y, weight=0.5, color=PALE)
        canvas.restoreState()


def _write(pen: Pen, column: Setting, style: Text, base: float, lines: Lines) -> None:
    """Write the lines of a cell one below the other."""
    align, width = "right" if style.right else "left", column.right - column.left
    for line in lines:
        pen.text(column.left, base, line, size=style.size, font=style.font, width=width, align=align, color=style.color)
        base -= LINE_HEIGHT * style.size


class Beside(Flowable):
    """Two pieces of a list side by side, aligned at the top; `right` is None if the list ends on the left."""

    def __init__(self, left: Rows, right: Rows | None, apart: float) -> None:
        super().__init__()
        self.left, self.right, self.apart = left, right, apart

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width, self.height = width, max(part.height for part in (self.left, self.right) if part is not None)
        return self.width, self.height

    def draw(self) -> None:
        self.left.drawOn(self.canv, 0, self.height - self.left.height)
        if self.right is not None:
            self.right.drawOn(self.canv, self.apart, self.height - self.right.height)


class _Kept(NamedTuple):
    """Flows of the story up to `flow` that stay on one page. The last flow may be divided after `row`."""

    piece: Piece
    flow: int
    row: int = 0


def pages_of(papers: Papers, story: Sequence[Flowable]) -> Pages:
    """The flows of each page, with their heights; all pages are about equally full."""
    kept = list(_kept(papers, story))
    starts = _starts(papers, kept)
    pages, waiting, done = [], list(story), 0
    for after in [*starts[1:], len(kept)] if kept else ():
        last = kept[after - 1]
        page = waiting[: last.flow + 1 - done]
        waiting, done = waiting[len(page) :], last.flow + 1
        flow, part = story[last.flow], page[-1]
        if isinstance(flow, Rows) and isinstance(part, Rows) and last.row < flow.ends[-1]:
            page[-1], rest = part.cut(len(part.rows) - (len(flow.rows) - last.row))
            waiting, done = [rest, *waiting], last.flow
        pages.append([_placed(papers, flow, index) for index, flow in enumerate(page)])
    return pages


def count_pages(papers: Papers, story: Sequence[Flowable]) -> int:
    """How many pages a story takes."""
    return len(_starts(papers, list(_kept(papers, story))))


def _starts(papers: Papers, kept: Sequence[_Kept]) -> list[int]:
    """The number of the piece with which each page begins."""
    return spread([one.piece for one in kept], lambda _page: room_of(papers))


def _placed(papers: Papers, flow: Flowable, index: int) -> tuple[Flowable, float]:
    height = flow.wrapOn(papers.canvas, papers.area.width, 9999)[1]
    return flow, height + (flow.getSpaceBefore() if index else 0.0)


def _kept(papers: Papers, story: Sequence[Flowable]) -> Iterator[_Kept]:
    """Divide the story into pieces: what is above a list stays with its first rows, and a short list is one piece."""
    above = height = 0.0
    for index, flow in enumerate(story):
        high = flow.wrapOn(papers.canvas, papers.area.width, 9999)[1]
        above = flow.getSpaceBefore() if not height else above
        if isinstance(flow, Rows):
            head, *rows = flow.heights
            height += head
            for number, (begin, end) in enumerate(pairwise(flow.ends)):
                height += sum(rows[begin:end])
                if end == flow.ends[-1] or (number >= FIRST - 1 and high > room_of(papers) * SHORT):
                    yield _Kept(Piece(height, head if number >= FIRST else 0.0, above), index, end)
                    above = height = 0.0
            continue
        height += high
        following = story[index + 1] if index + 1 < len(story) else None
        if following is None or (type(flow) not in STICKS and type(following) is not Spacer):
            yield _Kept(Piece(height, 0.0, above), index)
            above = height = 0.0


class Words(Flowable):
    """A text broken into lines, which may begin in bold; a strip of the width `beside` stays free next to it."""

    def __init__(self, text: str, style: Text, *, lead: str = "", beside: float = 0.0) -> None:
        super().__init__()
        self.text, self.style, self.lead, self.beside = text, style, lead, beside
        self.lines: Lines = ()

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        if width != self.width:
            self.width, self.lines = width, self._broken(width - self.beside)
        self.height = LINE_HEIGHT * self.style.size * len(self.lines)
        return width, self.height

    def _broken(self, width: float) -> Lines:
        style = self.style
        if not self.lead:
            return wrapped(self.text, style.size, width, style.font)
        # The first line is shorter because of the bold words; the rest of the text begins below them.
        room = width - text_width(f"{self.lead} ", BOLD, style.size)
        first, *rest = wrapped(self.text, style.size, room, style.font) or ("",)
        return [first, *wrapped(" ".join(rest), style.size, width, style.font)]

    def draw(self) -> None:
        pen, style, base = Pen(self.canv), self.style, self.height - self.style.size
        begun = text_width(f"{self.lead} ", BOLD, style.size) if self.lead else 0.0
        pen.text(0, base, self.lead, size=style.size, font=BOLD, color=style.color)
        for line in self.lines:
            pen.text(begun, base, line, size=style.size, font=style.font, color=style.color)
            base, begun = base - LINE_HEIGHT * style.size, 0.0


class Head(Words):
    """The title of a list, at a distance from the list above it; never alone at the bottom of a page."""

    begun: Callable[[], None] | None = None

    def getSpaceBefore(self) -> float:  # noqa: N802  # reportlab's own name
        return 18.0

    def draw(self) -> None:
        if self.begun is not None:
            self.begun()
        super().draw()


def heading(title: str, size: float = 18.0) -> list[Flowable]:
    """The title of a section that is not a list."""
    return [Head(title, Text(SERIF, size)), Spacer(1, 6)]


def draw_largest(papers: Papers, event: Event, stories: Iterable[Callable[[], list[Flowable]]], most: int) -> None:
    """Draw the first story that takes at most this many pages; if none does, the last one."""
    register_fonts()
    flows: list[Flowable] = []
    for story in stories:
        flows = story()
        if count_pages(papers, flows) <= most:
            break
    draw_pages(papers, event, pages_of(papers, flows))


# These never end a page.
STICKS = (Head, Spacer)


class Drawn(Flowable):
    """Something that is drawn in one piece, as wide as the page."""

    def __init__(self, height: float, draw: Callable[[Area], None]) -> None:
        super().__init__()
        self.height, self._draw = height, draw

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height

    def draw(self) -> None:
        self._draw(Area(0.0, 0.0, self.width, self.height))


def room_of(papers: Papers) -> float:
    return papers.area.top - papers.area.bottom - FOOT


# The flows of each page, with their heights.
Pages = Sequence[Sequence[tuple[Flowable, float]]]


def draw_pages(papers: Papers, event: Event | Season, pages: Pages, on_first: Callable[[], None] | None = None) -> None:
    """Draw every page; `on_first` draws something else on the first one."""
    for number, page in enumerate(pages, start=1):
        y = papers.area.top
        if number == 1 and on_first is not None:
            on_first()
        for flow, height in page:
            y -= height
            flow.drawOn(papers.canvas, papers.area.left, y)
        _foot(papers, event, number, len(pages))
        papers.next_page()


def _foot(papers: Papers, event: Event | Season, number: int, count: int) -> None:
    """Write the time of printing and the page number; a book numbers its pages itself."""
    area, pen = papers.area, papers.pen
    draw_printed(papers, event.time_zone)
    if not papers.foot:
        text = f"Page {number} of {count}"
        pen.text(area.left, area.bottom, text, size=8, color=MUTED, width=area.width, align="right")
