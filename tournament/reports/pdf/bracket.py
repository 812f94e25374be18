"""The bracket on paper, a large one on several pages; and small papers to cut: team slips and table cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor

from tournament.lists.column import SIDES, where
from tournament.lists.schedule import no_bracket
from tournament.models import Event
from tournament.pairing.bracket import LOSERS_PART, MAIN
from tournament.queries.bracket_facts import (
    BracketCell,
    BracketColumn,
    BracketFacts,
    BracketSection,
    MatchFacts,
    MatchSide,
)
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import Played, RoundCard, Slip, Table
from tournament.reports.pdf.colors import FAINT, GREEN, INK, LINE, MUTED
from tournament.reports.pdf.lettering import (
    BOLD,
    LEADING,
    LEAST,
    PLAIN,
    SERIF,
    TIED,
    Pen,
    fitted,
    in_pairs,
    lines_in,
    text_width,
)
from tournament.reports.pdf.paper import CUT, Area, Papers, draw_printed, draw_qr, draw_stack
from tournament.words.phrases import day, minus

GOLDEN = HexColor("#fbf3dd")
# With more first-round matches than this, one page is too small to read.
MOST_CELLS = 16
GAP = 16.0
# The width of a match's number at the left of its box and of its points at the right; the height of the time of
# printing.
KEY, SCORE, FOOT = 19.0, 25.0, 14.0
# The widest and the highest box of a match, and how large a name is in it; the boxes of the champions and third place.
WIDEST, HIGHEST, LARGEST, CHAMPION, THIRD = 340.0, 84.0, 15.0, 66.0, 46.0
# Below a box: where its two teams go on.
WHERE_TO = 10.0


def draw_bracket(papers: Papers, event: Event, drawn: BracketFacts | None) -> None:
    """Draw the bracket in landscape."""
    papers.turn(landscape=True)
    if drawn is None:
        top = _title(papers.pen, papers.area, event, "")
        papers.pen.text(papers.area.left, top - 12, no_bracket(event), size=LARGEST, color=MUTED)
        papers.next_page()
    else:
        _pages(papers, event, drawn)
    papers.turn(landscape=False)


class Grid(NamedTuple):
    """The boxes of one page: its columns, their width and heights, and whether the champions come after them.

    `sizes` are the sizes of the names, one for each column; 0 if a name does not fit its box.
    """

    columns: Sequence[BracketColumn]
    width: float
    cells: tuple[float, ...]
    behind: bool
    sizes: tuple[float, ...]

    @property
    def is_readable(self) -> bool:
        """Whether every name fits its box."""
        return all(self.sizes)


class Shown(NamedTuple):
    """A section of the bracket on paper. `title` is empty where it is the only one.

    `key` is how wide the numbers of its matches are.
    """

    drawn: BracketFacts
    section: BracketSection
    title: str
    key: float

    @property
    def is_main(self) -> bool:
        return self.section.part.key == MAIN


def _pages(papers: Papers, event: Event, drawn: BracketFacts) -> None:
    """The sections one after another, each from a new page."""
    for section in drawn.sections:
        title = section.part.title if len(drawn.sections) > 1 else ""
        shown = Shown(drawn, section, title, _key_width(section))
        halves = section.part.key != LOSERS_PART
        grids = _halving_grids(papers, shown) if halves else _column_grids(papers, shown)
        for number, grid in enumerate(grids, start=1):
            is_last = number == len(grids)
            part = f"Part {number} of {len(grids)}" if len(grids) > 1 and not (is_last and halves) else ""
            _page(papers, event, shown, grid, part, is_last=is_last)


def _key_width(section: BracketSection) -> float:
    cells = [cell for column in section.part.columns for cell in column.cells]
    matches = [*(cell.match for cell in cells), *(part.match for part in section.singles)]
    return max(KEY, *(4 + text_width(match.key, PLAIN, LEAST) for match in matches if match))


def _halving_grids(papers: Papers, shown: Shown) -> list[Grid]:
    """Parts of a large bracket come first, the last rounds at the end; as few as leave every name readable."""
    first = len(shown.section.part.columns[0].cells)
    parts = -(-first // MOST_CELLS)
    grids = _grids(papers, shown, parts)
    while parts * 2 <= first // 2 and not all(grid.is_readable for grid in grids):
        parts *= 2
        grids = _grids(papers, shown, parts)
    return grids


def _column_grids(papers: Papers, shown: Shown) -> list[Grid]:
    """The columns of a part that does not halve, on as few pages as leave every name readable."""
    columns = shown.section.part.columns
    grids: list[Grid] = []
    for pages in range(1, len(columns) + 1):
        each = -(-len(columns) // pages)
        chunks = [columns[first : first + each] for first in range(0, len(columns), each)]
        grids = [_grid(papers, shown, chunk, behind=False, last=chunk is chunks[-1]) for chunk in chunks]
        if all(grid.is_readable for grid in grids):
            break
    return grids


def _grids(papers: Papers, shown: Shown, parts: int) -> list[Grid]:
    """The parts, and the last page, which has the last rounds or all of them."""
    columns = shown.section.part.columns
    if parts == 1:
        return [_last(papers, shown, columns)]
    split = next(index for index, column in enumerate(columns) if len(column.cells) <= parts)
    pieces = [[_part(column, part, parts) for column in columns[: split + 1]] for part in range(parts)]
    return [*(_grid(papers, shown, piece, behind=False, last=False) for piece in pieces),
            _last(papers, shown, columns[split:])]  # fmt: skip


def _last(papers: Papers, shown: Shown, columns: Sequence[BracketColumn]) -> Grid:
    """The champions stand behind the final, or above it where names need the room."""
    grid = _grid(papers, shown, columns, behind=shown.is_main, last=True)
    if len(columns) == 1 or grid.is_readable:
        return grid
    return _grid(papers, shown, columns, behind=False, last=True)


def _grid(papers: Papers, shown: Shown, columns: Sequence[BracketColumn], *, behind: bool, last: bool) -> Grid:
    count = len(columns) + behind
    area = papers.area
    width = min(WIDEST, (area.width - GAP * (count - 1)) / count)
    # The title, the rules of the stage and the titles of the columns; the games for places below.
    rules = len(shown.drawn.rules) if shown.is_main else 0
    below = _rows_below(shown, count) * (THIRD + 20) - 6 if last and shown.section.singles else 6
    high = area.top - area.bottom - 74 - 28 * rules - FOOT - below
    cells = tuple(high / len(column.cells) for column in columns)
    sizes = tuple(_size(shown, column, width, _high(shown, cell)) for column, cell in zip(columns, cells, strict=True))
    return Grid(columns, width, cells, behind, sizes)


def _high(shown: Shown, cell: float) -> float:
    """The height of a match's box."""
    return min(cell * 0.86, HIGHEST) if shown.drawn.is_plain else min(cell - WHERE_TO - 4, HIGHEST)


