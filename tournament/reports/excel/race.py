"""The race for the top: points after every game by formulas, places as they were, and a chart of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from openpyxl.chart import LineChart, Reference, Series
from openpyxl.chart.data_source import StrRef
from openpyxl.chart.series import SeriesLabel
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, OneCellAnchor
from openpyxl.drawing.xdr import XDRPositiveSize2D
from openpyxl.utils import get_column_letter
from openpyxl.utils.units import cm_to_EMU

from tournament.lists.column import Cells
from tournament.queries.eventbook import WholeBook
from tournament.reports.excel.cells import NAMES, NUMBER, Formula, Page, PageColumn
from tournament.reports.excel.columns import SCORE

# The size of a chart, and what a sign of a column's width comes to.
WIDE, HIGH, CENTIMETERS_A_SIGN = 14, 9, 0.19
# Names longer than this would leave the lines no room beside them: they stand below.
LONG = 20
# How the lines of those who lead are told apart on gray paper.
DASHES = ("solid", "dash", "sysDot", "dashDot", "lgDash", "lgDashDot", "sysDash", "lgDashDotDot")
POINTS, PLACES = "Points after each game", "Place after each game"


class Anchor(OneCellAnchor):
    """Where a chart stands, and what it shows in words, for those who do not see it."""

    __elements__ = OneCellAnchor.__elements__
    words = ""

    def to_tree(self, *names: Any, **named: Any) -> Any:
        """Write it with its words: the frame is made when the file is."""
        assert self.graphicFrame is not None
        about: Any = self.graphicFrame.nvGraphicFramePr.cNvPr
        about.name, about.descr = self.words.partition(":")[0], self.words
        return super().to_tree(*names, **named)


def write_race(page: Page, whole: WholeBook) -> None:
    """Write the leading teams below the standings, their points and their places, and a chart of each."""
    race, names = whole.pictures.race, NAMES[: whole.book.rules.table_sizes[-1]]
    marks = {line.number: line.marks for line in whole.book.standings.lines}
    points = []
    # Two rows of title and one of heads come before the first team.
    for at, runner in enumerate(race.runners, start=page.row + 5):
        sums = []
        for index, (number, so_far) in enumerate(zip(race.rounds, runner.points, strict=True)):
            byes = sum(mark.points for mark in marks[runner.number][: index + 1] if mark and mark.game is None)
            up_to = f',Games_Round,"<={number}"'
            summed = Cells({"number": "B"}, at, at, at, names).summed("Points", up_to)
            sums.append(Formula(f"={summed}+{byes}", so_far))
        points.append(["", runner.number, runner.team, *sums])
    left = _write(page, whole, POINTS, "Counted from the games.", SCORE, points)
    places = [["", runner.number, runner.team, *runner.places] for runner in race.runners]
    right = _write(page, whole, PLACES, "As the standings were after it.", NUMBER, places)
    best = race.runners[0]
    _show(page, left, 2, f"{POINTS}: a line for each; {best.team} leads with {best.points[-1]}.")
    right.x_axis.tickLblPos, right.y_axis.scaling.orientation, right.y_axis.scaling.min = "high", "maxMin", 1
    _show(page, right, _beside(page), f"{PLACES}: a line for each, the best on top.")


def _write(page: Page, whole: WholeBook, words: str, under: str, form: str, rows: Sequence[Sequence[Any]]) -> LineChart:
    """Write a list, and return its chart."""
    page.write([])
    page.begin_list(words, under, race_columns(whole, form), frozen_columns=None)
    for row in rows:
        page.list_row(row)
    chart = LineChart()
    chart.title, chart.height, chart.width = words, HIGH, WIDE
    last = 3 + len(whole.pictures.race.rounds)
    for at in range(page.first, page.row + 1):
        series = Series(Reference(page.sheet, min_col=4, max_col=last, min_row=at), title_from_data=False)
        series.tx = SeriesLabel(strRef=StrRef(f"'{page.sheet.title}'!$C${at}"))
        series.smooth = False
        series.graphicalProperties.line.dashStyle = DASHES[len(chart.series) % len(DASHES)]
        chart.series.append(series)
    chart.set_categories(Reference(page.sheet, min_col=4, max_col=last, min_row=page.first - 1))
    chart.x_axis.delete = chart.y_axis.delete = False
    if any(len(runner.team) > LONG for runner in whole.pictures.race.runners):
        assert chart.legend is not None
        chart.legend.position = "b"
    # Below the lines, also where a score is below zero.
    chart.x_axis.tickLblPos = "low"
    return chart


def _show(page: Page, chart: LineChart, column: int, words: str) -> None:
    at = AnchorMarker(col=column - 1, row=page.row + 1)
    anchor = Anchor(_from=at, ext=XDRPositiveSize2D(cm_to_EMU(WIDE), cm_to_EMU(HIGH)))
    anchor.words = words
    # The stub knows only the name of a cell as an anchor, and a `Worksheet` that is no sheet of rows.
    chart.anchor = anchor  # type: ignore[assignment]
    page.sheet.add_chart(chart)  # type: ignore[misc]


def _beside(page: Page) -> int:
    """The first column to the right of a chart that begins in column B."""
    left, at = 0.0, 2
    while left < WIDE:
        left += page.sheet.column_dimensions[get_column_letter(at)].width * CENTIMETERS_A_SIGN
        at += 1
    return at


def race_columns(whole: WholeBook, form: str = SCORE) -> list[PageColumn]:
    """The columns of the race: number and team stand where those of the standings do."""
    columns = [PageColumn("", 3), PageColumn("No.", 6, NUMBER), PageColumn(whole.book.rules.unit.capitalize(), 20)]
    return columns + [PageColumn(f"Game {number}", 9, form) for number in whole.pictures.race.rounds]
