"""The results workbook as it is printed: heads over their columns, long texts go on in the next line, few pages."""

from __future__ import annotations

import io
import re
import zipfile
from random import Random
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from tests.factories import MADE_FIVE, make_event, make_round, make_teams, play, play_out
from tests.programs import converted
from tests.tournament.reports.evenings import finish, random_event, write
from tournament.models import Event
from tournament.queries.book import event_sheets
from tournament.queries.eventbook import whole_book
from tournament.queries.rules import ruleset_of
from tournament.reports.excel.workbook import event_workbook

LINE = 14
SIZES = {"letter": 1, "a4": 9}
# Evenings with many hands and long reasons, one of each family.
LONG = (
    (("bid_whist", 8), "hawaii"),
    (("spades", 3), "standard"),
    (("back_alley", 3), "partnership"),
    (("okinawa", 3), "standard"),
)


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


def test_heads_stand_over_their_columns_and_texts_apart_from_numbers(workbook: Any) -> None:
    for title in ("Standings", "Games", "Hands", "Teams and money"):
        page = workbook[title]
        top = 5 if title == "Standings" else 3
        for head, cell in zip(page[top], page[top + 1], strict=True):
            if cell.value is not None:
                assert head.alignment.horizontal == cell.alignment.horizontal, (title, head.value)
                assert (head.alignment.indent, cell.alignment.indent) == (1, 1), (title, head.value)


def test_heads_of_two_lines_have_the_height_of_two(workbook: Any) -> None:
    page = workbook["Hands"]
    narrow = next(cell for cell in page[3] if cell.value == "Made or set")
    assert page.column_dimensions[narrow.column_letter].width < len("Made or set")
    assert page.row_dimensions[3].height == 2 * LINE


def test_no_word_of_a_head_is_broken(workbook: Any) -> None:
    """A bold word takes a tenth more than its letters, some of them slim, and the indent beside it more than one."""
    page = workbook["Hands"]
    for cell in page[3]:
        column = page.column_dimensions[cell.column_letter]
        wide = max(sum(0.65 if letter in "fijlrt" else 1 for letter in word) for word in cell.value.split())
        assert column.hidden or 1.1 * (wide + 0.4) + 1.4 <= column.width + 0.2, cell.value


def test_ties_go_on_in_the_next_line(workbook: Any) -> None:
    page = workbook["Standings"]
    head = next(cell for cell in page[5] if cell.value == "Ties")
    told = page.cell(6, head.column)
    assert told.value.startswith("Aces and Night Owls both won 2 games")
    assert told.alignment.wrap_text
    signs = page.column_dimensions[head.column_letter].width * page.row_dimensions[6].height / LINE
    assert signs >= len(told.value)


def test_every_line_of_a_game_names_a_side_and_the_last_those_that_are_left(dana: User) -> None:
    """Names one below the other need no higher lines, and fewer pages."""
    event = make_event(director=dana, sheet="back_alley/individual")
    teams = make_teams(event, 8)
    long, short = make_round(event, [tuple(teams[:4]), tuple(teams[4:])]).games.order_by("table")
    hand = {"entry": "hand", "bids": ["1", "2", "3", "4"], "tricks": [1, 2, 3, 7]}
    play(dana, long, *[{"entry": "void", "rule": "misdeal"}] * 4, hand, sign=False)
    play(dana, short, {"entry": "void", "rule": "misdeal"}, hand, sign=False)
    page = openpyxl.load_workbook(io.BytesIO(content_of(event)))["Hands"]
    said = [page.cell(row, 2).value for row in range(4, 11)]
    assert said[:5] == ["A: Aces", "B: Books", "C: Night Owls", "D: Eagles", None]
    assert said[5:] == ["A: Full Deck", "B: High Rollers, C: Trump Tight, D: Low Ball"]
    assert page.row_dimensions[4].height in (None, LINE)


def test_games_are_printed_without_what_is_for_the_screen(workbook: Any) -> None:
    page = workbook["Games"]
    heads = [cell.value for cell in page[3]]
    left, right = page.print_area.replace("$", "").rpartition("!")[2].split(":")
    printed = heads[: openpyxl.utils.cell.coordinate_to_tuple(right)[1]]
    assert left == "A1" and printed[-1] == "Rule"
    assert heads[len(printed) :] == ["In this workbook", "Signed", "From paper"]


def test_charts_stand_side_by_side_on_the_page_of_the_standings(workbook: Any) -> None:
    page = workbook["Standings"]
    left, right = (chart.anchor for chart in page._charts)
    assert left._from.row == right._from.row > page.max_row - 1
    widths = [page.column_dimensions[letter].width for letter in "ABCDEFGHIJKLMNOP"[left._from.col : right._from.col]]
    # A sign is seven pixels wide.
    assert left.ext.width / 9_525 <= sum(7 * width + 5 for width in widths)


def test_charts_say_what_they_show(dana: User) -> None:
    """To those who do not see them; below the lines stand the games, and dashes tell the lines apart on gray paper."""
    content = content_of(two_rounds(dana))
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        (drawing,) = (file.read(name).decode() for name in file.namelist() if "drawings/drawing" in name)
    assert re.findall('name="([^"]*)" descr="([^"]*)"', drawing) == [
        ("Points after each game", "Points after each game: a line for each; Aces leads with 10."),
        ("Place after each game", "Place after each game: a line for each, the best on top."),
    ]
    page: Any = openpyxl.load_workbook(io.BytesIO(content))["Standings"]
    for chart in page._charts:
        _, cells = chart.series[0].cat.numRef.f.replace("$", "").split("!")
        assert [cell.value for cell in page[cells][0]] == ["Game 1", "Game 2"]
        dashes = [one.graphicalProperties.line.dashStyle for one in chart.series]
        assert len(set(dashes)) == len(dashes)


