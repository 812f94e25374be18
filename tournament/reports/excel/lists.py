"""Pages that are lists: rounds, bracket, rulings, corrections, teams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from openpyxl import Workbook

from tournament.queries.book import TeamFacts
from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import MOMENT, NUMBER, Column, Formula, Page, finished, new_book
from tournament.reports.excel.hands import SCORE
from tournament.reports.lists import Rows, bracket_rows, correction_rows, place_rows, round_rows, ruling_rows


def write_rounds(workbook: Workbook, whole: WholeBook) -> None:
    """Write who sat where in every round; points come from the page of games."""
    page = Page(workbook, "Rounds")
    head, *rows = round_rows(whole)
    widths = {"Title": 16, "Stage": 12, "State": 10, "Name": 26, "How": 24, "Rule": 12}
    formats = {"Points": SCORE, "No.": NUMBER}
    columns = [Column(title, widths.get(title, 8), formats.get(title, "General")) for title in head]
    page.begin_list("Rounds", "Everybody in every round.", columns, frozen_columns=2)
    for row in rows:
        number, _, _, _, table, leg, side, *_, points, _, _ = row
        if points is not None and points != "":
            key = f"{number}-{table}" + (f".{leg}" if leg > 1 else "")
            row[10] = Formula(f'=INDEX(Games_Points_{side},MATCH("{key}",Games_Key,0))')
        page.list_row(row)
    page.close_list()


def write_places(workbook: Workbook, whole: WholeBook) -> None:
    """Write the final places: who came where, and how."""
    unit = whole.book.event.unit.capitalize()
    widths = {unit: 28, "Players": 36, "How": 46, "Qualifying": 10}
    _list(workbook, "Final places", whole.finale.places.won_by, place_rows(whole), widths, frozen=3)


def write_bracket(workbook: Workbook, whole: WholeBook) -> None:
    """Write the matches of the playoffs."""
    columns = {"Round": 16, "Side A": 28, "Side B": 28, "Won": 28, "State": 10}
    _list(workbook, "Bracket", "A side that is not known yet says where it comes from.", bracket_rows(whole), columns)


def write_rulings(workbook: Workbook, whole: WholeBook) -> None:
    """Write every ruling."""
    widths = {"Time": 16, "Round": 14, "Rule": 10, "Ruling": 50, "Side": 22, "Bid": 12, "Effect": 50, "Director": 14}
    _list(workbook, "Rulings", "", ruling_rows(whole), widths | {"Reason": 30, "Withdrawn": 30})


def write_corrections(workbook: Workbook, whole: WholeBook) -> None:
    """Write every line that was struck."""
    widths = {"Time": 16, "Round": 14, "It said": 34, "It says now": 34, "Why": 40, "By": 14}
    _list(workbook, "Corrections", "", correction_rows(whole), widths)


def write_teams(workbook: Workbook, whole: WholeBook) -> None:
    """Write the roster."""
    unit, teams = whole.book.event.unit, whole.book.teams
    most = 0 if unit == "player" else max((len(team.players) for team in teams), default=2)
    places = [f"Player {one + 1}" for one in range(most)]
    head = ["No.", unit.capitalize(), *places, "City", "Club", "Paid", "Boston pot", "Status"]
    rows = [_team(team, most) for team in teams]
    widths = {unit.capitalize(): 28, "City": 16, "Club": 16, "Status": 12, **dict.fromkeys(places, 20)}
    _list(workbook, f"{unit.capitalize()}s", "", iter([head, *rows]), widths, frozen=2)


def _team(team: TeamFacts, most: int) -> list[object]:
    players = [*team.players, *[""] * most][:most]
    paid, pot = "yes" if team.paid else "no", "x" if team.in_pot else ""
    return [team.number, team.name, *players, team.city, team.club, paid, pot, team.status]


def list_workbook(name: str, rows: Rows) -> bytes:
    """One list in a workbook of its own."""
    workbook, lines = new_book(), [list(row) for row in rows]
    widest = {str(head): max(len(str(line[at])) for line in lines) for at, head in enumerate(lines[0])}
    widths = {head: min(max(width + 2, 6), 44) for head, width in widest.items()} | {"Time": 17}
    _list(workbook, name.capitalize(), "", iter(lines), widths)
    return finished(workbook)


def _list(
    workbook: Workbook,
    title: str,
    under: str,
    rows: Rows | Iterable[list[object]],
    widths: dict[str, float],
    frozen: int = 1,
) -> None:
    page = Page(workbook, title)
    lines: Iterable[Sequence[object]] = iter(rows)
    head = next(iter(lines))
    formats = {"No.": NUMBER, "Time": MOMENT}
    columns = [Column(str(name), widths.get(str(name), 8), formats.get(str(name), "General")) for name in head]
    page.begin_list(title, under, columns, frozen_columns=frozen)
    for row in lines:
        page.list_row(["" if value is None else value for value in row])
    page.close_list()
