"""The standings: counted by formulas from the page of games."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from tournament.queries.book import EventBook
from tournament.queries.records import Mark
from tournament.reports.excel.cells import NAMES, NUMBER, Column, Formula, Page
from tournament.reports.excel.games import name_area
from tournament.reports.excel.hands import POINTS, SCORE


def write_standings(workbook: Workbook, book: EventBook) -> None:
    """Write the page; the places are those of the screen, the sums are live."""
    standings = book.standings
    page = Page(workbook, standings.title)
    names = NAMES[: book.event.sides]
    rounds = standings.books.counted
    columns = [
        Column("Place", 7),
        Column("No.", 6, NUMBER),
        Column(book.event.unit.capitalize(), 26),
        Column("City", 16),
    ]
    columns += [Column(f"Game {number}", 8) for number in rounds]
    columns += [Column("Byes", 6), Column("Bye points", 8, POINTS), Column("Won", 7), Column("Points", 8, SCORE)]
    columns += [Column("Bostons", 8), Column("Sets", 7), Column("Ties explained", 60, wraps=True)]
    state = standings.state[:1].upper() + standings.state[1:]
    page.begin_list(standings.title, f"{state}. Ordered by {standings.order}.", columns, frozen_columns=3)
    byes, bye_points, won, points = (get_column_letter(5 + len(rounds) + part) for part in range(4))
    for line in standings.lines:
        at = page.row + 1
        credited = [mark for mark in line.marks if mark is not None and mark.game is None]
        page.list_row(
            [
                line.label,
                line.number,
                line.team,
                line.city,
                *(_mark(mark) for mark in line.marks),
                sum(mark.how != "none" for mark in credited),
                sum(mark.points for mark in credited),
                Formula(f'=COUNTIFS(Games_Winner,B{at},Games_Counts,"yes")+{byes}{at}'),
                Formula(f"={summed('Points', names, f'B{at}')}+{bye_points}{at}"),
                Formula(f"={summed('Bostons', names, f'B{at}')}"),
                Formula(f"={summed('Sets', names, f'B{at}')}"),
                " ".join(line.ties),
            ]
        )
    for name, letter in (("No", "B"), ("Won", won), ("Points", points)):
        name_area(workbook, f"Standings_{name}", standings.title, letter, page)
    page.close_list()


def summed(what: str, names: str, number: str, more: str = "") -> str:
    """The sum of something over all games that count in which a team took part; `more` limits the games further."""
    return "+".join(f'SUMIFS(Games_{what}_{name},Games_No_{name},{number},Games_Counts,"yes"{more})' for name in names)


def _mark(mark: Mark | None) -> str:
    return "" if mark is None else f"{mark.sign}{' ★' * mark.bostons}"
