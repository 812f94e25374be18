"""Certificates: a page for each of the first places and for the most Bostons, to be signed and handed over."""

from __future__ import annotations

from typing import NamedTuple

from reportlab.lib.colors import Color

from tournament.models import Event
from tournament.queries.certificates import Certificate, Certificates
from tournament.reports.pdf.colors import GOLD, GREEN, INK, MUTED
from tournament.reports.pdf.lettering import BOLD, LEADING, PLAIN, SERIF, fitted, in_pairs
from tournament.reports.pdf.paper import Area, Papers
from tournament.words.phrases import day

# The outer frame, the line within it, and the distance of the text from that line.
FRAME, WITHIN, INSIDE = 26.0, 33.0, 46.0
# The height of the lines to sign on with the text above them, and their width.
SIGNED, LINE = 46.0, 200.0
SUITS = "♠♥♣♦"
# The symbols below the event's name, and the length of the golden lines beside them.
DIVIDER, BESIDE = "♠  ♥  ♦  ♣", 110.0
NONE_YET = "There is no champion yet. Certificates are made from the final places."


class Line(NamedTuple):
    """A line of a certificate: the distance from the line above it, its style, and how many lines it may take."""

    text: str
    down: float
    size: float
    font: str
    color: Color = INK
    most: int = 2


def draw_certificates(papers: Papers, event: Event, told: Certificates) -> None:
    """Draw a certificate on each page, in landscape; before there is a champion, a page that says so."""
    papers.turn(landscape=True)
    if not told.pages:
        papers.pen.text(
            papers.area.left, papers.area.top - 18, event.name, size=18, font=SERIF, width=papers.area.width
        )
        papers.pen.text(papers.area.left, papers.area.top - 40, NONE_YET, size=12, color=MUTED)
        papers.next_page()
    for certificate in told.pages:
        _frame(papers)
        _draw(papers, event, told, certificate)
        papers.next_page()
    papers.turn(landscape=False)


def _frame(papers: Papers) -> None:
    """Two lines around the page, and a suit symbol in each corner."""
    canvas, (wide, high) = papers.canvas, papers.size
    for edge, weight, color in ((FRAME, 2.6, GREEN), (WITHIN, 0.7, GOLD)):
        canvas.setLineWidth(weight)
        canvas.setStrokeColor(color)
        canvas.roundRect(edge, edge, wide - 2 * edge, high - 2 * edge, 4, stroke=1, fill=0)
    for suit, x, y in zip(
        SUITS,
        (WITHIN + 10, wide - WITHIN - 30, wide - WITHIN - 30, WITHIN + 10),
        (high - WITHIN - 24, high - WITHIN - 24, WITHIN + 10, WITHIN + 10),
        strict=True,
    ):
        papers.pen.text(x, y, suit, size=20, font=PLAIN, width=20, align="center", color=GREEN)


def _draw(papers: Papers, event: Event, told: Certificates, certificate: Certificate) -> None:
    wide, high = papers.size
    area = Area(WITHIN + INSIDE, WITHIN + INSIDE, wide - WITHIN - INSIDE, high - WITHIN - 24)
    lines = [
        Line(told.club, 24, 17, BOLD, MUTED, 1),
        Line(event.name, 40, 30, SERIF),
        Line(DIVIDER, 36, 15, PLAIN, GOLD, 1),
        Line(certificate.title, 70, 60, SERIF, GREEN, 1),
        Line("awarded to", 40, 15, PLAIN, MUTED, 1),
        Line(certificate.team, 48, 40, SERIF),
        Line(in_pairs(certificate.players), 36, 22, PLAIN),
        Line(certificate.how, 32, 16, PLAIN, MUTED),
    ]
    placed = [(line, *fitted(line.text, line.font, line.size, area.width, line.most)) for line in lines if line.text]
    tall = sum(line.down + (len(texts) - 1) * size * LEADING for line, texts, size in placed)
    # Centered in the room above the lines to sign on; with long names the lines move closer together.
    room = area.top - area.bottom - SIGNED
    closer = min(1.0, room / tall)
    y = area.top - max(0.0, (room - tall) / 2)
    for line, texts, size in placed:
        y -= line.down * closer
        for number, text in enumerate(texts):
            y -= size * LEADING * (number > 0)
            wide = papers.pen.text(area.left, y, text, size=size, font=line.font, width=area.width, align="center",
                                   color=line.color)  # fmt: skip
        if line.text == DIVIDER:
            _rules_beside(papers, wide, y + 0.35 * size)
    _sign(papers, event, told, area)


def _rules_beside(papers: Papers, wide: float, y: float) -> None:
    """Draw a golden line on each side of the symbols in the middle of the page."""
    middle, away = papers.size[0] / 2, wide / 2 + 12
    papers.pen.rule(middle - away - BESIDE, y, middle - away, y, weight=1, color=GOLD)
    papers.pen.rule(middle + away, y, middle + away + BESIDE, y, weight=1, color=GOLD)


def _sign(papers: Papers, event: Event, told: Certificates, area: Area) -> None:
    """The day and place of the event, and a line to sign on."""
    pen, left = papers.pen, area.right - LINE
    pen.rule(left, area.bottom + 12, area.right, area.bottom + 12, weight=0.8, color=INK)
    who = f"{told.director}, director" if told.director else "Director"
    pen.block(left, area.bottom - 1, who, size=12, color=MUTED, width=LINE, align="center")
    pen.block(area.left, area.bottom + 16, day(event.date), size=14, width=LINE * 1.5)
    if event.place:
        pen.block(area.left, area.bottom - 1, event.place, size=12, color=MUTED, width=area.width - LINE - 40)