@pytest.mark.parametrize(("name", "stands"), [("Aces", "r"), ("Wednesday Wide Wanderers of West Wwwwwww", "b")])
def test_long_names_stand_below_a_chart_and_leave_its_lines_their_room(dana: User, name: str, stands: str) -> None:
    event = two_rounds(dana)
    event.teams.filter(number=1).update(name=name)
    page: Any = openpyxl.load_workbook(io.BytesIO(content_of(event)))["Standings"]
    assert [chart.legend.position for chart in page._charts] == [stands, stands]


def test_filters_end_with_the_last_line(workbook: Any) -> None:
    for title in ("Games", "Hands"):
        page = workbook[title]
        filled = [row for row in range(1, page.max_row + 1) if page.cell(row, 1).value is not None]
        assert page.auto_filter.ref.rpartition(":")[2].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == str(filled[-1])


def test_every_page_is_one_strip_and_hidden_tables_are_not_shown(workbook: Any) -> None:
    setups = [page.page_setup for page in workbook if page.sheet_state == "visible"]
    assert {(one.fitToWidth, one.fitToHeight) for one in setups} <= {(1, 0), (1, 1)}
    hidden = [page.title for page in workbook if page.sheet_state != "visible"]
    assert hidden == ["Prices", "Calls"]


@pytest.mark.parametrize("paper", SIZES)
def test_the_paper_of_the_event_is_that_of_the_workbook(dana: User, paper: str) -> None:
    book = openpyxl.load_workbook(io.BytesIO(content_of(two_rounds(dana, paper=paper))))
    assert {page.page_setup.paperSize for page in book if page.sheet_state == "visible"} == {SIZES[paper]}


def test_every_formula_has_its_value(dana: User) -> None:
    with zipfile.ZipFile(io.BytesIO(content_of(two_rounds(dana)))) as file:
        pages = [file.read(name).decode() for name in file.namelist() if name.startswith("xl/worksheets/sheet")]
    formulas = [page.count("<f>") for page in pages]
    assert sum(formulas) > 100
    # A text may be empty: so it says of money that nobody gets.
    assert [len(re.findall("</f><v(?:>[^<]| ?/>)", page)) for page in pages] == formulas


def test_what_may_be_typed_is_refused_otherwise(workbook: Any) -> None:
    said = {one.error: (one.type, one.showErrorMessage) for one in workbook["Hands"].data_validations.dataValidation}
    assert said == {
        "A whole number from 0 to 13.": ("whole", True),
        "Choose a bid from the list: the sheet has no other.": ("list", True),
        "Write A or B: the side that won the bid.": ("list", True),
    }
    area = workbook.defined_names["Bids"].attr_text
    title, _, cells = area.replace("'", "").partition("!")
    bids = [row[0].value for row in workbook[title][cells.replace("$", "")]]
    assert bids[:3] == [1, "1-Special", "1-No"] or set(bids) >= {1, "1-No", 7}


@pytest.mark.office
@pytest.mark.parametrize("paper", SIZES)
def test_an_evening_of_364_hands_is_8_pages(dana: User, paper: str) -> None:
    """Of Okinawa 28 games are always that many: thirteen hands each, and “most points after the last hand”."""
    event = make_event(director=dana, sheet="okinawa/standard", rounds_planned=7, paper=paper)
    teams, chance = make_teams(event, 8), Random(1)
    for number in range(1, 8):
        order = chance.sample(teams, 8)
        round_ = make_round(event, list(zip(order[::2], order[1::2], strict=True)), number)
        for game in round_.games.all():
            write(dana, game, list(play_out(ruleset_of(event), chance)))
        finish(event, round_)
    assert sum(len(sheet.rows) for sheet in event_sheets(event)) == 364
    (printed,) = converted([content_of(event)], "pdf")
    assert len(PdfReader(printed).pages) <= 8


@pytest.mark.office
def test_28_games_of_every_family_are_8_pages(dana: User) -> None:
    events = [random_event(*of, dana, teams=8, rounds=7, sheet=sheet) for of, sheet in LONG]
    assert [len(list(event_sheets(event))) for event in events] == [28] * len(LONG)
    pages = [len(PdfReader(paper).pages) for paper in converted(map(content_of, events), "pdf")]
    assert max(pages) <= 8, dict(zip(LONG, pages, strict=True))


@pytest.mark.office
def test_libreoffice_refuses_what_may_not_be_typed(workbook: Any) -> None:
    file = io.BytesIO()
    workbook.save(file)
    (flat,) = converted([file.getvalue()], "fods")
    text = flat.read_text(encoding="utf-8")
    for words in ("A whole number from 0 to 13.", "Choose a bid from the list", "Write A or B"):
        refusal = text[: text.index(words)].rpartition("<table:error-message")[2]
        assert 'table:message-type="stop"' in refusal and 'table:display="true"' in refusal
