"""Lists on paper: in large type for the wall, with every column for the desk; each page says when it was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, zip_longest
from typing import NamedTuple

from reportlab.platypus import Flowable, Spacer

from tournament.lists.column import MARKS, TIME, Column, Listing, said
from tournament.models import Event, Season
from tournament.reports.pdf.colors import BLACK, MUTED
from tournament.reports.pdf.flowing import (
    LINE_HEIGHT,
    PADDED,
    Beside,
    Head,
    Rows,
    Setting,
    Text,
    Words,
    count_pages,
    draw_pages,
    pages_of,
    room_of,
)
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, register_fonts, text_width, wrapped
from tournament.reports.pdf.paper import Papers, draw_qr
from tournament.reports.pdf.spreading import Piece, spread

# Type sizes. A list on the wall or in a book gets the largest of its sizes at which it fits on one page. A list of
# the desk gets the size at which many columns fit, or a larger one if it has few.
WALL, BOOK, ALONE, DESK, NOTES = (18.0, 16.0, 14.0, 13.0, 12.0), (12.0, 11.0, 10.0, 9.0), (12.0, 11.0, 10.0), 9.0, 9.0
# The smallest size on the wall, and the size that is large enough there; what happens to texts if a list is too wide,
# best first.
SMALL, ENOUGH, (WHOLE, WRAPPED, TORN) = 10.0, 14.0, range(3)
# The gap between two halves of a page.
BETWEEN = 28.0
# A list with more rows than this needs several pages at any size.
MOST_ROWS = 40
# This many rows decide how the width is divided among the columns.
SAMPLE = 12
# The columns by which people find a row.
STRONG = ("place", "name", "table")
PAD = 4.0
# The side of the QR code beside the title of a list for the wall.
LIVE = 76.0
# A word wider than half of WIDEST may be broken; a text no wider than SHORT stays on one line.
WIDEST, SHORT = 260.0, 64.0


def list_paper(*listings: Listing, site: str = "") -> bytes:
    """Lists of one event in a file of their own."""
    event = listings[0].event
    papers = Papers(_heading(listings[0]), event.paper, site=site)
    draw_lists(papers, *listings)
    return papers.finish()


class Printed(NamedTuple):
    """A list in words, read once for every size: its columns on paper, and the texts of its rows.

    `rows` are the texts, followed by the sums if there are any.
    """

    listing: Listing
    columns: Sequence[Column]
    texts: list[list[str]]
    rows: list[list[str]]
    for_wall: bool

    @property
    def has_sums(self) -> bool:
        return self.rows is not self.texts


def read_list(listing: Listing) -> Printed:
    """Read a list in words; marks of games get a column for each game, so that the marks of one game are aligned."""
    columns: list[Column] = []
    by_column: list[Sequence[str]] = []
    for column in listing.pick_paper_columns():
        cells = [listing.said(column, row) for row in listing.rows]
        if column.unit == MARKS:
            games = list(zip(*(marks.split() for marks in cells), strict=True))
            columns += [replace(column, heading=str(number)) for number in range(1, len(games) + 1)]
            by_column += games
        else:
            columns.append(column)
            by_column.append(cells)
    texts = [list(row) for row in zip(*by_column, strict=True)]
    sums = listing.add_up()
    rows = [*texts, _total(listing, columns, sums)] if sums else texts
    return Printed(listing, columns, texts, rows, listing.hangs_on_wall())


def _total(listing: Listing, columns: Sequence[Column], sums: dict[str, int]) -> list[str]:
    total = [said(sums[column.key], column.unit, listing.event) if column.key in sums else "" for column in columns]
    total[next(index for index, column in enumerate(columns) if not column.is_number)] = "Total"
    return total


def draw_lists(papers: Papers, *listings: Listing, above: Sequence[Flowable] = ()) -> None:
    """Draw lists one below the other on as many pages as they need; each list for the wall gets its own pages.

    `above` comes between the first list and the others.
    """
    register_fonts()
    if len(listings) > 1 and listings[0].hangs_on_wall():
        for listing in listings:
            draw_lists(papers, listing)
        return
    lists = [read_list(listing) for listing in listings]
    first, story = lists[0], _whole(papers, lists, above)
    pages, looks = pages_of(papers, story), _looks(papers, first, story)
    # In landscape, a list for the wall may be larger, and a list of the desk may need fewer pages.
    may_turn = looks < (ENOUGH, WHOLE) if first.for_wall else len(pages) > 1 and may_shrink(papers, lists)
    if may_turn and not above:
        papers.turn(landscape=True)
        story = _whole(papers, lists, above)
        count = count_pages(papers, story)
        is_larger = first.for_wall and count == len(pages) and _looks(papers, first, story) > looks
        if count < len(pages) or is_larger:
            pages = pages_of(papers, story)
        else:
            papers.turn(landscape=False)
    draw_pages(papers, first.listing.event, pages, partial(_draw_live, papers, first.listing))
    papers.turn(landscape=False)


def may_shrink(papers: Papers, lists: Iterable[Printed]) -> bool:
    """Whether lists of the desk may need fewer pages in landscape: not if every row already has only one line."""
    return any(printed.listing.notes or _broken(papers.area.width, printed, DESK) != WHOLE for printed in lists)


def _looks(papers: Papers, printed: Printed, story: Sequence[Flowable]) -> tuple[float, int]:
    """How large a list's type is, and how little its texts are broken. Of two values the greater one is better."""
    size = max((flow.size for flow in story if isinstance(flow, Rows)), default=WALL[-1])
    return size, -_broken(papers.area.width, printed, size)


