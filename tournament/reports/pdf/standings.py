"""The standings on paper."""

from __future__ import annotations

from tournament.phrases import day, minus
from tournament.queries.book import EventBook, EventFacts
from tournament.reports.pdf.listing import Column, draw_list
from tournament.reports.pdf.paper import Papers


def standings_paper(book: EventBook) -> bytes:
    """The standings with a sentence for every tie."""
    papers = Papers(f"{book.event.name}: {book.standings.title.lower()}", book.event.paper)
    draw_standings(papers, book)
    return papers.finish()


def draw_standings(papers: Papers, book: EventBook) -> None:
    """Draw the standings over as many pages as they need."""
    standings, event = book.standings, book.event
    columns = [
        Column("Place", 5, strong=True),
        Column("No.", 4, "right"),
        Column(event.unit.capitalize(), 22, strong=True),
        Column("Games", 16),
        Column("Won", 5, "right", strong=True),
        Column("Points", 6, "right"),
        Column("Bostons", 8, "right"),
        Column("Ties", 38),
    ]
    rows = (
        (
            line.label,
            str(line.number),
            line.team,
            " ".join(mark.sign + "★" * mark.bostons if mark else "·" for mark in line.marks),
            str(line.won),
            minus(line.points),
            str(line.bostons or ""),
            " ".join(line.ties),
        )
        for line in standings.lines
    )
    under = f"{where(event)} · {standings.state} · ordered by {standings.order}"
    draw_list(
        papers,
        f"{event.name}: {standings.title.lower()}",
        under,
        columns,
        rows,
        empty=standings.hidden or "No games yet.",
    )


def where(event: EventFacts) -> str:
    """Date and place, as they stand under every title."""
    return " · ".join(part for part in (day(event.date), event.place) if part)
