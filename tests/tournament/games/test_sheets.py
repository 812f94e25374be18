"""Every rule sheet through the services: set up, drawn, played to the end, exported, imported, on paper."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from random import Random
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import User
from pypdf import PdfReader

from scoring.document import all_sheets, print_score
from tests.tournament.archive.test_import import sheets_of, table_of
from tests.tournament.games.play import play_out, set_up
from tests.tournament.reports.papers import on_paper, pdf_text
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.models import Event, Game
from tournament.queries.papers import event_sheets
from tournament.queries.pictures import WholeBook, whole_book
from tournament.queries.scored import document_of
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.queries.sheetfacts import GameSheet
from tournament.queries.standings import standings
from tournament.reports.excel.workbook import event_workbook
from tournament.reports.pdf.book import draw_event_book
from tournament.reports.pdf.score_sheet import score_sheets
from tournament.services.draws import draw_rounds
from tournament.services.rounds import close_round, start_round

KEYS = [sheet.key for _, sheet in all_sheets()]
SINGLES = ("individual", "oh-hell-18", "korean-war-26", "wild-cards")


def is_single(key: str) -> bool:
    return key.partition("/")[2] in SINGLES


@pytest.fixture(params=KEYS)
def evening(request: pytest.FixtureRequest, dana: User) -> Event:
    """Two rounds of an event of one sheet, every game signed: four teams, or seven single players."""
    return played(dana, request.param, 7 if is_single(request.param) else 4)


def played(dana: User, key: str, sides: int, options: dict[str, Any] | None = None) -> Event:
    event = set_up(Actor(dana), key, sides, options=options)
    draw_rounds(Actor(dana), event, seed=7)
    chance = Random(key)
    for number in (1, 2):
        start_round(Actor(dana), event, number)
        for game in Game.objects.filter(round__event=event, round__number=number).select_related("round__event"):
            play_out(dana, game, chance)
        close_round(Actor(dana), event, number)
    event.refresh_from_db()
    return event


@pytest.mark.long
def test_an_evening_of_every_sheet_stands_up(evening: Event, dana: User) -> None:
    """One fixture, many looks: what was played is what stands in the standings, the file, on paper and in cells."""
    check_standings(evening)
    check_round_trip(evening, dana)
    check_files(evening)


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["partnership", "all"])
def test_an_evening_of_three_teams_of_two_at_a_table(sheet: str, dana: User) -> None:
    event = played(dana, f"back_alley/{sheet}", 6, {"players": 6, "sides": 3})
    assert {len(document_of(game)["sides"]) for game in sheet_games().filter(round__event=event)} == {3}
    check_standings(event)
    check_round_trip(event, dana)
    check_files(event)


def check_standings(event: Event) -> None:
    """Games and points are those of the documents, scored again from the command line's own entry."""
    won: dict[str, int] = {}
    points: dict[str, int] = {}
    for game in sheet_games().filter(round__event=event):
        document = document_of(game)
        scored = print_score(document)
        assert (scored["over"], scored["problems"]) == (True, [])
        for side, name in enumerate(document["sides"]):
            won[name] = won.get(name, 0) + (scored["winner"] == side)
            points[name] = points.get(name, 0) + scored["points"][side]
    table = standings(event)
    assert {line.team: (line.won, line.points) for line in table.lines} == {
        name: (won[name], points[name]) for name in won
    }
    by_points = is_single(event.sheet) or event.sheet in ("okinawa/standard", "spades/four-hand-tournament")
    assert table.order.startswith("points, then games won" if by_points else "games won, then points")
    keys = [(line.points, line.won) if by_points else (line.won, line.points) for line in table.lines]
    assert keys == sorted(keys, reverse=True)


def check_round_trip(event: Event, dana: User) -> None:
    again = import_event(Actor(dana), json.loads(json.dumps(export_event(event))))
    assert table_of(again) == table_of(event)
    assert sheets_of(again) == sheets_of(event)


def check_files(event: Event) -> None:
    book, sheets = whole_book(event), list(event_sheets(event))
    check_paper(event, book, sheets)
    check_workbook(book, sheets)


def check_paper(event: Event, book: WholeBook, sheets: Sequence[GameSheet]) -> None:
    for game in sheet_games().filter(round__event=event, round__number=1):
        sheet = game_sheet(game)
        text = pdf_text(score_sheets([sheet]))
        for side in sheet.sides:
            assert side.name in text
            assert str(abs(sheet.scores[side.index])) in text
        assert "Team A" not in text and "Side A" not in text
    first = standings(event).lines[0].team
    pages = PdfReader(io.BytesIO(on_paper(draw_event_book, book, sheets))).pages
    assert any(first in page.extract_text() for page in pages)


def check_workbook(book: WholeBook, sheets: Sequence[GameSheet]) -> None:
    cells = openpyxl.load_workbook(io.BytesIO(event_workbook(book, sheets)))
    rows = sum(len(sheet.rows) * len(sheet.sides) for sheet in sheets)
    hands = [row for row in cells["Hands"].iter_rows(min_row=5, values_only=True) if row[0]]
    assert len(hands) == rows
    heads: list[Any] = [cell.value for cell in cells["Hands"][4]]
    assert not [head for head in heads if head and "Team" in str(head)]
