"""The workbook of an event: a sheet a list, values and sums, one row of heads, sheets that are filtered and sorted."""

from __future__ import annotations

import io
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play
from tournament.lists.catalog import LISTS
from tournament.models import Event
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import whole_book
from tournament.reports.excel.workbook import HEAD_ROW, event_workbook

LINE = 14
SIZES = {"letter": 1, "a4": 9}


def two_rounds(dana: User, **fields: Any) -> Event:
    """Two rounds, in which Aces and Night Owls stay level."""
    event = make_event(director=dana, pot_cents=500, **fields)
    teams = make_teams(event, 4)
    for number, pairs in ((1, ((0, 1), (2, 3))), (2, ((0, 3), (2, 1)))):
        round_ = make_round(event, [(teams[a], teams[b]) for a, b in pairs], number)
        for game in round_.games.all():
            play(dana, game, MADE_FIVE)
        event.rounds.update(state="closed")
    event.refresh_from_db()
    return event


def content_of(event: Event) -> bytes:
    return event_workbook(whole_book(event), event_sheets(event))


@pytest.fixture
def workbook(dana: User) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content_of(two_rounds(dana))))


def table_of(page: Any) -> list[dict[str, Any]]:
    """The rows of a sheet by their heads."""
    heads, *rows = page.iter_rows(min_row=HEAD_ROW, values_only=True)
    return [dict(zip(heads, row, strict=True)) for row in rows]


def test_every_sheet_is_one_list_under_one_row_of_heads(workbook: Any) -> None:
    for page in workbook:
        heads = [cell.value for cell in page[HEAD_ROW]]
        assert len(set(heads)) == len(heads) and all(heads), page.title
        # What a spreadsheet takes for the list begins with the heads and ends before a sum.
        assert [cell.value for cell in page[HEAD_ROW - 1]] == [None] * len(heads)
        last = int(page.auto_filter.ref.rpartition(":")[2].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        assert all(cell.value is None for row in page.iter_rows(min_row=last + 1, max_row=last + 1) for cell in row)
        assert page.freeze_panes.endswith(str(HEAD_ROW + 1))
        assert page.sheet_state == "visible"
        assert all(area.max_row < HEAD_ROW for area in page.merged_cells.ranges)


def test_the_only_formulas_are_the_sums_of_the_money(workbook: Any) -> None:
    cells = [(page.title, cell) for page in workbook for row in page.iter_rows() for cell in row]
    formulas = [(title, cell.value) for title, cell in cells if cell.data_type == "f"]
    assert {title for title, _ in formulas} == {"Money"}
    assert all(formula.startswith("=SUM(") for _, formula in formulas)
    assert [name for name in workbook.defined_names if not name.startswith("_")] == []


def test_hands_name_round_table_and_both_sides_in_every_row(workbook: Any) -> None:
    rows = table_of(workbook["Hands"])
    assert [[row[head] for head in ("Round", "Table", "Side", "Name", "Against", "Points")] for row in rows[:3]] == [
        ["Game 1", 1, "A", "Aces", "Books", 5],
        ["Game 1", 1, "B", "Books", "Aces", 0],
        ["Game 1", 2, "A", "Night Owls", "Eagles", 5],
    ]
    assert all(row["Against"] for row in table_of(workbook["Games"]))


def test_the_cross_table_says_whom_each_team_met_and_how_it_ended(dana: User) -> None:
    event = two_rounds(dana)
    assert [[row[head] for head in ("Place", "No.", "Team", "Game 1", "Game 2")] for row in
            table_of(openpyxl.load_workbook(io.BytesIO(content_of(event)))["Cross table"])] == [
        [1, 1, "Aces", "W 2, 5 to 0", "W 4, 5 to 0"],
        [1, 3, "Night Owls", "W 4, 5 to 0", "W 2, 5 to 0"],
        [3, 2, "Books", "L 1, 0 to 5", "L 3, 0 to 5"],
        [3, 4, "Eagles", "L 3, 0 to 5", "L 1, 0 to 5"],
    ]  # fmt: skip
    assert LISTS["cross-table"](make_event("Nothing yet", dana)).rows == ()


def test_a_bye_and_a_table_of_several_stand_in_the_cross_table(dana: User) -> None:
    event = make_event(director=dana, sheet="back_alley/individual", options={"deals": 1})
    teams = make_teams(event, 4)
    round_ = make_round(event, [tuple(teams[:3])])
    round_.byes.create(team=teams[3])
    hand = {"entry": "hand", "bids": ["1", "2", "3"], "tricks": [1, 2, 10]}
    play(dana, round_.games.get(), hand)
    event.rounds.update(state="closed")
    listing = LISTS["cross-table"](event)
    found = {line.number: str(listing.columns[-1].value(line)) for line in listing.rows}
    assert found[4].startswith("B, ")
    assert found[1].startswith(("W 2/3, ", "L 2/3, "))


def test_shared_places_are_numbers_that_show_their_mark(workbook: Any) -> None:
    places = [page[HEAD_ROW + 1][0] for page in (workbook["Standings"], workbook["Cross table"])]
    assert [(place.value, place.number_format) for place in places] == [(1, '0"="')] * 2


def test_heads_stand_over_their_columns(workbook: Any) -> None:
    for page in workbook:
        for head, cell in zip(page[HEAD_ROW], page[HEAD_ROW + 1], strict=True):
            assert cell.value is None or head.alignment.horizontal == cell.alignment.horizontal, page.title


def test_ties_go_on_in_the_next_line(workbook: Any) -> None:
    page = workbook["Standings"]
    head = next(cell for cell in page[HEAD_ROW] if cell.value == "Ties")
    told = page.cell(HEAD_ROW + 1, head.column)
    assert told.value.startswith("Aces and Night Owls both won 2 games")
    assert told.alignment.wrap_text
    letters = page.column_dimensions[head.column_letter].width * page.row_dimensions[HEAD_ROW + 1].height / LINE
    assert letters >= len(told.value)


@pytest.mark.parametrize("paper", SIZES)
def test_the_paper_of_the_event_is_that_of_the_workbook(dana: User, paper: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content_of(two_rounds(dana, paper=paper))))
    assert {page.page_setup.paperSize for page in book} == {SIZES[paper]}


def test_an_event_without_games_has_its_sheets(dana: User) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content_of(make_event("Nothing yet", dana))))
    assert book.sheetnames == ["Standings", "Games", "Hands", "Teams", "Money", "Receipts", "Rules", "Event"]
    assert book["Hands"].cell(HEAD_ROW + 1, 1).value == "No hand is written yet."
