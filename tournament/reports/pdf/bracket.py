"""The bracket on paper, a large one over several pages; and small papers to cut: a slip a team, a card a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.lists.column import SIDES, where
from tournament.models import Event
from tournament.phrases import day, minus
from tournament.queries.bracket import BracketCell, BracketColumn, BracketFacts, MatchFacts, MatchSide
from tournament.queries.rules import ruleset_of
from tournament.queries.schedule import Played, RoundCard, Slip, Table
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen, block, fitted
from tournament.reports.pdf.paper import GREEN, MUTED, Area, Papers, draw_printed, draw_qr, draw_stack

LINE = "#999999"
# More first-round matches than this become too small to read on one page.
MOST_CELLS = 16
GAP = 16.0
# The number of a match stands at the left of its box; the time of printing at the foot of the page.
KEY, FOOT = 22.0, 14.0
WIDEST = 240.0


def draw_bracket(papers: Papers, event: Event, drawn: BracketFacts | None) -> None:
    """Draw the bracket on the long side of the paper."""
    papers.turn(landscape=True)
    if drawn is None:
        _title(papers.pen, papers.area, event, "The cut has not been made yet.")
        papers.next_page()
    else:
        _pages(papers, event, drawn)
    papers.turn(landscape=False)


def _pages(papers: Papers, event: Event, drawn: BracketFacts) -> None:
    """Parts of a large bracket come first, the last rounds at the end."""
    columns, parts = drawn.columns, -(-len(drawn.columns[0].cells) // MOST_CELLS)
    if parts > 1:
        split = next(index for index, column in enumerate(columns) if len(column.cells) <= parts)
        for part in range(parts):
            shown = [_part(column, part, parts) for column in columns[: split + 1]]
            _page(papers, event, drawn, shown, f"Part {part + 1} of {parts}")
        columns = columns[split:]
    _page(papers, event, drawn, columns, "")


def _part(column: BracketColumn, part: int, parts: int) -> BracketColumn:
    each = max(1, len(column.cells) // parts)
    return BracketColumn(column.number, column.title, column.cells[part * each : (part + 1) * each])


def _page(papers: Papers, event: Event, drawn: BracketFacts, columns: Sequence[BracketColumn], part: str) -> None:
    pen, area = papers.pen, papers.area
    top = _title(pen, area, event, " · ".join(text for text in (part, drawn.unsettled) if text))
    for words in drawn.rules:
        top = pen.block(area.left, top, words, color=MUTED, width=area.width) - 17
    bottom = area.bottom + (54 if drawn.third and not part else 6) + FOOT
    # The box of the champions stands behind the final; it is there to be filled in, too.
    count = len(columns) + (not part)
    width = min(WIDEST, (area.width - GAP * (count - 1)) / count)
    for index, column in enumerate(columns):
        left = area.left + index * (width + GAP)
        pen.text(left, top, column.title, size=10, font=BOLD, width=width)
        height = (top - 10 - bottom) / len(column.cells)
        for line, cell in enumerate(column.cells):
            middle = top - 10 - (line + 0.5) * height
            _cell(pen, cell, left, middle, width, min(height * 0.84, 58.0))
            if index + 1 < len(columns):
                _elbow(pen, left + width, middle, height, first=line % 2 == 0)
    if not part:
        left = area.left + len(columns) * (width + GAP)
        _champion(pen, event, drawn, left, (top - 10 + bottom) / 2, width)
    if drawn.third and not part:
        pen.text(area.left, area.bottom + FOOT + 46, drawn.third.title, size=10, font=BOLD)
        _match(pen, drawn.third, area.left, area.bottom + FOOT + 20, width, 40)
    draw_printed(papers, event.time_zone)
    papers.next_page()


def _title(pen: Pen, area: Area, event: Event, under: str) -> float:
    pen.text(area.left, area.top - 16, f"{event.name}: playoffs", size=18, font=SERIF, width=area.width)
    words = " · ".join(text for text in (where(event), under) if text)
    pen.text(area.left, area.top - 31, words, size=9, color=MUTED, width=area.width)
    pen.rule(area.left, area.top - 38, area.right, area.top - 38, weight=1.2, color=GREEN)
    return area.top - 52


def _champion(pen: Pen, event: Event, drawn: BracketFacts, left: float, middle: float, width: float) -> None:
    pen.rule(left - GAP, middle, left, middle, color=LINE)
    pen.box(left, middle - 30, width, 60, fill="#fbf3dd" if drawn.champion else None, radius=5)
    words = f"Champion{'s' * (ruleset_of(event).unit == 'team')}"
    pen.text(left, middle + 36, words, size=10, font=BOLD, width=width, align="center")
    if drawn.champion:
        wide, (lines, size) = width - 12, block(drawn.champion, SERIF, 15, width - 12, 2)
        y = middle - 5 + (len(lines) - 1) * size * 0.56
        pen.block(left + 6, y, drawn.champion, size=15, font=SERIF, width=wide, align="center", color=GREEN)
    if drawn.runner_up:
        words = f"Second: {drawn.runner_up}"
        pen.block(left, middle - 44, words, size=9.5, color=MUTED, width=width, most=2, align="center")


def _elbow(pen: Pen, x: float, middle: float, height: float, *, first: bool) -> None:
    """The line from a match to the next one, which stands halfway between two."""
    target = middle - height / 2 if first else middle + height / 2
    pen.rule(x, middle, x + GAP / 2, middle, color=LINE)
    pen.rule(x + GAP / 2, middle, x + GAP / 2, target, color=LINE)
    pen.rule(x + GAP / 2, target, x + GAP, target, color=LINE)


def _cell(pen: Pen, cell: BracketCell, left: float, middle: float, width: float, height: float) -> None:
    if cell.match is not None:
        _match(pen, cell.match, left, middle, width, height)
    elif cell.bye is not None:
        size = min(10.0, height * 0.34)
        pen.box(left, middle - height / 4, width, height / 2, radius=3)
        text = f"{_name(cell.bye)} · bye"
        pen.text(left + 5, middle - size * 0.35, text, size=size, width=width - 10, color=MUTED)


def _match(pen: Pen, match: MatchFacts, left: float, middle: float, width: float, height: float) -> None:
    pen.box(left, middle - height / 2, width, height, radius=3)
    size = min(11, height * 0.34)
    # “Winner of M3” says where a team will come from.
    pen.text(left, middle - size * 0.3, match.key, size=min(9, size), width=KEY, align="center", color=MUTED)
    pen.rule(left + KEY, middle - height / 2, left + KEY, middle + height / 2, color="#dddddd")
    pen.rule(left + KEY, middle, left + width, middle, color="#dddddd")
    for index, side in enumerate(match.sides):
        y = middle + (height / 4 if index == 0 else -height / 4) - size * 0.36
        font, color = (BOLD, GREEN) if side.won else (PLAIN, MUTED if side.lost or side.number is None else "#111111")
        pen.text(left + KEY + 4, y, _name(side), size=size, font=font, width=width - KEY - 34, color=color)
        score = "" if side.score is None else minus(side.score)
        pen.text(left + width - 36, y, score, size=size, font=font, width=31, align="right", color=color)


def _name(side: MatchSide) -> str:
    seed = f"({side.seed}) " if side.seed else ""
    return f"{seed}{side.number}  {side.name}" if side.number is not None else f"{seed}{side.name}"


# Small papers to cut: a slip per team, a card per table.

# What stands over the meetings of a slip, and the most room that one of them gets.
HEAD, EACH, HIGHEST, LARGEST = 88.0, 17.0, 26.0, 10.5
# A name that would be smaller than this in one line takes two.
ONE_LINE = 8.0
# A QR code is read from the table at this size, its quiet border included; on a slip from the hand.
QR_SIZE, SLIP_QR = 180.0, 64.0


class TableCard(NamedTuple):
    """The card of a table: the code for typing, and the address behind the picture."""

    table: int
    code: str
    address: str


def draw_team_slips(papers: Papers, event: Event, slips: Sequence[Slip]) -> None:
    """Draw a slip per team: its number, its players, every round with table and opponents.

    A page has as many as the longest of them allows. Where the site is known, a QR code leads to the team's own page.
    """
    most = max((len(slip.games) for slip in slips), default=0)
    rows = max(1, min(3, int(papers.size[1] // (134 + EACH * 0.82 * max(most, 3)))))

    def draw(pen: Pen, area: Area, slip: Slip) -> None:
        _slip(pen, area, event, slip, papers.live("team", event.slug, slip.number))

    draw_stack(papers, slips, 2, rows, draw)


def _slip(pen: Pen, area: Area, event: Event, slip: Slip, live: str) -> None:
    room = area.width - (SLIP_QR if live else 0)
    head = f"{event.name} · {day(event.date)}"
    above = pen.block(area.left, area.top - 8, head, size=9, color=MUTED, width=room - 4, most=2)
    if live:
        # Its quiet border may reach into the margin.
        draw_qr(pen, area.right - SLIP_QR + 6, area.top - SLIP_QR + 6, SLIP_QR, live)
        pen.text(area.right - SLIP_QR, area.top - SLIP_QR, "your games, live", size=8, color=MUTED, width=SLIP_QR,
                 align="right")  # fmt: skip
    pen.text(area.left, above - 34, str(slip.number), size=30, font=SERIF, width=54)
    left, room = area.left + 60, room - 64
    y = pen.block(left, above - 19, slip.team, size=14, font=BOLD, width=room, most=2)
    who = " and ".join(slip.players)
    who += f"{' · ' if who else ''}stays at table {slip.home}" if slip.home else ""
    y = pen.block(left, y - 13, who, size=10, color=MUTED, width=room, most=2)
    y = min(area.top - HEAD + 14, y - 10)
    pen.rule(area.left, y + 6, area.right, y + 6, weight=1, color=GREEN)
    if not slip.games:
        pen.text(area.left, y - 10, "No game is drawn yet.", size=10, color=MUTED)
        return
    _games(pen, area, slip.games, y)


def _games(pen: Pen, area: Area, games: Sequence[Played], y: float) -> None:
    """A line for each round, with room to write the result down; many rounds stand closer together."""
    # The lines have all the room of the paper, so that a long name may take two.
    each = min(HIGHEST, (y - 10 - area.bottom) / len(games))
    size = min(LARGEST, each * 0.72)
    table, number, name, result = (area.left + x for x in (50.0, 66.0, 88.0, area.width - 40))
    heads = (("Table", table - 10, 28, "right"), ("Opponent", name, 80, "left"), ("Result", result, 40, "right"))
    y -= 7
    for words, x, width, align in heads:
        pen.text(x, y, words, size=8, font=BOLD, color=MUTED, width=width, align=align)
    y -= 3
    for game in games:
        y -= each
        base = y + each * 0.28
        pen.text(area.left, base, game.round.title, size=size, width=table - area.left - 2)
        if game.table is None:
            pen.text(name, base, "Bye", size=size, font=BOLD)
        else:
            pen.text(table, base, str(game.table.table), size=size, font=BOLD, width=18, align="right")
        who = game.opponents
        if len(who) == 1:
            pen.text(number, base, str(who[0].number), size=size, width=18, align="right")
            _opponents(pen, name, base, who[0].team, size, result - name - 4, each)
        elif who:
            several = ", ".join(f"{seat.number} {seat.team}" for seat in who)
            _opponents(pen, name - 18, base, several, size, result - name + 14, each)
        pen.rule(area.left, y, area.right, y, color="#dddddd")


def _opponents(pen: Pen, x: float, base: float, text: str, size: float, width: float, each: float) -> None:
    """A name in one line, or in two that stay within their row."""
    _, fitting = fitted(text, PLAIN, size, width)
    if fitting >= min(size, ONE_LINE):
        pen.text(x, base, text, size=size, width=width)
        return
    lines, small = block(text, PLAIN, min(size, (each - 3) / 2.12), width, 2)
    pen.block(x, base + (len(lines) - 1) * small * 0.6, text, size=small, width=width)


def draw_pickup_slips(papers: Papers, event: Event, round_: RoundCard) -> None:
    """Draw a slip a table, four to a page: who won and with how many points, signed by all, for the desk to collect."""

    def draw(pen: Pen, area: Area, table: Table) -> None:
        _pickup(pen, area, event, table)

    draw_stack(papers, round_.tables, 2, 2, draw)


def _pickup(pen: Pen, area: Area, event: Event, table: Table) -> None:
    head = f"{event.name} · {day(event.date)}"
    y = pen.block(area.left, area.top - 8, head, size=9, color=MUTED, width=area.width, most=2)
    leg = f", game {table.leg}" if table.leg > 1 else ""
    pen.text(area.left, y - 32, f"Table {table.table}", size=26, font=SERIF, width=area.width * 0.5)
    pen.text(area.left, y - 32, f"{table.title}{leg}", size=13, font=BOLD, width=area.width, align="right")
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
        pen.block(area.left + 28, middle + 2, name, size=15, font=BOLD, width=points - area.left - 38, most=3)
        pen.box(points, middle - 13, 62, 26, radius=3)
        pen.rule(area.left + 28, y - each + 6, points - 10, y - each + 6)
        pen.text(area.left + 28, y - each - 2, f"Signed {letter}", size=7.5, color=MUTED)
        y -= each
    pen.text(area.left, area.bottom, "Mark who won, write the points, sign, bring it to the desk.", size=8.5,
             color=MUTED, width=area.width)  # fmt: skip


def draw_table_cards(papers: Papers, event: Event, cards: Sequence[TableCard]) -> None:
    """Draw a card per table that binds its tablet, a QR code and the code for typing; four to a page."""

    def draw(pen: Pen, area: Area, card: TableCard) -> None:
        _card(pen, area, event, card)

    draw_stack(papers, cards, 2, 2, draw)


def _card(pen: Pen, area: Area, event: Event, card: TableCard) -> None:
    def write(y: float, text: str, size: float, font: str = PLAIN, color: str = MUTED) -> None:
        pen.text(area.left, y, text, size=size, font=font, width=area.width, align="center", color=color)

    # The middle of the card is that of what stands on it.
    top = (area.top + area.bottom) / 2 + 168
    write(top - 10, event.name, 11)
    write(top - 24, day(event.date), 10)
    write(top - 64, f"Table {card.table}", 38, SERIF, "#111111")
    draw_qr(pen, (area.left + area.right - QR_SIZE) / 2, top - 76 - QR_SIZE, QR_SIZE, card.address)
    y = top - 76 - QR_SIZE - 22
    write(y, card.code, 24, BOLD, "#111111")
    write(y - 20, f"or type the code at {card.address.partition('#')[0]}", 10)
    write(y - 34, "The code works once.", 10)


# On the wall: where players enter and check in.

POSTER_QR = 300.0


def draw_check_in(papers: Papers, event: Event) -> None:
    """Draw the poster at which players check in: its QR code brings the code of the hall along."""
    code, how = event.wall_code, "Scan, find your team, press “We are here”."
    y, address = _poster(papers, event, "Check in here", how, "check-in")
    if address:
        _middle(papers, y - 26, f"or type this code at {address}", 13, color=MUTED)
    _middle(papers, y - 76, f"{code[:3]} {code[3:]}", 44, BOLD)
    _middle(papers, y - 108, "No phone? The desk checks you in.", 17)
    papers.next_page()


def draw_entry_poster(papers: Papers, event: Event) -> None:
    """Draw the poster by which players enter: in the hall many do so from one address, and its QR code lets them."""
    y, address = _poster(papers, event, "Enter here", "Scan, type your names, press “Enter”.", "enter")
    if address:
        _middle(papers, y - 26, f"or open {address}", 13, color=MUTED)
    _middle(papers, y - 76, "No phone? The desk enters you.", 17)
    papers.next_page()


def _poster(papers: Papers, event: Event, title: str, how: str, page: str) -> tuple[float, str]:
    """The head of a poster, and a QR code to a page with the code on the wall; how far down, and the page's address."""
    area, top = papers.area, papers.area.top
    _middle(papers, top - 30, event.name, 24, color=MUTED)
    _middle(papers, top - 92, title, 54, SERIF, GREEN)
    _middle(papers, top - 128, how, 17)
    address, y = papers.live(page, event.slug), top - 150
    if address:
        y -= POSTER_QR
        link = f"{address}?code={event.wall_code}"
        draw_qr(papers.pen, (area.left + area.right - POSTER_QR) / 2, y, POSTER_QR, link)
    return y, address


def _middle(papers: Papers, y: float, text: str, size: float, font: str = PLAIN, color: str = "#111111") -> None:
    area = papers.area
    papers.pen.text(area.left, y, text, size=size, font=font, width=area.width, align="center", color=color)
