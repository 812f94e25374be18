"""The results as a poster for the wall: who won, who came next, who took the pot."""

from __future__ import annotations

from tournament.phrases import day, minus, money
from tournament.queries.eventbook import WholeBook
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen
from tournament.reports.pdf.paper import Area, Papers

MUTED, GREEN, GOLD = "#5d6762", "#0f5b46", "#83560a"
PLACES = 8


def poster_paper(whole: WholeBook) -> bytes:
    """The results poster, one page."""
    papers = Papers(f"{whole.book.event.name}: results", whole.book.event.paper)
    draw_poster(papers, whole)
    return papers.finish()


def draw_poster(papers: Papers, whole: WholeBook) -> None:
    """Draw the poster."""
    pen, area, event = papers.pen, papers.area, whole.book.event
    pen.text(area.left, area.top - 40, event.name, size=38, font=SERIF, width=area.width, align="center")
    entered = f"{len(whole.book.teams)} {event.unit}s"
    under = " · ".join(part for part in (day(event.date), event.place, entered) if part)
    pen.text(area.left, area.top - 62, under, size=13, color=MUTED, width=area.width, align="center")
    pen.rule(area.left, area.top - 78, area.right, area.top - 78, weight=2, color=GREEN)
    y = _champion(pen, area, whole, area.top - 120)
    y = _places(pen, area, whole, y - 30)
    _pot(pen, area, whole, y - 26)
    papers.next_page()


def _champion(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    name, players = _winner(whole)
    if not name:
        state = whole.book.standings.state
        pen.text(area.left, y, f"Standings {state}", size=16, color=MUTED, width=area.width, align="center")
        return y
    words = "Champion" if whole.book.event.unit == "player" else "Champions"
    pen.text(area.left, y, words, size=15, color=GOLD, width=area.width, align="center")
    y = pen.block(area.left, y - 46, name, size=44, font=SERIF, width=area.width, most=2, align="center", color=GREEN)
    pen.text(area.left, y - 26, players, size=16, width=area.width, align="center")
    if whole.bracket and whole.bracket.runner_up:
        text = f"Second: {whole.bracket.runner_up}"
        pen.text(area.left, y - 52, text, size=18, font=BOLD, width=area.width, align="center")
        y -= 26
    return y - 30


def _winner(whole: WholeBook) -> tuple[str, str]:
    """The champion of the bracket; without one, who leads complete standings."""
    standings = whole.book.standings
    number = whole.bracket.champion_number if whole.bracket else None
    if whole.bracket is None and standings.complete and standings.lines and standings.lines[0].label == "1":
        number = standings.lines[0].number
    team = next((team for team in whole.book.teams if team.number == number), None)
    return (team.name, " and ".join(team.players)) if team else ("", "")


def _places(pen: Pen, area: Area, whole: WholeBook, y: float) -> float:
    lines = whole.book.standings.lines[:PLACES]
    title = "After the qualifying games" if whole.bracket else "Places"
    pen.text(area.left, y, title if lines else "No games yet.", size=13, font=BOLD, color=MUTED)
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
    pen.text(area.left, y, f"★ Boston pot {money(pot.cents, pot.currency)}", size=13, font=BOLD, color=GOLD)
    winners = [f"{team.team} {money(team.cents, pot.currency)}" for team in pot.teams if team.cents]
    text = ", ".join(winners) if pot.settled else pot.text
    pen.block(area.left, y - 20, text, size=13, width=area.width, most=3)
