"""What stands below each other on a paper: titles, paragraphs, rows, drawings, in pieces over pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from reportlab.lib.colors import Color
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, LongTable, Paragraph, Spacer

from tournament.models import Event, Season
from tournament.reports.pdf.colors import INK, MUTED
from tournament.reports.pdf.lettering import BOLD, SERIF, register_fonts, runs
from tournament.reports.pdf.paper import Area, Papers, draw_printed
from tournament.reports.pdf.spreading import Piece, spread

FOOT = 16.0
# A list lower than this share of a page stays in one piece; of others so many rows stand below the title, at least.
SHORT, FIRST = 0.2, 5


class Text(NamedTuple):
    """How text is set: its font, size and color, on the left or right."""

    font: str
    size: float
    right: bool = False
    color: Color = INK


class Gap(Spacer):
    """The room between two paragraphs, behind which a page may end."""


class Rows(LongTable):
    """The rows of a list. `ends` are the rows behind which a page may end, from 0 on; `size` is that of their type."""

    ends: Sequence[int] = ()
    size: float = 0.0

    @property
    def heights(self) -> list[float]:
        """How high the heads are, and every row, once it was wrapped."""
        # The stub leaves out what wrapping has found.
        return list(self._rowHeights)  # type: ignore[attr-defined]


class _Kept(NamedTuple):
    """What stays together on a page: flows of the story up to `flow`, of which the last may go on behind its `row`."""

    piece: Piece
    flow: int
    row: int = 0


def pages_of(papers: Papers, story: Sequence[Flowable]) -> Pages:
    """What stands on each page, with its height: about as much on every page."""
    kept, width = list(_kept(papers, story)), papers.area.width
    starts = spread([one.piece for one in kept], lambda _page: room_of(papers))
    pages, waiting, done = [], list(story), 0
    for after in [*starts[1:], len(kept)] if kept else ():
        last = kept[after - 1]
        page = waiting[: last.flow + 1 - done]
        waiting, done = waiting[len(page) :], last.flow + 1
        flow, part = story[last.flow], page[-1]
        if isinstance(flow, Rows) and isinstance(part, Rows) and last.row < flow.ends[-1]:
            part.wrapOn(papers.canvas, width, 9999)
            page[-1], rest = part.splitOn(papers.canvas, width, sum(part.heights[: last.row - flow.ends[-1]]) + 0.1)
            waiting, done = [rest, *waiting], last.flow
        pages.append([_placed(papers, flow, index) for index, flow in enumerate(page)])
    return pages


def _placed(papers: Papers, flow: Flowable, index: int) -> tuple[Flowable, float]:
    height = flow.wrapOn(papers.canvas, papers.area.width, 9999)[1]
    return flow, height + (flow.getSpaceBefore() if index else 0.0)


def _kept(papers: Papers, story: Sequence[Flowable]) -> Iterator[_Kept]:
    """The story in pieces: what stands above a list stays with its first rows, and a short list in one piece."""
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


class Head(Paragraph):
    """The title of a list: away from the list above it, and not alone at the foot of a page."""

    begun: Callable[[], None] | None = None

    def getSpaceBefore(self) -> float:  # noqa: N802  # reportlab's own name
        return 18.0

    def draw(self) -> None:
        if self.begun is not None:
            self.begun()
        super().draw()


def heading(title: str, size: float = 18.0) -> list[Flowable]:
    """The title of a section that is no list."""
    return [Head(marked(title, SERIF), style_of(Text(SERIF, size))), Spacer(1, 6)]


def paragraph(text: str, style: Text, lead: str = "") -> Paragraph:
    """A text broken into lines, which may begin in bold."""
    bold = f'<font name="{BOLD}">{marked(lead, BOLD)}</font> ' if lead else ""
    return Paragraph(bold + marked(text, style.font), style_of(style))


def draw_largest(papers: Papers, event: Event, stories: Iterable[Callable[[], list[Flowable]]], most: int) -> None:
    """Draw the first of some stories that takes at most so many pages; the last where none does."""
    register_fonts()
    pages: Pages = ()
    for story in stories:
        pages = pages_of(papers, story())
        if len(pages) <= most:
            break
    draw_pages(papers, event, pages)


# What does not stand alone at the foot of a page.
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


def marked(text: str, font: str) -> str:
    """The text with the fonts of its words."""
    return "".join(
        escape(part) if part_font == font else f'<font name="{part_font}">{escape(part)}</font>'
        for part, part_font in runs(text, font)
    )


def style_of(text: Text, live_width: float = 0.0) -> ParagraphStyle:
    return ParagraphStyle(
        "",
        fontName=text.font,
        fontSize=text.size,
        leading=text.size * 1.2,
        textColor=text.color,
        alignment=TA_RIGHT if text.right else TA_LEFT,
        splitLongWords=1,
        rightIndent=live_width,
    )


def room_of(papers: Papers) -> float:
    return papers.area.top - papers.area.bottom - FOOT


# Flows with their heights, page by page.
Pages = Sequence[Sequence[tuple[Flowable, float]]]


def draw_pages(papers: Papers, event: Event | Season, pages: Pages, on_first: Callable[[], None] | None = None) -> None:
    """Draw what stands on each page; `on_first` draws something more on the first of them."""
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
    """When it was printed, and which page this is; a book counts its own pages."""
    area, pen = papers.area, papers.pen
    draw_printed(papers, event.time_zone)
    if not papers.foot:
        text = f"Page {number} of {count}"
        pen.text(area.left, area.bottom, text, size=8, color=MUTED, width=area.width, align="right")