class Section(NamedTuple):
    """A part of a book that shares its pages: a list, or a title with drawings below it.

    `begun` is called while the page on which the part begins is drawn.
    """

    content: Listing | Sequence[Flowable]
    begun: Callable[[], None]


def draw_sections(papers: Papers, event: Event, sections: Iterable[Section]) -> None:
    """Draw parts of a book one below the other; a list that takes fewer pages in landscape gets pages of its own."""
    register_fonts()
    waiting: list[Flowable] = []
    for content, begun in sections:
        if not isinstance(content, Listing):
            waiting += _begun(list(content), begun)
            continue
        printed = read_list(content)
        story = _begun(_story(papers, printed), begun)
        count = 1 if printed.for_wall or not may_shrink(papers, [printed]) else count_pages(papers, story)
        if count > 1:
            papers.turn(landscape=True)
            across = pages_of(papers, _begun(_story(papers, printed), begun))
            papers.turn(landscape=False)
            if len(across) < count:
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


def _whole(papers: Papers, lists: Sequence[Printed], above: Sequence[Flowable]) -> list[Flowable]:
    first, *more = (_story(papers, printed, alone=len(lists) == 1) for printed in lists)
    return [*first, *above, *(flow for story in more for flow in story)]


def _draw_live(papers: Papers, listing: Listing) -> None:
    """Draw a QR code to the right of the title, which leads to the public page with the same facts."""
    if not _is_live(papers, listing):
        return
    x, y, event = papers.area.right - LIVE, papers.area.top, listing.event
    live = papers.live("season" if isinstance(event, Season) else "standings", event.slug)
    draw_qr(papers.pen, x + 6, y - LIVE + 12, LIVE, live)
    papers.pen.text(x, y - LIVE + 6, "live on your phone", size=8, width=LIVE, align="center")


def _is_live(papers: Papers, listing: Listing) -> bool:
    return listing.live and bool(papers.site)


def _story(papers: Papers, printed: Printed, *, alone: bool = False) -> list[Flowable]:
    """The list in the largest type that it may have; `alone` means that it shares its pages with no other list."""
    if not printed.for_wall:
        return _largest(papers, printed) if alone else _set(papers, printed, DESK)
    live_width = LIVE if _is_live(papers, printed.listing) else 0.0
    # A book is read from close up.
    sizes, least = (BOOK, (8.0,)) if papers.foot else (WALL, (11.0, SMALL))
    # Before a list gets a second page or broken names, all of it is set smaller, beginning with the sentences below
    # it.
    tries = [*((size, NOTES) for size in sizes), (sizes[-1], NOTES - 1), *((size, NOTES - 1) for size in least)]
    fits: list[Flowable] = []
    worst, room = TORN + 1, room_of(papers)
    for size, notes in tries if len(printed.texts) <= MOST_ROWS else ():
        # Too high even if every row had only one line.
        if worst == WHOLE or len(printed.rows) * (LINE_HEIGHT + PADDED) * size > room:
            continue
        if (broken := _broken(papers.area.width, printed, size)) >= worst:
            continue
        story = _set(papers, printed, size, live_width, notes=notes)
        if _high(papers, story) <= room:
            fits, worst = story, broken
    if fits:
        return fits
    # If texts take several lines at any size, small type makes fewer pages.
    whole = (size for size in (sizes[-1], *least) if _broken(papers.area.width, printed, size) == WHOLE)
    return _set(papers, printed, next(whole, least[-1]), live_width, side_by_side=True)


