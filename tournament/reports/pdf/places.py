"""The final places on paper."""

from __future__ import annotations

from tournament.queries.eventbook import WholeBook
from tournament.reports.pdf.listing import Column, draw_list
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.standings import where


def places_paper(whole: WholeBook) -> bytes:
    """Every team by its final place, and how it came there."""
    papers = Papers(f"{whole.book.event.name}: final places", whole.book.event.paper)
    draw_places(papers, whole)
    return papers.finish()


def draw_places(papers: Papers, whole: WholeBook) -> None:
    """Draw the final places over as many pages as they need."""
    event, places = whole.book.event, whole.finale.places
    columns = [
        Column("Place", 6, strong=True),
        Column("No.", 5, "right"),
        Column(event.unit.capitalize(), 26, strong=True),
        Column("Players", 27),
        Column("How", 36),
    ]
    rows = (
        (line.label or "–", str(line.number), line.team, ", ".join(line.players), line.how) for line in places.lines
    )
    under = " · ".join(part for part in (where(event), places.won_by) if part)
    draw_list(papers, f"{event.name}: final places", under, columns, rows, empty="There is no champion yet.")