def _size(shown: Shown, column: BracketColumn, width: float, high: float) -> float:
    """The size at which all names of a column fit their boxes; 0 if one of them does not."""
    size, room = LARGEST, high / 2 - 2
    for cell in column.cells:
        for side in cell.match.sides if cell.match else (cell.bye,) if cell.bye else ():
            lines, fits = fitted(_name(side), _face(side)[0], LARGEST, width - shown.key - SCORE - 8, high=room)
            if len(lines) > lines_in(room, fits):
                return 0.0
            size = min(size, fits)
    return size


def _part(column: BracketColumn, part: int, parts: int) -> BracketColumn:
    each = max(1, len(column.cells) // parts)
    return replace(column, cells=column.cells[part * each : (part + 1) * each])


def _rows_below(shown: Shown, columns: int) -> int:
    """How many rows the single matches below a section take; they are as wide as its columns."""
    return -(-len(shown.section.singles) // columns)


def _page(papers: Papers, event: Event, shown: Shown, grid: Grid, part: str, *, is_last: bool) -> None:
    pen, area, width = papers.pen, papers.area, grid.width
    under = (part, shown.drawn.unsettled, shown.drawn.left_out) if shown.is_main else (part,)
    top = _title(pen, area, event, " · ".join(text for text in under if text), shown.title)
    for words in shown.drawn.rules if shown.is_main else ():
        top = pen.block(area.left, top, words, color=MUTED, width=area.width) - 17
    for index, column in enumerate(grid.columns):
        left, height = area.left + index * (width + GAP), grid.cells[index]
        pen.text(left, top, column.title, size=11, font=BOLD, width=width)
        has_next = index + 1 < len(grid.columns)
        for line, cell in enumerate(column.cells):
            middle = top - 10 - (line + 0.5) * height
            _cell(pen, cell, left, middle, width, _high(shown, height), grid.sizes[index] or LARGEST, shown.key)
            if has_next and column.halves and not cell.is_empty:
                _elbow(pen, left + width, middle, height, first=line % 2 == 0)
            elif has_next and column.goes_straight and not cell.is_empty:
                pen.rule(left + width, middle, left + width + GAP, middle, color=LINE)
    if is_last and shown.is_main:
        last = grid.cells[-1]
        _champion(pen, event, shown.drawn, grid, area.left, top - 10 - last / 2, _high(shown, last))
    if is_last:
        _singles(pen, area, shown, grid)
    draw_printed(papers, event.time_zone)
    papers.next_page()


def _singles(pen: Pen, area: Area, shown: Shown, grid: Grid) -> None:
    """The single matches for places, in rows at the foot of the page, the best place first."""
    columns = len(grid.columns) + grid.behind
    rows = _rows_below(shown, columns)
    for index, part in enumerate(shown.section.singles):
        assert part.match is not None
        row, place = divmod(index, columns)
        left, low = area.left + place * (grid.width + GAP), area.bottom + FOOT + (rows - 1 - row) * (THIRD + 20)
        pen.text(left, low + THIRD + 4, part.match.title, size=11, font=BOLD, width=grid.width)
        middle = low + THIRD / 2
        if part.match.bye:
            _bye(pen, part.match.bye, left, middle, grid.width, THIRD, LARGEST)
        elif part.match.is_empty:
            pen.middle(left, low, "Nobody is left to play for it.", size=10, width=grid.width, high=THIRD, color=MUTED)
        else:
            _match(pen, part.match, left, middle, grid.width, THIRD, LARGEST, shown.key)


def _title(pen: Pen, area: Area, event: Event, under: str, part: str = "") -> float:
    name = f"{event.name}: {part[:1].lower()}{part[1:] or 'playoffs'}"
    # The page is wide enough that even a name of sixty letters is readable on one line.
    pen.text(area.left, area.top - 16, name, size=18, font=SERIF, width=area.width)
    words = " · ".join(text for text in (where(event), under) if text)
    y = pen.block(area.left, area.top - 32, words, size=11, color=MUTED, width=area.width)
    pen.rule(area.left, y - 7, area.right, y - 7, weight=1.2, color=GREEN)
    return y - 21


def _champion(pen: Pen, event: Event, drawn: BracketFacts, grid: Grid, left: float, middle: float, high: float) -> None:
    """The champions' box, after the final or above it; `middle` and `high` are those of the final."""
    width, final = grid.width, middle + high / 2
    left += (len(grid.columns) - (not grid.behind)) * (width + GAP)
    low = middle - CHAMPION / 2 if grid.behind else final + 1.5 * GAP
    if grid.behind:
        pen.rule(left - GAP, middle, left, middle, color=LINE)
    else:
        pen.rule(left + width / 2, final, left + width / 2, low, color=LINE)
    pen.box(left, low, width, CHAMPION, fill=GOLDEN if drawn.champion else None, radius=5)
    words = f"Champion{'s' * (ruleset_of(event).unit == 'team')}"
    pen.text(left, low + CHAMPION + 6, words, size=11, font=BOLD, width=width, align="center")
    pen.middle(left + 6, low, drawn.champion, size=18, font=SERIF, width=width - 12, high=CHAMPION, align="center",
               color=GREEN)  # fmt: skip
    if drawn.runner_up and grid.behind:
        words = f"Second: {drawn.runner_up}"
        pen.block(left, low - 14, words, size=10, color=MUTED, width=width, align="center")


def _elbow(pen: Pen, x: float, middle: float, height: float, *, first: bool) -> None:
    """The line from a match to the next one, which is halfway between two."""
    target = middle - height / 2 if first else middle + height / 2
    pen.rule(x, middle, x + GAP / 2, middle, color=LINE)
    pen.rule(x + GAP / 2, middle, x + GAP / 2, target, color=LINE)
    pen.rule(x + GAP / 2, target, x + GAP, target, color=LINE)


def _cell(
    pen: Pen, cell: BracketCell, left: float, middle: float, width: float, height: float, size: float, key: float
) -> None:
    if cell.match is not None:
        _match(pen, cell.match, left, middle, width, height, size, key)
    elif cell.bye is not None:
        _bye(pen, cell.bye, left, middle, width, height, size)


def _bye(pen: Pen, side: MatchSide, left: float, middle: float, width: float, height: float, size: float) -> None:
    pen.box(left, middle - height / 4, width, height / 2, radius=3)
    text = f"{_name(side)} · bye"
    pen.middle(left + 5, middle - height / 4, text, size=size, width=width - 10, high=height / 2, color=MUTED)


def _match(
    pen: Pen, match: MatchFacts, left: float, middle: float, width: float, height: float, size: float, key: float
) -> None:
    under = match.head_start or (match.to if match.state != "decided" else "")
    if under:
        pen.block(left, middle - height / 2 - 9, under, size=LEAST, color=MUTED, width=width)
    pen.box(left, middle - height / 2, width, height, radius=3)
    # “Winner of M3” says where a team will come from.
    pen.text(left + 1, middle - 2.5, match.key, size=LEAST, width=key - 2, align="center", color=MUTED)
    pen.rule(left + key, middle - height / 2, left + key, middle + height / 2, color=FAINT)
    pen.rule(left + key, middle, left + width, middle, color=FAINT)
    high, room = height / 2 - 2, width - key - SCORE - 8
    for index, side in enumerate(match.sides):
        low = middle + 1 if index == 0 else middle - height / 2 + 1
        font, color = _face(side)
        pen.middle(left + key + 4, low, _name(side), size=size, font=font, width=room, high=high, color=color)
        score = "" if side.score is None else minus(side.score)
        pen.middle(left + width - SCORE, low, score, size=LARGEST, font=font, width=SCORE - 5, high=high,
                   align="right", color=color)  # fmt: skip


def _face(side: MatchSide) -> tuple[str, Color]:
    """The font and color of a side: the winner stands out."""
    return (BOLD, GREEN) if side.won else (PLAIN, MUTED if side.lost or side.number is None else INK)


def _name(side: MatchSide) -> str:
    seed = f"({side.seed}) " if side.seed else ""
    return f"{seed}{side.number}  {side.name}" if side.number is not None else f"{seed}{side.name}"


# Small papers to cut: a slip for each team, a card for each table.

# The height above the games of a slip, the greatest height and size of a game's line, the greatest width of a round's
# title, and the width of the result.
HEAD, HIGHEST_LINE, LARGEST_LINE, TITLE, RESULT = 110.0, 26.0, 10.5, 52.0, 26.0
# A slip is this much wider than its margins allow, so that more names fit on one line.
ASIDE = 8.0
# The size of a QR code that is scanned from the table, with its quiet border; and on a slip, from the hand.
QR_SIZE, SLIP_QR = 180.0, 64.0


class TableCard(NamedTuple):
    """A table's card: the code to type, and the address behind the QR code."""

    table: int
    code: str
    address: str


def draw_team_slips(papers: Papers, event: Event, slips: Sequence[Slip]) -> None:
    """Draw a slip for each team: its number, its players, every round with its table and opponents.

    As many fit on a page as the longest of them allows. If the site's address is known, a QR code leads to the team's
    page.
    """
    wide, high = papers.size[0] / 2 - 2 * CUT + 2 * ASIDE, papers.size[1]
    needed = max((sum(_columns(slip.games, wide).heights) for slip in slips if slip.games), default=0)
    rows = next((rows for rows in (3, 2) if HEAD + needed <= high / rows - 2 * CUT), 1)

    def draw(pen: Pen, area: Area, slip: Slip) -> None:
        _slip(pen, area, event, slip, papers.live("team", event.slug, slip.number))

    draw_stack(papers, slips, 2, rows, draw)


def _when(event: Event) -> str:
    """The event and its day; the dot between them never begins a second line."""
    return f"{event.name}{TIED}· {day(event.date)}"


def _slip(pen: Pen, area: Area, event: Event, slip: Slip, live: str) -> None:
    area = area._replace(left=area.left - ASIDE, right=area.right + ASIDE)
    room = area.width - (SLIP_QR if live else 0)
    above = pen.block(area.left, area.top - 8, _when(event), size=9, color=MUTED, width=room - 4, most=2)
    if live:
        # Its quiet border may reach into the margin.
        draw_qr(pen, area.right - SLIP_QR + 6, area.top - SLIP_QR + 6, SLIP_QR, live)
        pen.text(area.right - SLIP_QR, area.top - SLIP_QR, "your games, live", size=8, color=MUTED, width=SLIP_QR,
                 align="right")  # fmt: skip
    pen.text(area.left, above - 34, str(slip.number), size=30, font=SERIF, width=54)
    left, room = area.left + 60, room - 64
    y = pen.block(left, above - 19, slip.team, size=14, font=BOLD, width=room, most=2)
    who = in_pairs(slip.players)
    who += f"{' · ' if who else ''}stays at table {slip.home}" if slip.home else ""
    y = pen.block(left, y - 13, who, size=10, color=MUTED, width=room, most=2)
    y = min(area.top - 74, y - 10)
    pen.rule(area.left, y + 6, area.right, y + 6, weight=1, color=GREEN)
    if not slip.games:
        pen.text(area.left, y - 10, "No game is drawn yet.", size=10, color=MUTED)
        return
    _games(pen, area, slip.games, y)


class Columns(NamedTuple):
    """The columns of a slip from its left edge, and the least height of each line."""

    first: float
    table: float
    number: float
    name: float
    result: float
    heights: tuple[float, ...]


def _columns(games: Sequence[Played], width: float) -> Columns:
    """Make the columns as wide as their content; the name gets the rest."""
    first = min(max(text_width(game.title, PLAIN, LARGEST_LINE) for game in games), TITLE)
    table = first + 6 + max(text_width("Table", BOLD, 8), 18)
    number = table + 8 + max(text_width(str(seat.number), BOLD, LARGEST_LINE) for game in games for seat in
                             (game.seat, *game.opponents))  # fmt: skip
    name, result = number + 6, width - RESULT
    heights = []
    for game in games:
        x, who = _opponents(game)
        room = result - 4 - (name if x else table + 8)
        lines = max(len(fitted(who, BOLD, LEAST, room, 1)[0]), len(fitted(game.title, PLAIN, LEAST, first, 1)[0]))
        heights.append(4 + LEAST * (1.2 + LEADING * (lines - 1)))
    return Columns(first, table, number, name, result, tuple(heights))


def _opponents(game: Played) -> tuple[str, str]:
    """The number and the name of the only opponent; several opponents are one text."""
    if game.table is None:
        return "-", "Bye"
    if len(game.opponents) == 1:
        return str(game.opponents[0].number), game.opponents[0].team
    return "", ", ".join(f"{seat.number} {seat.team}" for seat in game.opponents)


def _games(pen: Pen, area: Area, games: Sequence[Played], y: float) -> None:
    """A line for each round, with room to write the result; the more rounds, the closer together."""
    columns = _columns(games, area.width)
    # What is left is shared, so that one-line rows are as high as two-line rows if there is room.
    heights = _shared(columns.heights, y - 10 - area.bottom)
    left, result = area.left, area.left + columns.result
    y -= 7
    heads = (("Table", left + columns.table - 40, "right"), ("Opponent", left + columns.name, "left"),
             ("Result", result + RESULT - 40, "right"))  # fmt: skip
    for words, x, align in heads:
        pen.text(x, y, words, size=8, font=BOLD, color=MUTED, width=40, align=align)
    y -= 3
    for game, each in zip(games, heights, strict=True):
        y -= each
        low, high = y + 1, each - 2
        number, who = _opponents(game)
        name = left + (columns.name if number else columns.table + 8)
        table = str(game.table.table) if game.table else ""
        pen.middle(left, low, game.title, size=LARGEST_LINE, width=columns.first + 1, high=high)
        pen.middle(left + columns.table - 30, low, table, size=LARGEST_LINE, font=BOLD, width=30, high=high,
                   align="right")  # fmt: skip
        pen.middle(left + columns.number - 30, low, number.strip("-"), size=LARGEST_LINE, width=30, high=high,
                   align="right")  # fmt: skip
        pen.middle(name, low, who, size=LARGEST_LINE, font=PLAIN if table else BOLD, width=result - 4 - name, high=high)
        pen.rule(left, y, area.right, y, color=FAINT)


def _shared(least: Sequence[float], room: float) -> list[float]:
    """Share the room among the lines; the lowest lines grow first."""
    low, high = 0.0, HIGHEST_LINE
    for _ in range(20):
        floor = (low + high) / 2
        low, high = (low, floor) if sum(max(one, floor) for one in least) > room else (floor, high)
    return [max(one, low) for one in least]


def draw_pickup_slips(papers: Papers, event: Event, round_: RoundCard) -> None:
    """Draw a slip for each table, four to a page: who won, the points, signatures. The desk collects them."""

    def draw(pen: Pen, area: Area, table: Table) -> None:
        _pickup(pen, area, event, table)

    draw_stack(papers, round_.tables, 2, 2, draw)


def _pickup(pen: Pen, area: Area, event: Event, table: Table) -> None:
    y = pen.block(area.left, area.top - 8, _when(event), size=9, color=MUTED, width=area.width, most=2)
    leg = f", game {table.leg}" if table.leg > 1 else ""
    pen.text(area.left, y - 32, f"Table {table.table}", size=26, font=SERIF, width=area.width * 0.5)
    title = table.words.title or table.title
    pen.block(area.left + 0.5 * area.width, y - 24, f"{title}{leg}", size=13, font=BOLD, width=area.width * 0.5,
              align="right")  # fmt: skip
    if table.words.to:
        y -= 12
        pen.text(area.left, y - 37, table.words.to, size=10, color=MUTED, width=area.width)
    y -= 44
    pen.rule(area.left, y, area.right, y, weight=1, color=GREEN)
    each = min(112.0, (y - area.bottom - 34) / len(table.seats))
    points = area.right - 62
    for words, x in (("Points", points), ("Won", area.left)):
        pen.text(x, y - 12, words, size=8, font=BOLD, color=MUTED)
    y -= 14
    for seat, letter in zip(table.seats, SIDES, strict=False):
        middle = y - each * 0.32
        pen.box(area.left, middle - 9, 18, 18, radius=9)
        name = f"{letter}  {seat.number}  {seat.team}"
        pen.middle(area.left + 28, middle - each * 0.3, name, size=15, font=BOLD, width=points - area.left - 38,
                   high=each * 0.6)  # fmt: skip
        pen.box(points, middle - 13, 62, 26, radius=3)
        pen.rule(area.left + 28, y - each + 6, points - 10, y - each + 6)
        pen.text(area.left + 28, y - each - 2, f"Signed {letter}", size=7.5, color=MUTED)
        y -= each
    pen.text(area.left, area.bottom, "Mark who won, write the points, sign, and bring this slip to the desk.", size=8.5,
             color=MUTED, width=area.width)  # fmt: skip


def draw_table_cards(papers: Papers, event: Event, cards: Sequence[TableCard]) -> None:
    """Draw a card for each table, four to a page: its QR code, or the code to type, sets up the tablet."""

    def draw(pen: Pen, area: Area, card: TableCard) -> None:
        _card(pen, area, event, card)

    draw_stack(papers, cards, 2, 2, draw)


def _card(pen: Pen, area: Area, event: Event, card: TableCard) -> None:
    def write(y: float, text: str, size: float, font: str = PLAIN, color: Color = MUTED) -> float:
        return pen.block(area.left, y, text, size=size, font=font, width=area.width, align="center", color=color)

    # The middle of the card is the middle of its content.
    top = (area.top + area.bottom) / 2 + 168
    write(write(top - 10, event.name, 11) - 14, day(event.date), 10)
    write(top - 66, f"Table {card.table}", 38, SERIF, INK)
    draw_qr(pen, (area.left + area.right - QR_SIZE) / 2, top - 76 - QR_SIZE, QR_SIZE, card.address)
    y = top - 76 - QR_SIZE - 22
    write(y, card.code, 24, BOLD, INK)
    write(y - 20, f"or type the code at {card.address.partition('#')[0]}", 10)
    write(y - 34, "The code works once.", 10)


# On the wall: where players enter and check in.

POSTER_QR = 360.0


def draw_check_in(papers: Papers, event: Event) -> None:
    """Draw the poster for checking in: its QR code includes the code on the wall."""
    code, how = event.wall_code, "Scan, find your team, press “We are here”."
    y, address = _poster(papers, event, "Check in here", how, "check-in")
    if address:
        _middle(papers, y - 26, f"or type this code at {address}", 13, color=MUTED)
    _middle(papers, y - 76, f"{code[:3]} {code[3:]}", 44, BOLD)
    _middle(papers, y - 108, "No phone? The desk checks you in.", 17)
    papers.next_page()


def draw_entry_poster(papers: Papers, event: Event) -> None:
    """Draw the poster for entering: its QR code lets many players in the hall enter from one network address."""
    y, address = _poster(papers, event, "Enter here", "Scan, type your names, press “Enter”.", "enter")
    if address:
        _middle(papers, y - 26, f"or open {address}", 13, color=MUTED)
    _middle(papers, y - 76, "No phone? The desk enters you.", 17)
    papers.next_page()


def _poster(papers: Papers, event: Event, title: str, how: str, page: str) -> tuple[float, str]:
    """Draw a poster's head and the QR code of a page; return how far down they reach, and the address of the page."""
    area, top = papers.area, papers.area.top
    papers.pen.block(area.left, top - 22, event.name, size=24, width=area.width, align="center", color=MUTED)
    _middle(papers, top - 92, title, 54, SERIF, GREEN)
    _middle(papers, top - 128, how, 17)
    address, y = papers.live(page, event.slug), top - 150
    if address:
        y -= POSTER_QR
        link = f"{address}?code={event.wall_code}"
        draw_qr(papers.pen, (area.left + area.right - POSTER_QR) / 2, y, POSTER_QR, link)
    return y, address


def _middle(papers: Papers, y: float, text: str, size: float, font: str = PLAIN, color: Color = INK) -> None:
    area = papers.area
    papers.pen.block(area.left, y, text, size=size, font=font, width=area.width, align="center", color=color)
