"""The results as a poster for the wall: who won, who came next, who took the pot."""

from __future__ import annotations

from tournament.phrases import day, minus, money
from tournament.queries.eventbook import WholeBook
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen
from tournament.reports.pdf.paper import Area, Papers
from tournament.reports.pdf.podium import draw_podium

MUTED, GREEN, GOLD = "#5d6762", "#0f5b46", "#83560a"
PLACES = 8


def poster_paper(whole: WholeBook) -> bytes:
    """The results poster, one page."""
    papers = Papers(f"{whole.book.event.name}: results", whole.book.event.paper)
    draw_poster(papers, whole)
    return papers.finish()


def draw_poster(papers: Papers, whole: WholeBook) -> None:
    """Draw the poster: once there is a champion podium, places and the evening, before that the standings."""
    pen, area, event = papers.pen, papers.area, whole.book.event
    pen.text(area.left, area.top - 40, event.name, size=38, font=SERIF, width=area.width, align="center")
    entered = f"{len(whole.book.teams)} {event.unit}s"
    under = " · ".join(part for part in (day(event.date), event.place, entered) if part)
    pen.text(area.left, area.top - 62, under, size=13, color=MUTED, width=area.width, align="center")
    pen.rule(area.left, area.top - 78, area.right, area.top - 78, weight=2, color=GREEN)
    y = area.top - 108
    if whole.finale.exists:
        y = _champion(pen, area, whole, y)
        y = draw_podium(pen, area, whole, y - 16)
        y = _places(pen, area, whole, y - 26)
        y = _evening(pen, area, whole, y - 24)
    else:
        state = whole.book.standings.state
        pen.text(area.left, y, f"Standings {state}", size=16, color=MUTED, width=area.width, align="center")
        y = _standings(pen, area, whole, y - 30)
    _pot(pen, area, whole, y - 24)
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


def _evening(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    for fact in whole.finale.facts:
        pen.text(area.left, y, fact.figure, size=14, font=SERIF, color=GOLD, width=82)
        y = pen.block(area.left + 90, y, fact.words, size=11, width=area.width - 90, most=2) - 20
    return y + 20


def _standings(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    lines = whole.book.standings.lines[:PLACES]
    pen.text(area.left, y, "Places" if lines else "No games yet.", size=13, font=BOLD, color=MUTED)
    for line in lines:
        y -= 27
        pen.text(area.left, y, line.label, size=17, font=SERIF, width=40, align="right")
        pen.text(area.left + 54, y, line.team, size=17, font=BOLD, width=area.width - 200)
        figures = f"{line.won} won, {minus(line.points)} points"
        pen.text(area.right - 140, y, figures, size=12, width=140, align="right", color=MUTED)
        pen.rule(area.left, y - 8, area.right, y - 8, color="#dddddd")
    return y


def _pot(pen: Pen, area: Area, whole: WholeBook, y: float) -> None:
    pot = whole.pot
    if not pot.exists:
        return
    winners = [f"{team.team} {money(team.cents, pot.currency)}" for team in pot.teams if team.cents]
    pen.text(area.left, y, f"★ Boston pot {money(pot.cents, pot.currency)}", size=12, font=BOLD, color=GOLD)
    text = ", ".join(winners) if pot.settled else pot.text
    pen.block(area.left, y - 16, text, size=11, width=area.width, most=2)
