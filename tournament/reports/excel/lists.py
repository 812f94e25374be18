"""Pages that are lists: rounds, bracket, rulings, corrections, teams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from openpyxl import Workbook

from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import MOMENT, NUMBER, Column, Formula, Page, finished, new_book
from tournament.reports.excel.hands import SCORE
from tournament.reports.lists import Rows, bracket_rows, correction_rows, round_rows, ruling_rows


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


def rows_workbook(name: str, rows: Rows) -> bytes:
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
