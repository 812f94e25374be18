"""The race for the top: points after every game by formulas, places as they were, and a chart of both."""

from __future__ import annotations

from openpyxl import Workbook
from openpyxl.chart import LineChart, Reference, Series
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.series import SeriesLabel
from openpyxl.utils import get_column_letter

from tournament.lists.column import Cells
from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import NAMES, NUMBER, Column, Formula, Page
from tournament.reports.excel.hands import SCORE


def write_race(workbook: Workbook, whole: WholeBook) -> None:
    """Write the page of the leading teams with two charts."""
    race, page = whole.pictures.race, Page(workbook, "Race")
    count, names = len(race.rounds), NAMES[: whole.book.event.sides]
    columns = [Column("No.", 6, NUMBER), Column(whole.book.event.unit.capitalize(), 26)]
    columns += [Column(f"Points {number}", 9, SCORE) for number in race.rounds]
    columns += [Column(f"Place {number}", 9) for number in race.rounds]
    under = "Points and places after each game; points are counted from the games."
    # The charts stand on the page of their figures.
    page.sheet.page_setup.fitToHeight = 1
    page.begin_list("The race for the top", under, columns, frozen_columns=2)
    marks = {line.number: line.marks for line in whole.book.standings.lines}
    for runner in race.runners:
        at = page.row + 1
        points = []
        for index, number in enumerate(race.rounds):
            byes = sum(mark.points for mark in marks[runner.number][: index + 1] if mark and mark.game is None)
            up_to = f',Games_Round,"<={number}"'
            points.append(Formula(f"={Cells({'number': 'A'}, at, at, at, names).summed('Points', up_to)}+{byes}"))
        page.list_row([runner.number, runner.team, *points, *runner.places])
    if race.runners and count > 1:
        below = page.row + 3
        _chart(page, "Points after each game", 3, count, below)
        _chart(page, "Place after each game", 3 + count, count, below + 18, upside_down=True)
    page.close_list(more_rows=39)


def _chart(page: Page, title: str, column: int, count: int, row: int, *, upside_down: bool = False) -> None:
    chart = LineChart()
    chart.title, chart.height, chart.width = title, 8.5, 24
    for at in range(page.first, page.row + 1):
        values = Reference(page.sheet, min_col=column, max_col=column + count - 1, min_row=at)
        series = Series(values, title_from_data=False)
        series.tx = SeriesLabel(strRef=StrRef(f"'{page.sheet.title}'!$B${at}"))
        series.smooth = False
        chart.series.append(series)
    chart.set_categories(Reference(page.sheet, min_col=column, max_col=column + count - 1, min_row=page.first - 1))
    chart.x_axis.delete = chart.y_axis.delete = False
    # Below the lines, also where a score is below nought.
    chart.x_axis.tickLblPos = "high" if upside_down else "low"
    if upside_down:
        # The best place stands on top.
        chart.y_axis.scaling.orientation = "maxMin"
        chart.y_axis.scaling.min = 1
    page.sheet.add_chart(chart, f"{get_column_letter(2)}{row}")
