"""The boxes below the table of a score sheet: what is known of the whole game, and who signed for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tournament.phrases import clause, minus, rule
from tournament.queries.sheetcells import BOXED, LEFT, LETTERS, RIGHT, Layout, SheetCell
from tournament.queries.sheetfacts import GameSheet, SideFacts
from tournament.queries.signatures import SignatureFacts
from tournament.reports.pdf.lettering import BOLD, PLAIN, TIED, Pen, text_width, wrapped
from tournament.reports.pdf.sheet_parts import GREY, MUTED, Frame, Print
from tournament.times import clock_time

# Between the last row and the boxes, on a sheet that nobody writes on any more.
NOTE = 648.0
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


def draw_below(pen: Pen, frame: Frame, sheet: GameSheet, layout: Layout, printed: Print) -> None:
    """The boxes of the whole game: filled in where it is known, else to be filled in."""
    known = dict(_known(sheet, layout, printed))
    if is_short(note := signed_note(sheet, layout)):
        pen.text(frame.x(LEFT), frame.y(NOTE), note, size=9)
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


def signed_note(sheet: GameSheet, layout: Layout) -> str:
    """Who signed for whom and why, where that is longer than its box."""
    long = (one for one in sheet.signatures if outgrows_box(one, layout))
    return "; ".join(dict.fromkeys(f"Signed by {one.words}" for one in long))


def is_short(note: str) -> bool:
    """Whether a note stands in one line above the boxes; else it takes a row of the table."""
    return text_width(note, PLAIN, 9) <= RIGHT - LEFT


def _room(layout: Layout, group: str) -> float:
    """How wide what is written into a box may be, behind its label."""
    cell = next(cell for cell in layout.below if cell.group == group)
    return cell.width - text_width(_label(cell), PLAIN, 9) - 10


def _known(sheet: GameSheet, layout: Layout, printed: Print) -> Iterator[tuple[str, str]]:
    """What is known of the whole game, by the box that it stands in."""
    if sheet.begun and sheet.seats and sheet.seats[0].name:
        dealer = sheet.seats[0]
        place = f"{LETTERS[dealer.side]}, player{TIED}{dealer.seat // len(sheet.sides) + 1}"
        yield "first-dealer", dealer.name if _fits(dealer.name, layout, "first-dealer") else place
    for side in sheet.sides if sheet.over else ():
        yield f"points-{side.index}", minus(sheet.points[side.index])
        yield f"sets-{side.index}", str(sheet.sets[side.index])
        yield f"bostons-{side.index}", str(sheet.bostons[side.index])
    if sheet.over:
        winner = sheet.winner_side
        name = winner.name if winner else "Nobody"
        yield "winner", name if winner is None or _fits(name, layout, "winner") else _lettered(winner)
        cited = clause(sheet.rule)
        yield "how", f"{sheet.how_words}{f' ({cited})' if cited and sheet.how_words not in cited else ''}"
        why = _why(sheet)
        for side in () if _fits(why, layout, "remarks") else sheet.sides:
            why = why.replace(side.name, _lettered(side))
        yield "remarks", why
    if sheet.paper is not None and sheet.paper.look is not None and sheet.paper.look.accepted:
        yield "verified", sheet.paper.look.name
    for one in sheet.signatures:
        yield f"signed-{one.side}", one.official if outgrows_box(one, layout) else one.words or one.name
    if sheet.signatures:
        yield "time", clock_time(max(one.at for one in sheet.signatures), printed.zone)


def _lettered(side: SideFacts) -> str:
    return f"Side{TIED}{LETTERS[side.index]}"


def _fits(text: str, layout: Layout, group: str) -> bool:
    """Whether a text stands in its box, in two lines at most and with no word broken."""
    room = _room(layout, group)
    return text_width(max(text.split(), key=len), PLAIN, 9) <= room and len(wrapped(text, 9, room)) < 3


def _why(sheet: GameSheet) -> str:
    """The sentence of the ending, with the rule of the printed sheet where it does not name it itself."""
    cited = rule(sheet.rule)
    if not sheet.rule[:1].isdigit() or re.search(rf"\b{re.escape(cited)}\b", sheet.text):
        return sheet.text
    return f"{sheet.text.rstrip('.')} ({cited})."
