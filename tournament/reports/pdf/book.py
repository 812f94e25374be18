"""The event book: everything that is printed of an event in one file, with contents and page numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tournament.lists.column import where
from tournament.lists.corrections import corrections_list
from tournament.lists.money import cash_lists
from tournament.lists.pot import pot_list
from tournament.lists.rules import rules_list
from tournament.lists.rulings import rulings_list
from tournament.lists.schedule import results_list
from tournament.lists.standings import places_list, standings_list
from tournament.lists.teams import teams_list
from tournament.queries.eventbook import WholeBook
from tournament.queries.schedule import RoundCard
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.pdf.bracket import draw_bracket
from tournament.reports.pdf.drawing import draw_pictures
from tournament.reports.pdf.halves import Halves
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import Papers
from tournament.reports.pdf.poster import draw_poster
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.reports.pdf.teampages import draw_team_pages
from tournament.reports.pictures import all_pictures

MUTED, GREEN = "#5d6762", "#0f5b46"
LINES = 30
LEADING = 20.0


class Part(NamedTuple):
    """A part of the book: its title, how far it is set in, and what draws it."""

    title: str
    inset: bool
    draw: Callable[[], None]


def draw_event_book(papers: Papers, whole: WholeBook, sheets: Iterable[GameSheet]) -> None:
    """Draw the book behind what stands in the file already; its pages are counted on.

    `sheets` come by round; they are drawn as they come and none of them is kept.
    """
    parts = _parts(papers, whole, iter(sheets))
    papers.foot = whole.book.event.name
    _cover(papers, whole)
    # Contents stand in front of what they list: their pages are filled in when every page number is known.
    pages = [parts[at : at + LINES] for at in range(0, len(parts), LINES)]
    for number, listed in enumerate(pages):
        _links(papers, number, listed, parts)
        papers.canvas.doForm(f"contents-{number}")
        papers.next_page()
    first = {}
    for index, part in enumerate(parts):
        first[index] = papers.pages + 1
        papers.canvas.bookmarkPage(f"part-{index}")
        papers.canvas.addOutlineEntry(part.title, f"part-{index}", level=int(part.inset))
        part.draw()
    for number, listed in enumerate(pages):
        papers.canvas.beginForm(f"contents-{number}")
        _contents(papers, number, listed, first)
        papers.canvas.endForm()


def _parts(papers: Papers, whole: WholeBook, sheets: Iterable[GameSheet]) -> list[Part]:
    book, event = whole.book, whole.book.event
    queue = _Queue(sheets)
    parts = [
        Part("Results", False, lambda: draw_poster(papers, whole)),
        Part(book.standings.title, False, lambda: draw_lists(papers, standings_list(event, book.standings))),
    ]
    if whole.finale.exists:
        parts.insert(1, Part("Final places", False, lambda: draw_lists(papers, places_list(event, whole.finale))))
    if whole.bracket is not None:
        parts.append(Part("Playoffs", False, lambda: draw_bracket(papers, event, whole.bracket)))
    if pictures := all_pictures(whole.pictures):
        parts.append(Part("Charts", False, lambda: draw_pictures(papers, "Charts", pictures)))
    parts.append(Part("Money", False, lambda: draw_lists(papers, *cash_lists(event, whole.cash))))
    if whole.pot.exists:
        parts.append(Part("Boston pot", False, lambda: draw_lists(papers, pot_list(event, whole.pot))))
    teams = teams_list(event, book.teams)
    parts.append(Part(teams.title, False, lambda: draw_lists(papers, teams)))
    if any(round_.done for round_ in whole.rounds):
        parts.append(Part(f"{teams.title} and their games", True, lambda: draw_team_pages(papers, whole)))
    for round_ in whole.rounds:
        parts.append(Part(round_.title, False, _results(papers, whole, round_)))
        if round_.tables:
            parts.append(Part(f"{round_.title}: score sheets", True, _sheets(papers, whole, round_, queue)))
    parts.append(Part("Rulings", False, lambda: draw_lists(papers, rulings_list(event, whole.rulings))))
    parts.append(Part("Corrections", False, lambda: draw_lists(papers, corrections_list(event, whole.struck))))
    parts.append(Part("The rules that were played", False, lambda: draw_lists(papers, rules_list(event))))
    return parts


def _results(papers: Papers, whole: WholeBook, round_: RoundCard) -> Callable[[], None]:
    return lambda: draw_lists(papers, results_list(whole.book.event, round_))


def _sheets(papers: Papers, whole: WholeBook, round_: RoundCard, queue: _Queue) -> Callable[[], None]:
    def draw() -> None:
        halves = Halves(papers, f"round-{round_.number}")
        for sheet in queue.of_round(round_.number):
            draw_score_sheet(halves, sheet, whole.book.event.time_zone)
        halves.finish()

    return draw


class _Queue:
    """Sheets in the order of the rounds, handed out round by round."""

    def __init__(self, sheets: Iterable[GameSheet]) -> None:
        self._sheets = iter(sheets)
        self._next: GameSheet | None = None

    def of_round(self, number: int) -> Iterable[GameSheet]:
        sheet = self._next or next(self._sheets, None)
        while sheet is not None and sheet.round_number <= number:
            if sheet.round_number == number:
                yield sheet
            sheet = next(self._sheets, None)
        self._next = sheet


def _cover(papers: Papers, whole: WholeBook) -> None:
    pen, area, book = papers.pen, papers.area, whole.book
    y = area.top - 220
    pen.text(area.left, y + 60, "Event book", size=14, color=MUTED, width=area.width, align="center")
    name = book.event.name
    y = pen.block(area.left, y, name, size=44, font=SERIF, width=area.width, most=3, align="center", color=GREEN)
    pen.text(area.left, y - 36, where(book.event), size=15, width=area.width, align="center")
    ending = "" if len(whole.rounds) == 1 else "s"
    facts = f"{len(book.teams)} {book.rules.unit}s · {len(whole.rounds)} round{ending} · {book.rules.sheet.title}"
    pen.text(area.left, y - 62, facts, size=11, color=MUTED, width=area.width, align="center")
    officials = ", ".join(f"{role}: {name}" for name, role in book.officials)
    pen.block(area.left, y - 84, officials, size=11, color=MUTED, width=area.width, most=4, align="center")
    papers.next_page()


def _contents(papers: Papers, number: int, listed: list[Part], first: dict[int, int]) -> None:
    pen, area = papers.pen, papers.area
    pen.text(area.left, area.top - 20, "Contents", size=20, font=SERIF)
    for line, part in enumerate(listed):
        y = _line(papers, line)
        left = area.left + (18 if part.inset else 0)
        font = PLAIN if part.inset else BOLD
        pen.text(left, y, part.title, size=10.5, font=font, width=area.width - 80)
        page = str(first[number * LINES + line])
        pen.text(area.right - 50, y, page, size=10.5, width=50, align="right")
        pen.rule(area.left, y - 6, area.right, y - 6, color="#dddddd")


def _links(papers: Papers, number: int, listed: list[Part], parts: list[Part]) -> None:
    area = papers.area
    for line, _ in enumerate(listed):
        y = _line(papers, line)
        index = number * LINES + line
        papers.canvas.linkAbsolute(parts[index].title, f"part-{index}", (area.left, y - 6, area.right, y + 12))


def _line(papers: Papers, line: int) -> float:
    return papers.area.top - 54 - line * LEADING
