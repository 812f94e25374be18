"""Every team of an event with its games as a drawing: what it scored against whom, and how it finished."""

from __future__ import annotations

from typing import NamedTuple

from tournament.phrases import minus
from tournament.queries.eventbook import WholeBook
from tournament.queries.schedule import RoundCard
from tournament.reports.pdf.drawing import draw_picture
from tournament.reports.pdf.lettering import BOLD, SERIF, Pen
from tournament.reports.pdf.paper import GREY, Area, Papers
from tournament.reports.pictures import Played, games_picture

# Teams to a page, and how much of the width their words take.
EACH, WORDS = 6, 0.34


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