def _largest(papers: Papers, printed: Printed) -> list[Flowable]:
    """A list of the desk in the largest type that makes no row higher and needs no extra page."""
    story = _set(papers, printed, DESK)
    if len(printed.texts) > 2 * MOST_ROWS:
        return story
    # Columns and rows grow in proportion to their type.
    pages = count_pages(papers, story)
    wide, high = papers.area.width / _widths_of(printed, DESK)[0], pages * room_of(papers) / _high(papers, story)
    for size in (size for size in ALONE if size <= DESK * min(wide, high)):
        larger = _set(papers, printed, size)
        if count_pages(papers, larger) == pages:
            return larger
    return story


def _broken(width: float, printed: Printed, size: float) -> int:
    """Whether every text fits on one line (WHOLE), some take several (WRAPPED), or words must be broken (TORN)."""
    wanted, least = _widths_of(printed, size)
    return WHOLE if wanted <= width else WRAPPED if least <= width else TORN


def _widths_of(printed: Printed, size: float) -> tuple[float, float]:
    """The width at which every text fits on one line, and the least width at which no word is broken."""
    wanted, least = _wanted(printed.columns, printed.texts, *_styles(printed.columns, size))
    return sum(wanted), sum(least)


def _high(papers: Papers, story: Iterable[Flowable]) -> float:
    return sum(flow.wrapOn(papers.canvas, papers.area.width, 9999)[1] for flow in story)


def _heading(listing: Listing) -> str:
    """The names of the event and the list; only “Boston” keeps its capital."""
    return f"{listing.event.name}: {listing.title.lower().replace('boston', 'Boston')}"


def _set(
    papers: Papers,
    printed: Printed,
    size: float,
    live_width: float = 0.0,
    *,
    notes: float = NOTES,
    side_by_side: bool = False,
) -> list[Flowable]:
    """The list at this size. A corner of the width `live_width` beside the title stays free, just as high as wide.

    `notes` is the smallest size of its sentences. With `side_by_side`, a narrow list fills the two halves of every
    page.
    """
    listing = printed.listing
    title = listing.title if papers.foot else _heading(listing)
    small = max(size - 3, 9)
    story: list[Flowable] = [
        Head(title, Text(SERIF, max(size + 4, 18)), beside=live_width),
        Spacer(1, 4),
    ]
    if listing.under:
        story.append(Words(listing.under, Text(PLAIN, small, color=MUTED), beside=live_width))
    story.append(Spacer(1, max(6, live_width - 6 - _high(papers, story))))
    if printed.texts:
        half = (papers.area.width - BETWEEN) / 2
        if side_by_side and _is_narrow(printed, size, half):
            story += _halves(papers, printed, size, half, room_of(papers) - _high(papers, story))
        else:
            story.append(_rows(papers.area.width, printed, printed.rows, size))
    else:
        story.append(Words(listing.empty, Text(PLAIN, size, color=MUTED)))
    if listing.notes:
        story += [Spacer(1, 6), *(Words(note, Text(PLAIN, max(size - 4, notes))) for note in listing.notes)]
    return story


def _halves(papers: Papers, printed: Printed, size: float, half: float, room: float) -> Iterator[Flowable]:
    """A narrow list in two columns on each page, so that it takes fewer pages; the left column comes first."""
    head, *heights = _rows(half, printed, printed.texts, size).heights
    # On the first page, both columns begin below the title.
    starts = spread([Piece(height) for height in heights], lambda at: (room if at < 2 else room_of(papers)) - head)
    parts = [_rows(half, printed, printed.texts[begin:end], size) for begin, end in pairwise([*starts, len(heights)])]
    for left, right in zip_longest(parts[::2], parts[1::2]):
        yield Beside(left, right, half + BETWEEN)


