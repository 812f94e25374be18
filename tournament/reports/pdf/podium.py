"""The podium on paper: the first three places, the first in the middle and the highest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tournament.phrases import money
from tournament.queries.eventbook import WholeBook
from tournament.queries.places import Step
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen, block
from tournament.reports.pdf.paper import Area

MUTED = "#5d6762"
# From left to right; how far each step stands below the first.
ORDER, LOWER = (2, 1, 3), {1: 0.0, 2: 20.0, 3: 34.0}
WIDEST, GAP, PAD, TEAM, SMALL = 190.0, 8.0, 10.0, 14.0, 9.0
FILL = {1: "#f6dfac", 2: "#eef3f0", 3: "#eef3f0"}


class Said(NamedTuple):
    """A line on a step: how far its base line stands below the one before, and how it is set."""

    text: str
    down: float
    size: float
    font: str
    color: str | None = None


def draw_podium(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    """Draw the podium below `y` and return its foot."""
    steps = {step.place: step for step in whole.finale.places.podium}
    shown = [steps[place] for place in ORDER if place in steps]
    width = min(WIDEST, (area.width - GAP * (len(shown) - 1)) / len(shown))
    left = area.left + (area.width - width * len(shown) - GAP * (len(shown) - 1)) / 2
    said = [list(_said(step, whole, width - 2 * PAD)) for step in shown]
    depths = [LOWER[step.place] + sum(line.down for line in lines) for step, lines in zip(shown, said, strict=True)]
    foot = y - max(depths) - 12
    for index, (step, lines) in enumerate(zip(shown, said, strict=True)):
        x, top = left + index * (width + GAP), y - LOWER[step.place]
        pen.box(x, foot, width, top - foot, fill=FILL[step.place], radius=6)
        for line in lines:
            top -= line.down
            pen.text(
                x + PAD,
                top,
                line.text,
                size=line.size,
                font=line.font,
                width=width - 2 * PAD,
                align="center",
                color=line.color,
            )
    return foot


def _said(step: Step, whole: WholeBook, width: float) -> Iterator[Said]:
    yield Said(step.ordinal, 16, SMALL, PLAIN, MUTED)
    for line in step.lines:
        yield from _lines(line.team, SERIF, TEAM, 17, width)
        yield from _lines(line.record if step.place == 1 else ", ".join(line.players), PLAIN, SMALL, 13, width)
        if prize := whole.finale.prizes.get(line.number):
            yield from _lines(money(prize, whole.book.event.currency), BOLD, SMALL, 13, width)
    if step.more:
        yield Said(f"and {step.more} more", 13, SMALL, PLAIN)


def _lines(text: str, font: str, size: float, down: float, width: float) -> Iterator[Said]:
    """A text smaller and over two lines where it is long, so that it is readable to its end."""
    lines, fits = block(text, font, size, width, 2) if text else ((), size)
    for number, line in enumerate(lines):
        yield Said(line, down if number == 0 else fits * 1.12, fits, font)
