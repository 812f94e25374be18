"""The results workbook as it is printed: heads are whole, long texts go on in the next line, charts are not cut."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import whole_book
from tournament.reports.excel.workbook import event_workbook

LINE = 15
EMU_A_LINE = LINE * 12_700


@pytest.fixture
def workbook(dana: User) -> Any:
    """Two rounds, in which Aces and Night Owls stay level."""
    event = make_event(director=dana, pot_cents=500)
    teams = make_teams(event, 4)
    for number, pairs in ((1, ((0, 1), (2, 3))), (2, ((0, 3), (2, 1)))):
        round_ = make_round(event, [(teams[a], teams[b]) for a, b in pairs], number)
        for game in round_.games.all():
            play(dana, game, MADE_FIVE)
        event.rounds.update(state="closed")
    event.refresh_from_db()
    return openpyxl.load_workbook(io.BytesIO(event_workbook(whole_book(event), event_sheets(event))))


def test_heads_of_two_lines_have_the_height_of_two(workbook: Any) -> None:
    heights = {page.title: page.row_dimensions[3].height for page in workbook if page.print_title_rows}
    assert {name: heights[name] for name in ("Standings", "Boston pot", "Teams", "Race")} == {
        "Standings": LINE,
        "Boston pot": LINE,
        "Teams": 2 * LINE,
        "Race": LINE,
    }


def test_ties_go_on_in_the_next_line(workbook: Any) -> None:
    page = workbook["Standings"]
    head = next(cell for cell in page[3] if cell.value == "Ties")
    told = page.cell(4, head.column)
    assert told.value.startswith("Aces and Night Owls both won 2 games")
    assert told.alignment.wrap_text
    signs = page.column_dimensions[head.column_letter].width * page.row_dimensions[4].height / LINE
    assert signs >= len(told.value)


def test_charts_stand_on_the_page_that_is_printed(workbook: Any) -> None:
    page = workbook["Race"]
    last = page.print_area.rpartition("$")[2]
    ends = [chart.anchor._from.row + chart.anchor.ext.height / EMU_A_LINE for chart in page._charts]
    assert len(ends) == 2 and max(ends) <= int(last)
    assert page.page_setup.fitToHeight == 1


def test_long_lines_go_on_to_the_right_with_their_first_columns(workbook: Any) -> None:
    wide = {page.title: page.page_setup.fitToWidth for page in workbook if page.page_setup.fitToWidth > 1}
    assert wide == {"Games": 2, "Hands": 2}
    assert [workbook[title].print_title_cols for title in ("Games", "Hands")] == ["$A:$A", "$A:$D"]
    assert {workbook[title].page_setup.pageOrder for title in wide} == {"overThenDown"}


def test_a_number_stands_apart_from_the_name_after_it(workbook: Any) -> None:
    assert {title: workbook[title]["A4"].number_format for title in ("Teams", "Race")} == dict.fromkeys(
        ("Teams", "Race"), "0_0"
    )
