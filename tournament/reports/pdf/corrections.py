"""What was struck from a sheet stays readable, with who struck it and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.queries.sheet import GameSheet, Struck
from tournament.reports.pdf.lettering import BOLD, Pen
from tournament.reports.pdf.paper import Area

MUTED = "#5d6762"
LEADING = 11.0


class Correction(NamedTuple):
    """A line that no longer counts: where it stood, what it said, and why it was struck."""

    place: str
    text: str
    why: str


def corrections_of(sheet: GameSheet) -> list[Correction]:
    """Every version of every line that was struck, in the order of the lines."""
    struck = [_correction(f"Line {row.position}", old) for row in sheet.rows for old in row.struck]
    return struck + [_correction("Off the sheet", old) for old in sheet.removed]


def draw_corrections(
    pen: Pen, area: Area, struck: Sequence[Correction], top: float, bottom: float
) -> Sequence[Correction]:
    """Write corrections down to `bottom`; returns those that did not fit and go on a page of their own."""
    if not struck:
        return ()
    y = top - 6
    if y - LEADING - 4 < bottom:
        return struck
    pen.text(area.left, y, "Corrections", size=8.5, font=BOLD)
    for index, one in enumerate(struck):
        y -= LEADING
        if y < bottom:
            return struck[index:]
        x = area.left + 62
        pen.text(area.left, y, one.place, size=7.5, color=MUTED, width=58)
        wide = pen.text(x, y, one.text, size=8, width=area.width * 0.38)
        pen.rule(x, y + 2.6, x + min(wide, area.width * 0.38), y + 2.6, color="#111111")
        left = x + area.width * 0.39
        pen.text(left, y, one.why, size=8, color=MUTED, width=area.right - left)
    return ()


def _correction(place: str, old: Struck) -> Correction:
    why = " · ".join(part for part in (old.struck_reason or "written again", old.struck_by) if part)
    return Correction(place, old.written.text, why)
