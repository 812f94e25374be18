"""Small papers to cut: a slip per team, a card per table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tournament.models import Event
from tournament.phrases import day
from tournament.queries.draws import Meeting, Slip
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen, block
from tournament.reports.pdf.paper import Area, Papers, draw_qr, draw_stack

MUTED, GREEN = "#5d6762", "#0f5b46"
# What stands over the meetings of a slip, and the most room that one of them gets.
HEAD, EACH, LARGEST = 88.0, 17.0, 10.5
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
    most = max((len(slip.meetings) for slip in slips), default=0)
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
    pen.block(left, y - 13, " and ".join(slip.players), size=10, color=MUTED, width=room, most=2)
    y = area.top - HEAD + 14
    pen.rule(area.left, y + 6, area.right, y + 6, weight=1, color=GREEN)
    if not slip.meetings:
        pen.text(area.left, y - 10, "The rounds are not drawn yet.", size=10, color=MUTED)
        return
    _meetings(pen, area, slip.meetings, y)


def _meetings(pen: Pen, area: Area, meetings: Sequence[Meeting], y: float) -> None:
    """A line for each round, with room to write the result down; many rounds stand closer together."""
    each = min(EACH, (y - 6 - area.bottom) / (len(meetings) + 1))
    size = min(LARGEST, each * 0.72)
    table, number, name, result = (area.left + at for at in (58.0, 76.0, 104.0, area.width - 44))
    heads = (("Table", table - 12, 30, "right"), ("Opponent", name, 80, "left"), ("Result", result, 44, "right"))
    y -= 7
    for words, x, width, align in heads:
        pen.text(x, y, words, size=8, font=BOLD, color=MUTED, width=width, align=align)
    y -= 3
    for meeting in meetings:
        y -= each
        base = y + each * 0.28
        pen.text(area.left, base, meeting.title, size=size, width=table - area.left - 2)
        if meeting.table is None:
            pen.text(name, base, "Bye", size=size, font=BOLD)
        else:
            pen.text(table, base, str(meeting.table), size=size, font=BOLD, width=18, align="right")
        who = meeting.opponents
        if len(who) == 1:
            pen.text(number, base, str(who[0][0]), size=size, width=24, align="right")
            lines, _ = block(who[0][1], PLAIN, size, result - name - 4, 2)
            top = base + (0 if len(lines) == 1 else each * 0.24)
            pen.block(name, top, who[0][1], size=size, width=result - name - 4)
        elif who:
            several = ", ".join(f"{number} {name}" for number, name in who)
            pen.text(name - 20, base, several, size=size, width=result - name + 16)
        pen.rule(area.left, y, area.right, y, color="#dddddd")


def draw_table_cards(papers: Papers, event: Event, cards: Sequence[TableCard]) -> None:
    """Draw a card per table that binds its tablet, a QR code and the code for typing; four to a page."""

    def draw(pen: Pen, area: Area, card: TableCard) -> None:
        _card(pen, area, event, card)

    draw_stack(papers, cards, 2, 2, draw)


def _card(pen: Pen, area: Area, event: Event, card: TableCard) -> None:
    def said(y: float, text: str, size: float, font: str = PLAIN, color: str = MUTED) -> None:
        pen.text(area.left, y, text, size=size, font=font, width=area.width, align="center", color=color)

    # The middle of the card is that of what stands on it.
    top = (area.top + area.bottom) / 2 + 168
    said(top - 10, event.name, 11)
    said(top - 24, day(event.date), 10)
    said(top - 64, f"Table {card.table}", 38, SERIF, "#111111")
    draw_qr(pen, (area.left + area.right - QR_SIZE) / 2, top - 76 - QR_SIZE, QR_SIZE, card.address)
    y = top - 76 - QR_SIZE - 22
    said(y, card.code, 24, BOLD, "#111111")
    said(y - 20, f"or type the code at {card.address.partition('#')[0]}", 10)
    said(y - 34, "The code works once.", 10)
