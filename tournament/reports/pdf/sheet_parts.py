"""What stands around the table of a score sheet: head, rules in words, sides, the boxes below it, foot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from tournament.phrases import clause, day, in_fours, minus, rule
from tournament.queries.sheetcells import BOXED, CORNER, FOOT, LETTERS, QR, QR_LEFT, VERSION, WIDTH, Layout, SheetCell
from tournament.queries.sheetfacts import GameSheet, SideFacts
from tournament.queries.signatures import SignatureFacts
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen, text_width, wrapped
from tournament.reports.pdf.paper import draw_qr
from tournament.reports.pdf.sheet_form import GREY, MUTED, Frame
from tournament.times import clock_time, day_time

# Names longer than this take a second line.
LONG = 24
SIDES, HIGH, HINT, RULES = 76.0, 34.0, 121.0, 51.0
# A name of an event that would be smaller takes two lines.
TWO_LINES = 11.0
# So many lines of rules at most; figures of the rule sheet only where they make it no more than these.
RULED, FIGURED = 3, 2
INSIDE = CORNER + 8
RULES_WIDE = QR_LEFT - INSIDE - 6
CIRCLE = "Circle one in each group; cross out what is wrong. Write the score after each hand{}."
BOXES = (
    "The tricks of all sides add up to the cards dealt{}; cross out what is wrong. Write the score after each hand{}."
)
BELOW_ZERO = ", and − at the ± when it is below zero"
LABELS = {
    "first-dealer": "Dealt first",
    "winner": "Winner",
    "how": "Ended by",
    "remarks": "Remarks",
    "points": "Points",
    "sets": "Sets",
    "bostons": "Bostons",
    "signed": "Signed",
    "verified": "Verified by",
    "time": "Time",
}
# In these groups stands what a table reckons with; the rest is on the rules page.
FIGURES = ("end", "scoring")


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
    below = BELOW_ZERO if any(cell.value == "sign" for cell in layout.row) else ""
    hint = CIRCLE.format(below) if layout.circles else BOXES.format(" (c)" if varies else "", below)
    pen.text(frame.x(0), frame.y(HINT), "" if sheet.over else hint, size=9, width=WIDTH)


def _side(pen: Pen, sheet: GameSheet, side: SideFacts, x: float, top: float, width: float, layout: Layout) -> None:
    scored = bool(sheet.rows or sheet.opening)
    pen.text(x + 7, top - 13, LETTERS[side.index], size=12, font=BOLD)
    room = width - 22 - (46 if scored else 6)
    by_seat = any(column.who[1:] for column in layout.columns)
    if not side.name:
        _nobody(pen, sheet, x, top, width, by_seat=by_seat)
        return
    number = f"{side.number}  " if side.number else ""
    names = [f"{place} {name}" if by_seat else name for place, name in enumerate(side.players, start=1)]
    players = ("  " if by_seat else " and ").join(names)
    if players:
        y = pen.block(x + 20, top - 12, f"{number}{side.name}", size=12, font=BOLD, width=room, most=1)
        pen.block(x + 20, y - 10.2, players, size=9, color=MUTED, width=room, most=2)
    else:
        pen.block(x + 20, top - 13, f"{number}{side.name}", size=11, font=BOLD, width=room, most=3)
    if scored:
        score = sheet.points if sheet.over else sheet.scores
        pen.text(x + width - 48, top - 17, minus(score[side.index]), size=17, font=BOLD, width=42, align="right")
        won = sheet.winner == side.index
        words = "won" if won else ", ".join(said for key, said in sheet.counted[side.index] if key == "bags")
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


def draw_below(pen: Pen, frame: Frame, sheet: GameSheet, layout: Layout, printed: Print) -> None:
    """The boxes of the whole game: filled in where it is known, else to be filled in."""
    known = dict(_known(sheet, layout, printed))
    for cell in layout.below:
        x, top = frame.x(cell.x), frame.y(cell.y)
        pen.canvas.setLineWidth(0.5)
        pen.canvas.setStrokeColor(GREY)
        pen.canvas.rect(x, top - BOXED, cell.width, BOXED, stroke=1, fill=0)
        wide = pen.text(x + 3, top - 13.5, _label(cell), size=9, color=MUTED, width=cell.width - 6)
        value = known.get(cell.group, "")
        room = cell.width - wide - 10
        lines = wrapped(value, 9, room) if value else ()
        if len(lines) > 1:
            pen.block(x + wide + 7, top - 9.2, value, size=9, width=room, most=2)
        else:
            pen.text(x + wide + 7, top - 13.5, value, size=10, font=BOLD, width=room)


def _label(cell: SheetCell) -> str:
    key, _, side = cell.group.rpartition("-")
    return LABELS.get(cell.group) or f"{LABELS[key]} {LETTERS[int(side)]}"


def outgrows_box(one: SignatureFacts, layout: Layout) -> bool:
    """Whether an official's reason is longer than two lines of its box: then it is printed below the hands."""
    return bool(one.witness) and len(wrapped(one.words, 9, _room(layout, f"signed-{one.side}"))) > 2


def _room(layout: Layout, group: str) -> float:
    """How wide what is written into a box may be, behind its label."""
    cell = next(cell for cell in layout.below if cell.group == group)
    return cell.width - text_width(_label(cell), PLAIN, 9) - 10


def _known(sheet: GameSheet, layout: Layout, printed: Print) -> Iterator[tuple[str, str]]:
    """What is known of the whole game, by the box that it stands in."""
    if sheet.begun and sheet.seats and sheet.seats[0].name:
        dealer, room = sheet.seats[0], _room(layout, "first-dealer")
        whole = (
            text_width(max(dealer.name.split(), key=len), PLAIN, 9) <= room and len(wrapped(dealer.name, 9, room)) < 3
        )
        place = f"{LETTERS[dealer.side]}, player {dealer.seat // len(sheet.sides) + 1}"
        yield "first-dealer", dealer.name if whole else place
    for side in sheet.sides if sheet.over else ():
        yield f"points-{side.index}", minus(sheet.points[side.index])
        yield f"sets-{side.index}", str(sheet.sets[side.index])
        yield f"bostons-{side.index}", str(sheet.bostons[side.index])
    if sheet.over:
        yield "winner", sheet.winner_side.name if sheet.winner_side else "Nobody"
        cited = clause(sheet.rule)
        yield "how", f"{sheet.how_words}{f' ({cited})' if cited else ''}"
        yield "remarks", _why(sheet)
    if sheet.paper is not None and sheet.paper.look is not None and sheet.paper.look.accepted:
        yield "verified", sheet.paper.look.by
    for one in sheet.signatures:
        yield f"signed-{one.side}", one.official if outgrows_box(one, layout) else one.words or one.name
    if sheet.signatures:
        yield "time", clock_time(max(one.at for one in sheet.signatures), printed.zone)


def _why(sheet: GameSheet) -> str:
    """The sentence of the ending, with the rule of the printed sheet where it does not name it itself."""
    cited = rule(sheet.rule)
    if not sheet.rule[:1].isdigit() or re.search(rf"\b{re.escape(cited)}\b", sheet.text):
        return sheet.text
    return f"{sheet.text.rstrip('.')} ({cited})."


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
