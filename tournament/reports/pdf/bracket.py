"""The bracket as a drawing, in landscape; a large one over several pages."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.lists.column import where
from tournament.phrases import minus
from tournament.queries.book import EventFacts
from tournament.queries.bracket import BracketFacts, Cell, Column, MatchFacts, MatchSide
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen
from tournament.reports.pdf.paper import Area, Papers

MUTED, GREEN, LINE = "#5d6762", "#0f5b46", "#999999"
# More first-round matches than this become too small to read on one page.
MOST_CELLS = 16
GAP = 16.0
WIDEST = 240.0


def bracket_paper(event: EventFacts, drawn: BracketFacts | None) -> bytes:
    """The bracket on paper."""
    papers = Papers(f"{event.name}: playoffs", event.paper, landscape=True)
    draw_bracket(papers, event, drawn)
    return papers.finish()


def draw_bracket(papers: Papers, event: EventFacts, drawn: BracketFacts | None) -> None:
    """Draw the bracket; parts of a large one come first, the last rounds at the end."""
    if drawn is None:
        _title(papers.pen, papers.area, event, "The cut has not been made yet.")
        papers.next_page()
        return
    columns, parts = drawn.columns, -(-len(drawn.columns[0].cells) // MOST_CELLS)
    if parts > 1:
        split = next(at for at, column in enumerate(columns) if len(column.cells) <= parts)
        for part in range(parts):
            shown = [_part(column, part, parts) for column in columns[: split + 1]]
            _page(papers, event, drawn, shown, f"Part {part + 1} of {parts}")
        columns = columns[split:]
    _page(papers, event, drawn, columns, "")


def _part(column: Column, part: int, parts: int) -> Column:
    each = max(1, len(column.cells) // parts)
    return Column(column.number, column.title, column.cells[part * each : (part + 1) * each])


def _page(papers: Papers, event: EventFacts, drawn: BracketFacts, columns: Sequence[Column], part: str) -> None:
    pen, area = papers.pen, papers.area
    champion = f"{drawn.champion} win; {drawn.runner_up} are second" if drawn.champion else drawn.unsettled
    top = _title(pen, area, event, " · ".join(text for text in (part, champion) if text))
    bottom = area.bottom + (54 if drawn.third and not part else 6)
    width = min(WIDEST, (area.width - GAP * (len(columns) - 1)) / len(columns))
    for at, column in enumerate(columns):
        left = area.left + at * (width + GAP)
        pen.text(left, top, column.title, size=10, font=BOLD, width=width)
        height = (top - 10 - bottom) / len(column.cells)
        for place, cell in enumerate(column.cells):
            middle = top - 10 - (place + 0.5) * height
            _cell(pen, cell, left, middle, width, min(height * 0.84, 58.0))
            if at + 1 < len(columns):
                _elbow(pen, left + width, middle, height, first=place % 2 == 0)
    if drawn.third and not part:
        pen.text(area.left, area.bottom + 46, drawn.third.title, size=9, font=BOLD)
        _match(pen, drawn.third, area.left, area.bottom + 20, width, 40)
    papers.next_page()


def _title(pen: Pen, area: Area, event: EventFacts, under: str) -> float:
    pen.text(area.left, area.top - 16, f"{event.name}: playoffs", size=18, font=SERIF, width=area.width)
    words = " · ".join(text for text in (where(event), under) if text)
    pen.text(area.left, area.top - 31, words, size=9, color=MUTED, width=area.width)
    pen.rule(area.left, area.top - 38, area.right, area.top - 38, weight=1.2, color=GREEN)
    return area.top - 52


def _elbow(pen: Pen, x: float, middle: float, height: float, *, first: bool) -> None:
    """The line from a match to the next one, which stands halfway between two."""
    target = middle - height / 2 if first else middle + height / 2
    pen.rule(x, middle, x + GAP / 2, middle, color=LINE)
    pen.rule(x + GAP / 2, middle, x + GAP / 2, target, color=LINE)
    pen.rule(x + GAP / 2, target, x + GAP, target, color=LINE)


def _cell(pen: Pen, cell: Cell, left: float, middle: float, width: float, height: float) -> None:
    if cell.match is not None:
        _match(pen, cell.match, left, middle, width, height)
    elif cell.bye is not None:
        size = min(9.0, height * 0.34)
        pen.box(left, middle - height / 4, width, height / 2, radius=3)
        text = f"{_name(cell.bye)} · bye"
        pen.text(left + 5, middle - size * 0.35, text, size=size, width=width - 10, color=MUTED)


def _match(pen: Pen, match: MatchFacts, left: float, middle: float, width: float, height: float) -> None:
    pen.box(left, middle - height / 2, width, height, radius=3)
    pen.rule(left, middle, left + width, middle, color="#dddddd")
    size = min(9.5, height * 0.34)
    # “Winner of M3” says where a team will come from.
    pen.text(left + width / 2, middle + 1, match.key, size=min(5.5, size * 0.7), width=width / 2 - 5, align="right",
             color=MUTED)  # fmt: skip
    for at, side in enumerate(match.sides):
        y = middle + (height / 4 if at == 0 else -height / 4) - size * 0.36
        font, color = (BOLD, GREEN) if side.won else (PLAIN, MUTED if side.lost or side.number is None else "#111111")
        pen.text(left + 5, y, _name(side), size=size, font=font, width=width - 40, color=color)
        pen.text(
            left + width - 36, y, _score(match, side, at), size=size, font=font, width=31, align="right", color=color
        )


def _name(side: MatchSide) -> str:
    seed = f"({side.seed}) " if side.seed else ""
    return f"{seed}{side.number}  {side.name}" if side.number is not None else f"{seed}{side.name}"


def _score(match: MatchFacts, side: MatchSide, at: int) -> str:
    """Games won in a match of several; the points of a single game otherwise, which are shown and of no value."""
    if match.best_of > 1:
        return str(side.wins) if match.last else ""
    last = match.last
    if last is None or not last.points or side.number not in last.teams:
        return ""
    return minus(last.points[last.teams.index(side.number)])
