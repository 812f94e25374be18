"""The event book: everything that is printed of an event in one file, with contents, page numbers and every team."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tournament.lists.catalog import rules_list
from tournament.lists.column import where
from tournament.lists.money import cash_lists
from tournament.lists.schedule import results_list
from tournament.lists.sheets import corrections_list, rulings_list
from tournament.lists.standings import places_list, pot_list, standings_list
from tournament.lists.teams import teams_list
from tournament.phrases import minus
from tournament.queries.pictures import WholeBook
from tournament.queries.schedule import RoundCard
from tournament.queries.sheetfacts import GameSheet
from tournament.reports.pdf.bracket import draw_bracket
from tournament.reports.pdf.drawing import draw_picture, draw_pictures
from tournament.reports.pdf.lettering import BOLD, PLAIN, SERIF, Pen
from tournament.reports.pdf.lists import draw_lists
from tournament.reports.pdf.paper import GREY, Area, Halves, Papers
from tournament.reports.pdf.poster import draw_poster
from tournament.reports.pdf.score_sheet import draw_score_sheet
from tournament.reports.pictures import Played, all_pictures, games_picture

MUTED, GREEN = "#5d6762", "#0f5b46"
LINES = 30
LEADING = 20.0
# Teams to a page, and how much of the width their words take.
EACH, WORDS = 6, 0.34


class Part(NamedTuple):
    """A part of the book: its title, how far it is set in, and what draws it."""

    title: str
    inset: bool
    draw: Callable[[], None]


def draw_event_book(papers: Papers, whole: WholeBook, sheets: Sequence[GameSheet]) -> None:
    """Draw the book behind what stands in the file already; its pages are counted on."""
    parts = _parts(papers, whole, sheets)
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


def _parts(papers: Papers, whole: WholeBook, sheets: Sequence[GameSheet]) -> list[Part]:
    book, event = whole.book, whole.book.event
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
            parts.append(Part(f"{round_.title}: score sheets", True, _sheets(papers, whole, round_, sheets)))
    parts.append(Part("Rulings", False, lambda: draw_lists(papers, rulings_list(event, whole.rulings))))
    parts.append(Part("Corrections", False, lambda: draw_lists(papers, corrections_list(event, whole.struck))))
    parts.append(Part("The rules that were played", False, lambda: draw_lists(papers, rules_list(event))))
    return parts


def _results(papers: Papers, whole: WholeBook, round_: RoundCard) -> Callable[[], None]:
    return lambda: draw_lists(papers, results_list(whole.book.event, round_))


def _sheets(papers: Papers, whole: WholeBook, round_: RoundCard, sheets: Sequence[GameSheet]) -> Callable[[], None]:
    def draw() -> None:
        halves = Halves(papers, f"round-{round_.number}")
        for sheet in sheets:
            if sheet.round_number == round_.number:
                draw_score_sheet(halves, sheet, whole.book.event.time_zone)
        halves.finish()

    return draw


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


class Card(NamedTuple):
    """A team of the book: who plays in it, what its places were, and its games in order."""

    number: int
    name: str
    players: tuple[str, ...]
    said: tuple[str, ...]
    games: tuple[Played, ...]


def team_cards(whole: WholeBook) -> list[Card]:
    """The cards of all teams in order of number."""
    played: dict[int, list[Played]] = {team.number: [] for team in whole.book.teams}
    for round_ in whole.rounds:
        _add(played, round_)
    return [
        Card(team.number, team.name, team.players, tuple(_said(whole, team.number)), tuple(played[team.number]))
        for team in whole.book.teams
    ]


def draw_team_pages(papers: Papers, whole: WholeBook) -> None:
    """Draw the cards, six to a page, all bars at one scale."""
    cards = team_cards(whole)
    most = max((abs(points) for card in cards for game in card.games for points in game.points), default=1) or 1
    for start in range(0, len(cards), EACH):
        area, pen = papers.area, papers.pen
        pen.text(area.left, area.top - 16, f"{whole.book.rules.unit.capitalize()}s", size=18, font=SERIF)
        high = (area.top - area.bottom - 32) / EACH
        for at, card in enumerate(cards[start : start + EACH]):
            top = area.top - 32 - at * high
            pen.rule(area.left, top, area.right, top, color="#cccccc")
            _draw(pen, Area(area.left, top - high + 8, area.right, top - 6), card, most)
        papers.next_page()


def _draw(pen: Pen, area: Area, card: Card, most: int) -> None:
    width = area.width * WORDS
    pen.text(area.left, area.top - 24, str(card.number), size=24, font=SERIF, width=44)
    y = pen.block(area.left + 48, area.top - 16, card.name, size=13, font=BOLD, width=width - 52, most=2)
    players = " and ".join(card.players)
    y = pen.block(area.left + 48, y - 13, players, size=10, color=GREY, width=width - 52, most=2)
    y = min(y, area.top - 34) - 4
    for text in card.said:
        y = pen.block(area.left, y - 13, text, size=9.5, width=width - 12, most=2)
    if card.games:
        left = area.left + width
        picture = games_picture(card.games, most)
        scale = min((area.right - left) / picture.width, (area.top - area.bottom) / picture.height)
        draw_picture(pen, picture, left, area.top, scale)


def _said(whole: WholeBook, number: int) -> list[str]:
    """Its final place, and its line of the standings."""
    said = []
    final, line = whole.finale.places.by_number.get(number), whole.book.standings.by_number.get(number)
    if final is not None:
        said.append(" · ".join(part for part in (final.ordinal, final.how) if part))
    if line is not None and whole.book.standings.books.counted:
        if final is None or final.where:
            said.append(f"{whole.book.standings.title}: place {line.label}")
        figures = [f"{line.won} of {line.played} games won", f"{minus(line.points)} points"]
        figures += [f"★ {line.bostons}"] * bool(line.bostons) + [line.gone] * bool(line.gone)
        said.append(", ".join(figures))
    return said


def _add(played: dict[int, list[Played]], round_: RoundCard) -> None:
    short = f"Game {round_.number}" if round_.stage == "qualifying" else round_.title
    for table in round_.tables:
        for seat in table.seats if table.shown else ():
            others = [one for one in table.seats if one is not seat]
            points = (seat.points or 0, *(one.points or 0 for one in others))
            sign = "W" if seat.won else "L" if any(one.won for one in others) else "–"
            against = " ".join(str(one.number) for one in others)
            played.setdefault(seat.number, []).append(Played(short, f"{sign}{'★' * seat.bostons}", against, points))
    for number, _ in round_.byes:
        if round_.state == "closed":
            played.setdefault(number, []).append(Played(short, "Bye", "", ()))
