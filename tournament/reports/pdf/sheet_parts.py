"""The score sheet: what is filled in by hand, at the places of `sheetcells`, and what stands around the table."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from tournament.phrases import day, in_fours, minus
from tournament.queries.sheetcells import (
    CORNER,
    FOOT,
    HEADS,
    HEIGHT,
    LEFT,
    LETTERS,
    NUMBER,
    QR,
    QR_LEFT,
    RIGHT,
    ROW,
    TABLE,
    VERSION,
    WIDTH,
    Layout,
)
from tournament.queries.sheetfacts import GameSheet, SideFacts
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, TIED, Pen, text_width, wrapped
from tournament.reports.pdf.paper import Pages, draw_qr
from tournament.times import day_time

SIDES, HIGH, HINT, RULES = 76.0, 34.0, 121.0, 51.0
# A name of an event that would be smaller takes two lines.
TWO_LINES = 11.0
# So many lines of rules at most; figures of the rule sheet only where they make it no more than these.
RULED, FIGURED = 3, 2
INSIDE = CORNER + 8
RULES_WIDE = QR_LEFT - INSIDE - 6
CIRCLE = "Circle one in each group; cross out what is wrong. Write the score after each hand{}."
BOXES = "The tricks of all sides add up to the cards dealt. Cross out what is wrong. Write the score after each hand{}."
# A row belongs to a deal of so many cards: whoever took another for a void hand would be one card off from there on.
DEALS = (
    "Tricks add up to the cards (c). Cross out mistakes. A void hand is dealt again in its row. "
    "Write the score after each hand{}."
)
BELOW_ZERO, SHORT_SIGN = ", and − at ± below zero", ", − at ± below zero"
# In these groups stands what a table reckons with; the rest is on the rules page.
FIGURES = ("end", "scoring")
MUTED, GREY, LINE = "#5d6762", "#767676", "#999999"
INK = "#111111"
# What is circled is printed in one grey, lighter than a pencil.
CIRCLED, OUTLINE = 6.8, 0.5


class Print(NamedTuple):
    """How a sheet is printed: by which clock, with which site behind its QR code, and when."""

    zone: str
    site: str
    at: datetime


def draw_head(pen: Pen, frame: Frame, sheet: GameSheet, layout: Layout, printed: Print, page: str) -> None:
    """Event, round and table, rule sheet with its options, how far the game is, and the code that leads to it."""
    where = f"{sheet.round}{f' · {sheet.leg}' if sheet.leg > 1 else ''}" if sheet.table else "Game _______"
    right, wide = frame.x(QR_LEFT - 132), 124.0
    pen.text(right, frame.y(15), where, size=13, font=BOLD, width=wide, align="right")
    table = f"Table {sheet.table}" if sheet.table else "Table _______"
    pen.text(right, frame.y(30), table, size=13, font=BOLD, width=wide, align="right")
    state = " · ".join(filter(None, (_state(sheet), page)))
    pen.text(right - 40, frame.y(42), state, size=9, font=BOLD, width=wide + 40, align="right")
    room = QR_LEFT - 132 - INSIDE - 6
    title = sheet.event or "Score sheet"
    if text_width(title, SERIF, TWO_LINES) > room:
        pen.block(frame.x(INSIDE), frame.y(6), title, size=TWO_LINES, font=SERIF, width=room, most=2)
    else:
        pen.text(frame.x(INSIDE), frame.y(15), title, size=17, font=SERIF, width=room)
    under = [part for part in (day(sheet.date) if sheet.date else "", sheet.place) if part]
    # Where the place would make it too small, the day is enough.
    words = next((one for one in (" · ".join(under), *under) if text_width(one, PLAIN, 9) <= room), "")
    pen.text(frame.x(INSIDE), frame.y(29), words, size=9, color=MUTED, width=room)
    pen.text(frame.x(INSIDE), frame.y(41), sheet.sheet_title, size=9, font=BOLD, width=room)
    for line, text in enumerate(_rules(sheet, layout)):
        pen.text(frame.x(INSIDE), frame.y(RULES + 9.8 * line), text, size=9, width=RULES_WIDE, color=MUTED)
    if printed.site and sheet.short:
        draw_qr(pen, frame.x(QR_LEFT), frame.y(QR), QR, address_of(sheet, printed.site), "Q")


def address_of(sheet: GameSheet, site: str) -> str:
    """The address behind the QR code: capitals and digits alone make a smaller code."""
    return f"{site.rstrip('/')}/s/{sheet.short}".upper()


def _state(sheet: GameSheet) -> str:
    if sheet.over:
        return "Final" if sheet.state == "final" else "To sign"
    if sheet.rows:
        return f"So far after hand {sheet.hands}" if sheet.hands else "So far"
    return "So far" if sheet.opening is not None else ""


def _rules(sheet: GameSheet, layout: Layout) -> tuple[str, ...]:
    """Short words, what the club chose, ranks of the cards, and as many figures of the rule sheet as fit."""
    return _rules_of(sheet.rules.game, sheet.rules.sheet, sheet.rules.rules, tuple(layout.short.items()), sheet.rules)


@lru_cache(maxsize=64)
def _rules_of(game: Any, own: Any, rules: Any, short: tuple[tuple[str, str], ...], ruleset: Any) -> tuple[str, ...]:
    first = [", ".join(f"{mark} = {word.lower()}" for mark, word in short)]
    first += [f"{one.title.rstrip(':')}: {one.words}" for one in ruleset.chosen if one.group != "event"]
    first = [text for text in (*first, game.ranks(rules)) if text]
    said = [one for one in ruleset.said if type(one.value) is int and one.value == one.default]
    parts = first + [f"{one.title.rstrip(':')}: {one.words}" for key in FIGURES for one in said if one.group == key]
    while True:
        lines = wrapped(". ".join(parts) + "." * bool(parts), 9, RULES_WIDE)
        if len(lines) <= (FIGURED if len(parts) > len(first) else RULED) or len(parts) <= 1:
            return lines[:RULED]
        parts = parts[:-1]


def draw_sides(pen: Pen, frame: Frame, sheet: GameSheet, layout: Layout, *, varies: bool) -> None:
    """A box per side: letter, number and name, players, sets, and the score as it stands; how to fill in below."""
    count, gap = len(sheet.sides), 8.0
    width = (WIDTH - gap * (count - 1)) / count
    for side in sheet.sides:
        x = frame.x(side.index * (width + gap))
        pen.box(x, frame.y(SIDES + HIGH), width, HIGH, radius=5)
        _side(pen, sheet, side, x, frame.y(SIDES), width, layout)
    pen.text(frame.x(0), frame.y(HINT), "" if sheet.over else hint_of(layout, varies=varies), size=9, width=WIDTH)


def hint_of(layout: Layout, *, varies: bool) -> str:
    """How the table is filled in."""
    signed = any(cell.value == "sign" for cell in layout.row)
    if varies:
        return DEALS.format(SHORT_SIGN * signed)
    return (CIRCLE if layout.circles else BOXES).format(BELOW_ZERO * signed)


def _side(pen: Pen, sheet: GameSheet, side: SideFacts, x: float, top: float, width: float, layout: Layout) -> None:
    scored, won = bool(sheet.rows or sheet.opening), sheet.winner == side.index
    score = minus((sheet.points if sheet.over else sheet.scores)[side.index]) if scored else ""
    words = "won" if won else ", ".join(said for key, said in sheet.counted[side.index] if key == "bags")
    # A name has all the room that its score leaves.
    beside = min(42.0, max(text_width(score, BOLD, 17), text_width(words, BOLD, 9)))
    pen.text(x + 7, top - 13, LETTERS[side.index], size=12, font=BOLD)
    room = width - 22 - (beside + 8 if scored else 6)
    by_seat = any(column.who[1:] for column in layout.columns)
    if not side.name:
        _nobody(pen, sheet, x, top, width, by_seat=by_seat)
        return
    number = f"{side.number}  " if side.number else ""
    names = [f"{place}{TIED}{name}" if by_seat else name for place, name in enumerate(side.players, start=1)]
    players = ("  " if by_seat else " and ").join(names)
    if players:
        y = pen.block(x + 20, top - 12, f"{number}{side.name}", size=12, font=BOLD, width=room, most=1)
        pen.block(x + 20, y - 10.2, players, size=9, color=MUTED, width=room, most=2)
    else:
        named = f"{number}{side.name}"
        size = 11.0 if len(wrapped(named, 11, room, BOLD)) < 3 else 9.0
        pen.block(x + 20, top - 2 - size, named, size=size, font=BOLD, width=room, most=3)
    if scored:
        pen.text(x + width - 48, top - 17, score, size=17, font=BOLD, width=42, align="right")
        pen.text(x + width - 48, top - 29, words, size=9, font=BOLD if won else PLAIN, width=42, align="right")


def _nobody(pen: Pen, sheet: GameSheet, x: float, top: float, width: float, *, by_seat: bool) -> None:
    """Write where a blank sheet wants number and name, and the players where a team has some."""
    pen.text(x + 20, top - 13, "No.", size=9, color=MUTED)
    pen.rule(x + 36, top - 14, x + 58, top - 14)
    pen.rule(x + 62, top - 14, x + width - 8, top - 14)
    if sheet.single:
        return
    half = (width - 28) / 2
    for place in range(2):
        left = x + 20 + place * half
        pen.text(left, top - 29, f"{place + 1}" if by_seat else "and" if place else "", size=9, color=MUTED)
        pen.rule(left + (8 if by_seat else 20 * place), top - 30, left + half - 4, top - 30)


def draw_foot(pen: Pen, frame: Frame, sheet: GameSheet, layout: Layout, printed: Print) -> None:
    """The code of the sheet, who typed it from paper, what the marks mean, and when it was printed."""
    marks = [] if not sheet.rows else ["■ set", "✓ leads"] if layout.circles else []
    marks += ["○ Boston"] if sheet.rows and any(cell.group == "bostons-0" for cell in layout.below) else []
    marks += ["* corrected"] if any(row.struck for row in sheet.rows) or sheet.removed else []
    code = f"Sheet code {in_fours(sheet.code)}" if sheet.rows and sheet.code else ""
    typed = sheet.paper.said(printed.zone) if sheet.paper is not None else ""
    when = f"Printed {day_time(printed.at, printed.zone)}"
    text = " · ".join(filter(None, (code, typed, "  ".join(marks), when, f"layout {VERSION}")))
    pen.text(frame.x(INSIDE), frame.y(FOOT + 6), text, size=8, color=MUTED, width=WIDTH - 2 * INSIDE)


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
