"""Small papers to cut: a slip per team, a card per table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tournament.phrases import day
from tournament.queries.book import EventFacts
from tournament.queries.slips import Meeting, Slip
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen
from tournament.reports.pdf.paper import Area, Papers, draw_stack
from tournament.reports.qr import qr_path

MUTED, GREEN = "#5d6762", "#0f5b46"
LINE = 13.0
PIN_LINE = 20.0
NO_PINS: Mapping[int, str] = {}
# A QR code is read from the table at this size, its quiet border included.
QR_SIZE = 150.0


class TableCard(NamedTuple):
    """The card of a table: the code for typing, and the address behind the picture."""

    table: int
    code: str
    address: str


def team_slips_paper(event: EventFacts, slips: Sequence[Slip], pins: Mapping[int, str] = NO_PINS) -> bytes:
    """A slip per team: its number, its players, every round with table and opponents; and its PIN, if it has one."""
    papers = Papers(f"{event.name}: slips", event.paper)
    draw_team_slips(papers, event, slips, pins)
    return papers.finish()


def draw_team_slips(
    papers: Papers, event: EventFacts, slips: Sequence[Slip], pins: Mapping[int, str] = NO_PINS
) -> None:
    """Draw the slips, as many to a page as the longest of them allows."""
    most = max((len(slip.meetings) for slip in slips), default=0)
    room = papers.area.top - papers.area.bottom
    rows = max(1, min(4, int(room // (92 + PIN_LINE * bool(pins) + LINE * max(most, 3)))))

    def draw(pen: Pen, area: Area, slip: Slip) -> None:
        _slip(pen, area, event, slip, pins.get(slip.number, ""))

    draw_stack(papers, slips, 2, rows, draw)


def _slip(pen: Pen, area: Area, event: EventFacts, slip: Slip, pin: str) -> None:
    pen.text(area.left, area.top - 8, event.name, size=8, color=MUTED, width=area.width * 0.6)
    pen.text(area.left, area.top - 8, day(event.date), size=8, color=MUTED, width=area.width, align="right")
    pen.text(area.left, area.top - 40, str(slip.number), size=30, font=SERIF, width=48)
    left = area.left + 54
    y = pen.block(left, area.top - 26, slip.team, size=13, font=BOLD, width=area.right - left, most=2)
    pen.block(left, y - 13, " and ".join(slip.players), size=8.5, color=MUTED, width=area.right - left, most=2)
    y = area.top - 62
    if pin:
        y -= PIN_LINE
        pen.text(area.left, y + 15, f"PIN {pin[:3]} {pin[3:]}", size=13, font=BOLD, width=100)
        words = "Sign each sheet with it. Show it to nobody."
        pen.text(area.left, y + 15, words, size=7.5, color=MUTED, width=area.width, align="right")
    pen.rule(area.left, y + 6, area.right, y + 6, weight=1, color=GREEN)
    if not slip.meetings:
        pen.text(area.left, y - 8, "The rounds are not drawn yet.", size=9, color=MUTED)
    # Many rounds stand closer together rather than run off the slip.
    line = min(LINE, (y - 8 - area.bottom) / max(len(slip.meetings), 1))
    for meeting in slip.meetings:
        y -= line
        pen.text(area.left, y, meeting.title, size=min(9, line * 0.75), width=58)
        pen.text(area.left + 62, y, _where(meeting), size=min(9, line * 0.75), font=BOLD, width=50)
        pen.text(area.left + 116, y, _against(meeting), size=min(9, line * 0.75), width=area.width - 116)


def _where(meeting: Meeting) -> str:
    return "Bye" if meeting.table is None else f"Table {meeting.table}"


def _against(meeting: Meeting) -> str:
    return ", ".join(f"{number}  {name}" for number, name in meeting.opponents)


def table_cards_paper(event: EventFacts, cards: Sequence[TableCard]) -> bytes:
    """A card per table that binds its tablet: a QR code, and the code for typing."""
    papers = Papers(f"{event.name}: table cards", event.paper)
    draw_table_cards(papers, event, cards)
    return papers.finish()


def draw_table_cards(papers: Papers, event: EventFacts, cards: Sequence[TableCard]) -> None:
    """Draw the cards, four to a page."""

    def draw(pen: Pen, area: Area, card: TableCard) -> None:
        _card(pen, area, event, card)

    draw_stack(papers, cards, 2, 2, draw)


def _card(pen: Pen, area: Area, event: EventFacts, card: TableCard) -> None:
    pen.text(area.left, area.top - 10, event.name, size=9, color=MUTED, width=area.width, align="center")
    pen.text(area.left, area.top - 44, f"Table {card.table}", size=30, font=SERIF, width=area.width, align="center")
    draw_qr(pen, (area.left + area.right - QR_SIZE) / 2, area.top - 62 - QR_SIZE, QR_SIZE, card.address)
    y = area.top - 62 - QR_SIZE - 24
    pen.text(area.left, y, card.code, size=20, font=BOLD, width=area.width, align="center")
    address = card.address.partition("#")[0]
    pen.text(area.left, y - 18, f"or type the code at {address}", size=8, color=MUTED, width=area.width, align="center")
    pen.text(area.left, y - 31, "The code works once.", size=8, color=MUTED, width=area.width, align="center")


def draw_qr(pen: Pen, x: float, y: float, size: float, text: str) -> None:
    """Draw a QR code as one path: a rectangle per module takes three times as long."""
    code = qr_path(text)
    scale = size / code.size
    path = pen.canvas.beginPath()
    for run in code.d.split("M")[1:]:
        start, _, rest = run.partition("h")
        left, top = (float(number) for number in start.split())
        path.rect(x + left * scale, y + size - (top + 1) * scale, float(rest.partition("v")[0]) * scale, scale)
    pen.canvas.setFillColor("#000000")
    pen.canvas.drawPath(path, stroke=0, fill=1)
