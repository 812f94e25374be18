"""The results as a poster for the wall: who won, who came next, who took the pot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tournament.phrases import day, minus, money
from tournament.queries.pictures import WholeBook
from tournament.queries.places import Step
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen, block, text_width
from tournament.reports.pdf.paper import Area, Papers, draw_printed, draw_qr

MUTED, GREEN, GOLD = "#5d6762", "#0f5b46", "#83560a"
PLACES = 8
# A name that would be smaller takes two lines; the least height of a line of the standings.
TWO_LINES, LEAST = 22.0, 20.0
QR, HALF = 84.0, 0.6
# From left to right; how far each step stands below the first.
ORDER, LOWER = (2, 1, 3), {1: 0.0, 2: 20.0, 3: 34.0}
WIDEST, GAP, PAD, TEAM, SMALL = 190.0, 8.0, 10.0, 14.0, 9.0
FILL = {1: "#f6dfac", 2: "#eef3f0", 3: "#eef3f0"}


def draw_poster(papers: Papers, whole: WholeBook) -> None:
    """Draw the poster: once there is a champion podium, places and the evening, before that the standings.

    A QR code leads to the public page, where the site is known.
    """
    pen, area, event = papers.pen, papers.area, whole.book.event
    live = papers.live("standings", event.slug)
    beside = QR if live else 0.0
    left, width = area.left + beside, area.width - 2 * beside
    if text_width(event.name, SERIF, TWO_LINES) > width:
        pen.block(left, area.top - 18, event.name, width=width, size=TWO_LINES, font=SERIF, align="center")
    else:
        pen.text(left, area.top - 40, event.name, size=38, font=SERIF, width=width, align="center")
    entered = f"{len(whole.book.teams)} {whole.book.rules.unit}s"
    under = " · ".join(part for part in (day(event.date), event.place, entered) if part)
    pen.text(left, area.top - 62, under, size=13, width=width, align="center", color=MUTED)
    if live:
        draw_qr(pen, area.right - QR + 8, area.top - QR + 22, QR, live)
    pen.rule(area.left, area.top - 78, area.right, area.top - 78, weight=2, color=GREEN)
    y = area.top - 108
    if whole.finale.exists:
        y = _champion(pen, area, whole, y)
        y = draw_podium(pen, area, whole, y - 16)
        y = _places(pen, area, whole, y - 32)
        below = y - 32
        _evening(pen, area._replace(right=area.left + area.width * (HALF - 0.04)), whole, below)
        _pot(pen, area._replace(left=area.left + area.width * HALF), whole, below)
    else:
        y = _standings(pen, area, whole, y)
        _pot(pen, area, whole, y - 32)
    draw_printed(papers, event.time_zone)
    papers.next_page()


def _champion(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    places = whole.finale.places
    first = places.lines[0]
    text = f"★ {places.title} ★"
    pen.text(area.left, y, text, size=14, font=BOLD, width=area.width, align="center", color=GOLD)
    y = pen.block(
        area.left, y - 42, first.team, size=40, font=SERIF, width=area.width, most=2, align="center", color=GREEN
    )
    players = " and ".join(first.players)
    y = pen.block(area.left, y - 24, players, size=16, width=area.width, most=2, align="center")
    pen.text(area.left, y - 20, places.won_by, size=12, color=MUTED, width=area.width, align="center")
    return y - 20


def _places(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    lines = whole.finale.places.lines
    pen.text(area.left, y, "Final places", size=12, font=BOLD, color=MUTED)
    for line in lines[:PLACES]:
        y -= 24
        pen.text(area.left, y, line.label or "–", size=15, font=SERIF, width=36, align="right")
        pen.text(area.left + 48, y, line.team, size=14, font=BOLD, width=area.width * 0.5 - 48)
        how = area.left + area.width * 0.52
        pen.text(how, y, line.how, size=10.5, width=area.right - how, align="right", color=MUTED)
        pen.rule(area.left, y - 7, area.right, y - 7, color="#dddddd")
    return y


def _evening(pen: Pen, area: Area, whole: WholeBook, y: float) -> None:
    for fact in whole.finale.facts:
        pen.text(area.left, y, fact.figure, size=14, font=SERIF, color=GOLD, width=52)
        y = pen.block(area.left + 58, y, fact.words, size=11, width=area.width - 58, most=2) - 20


def _standings(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    table = whole.book.standings
    words = f"Standings · {table.state}" if table.lines else "No games yet."
    pen.text(area.left, y, words, size=16, color=MUTED, width=area.width, align="center")
    room = y - area.bottom - 90
    pitch = max(LEAST, min(27.0, room / max(len(table.lines), 1)))
    shown = table.lines if len(table.lines) * pitch <= room + 0.01 else table.lines[: int(room // pitch) - 1]
    for line in shown:
        y -= pitch
        pen.text(area.left, y, line.label, size=17, font=SERIF, width=40, align="right")
        pen.text(area.left + 54, y, line.team, size=17, font=BOLD, width=area.width - 200)
        figures = f"{line.won} won, {minus(line.points)} points"
        pen.text(area.right - 140, y, figures, size=12, width=140, align="right", color=MUTED)
        pen.rule(area.left, y - 0.3 * pitch, area.right, y - 0.3 * pitch, color="#dddddd")
    if rest := len(table.lines) - len(shown):
        y -= pitch
        pen.text(area.left + 54, y, f"and {rest} more", size=12, color=MUTED)
    return y


def _pot(pen: Pen, area: Area, whole: WholeBook, y: float) -> None:
    """Who took the pot, a line each as far as there is room; before it is settled how it stands."""
    pot = whole.pot
    if not pot.exists:
        return
    pen.text(area.left, y, f"★ Boston pot {money(pot.cents, pot.currency)}", size=12, font=BOLD, color=GOLD)
    winners = [team for team in pot.teams if team.cents] if pot.settled else []
    if not winners:
        pen.block(area.left, y - 18, pot.text, size=11, width=area.width, most=3)
        return
    lines = max(1, int((y - area.bottom - 22) // 18))
    shown = winners if len(winners) <= lines else winners[: lines - 1]
    for team in shown:
        y -= 18
        pen.text(area.left, y, money(team.cents, pot.currency), size=12, font=SERIF, width=60)
        pen.text(area.left + 66, y, team.team, size=11.5, font=BOLD, width=area.width - 66)
    if rest := len(winners) - len(shown):
        pen.text(area.left + 66, y - 18, f"and {rest} more", size=11, width=area.width - 66)


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