def _is_narrow(printed: Printed, size: float, half: float) -> bool:
    """Whether four of five rows fit half the page without breaking; False for a list with sums."""
    if printed.has_sums:
        return False
    texts = sorted(printed.texts, key=_letters)
    wanted, _ = _wanted(printed.columns, texts[: len(texts) * 4 // 5 + 1], *_styles(printed.columns, size))
    return sum(wanted) <= half


def _letters(texts: Sequence[str]) -> int:
    return sum(map(len, texts))


def _rows(width: float, printed: Printed, rows: Sequence[Sequence[str]], size: float) -> Rows:
    """The rows of the list below their headings, in columns that fit them."""
    columns = printed.columns
    texts, ends = _blanked(columns, rows)
    if printed.has_sums:
        # The sums are never alone on a page.
        ends = [*ends[:-2], ends[-1]]
    styles, heads = _styles(columns, size)
    settings, rooms, right = [], [], 0.0
    for index, wide in enumerate(_widths(columns, texts, styles, heads, width)):
        right += wide
        room = wide - _pad(styles, index)
        settings.append(Setting(styles[index], heads[index], right - PAD - room, right - PAD))
        rooms.append(room + 0.01)
    lines = [
        [wrapped(text, style.size, room, style.font) for text, style, room in zip(row, styles, rooms, strict=True)]
        for row in texts
    ]
    headings = [
        wrapped(column.heading, head.size, room, head.font)
        for column, head, room in zip(columns, heads, rooms, strict=True)
    ]
    return Rows(settings, headings, lines, ends, size, right, total=printed.has_sums)


def _styles(columns: Sequence[Column], size: float) -> tuple[list[Text], list[Text]]:
    """The styles of each column's texts and of its heading."""
    styles = [Text(BOLD if column.key in STRONG else PLAIN, size, column.is_number, BLACK) for column in columns]
    heads = [Text(BOLD, max(size - 3, 8), column.is_number, MUTED) for column in columns]
    return styles, heads


def _blanked(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> tuple[Sequence[Sequence[str]], Sequence[int]]:
    """Leave out what a row repeats from the row above that it belongs to; also return where such groups end."""
    shared = [index for index, column in enumerate(columns) if column.shared]
    if not shared:
        return rows, range(len(rows) + 1)
    texts, ends = list(rows[:1]), [0]
    for number, (above, row) in enumerate(pairwise(rows), start=1):
        if all(row[index] == above[index] for index in shared):
            texts.append(["" if column.shared else text for column, text in zip(columns, row, strict=True)])
        else:
            texts.append(row)
            ends.append(number)
    return texts, [*ends, len(rows)]


def _pad(styles: Sequence[Text], index: int) -> float:
    """The room on both sides of a text; a text column after a column of numbers gets more."""
    return 4 * PAD if index and not styles[index].right and styles[index - 1].right else 2 * PAD


def _widths(
    columns: Sequence[Column],
    texts: Sequence[Sequence[str]],
    styles: Sequence[Text],
    heads: Sequence[Text],
    width: float,
) -> list[float]:
    """Make columns as wide as their content; if that is too wide, long texts wrap, down to their longest words."""
    wanted, least = _wanted(columns, texts, styles, heads)
    free = width - sum(wanted)
    if free >= 0:
        return [want + free / len(wanted) for want in wanted]
    if sum(least) < width:
        # Either only the widest columns give way, or all of them in proportion: whichever makes fewer lines.
        shared = (width - sum(least)) / (sum(wanted) - sum(least))
        ways = (
            _narrowed(wanted, least, width),
            [low + (want - low) * shared for low, want in zip(least, wanted, strict=True)],
        )
        return min(ways, key=lambda widths: _lines(texts[:SAMPLE], styles, widths))
    # Now words are broken, but never numbers.
    fixed = sum(low for low, want in zip(least, wanted, strict=True) if low == want)
    share = max(0.0, width - fixed) / max(sum(least) - fixed, 1.0)
    if fixed < width / 2:
        return [low if low == want else low * share for low, want in zip(least, wanted, strict=True)]
    return [width * low / sum(least) for low in least]


def _lines(texts: Sequence[Sequence[str]], styles: Sequence[Text], widths: Sequence[float]) -> int:
    """How many lines the rows take in columns of these widths."""
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
    """The widths at which every text fits on one line, and the least widths at which no word is broken."""
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
    # All columns of games have the same width, with or without Bostons.
    marks = [index for index, column in enumerate(columns) if column.unit == MARKS]
    for index in marks:
        wanted[index] = least[index] = max(wanted[mark] for mark in marks)
    return wanted, least


def _narrowed(wanted: Sequence[float], least: Sequence[float], width: float) -> list[float]:
    """Narrow the widest columns first, so that one long name does not break the short texts beside it."""
    low, high = 0.0, max(wanted)
    for _ in range(30):
        cap = (low + high) / 2
        narrow = [min(want, max(least_, cap)) for want, least_ in zip(wanted, least, strict=True)]
        low, high = (low, cap) if sum(narrow) > width else (cap, high)
    return narrow
