"""Lists on paper: in large type for the wall, with every column for the desk; each page says when it was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, LongTable, Paragraph, Spacer, Table, TableStyle

from tournament.lists.column import MARKS, TIME, Column, Listing, said
from tournament.models import Event, Season
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, TIED, register_fonts, runs, text_width, wrapped
from tournament.reports.pdf.paper import GREEN, MUTED, Area, Papers, draw_printed, draw_qr
from tournament.reports.pdf.spreading import Piece, spread

LINE = "#cccccc"
# On the wall the largest of these with which the list stands on one page; at a desk one that holds many columns.
WALL, BOOK, DESK, NOTES = (18.0, 16.0, 14.0, 13.0, 12.0), (12.0, 11.0, 10.0, 9.0), 9.0, 9.0
# The gap between two columns of rows, and a frame that has none.
BETWEEN = 28.0
BARE = TableStyle([(f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]
                  + [("VALIGN", (0, 0), (-1, -1), "TOP")])  # fmt: skip
# A list with more rows than this needs several pages in any type.
MOST_ROWS = 40
# Columns by which people find a row.
STRONG = ("place", "name", "table")
FOOT, PAD = 16.0, 4.0
# The side of the QR code at the title of a list for the wall.
LIVE = 76.0
# A word wider than half of this may be broken; a text no wider than this stays on one line.
WIDEST, SHORT = 260.0, 64.0


# A command of a table's style: what it does, from which cell to which, and how.
Command = tuple[str, tuple[int, int], tuple[int, int], *tuple[Any, ...]]


class Text(NamedTuple):
    """How text is set: its font, size and color, on the left or right."""

    font: str
    size: float
    right: bool = False
    color: str = "#111111"


def list_paper(*listings: Listing, site: str = "") -> bytes:
    """Lists of one event in a file of their own."""
    event = listings[0].event
    papers = Papers(_heading(listings[0]), event.paper, site=site)
    draw_lists(papers, *listings)
    return papers.finish()


def draw_lists(papers: Papers, *listings: Listing, above: Sequence[Flowable] = ()) -> None:
    """Draw lists one below the other, on as many pages as they need; each of the wall hangs by itself.

    `above` stands between the first list and the others.
    """
    register_fonts()
    if len(listings) > 1 and listings[0].for_wall:
        for listing in listings:
            draw_lists(papers, listing)
        return
    story = _whole(papers, listings, above)
    pages = _pages(papers, story)
    if not above and not listings[0].for_wall and len(pages) > 1:
        papers.turn(landscape=True)
        across = _pages(papers, _whole(papers, listings, above))
        if len(across) < len(pages):
            pages = across
        else:
            papers.turn(landscape=False)
    _draw_pages(papers, listings[0].event, pages, listings[0])
    papers.turn(landscape=False)


class Section(NamedTuple):
    """A part of a book that shares its pages: a list, or a title and what is drawn below it.

    `begun` is called while the page is drawn on which it begins.
    """

    content: Listing | Sequence[Flowable]
    begun: Callable[[], None]


def draw_sections(papers: Papers, event: Event, sections: Iterable[Section]) -> None:
    """Draw parts of a book one below the other; a list that takes fewer pages across has these for itself."""
    register_fonts()
    waiting: list[Flowable] = []
    for content, begun in sections:
        story = _begun(_story(papers, content) if isinstance(content, Listing) else list(content), begun)
        if isinstance(content, Listing) and not content.for_wall and len(pages := _pages(papers, story)) > 1:
            papers.turn(landscape=True)
            across = _pages(papers, _begun(_story(papers, content), begun))
            papers.turn(landscape=False)
            if len(across) < len(pages):
                _draw_pages(papers, event, _pages(papers, waiting))
                papers.turn(landscape=True)
                _draw_pages(papers, event, across)
                papers.turn(landscape=False)
                waiting = []
                continue
        waiting += story
    _draw_pages(papers, event, _pages(papers, waiting))


def _begun(story: list[Flowable], begun: Callable[[], None]) -> list[Flowable]:
    head = story[0]
    assert isinstance(head, _Head)
    head.begun = begun
    return story


def _draw_pages(
    papers: Papers,
    event: Event | Season,
    pages: Sequence[Sequence[tuple[Flowable, float]]],
    listing: Listing | None = None,
) -> None:
    for number, page in enumerate(pages, start=1):
        y = papers.area.top
        if number == 1 and listing and _is_live(papers, listing):
            # It leads to the public page, at the right of the title.
            x = papers.area.right - LIVE
            live = papers.live("season" if isinstance(event, Season) else "standings", event.slug)
            draw_qr(papers.pen, x + 6, y - LIVE + 12, LIVE, live)
            papers.pen.text(x, y - LIVE + 6, "live on your phone", size=8, width=LIVE, align="center")
        for flow, height in page:
            y -= height
            flow.drawOn(papers.canvas, papers.area.left, y)
        _foot(papers, event, number, len(pages))
        papers.next_page()


def _whole(papers: Papers, listings: Sequence[Listing], above: Sequence[Flowable]) -> list[Flowable]:
    first, *more = (_story(papers, listing) for listing in listings)
    return [*first, *above, *(flow for story in more for flow in story)]


def _foot(papers: Papers, event: Event | Season, number: int, count: int) -> None:
    """When it was printed, and which page this is; a book counts its own pages."""
    area, pen = papers.area, papers.pen
    draw_printed(papers, event.time_zone)
    if not papers.foot:
        text = f"Page {number} of {count}"
        pen.text(area.left, area.bottom, text, size=8, color=MUTED, width=area.width, align="right")


def _is_live(papers: Papers, listing: Listing) -> bool:
    return listing.live and bool(papers.site)


def _room(papers: Papers) -> float:
    return papers.area.top - papers.area.bottom - FOOT


class Gap(Spacer):
    """The room between two paragraphs, behind which a page may end."""


class _Rows(LongTable):
    """The rows of a list. `ends` are the rows behind which a page may end, from 0 on."""

    ends: Sequence[int] = ()

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


def _pages(papers: Papers, story: Sequence[Flowable]) -> list[list[tuple[Flowable, float]]]:
    """What stands on each page, with its height: about as much on every page."""
    kept, width = list(_kept(papers, story)), papers.area.width
    starts = spread([one.piece for one in kept], lambda _page: _room(papers))
    pages, waiting, done = [], list(story), 0
    for after in [*starts[1:], len(kept)] if kept else ():
        last = kept[after - 1]
        page = waiting[: last.flow + 1 - done]
        waiting, done = waiting[len(page) :], last.flow + 1
        flow = story[last.flow]
        if isinstance(flow, _Rows) and last.row and last.row < flow.ends[-1]:
            page[-1].wrapOn(papers.canvas, width, 9999)
            high = sum(page[-1].heights[: last.row - flow.ends[-1]])  # type: ignore[attr-defined]
            page[-1], rest = page[-1].splitOn(papers.canvas, width, high + 0.1)
            waiting, done = [rest, *waiting], last.flow
        pages.append([_placed(papers, flow, index) for index, flow in enumerate(page)])
    return pages


def _placed(papers: Papers, flow: Flowable, index: int) -> tuple[Flowable, float]:
    height = flow.wrapOn(papers.canvas, papers.area.width, 9999)[1]
    return flow, height + (flow.getSpaceBefore() if index else 0.0)


def _kept(papers: Papers, story: Sequence[Flowable]) -> Iterator[_Kept]:
    """The story in pieces: what stands above a list stays with its first two rows, and a short list in one piece."""
    above = height = 0.0
    for index, flow in enumerate(story):
        high = flow.wrapOn(papers.canvas, papers.area.width, 9999)[1]
        above = flow.getSpaceBefore() if not height else above
        if isinstance(flow, _Rows):
            head, *rows = flow.heights
            height += head
            for number, (begin, end) in enumerate(pairwise(flow.ends)):
                height += sum(rows[begin:end])
                if end == flow.ends[-1] or (number and high > _room(papers) / 5):
                    yield _Kept(Piece(height, head if number > 1 else 0.0, above), index, end)
                    above = height = 0.0
            continue
        height += high
        following = story[index + 1] if index + 1 < len(story) else None
        if following is None or (type(flow) not in STICKS and type(following) is not Spacer):
            yield _Kept(Piece(height, 0.0, above), index)
            above = height = 0.0


class _Head(Paragraph):
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
    return [_Head(_marked(title, SERIF), _style(Text(SERIF, size))), Spacer(1, 6)]


def paragraph(text: str, style: Text, lead: str = "") -> Paragraph:
    """A text broken into lines, which may begin in bold."""
    bold = f'<font name="{BOLD}">{_marked(lead, BOLD)}</font> ' if lead else ""
    return Paragraph(bold + _marked(text, style.font), _style(style))


def draw_largest(papers: Papers, event: Event, stories: Iterable[Callable[[], list[Flowable]]], most: int) -> None:
    """Draw the first of some stories that takes at most so many pages; the last where none does."""
    register_fonts()
    pages: list[list[tuple[Flowable, float]]] = []
    for story in stories:
        pages = _pages(papers, story())
        if len(pages) <= most:
            break
    _draw_pages(papers, event, pages)


# What does not stand alone at the foot of a page.
STICKS = (_Head, Spacer)


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


def _story(papers: Papers, listing: Listing) -> list[Flowable]:
    """The list in the largest type that it may have."""
    if not listing.for_wall:
        return _set(papers, listing, DESK)
    live_width = LIVE if _is_live(papers, listing) else 0.0
    # A book is read from near.
    sizes, least = (BOOK, (8.0,)) if papers.foot else (WALL, (11.0, 10.0))
    # All is set smaller, sentences below a list first, before it goes on to a second page; and before names are broken.
    tries = [*((size, NOTES) for size in sizes), (sizes[-1], NOTES - 1), *((size, NOTES - 1) for size in least)]
    fits: list[Flowable] = []
    for size, notes in tries if len(listing.rows) <= MOST_ROWS else ():
        if fits and not _are_whole(papers.area.width, listing, size):
            continue
        story = _set(papers, listing, size, live_width, notes=notes)
        if _high(papers, story) <= _room(papers):
            if _are_whole(papers.area.width, listing, size):
                return story
            fits = fits or story
    if fits:
        return fits
    # Where texts take several lines whatever their size, small type makes fewer pages.
    size = next((size for size in (sizes[-1], *least) if _are_whole(papers.area.width, listing, size)), least[-1])
    return _set(papers, listing, size, live_width, side_by_side=True)


def _are_whole(width: float, listing: Listing, size: float) -> bool:
    """Whether every text stands on one line in its column."""
    columns = _columns(listing)
    texts = [[listing.said(column, row) for column in columns] for row in listing.rows]
    return sum(_wanted(columns, texts, *_styles(columns, size))[0]) <= width


def _high(papers: Papers, story: Iterable[Flowable]) -> float:
    return sum(flow.wrapOn(papers.canvas, papers.area.width, 9999)[1] for flow in story)


def _heading(listing: Listing) -> str:
    """Name the event and the list; only a Boston keeps its capital."""
    return f"{listing.event.name}: {listing.title.lower().replace('boston', 'Boston')}"


def _set(
    papers: Papers,
    listing: Listing,
    size: float,
    live_width: float = 0.0,
    *,
    notes: float = NOTES,
    side_by_side: bool = False,
) -> list[Flowable]:
    """The list in this size; beside the title `live_width` is left free, and as much of its height.

    `notes` is how small its sentences may be. `side_by_side` are the halves of every page, if the list is narrow.
    """
    title = listing.title if papers.foot else _heading(listing)
    small = max(size - 3, 9)
    story: list[Flowable] = [
        _Head(_marked(title, SERIF), _style(Text(SERIF, max(size + 4, 18)), live_width)),
        Spacer(1, 4),
    ]
    if listing.under:
        story.append(Paragraph(_marked(listing.under, PLAIN), _style(Text(PLAIN, small, color=MUTED), live_width)))
    story.append(Spacer(1, max(6, live_width - 6 - _high(papers, story))))
    if listing.rows:
        half = (papers.area.width - BETWEEN) / 2
        if side_by_side and _narrow(listing, size, half):
            story += _halves(papers, listing, size, half, _room(papers) - _high(papers, story))
        else:
            story.append(_table(papers.area.width, listing, listing.rows, size))
    else:
        story.append(paragraph(listing.empty, Text(PLAIN, size, color=MUTED)))
    if listing.notes:
        story += [Spacer(1, 6), *(paragraph(note, Text(PLAIN, max(size - 4, notes))) for note in listing.notes)]
    return story


def _halves(papers: Papers, listing: Listing, size: float, half: float, room: float) -> Iterator[Flowable]:
    """A narrow list in two columns a page, so that it is found on fewer pages: read down the left one first."""
    whole = _table(half, listing, listing.rows, size)
    whole.wrapOn(papers.canvas, half, 9999)
    head, *heights = whole.heights
    # The first two columns stand below the title.
    starts = spread([Piece(height) for height in heights], lambda at: (room if at < 2 else _room(papers)) - head)
    parts = [listing.rows[begin:end] for begin, end in pairwise([*starts, len(heights)])]
    for left, right in zip_longest(parts[::2], parts[1::2], fillvalue=()):
        columns = [_table(half, listing, part, size) if part else "" for part in (left, right)]
        yield Table([[columns[0], "", columns[1]]], [half, BETWEEN, half], style=BARE)


def _narrow(listing: Listing, size: float, half: float) -> bool:
    """Whether four of five rows of a list without sums fit half of the page as they are."""
    columns = _columns(listing)
    texts = sorted(([listing.said(column, row) for column in columns] for row in listing.rows), key=_letters)
    wanted, _ = _wanted(columns, texts[: len(texts) * 4 // 5 + 1], *_styles(columns, size))
    return not listing.totals and sum(wanted) <= half


def _letters(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def _table(width: float, listing: Listing, shown: Sequence[Any], size: float) -> _Rows:
    """The rows under their heads."""
    columns, sums = _columns(listing), listing.totals
    texts = [[listing.said(column, row) for column in columns] for row in shown]
    if sums:
        total = [said(sums[column.key], column.unit, listing.event) if column.key in sums else "" for column in columns]
        total[next(index for index, column in enumerate(columns) if not column.is_number)] = "Total"
        texts.append(total)
    ends = _blanked(columns, texts)
    if sums:
        # They do not stand alone on a page.
        ends = [*ends[:-2], ends[-1]]
    styles, heads = _styles(columns, size)
    widths = _widths(columns, texts, styles, heads, width)
    rows: list[list[str | Paragraph]] = [
        [paragraph(column.heading, head) for column, head in zip(columns, heads, strict=True)]
    ]
    rooms = [wide - _pad(styles, index) + 0.01 for index, wide in enumerate(widths)]
    rows += [[_cell(text, style, room) for text, style, room in zip(row, styles, rooms, strict=True)] for row in texts]
    table = _Rows(rows, widths, repeatRows=1, style=_rules(styles, ends, bool(sums)))
    table.ends = ends
    return table


def _styles(columns: Sequence[Column], size: float) -> tuple[list[Text], list[Text]]:
    """How the texts of each column are set, and its head."""
    styles = [Text(BOLD if column.key in STRONG else PLAIN, size, column.is_number) for column in columns]
    heads = [Text(BOLD, max(size - 3, 8), column.is_number, MUTED) for column in columns]
    return styles, heads


def _columns(listing: Listing) -> list[Column]:
    """What stands on paper; marks of games have a column each, so that those of one game stand below each other."""
    columns = []
    for column in listing.on_paper:
        games = max((len(listing.said(column, row).split()) for row in listing.rows), default=0)
        apart = [replace(column, heading=str(index + 1), value=partial(_mark, column, index)) for index in range(games)]
        columns += apart if column.unit == MARKS else [column]
    return columns


def _mark(column: Column, index: int, row: Any) -> str:
    return str(column.value(row)).split()[index]


def _blanked(columns: Sequence[Column], texts: list[list[str]]) -> list[int]:
    """Leave out what a row shares with the row above that it belongs to; returns where such rows end."""
    shared = [index for index, column in enumerate(columns) if column.shared]
    heads = [[row[index] for index in shared] for row in texts]
    ends = [0]
    for number, (above, head) in enumerate(pairwise(heads), start=1):
        if not shared or head != above:
            ends.append(number)
        else:
            texts[number] = [
                "" if column.shared else text for column, text in zip(columns, texts[number], strict=False)
            ]
    return [*ends, len(texts)]


def _rules(styles: Sequence[Text], ends: Sequence[int], total: bool) -> TableStyle:
    size = styles[0].size
    commands: list[Command] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), PAD),
        ("RIGHTPADDING", (0, 0), (-1, -1), PAD),
        ("TOPPADDING", (0, 0), (-1, -1), size * 0.2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), size * 0.34),
        ("LINEBELOW", (0, 0), (-1, 0), 1.2, GREEN),
        *(("LINEBELOW", (0, end), (-1, end), 0.5, LINE) for end in ends[1:]),
        *(("NOSPLIT", (0, above + 1), (-1, end)) for above, end in pairwise(ends) if end > above + 1),
        ("FONTSIZE", (0, 1), (-1, -1), size),
        ("LEADING", (0, 1), (-1, -1), size * 1.2),
    ]
    for index, style in enumerate(styles):
        commands.append(("FONTNAME", (index, 1), (index, -1), style.font))
        commands.append(("ALIGN", (index, 0), (index, -1), "RIGHT" if style.right else "LEFT"))
        if _pad(styles, index) > 2 * PAD:
            commands.append(("LEFTPADDING", (index, 0), (index, -1), 3 * PAD))
    return TableStyle(commands + [("FONTNAME", (0, -1), (-1, -1), BOLD)] * total)


def _pad(styles: Sequence[Text], index: int) -> float:
    """The room on both sides; a text that follows a column of numbers stands away from them."""
    return 4 * PAD if index and not styles[index].right and styles[index - 1].right else 2 * PAD


def _cell(text: str, style: Text, room: float) -> str | Paragraph:
    """A cell’s text, broken into lines. Several fonts need a paragraph, which takes ten times as long."""
    if any(part_font != style.font for _, part_font in runs(text, style.font)):
        return paragraph(text, style)
    return "\n".join(wrapped(text, style.size, room, style.font)).replace(TIED, " ")


def _widths(
    columns: Sequence[Column],
    texts: Sequence[Sequence[str]],
    styles: Sequence[Text],
    heads: Sequence[Text],
    width: float,
) -> list[float]:
    """As wide as what stands in them. Where that is too much long texts give way, down to their longest words."""
    wanted, least = _wanted(columns, texts, styles, heads)
    free = width - sum(wanted)
    if free >= 0:
        return [want + free / len(wanted) for want in wanted]
    if sum(least) < width:
        return _narrowed(wanted, least, width)
    # Words are broken then; numbers never are.
    fixed = sum(low for low, want in zip(least, wanted, strict=True) if low == want)
    share = max(0.0, width - fixed) / max(sum(least) - fixed, 1.0)
    if fixed < width / 2:
        return [low if low == want else low * share for low, want in zip(least, wanted, strict=True)]
    return [width * low / sum(least) for low in least]


def _wanted(
    columns: Sequence[Column], texts: Sequence[Sequence[str]], styles: Sequence[Text], heads: Sequence[Text]
) -> tuple[list[float], list[float]]:
    """The widths with which every text stands on one line, and those with which no word is broken that need not be."""
    wanted, least = [], []
    for index, (column, style, head) in enumerate(zip(columns, styles, heads, strict=True)):
        pad = _pad(styles, index)
        longest = sorted({row[index] for row in texts}, key=len)[-20:]
        words = [(word, style) for text in longest for word in text.split()]
        words += [(word, head) for word in column.heading.split()]
        word = max(text_width(text, word_style.font, word_style.size) for text, word_style in words) if words else 0.0
        whole = max([word, *(text_width(text, style.font, style.size) for text in longest)])
        wanted.append(whole + pad + 0.5)
        keeps = style.right or column.unit == TIME or whole <= SHORT
        least.append(wanted[-1] if keeps else min(word, WIDEST / 2) + pad + 0.5)
    # Games stand below each other equally wide, whether somebody made a Boston in them or not.
    marks = [index for index, column in enumerate(columns) if column.unit == MARKS]
    for index in marks:
        wanted[index] = least[index] = max(wanted[mark] for mark in marks)
    return wanted, least


def _narrowed(wanted: Sequence[float], least: Sequence[float], width: float) -> list[float]:
    """The widest columns give way first: one long name does not break the short texts beside it."""
    low, high = 0.0, max(wanted)
    for _ in range(30):
        cap = (low + high) / 2
        narrow = [min(want, max(least_, cap)) for want, least_ in zip(wanted, least, strict=True)]
        low, high = (low, cap) if sum(narrow) > width else (cap, high)
    return narrow


def _marked(text: str, font: str) -> str:
    """The text with the fonts of its words."""
    return "".join(
        escape(part) if part_font == font else f'<font name="{part_font}">{escape(part)}</font>'
        for part, part_font in runs(text, font)
    )


def _style(text: Text, live_width: float = 0.0) -> ParagraphStyle:
    return ParagraphStyle(
        "",
        fontName=text.font,
        fontSize=text.size,
        leading=text.size * 1.2,
        textColor=HexColor(text.color),
        alignment=TA_RIGHT if text.right else TA_LEFT,
        splitLongWords=1,
        rightIndent=live_width,
    )
