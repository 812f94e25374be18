"""Lists on paper: in large type for the wall, with every column for the desk; each page says when it was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, zip_longest
from typing import Any, NamedTuple

from reportlab.platypus import Flowable, Paragraph, Spacer, Table, TableStyle

from tournament.lists.column import MARKS, TIME, Column, Listing, said
from tournament.models import Event, Season
from tournament.reports.pdf.flowing import Head, Rows, Text, draw_pages, marked, pages_of, paragraph, room_of, style_of
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, TIED, register_fonts, runs, text_width, wrapped
from tournament.reports.pdf.paper import GREEN, MUTED, Papers, draw_qr
from tournament.reports.pdf.spreading import Piece, spread

LINE = "#cccccc"
# The largest of these with which a list stands on one page, on the wall or in a book; at a desk one that holds many
# columns, and what a list of few may have instead.
WALL, BOOK, ALONE, DESK, NOTES = (18.0, 16.0, 14.0, 13.0, 12.0), (12.0, 11.0, 10.0, 9.0), (12.0, 11.0, 10.0), 9.0, 9.0
# The smallest on the wall, and what is large enough there; what becomes of texts where a list is too wide, the best
# first.
SMALL, ENOUGH, (WHOLE, WRAPPED, TORN) = 10.0, 14.0, range(3)
# The gap between two columns of rows, and a frame that has none.
BETWEEN = 28.0
BARE = TableStyle([(f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]
                  + [("VALIGN", (0, 0), (-1, -1), "TOP")])  # fmt: skip
# A list with more rows than this needs several pages in any type.
MOST_ROWS = 40
# So many rows tell how the widths of columns are shared out.
SAMPLE = 12
# Columns by which people find a row.
STRONG = ("place", "name", "table")
PAD = 4.0
# The side of the QR code at the title of a list for the wall.
LIVE = 76.0
# A word wider than half of this may be broken; a text no wider than this stays on one line.
WIDEST, SHORT = 260.0, 64.0


# A command of a table's style: what it does, from which cell to which, and how.
Command = tuple[str, tuple[int, int], tuple[int, int], *tuple[Any, ...]]


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
    if len(listings) > 1 and listings[0].hangs_on_wall():
        for listing in listings:
            draw_lists(papers, listing)
        return
    first, story = listings[0], _whole(papers, listings, above)
    pages, looks = pages_of(papers, story), _looks(papers, first, story)
    # On its long side the paper may show a list of the wall in larger type, and one of the desk on fewer pages.
    if not above and (looks < (ENOUGH, WHOLE) if first.hangs_on_wall() else len(pages) > 1):
        papers.turn(landscape=True)
        story = _whole(papers, listings, above)
        across = pages_of(papers, story)
        is_larger = first.hangs_on_wall() and len(across) == len(pages) and _looks(papers, first, story) > looks
        if len(across) < len(pages) or is_larger:
            pages = across
        else:
            papers.turn(landscape=False)
    draw_pages(papers, first.event, pages, partial(_draw_live, papers, first))
    papers.turn(landscape=False)


def _looks(papers: Papers, listing: Listing, story: Sequence[Flowable]) -> tuple[float, int]:
    """How large the type of a list is, and how little of it is broken: of two the better one is more."""
    size = max((flow.size for flow in story if isinstance(flow, Rows)), default=WALL[-1])
    return size, -_broken(papers.area.width, _shown(listing), size)


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
        if isinstance(content, Listing) and not content.hangs_on_wall() and len(pages := pages_of(papers, story)) > 1:
            papers.turn(landscape=True)
            across = pages_of(papers, _begun(_story(papers, content), begun))
            papers.turn(landscape=False)
            if len(across) < len(pages):
                draw_pages(papers, event, pages_of(papers, waiting))
                papers.turn(landscape=True)
                draw_pages(papers, event, across)
                papers.turn(landscape=False)
                waiting = []
                continue
        waiting += story
    draw_pages(papers, event, pages_of(papers, waiting))


def _begun(story: list[Flowable], begun: Callable[[], None]) -> list[Flowable]:
    head = story[0]
    assert isinstance(head, Head)
    head.begun = begun
    return story


def _whole(papers: Papers, listings: Sequence[Listing], above: Sequence[Flowable]) -> list[Flowable]:
    first, *more = (_story(papers, listing, alone=len(listings) == 1) for listing in listings)
    return [*first, *above, *(flow for story in more for flow in story)]


def _draw_live(papers: Papers, listing: Listing) -> None:
    """A code at the right of the title, which leads to the public page of what the list is about."""
    if not _is_live(papers, listing):
        return
    x, y, event = papers.area.right - LIVE, papers.area.top, listing.event
    live = papers.live("season" if isinstance(event, Season) else "standings", event.slug)
    draw_qr(papers.pen, x + 6, y - LIVE + 12, LIVE, live)
    papers.pen.text(x, y - LIVE + 6, "live on your phone", size=8, width=LIVE, align="center")


def _is_live(papers: Papers, listing: Listing) -> bool:
    return listing.live and bool(papers.site)


def _story(papers: Papers, listing: Listing, *, alone: bool = False) -> list[Flowable]:
    """The list in the largest type that it may have; `alone` it shares its pages with no other."""
    if not listing.hangs_on_wall():
        return _largest(papers, listing) if alone else _set(papers, listing, DESK)
    live_width = LIVE if _is_live(papers, listing) else 0.0
    # A book is read from near.
    sizes, least = (BOOK, (8.0,)) if papers.foot else (WALL, (11.0, SMALL))
    # All is set smaller, sentences below a list first, before it goes on to a second page; and before names are broken.
    tries = [*((size, NOTES) for size in sizes), (sizes[-1], NOTES - 1), *((size, NOTES - 1) for size in least)]
    shown, fits, worst = _shown(listing), [], TORN + 1
    for size, notes in tries if len(listing.rows) <= MOST_ROWS else ():
        if (broken := _broken(papers.area.width, shown, size)) >= worst:
            continue
        story = _set(papers, listing, size, live_width, notes=notes)
        if _high(papers, story) <= room_of(papers):
            fits, worst = story, broken
    if fits:
        return fits
    # Where texts take several lines whatever their size, small type makes fewer pages.
    whole = (size for size in (sizes[-1], *least) if _broken(papers.area.width, shown, size) == WHOLE)
    return _set(papers, listing, next(whole, least[-1]), live_width, side_by_side=True)


def _largest(papers: Papers, listing: Listing) -> list[Flowable]:
    """A list of the desk in the largest type that makes no row higher and takes no page more."""
    story = _set(papers, listing, DESK)
    if len(listing.rows) > 2 * MOST_ROWS:
        return story
    # Columns grow with their type, and rows do.
    pages = len(pages_of(papers, story))
    wide, high = papers.area.width / _sums(_shown(listing), DESK)[0], pages * room_of(papers) / _high(papers, story)
    for size in (size for size in ALONE if size <= DESK * min(wide, high)):
        larger = _set(papers, listing, size)
        if len(pages_of(papers, larger)) == pages:
            return larger
    return story


# The columns of a list on paper, and the texts of every row.
Shown = tuple[Sequence[Column], Sequence[Sequence[str]]]


def _shown(listing: Listing) -> Shown:
    columns = _columns(listing)
    return columns, [[listing.said(column, row) for column in columns] for row in listing.rows]


def _broken(width: float, shown: Shown, size: float) -> int:
    """Whether every text stands on one line in its column, or on several, or words are torn that need not be."""
    wanted, least = _sums(shown, size)
    return WHOLE if wanted <= width else WRAPPED if least <= width else TORN


def _sums(shown: Shown, size: float) -> tuple[float, float]:
    """How wide a list is whose texts stand on one line each, and one that tears no words."""
    columns, texts = shown
    wanted, least = _wanted(columns, texts, *_styles(columns, size))
    return sum(wanted), sum(least)


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
        Head(marked(title, SERIF), style_of(Text(SERIF, max(size + 4, 18)), live_width)),
        Spacer(1, 4),
    ]
    if listing.under:
        story.append(Paragraph(marked(listing.under, PLAIN), style_of(Text(PLAIN, small, color=MUTED), live_width)))
    story.append(Spacer(1, max(6, live_width - 6 - _high(papers, story))))
    if listing.rows:
        half = (papers.area.width - BETWEEN) / 2
        if side_by_side and _narrow(listing, size, half):
            story += _halves(papers, listing, size, half, room_of(papers) - _high(papers, story))
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
    starts = spread([Piece(height) for height in heights], lambda at: (room if at < 2 else room_of(papers)) - head)
    parts = [listing.rows[begin:end] for begin, end in pairwise([*starts, len(heights)])]
    for left, right in zip_longest(parts[::2], parts[1::2], fillvalue=()):
        columns = [_table(half, listing, part, size) if part else "" for part in (left, right)]
        yield Table([[columns[0], "", columns[1]]], [half, BETWEEN, half], style=BARE)


def _narrow(listing: Listing, size: float, half: float) -> bool:
    """Whether four of five rows of a list without sums fit half of the page as they are."""
    columns = _columns(listing)
    texts = sorted(([listing.said(column, row) for column in columns] for row in listing.rows), key=_letters)
    wanted, _ = _wanted(columns, texts[: len(texts) * 4 // 5 + 1], *_styles(columns, size))
    return not listing.add_up() and sum(wanted) <= half


def _letters(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def _table(width: float, listing: Listing, shown: Sequence[Any], size: float) -> Rows:
    """The rows under their heads."""
    columns, sums = _columns(listing), listing.add_up()
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
    table = Rows(rows, widths, repeatRows=1, style=_rules(styles, ends, bool(sums)))
    table.ends, table.size = ends, size
    return table


def _styles(columns: Sequence[Column], size: float) -> tuple[list[Text], list[Text]]:
    """How the texts of each column are set, and its head."""
    styles = [Text(BOLD if column.key in STRONG else PLAIN, size, column.is_number) for column in columns]
    heads = [Text(BOLD, max(size - 3, 8), column.is_number, MUTED) for column in columns]
    return styles, heads


def _columns(listing: Listing) -> list[Column]:
    """What stands on paper; marks of games have a column each, so that those of one game stand below each other."""
    columns = []
    for column in listing.pick_paper_columns():
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
        # Either the widest give way, or all do in their shares: whatever makes fewer lines.
        shared = (width - sum(least)) / (sum(wanted) - sum(least))
        ways = (
            _narrowed(wanted, least, width),
            [low + (want - low) * shared for low, want in zip(least, wanted, strict=True)],
        )
        return min(ways, key=lambda widths: _lines(texts[:SAMPLE], styles, widths))
    # Words are broken then; numbers never are.
    fixed = sum(low for low, want in zip(least, wanted, strict=True) if low == want)
    share = max(0.0, width - fixed) / max(sum(least) - fixed, 1.0)
    if fixed < width / 2:
        return [low if low == want else low * share for low, want in zip(least, wanted, strict=True)]
    return [width * low / sum(least) for low in least]


def _lines(texts: Sequence[Sequence[str]], styles: Sequence[Text], widths: Sequence[float]) -> int:
    """How many lines rows take in columns of these widths."""
    return sum(
        max(
            len(wrapped(text, style.size, wide - _pad(styles, index), style.font))
            for index, (text, style, wide) in enumerate(zip(row, styles, widths, strict=True))
        )
        for row in texts
    )


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
