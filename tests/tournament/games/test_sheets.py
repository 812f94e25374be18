"""Every rule sheet through the services: set up, drawn, played to the end, exported, imported."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.document import all_sheets, print_score
from scoring.options import describe
from tests.factories import make_event, make_game
from tests.sure import fresh
from tests.tournament.archive.test_import import sheets_of, table_of
from tests.tournament.games.play import play_out, set_up
from tests.tournament.tablet.test_practice import table
from tournament.access import Actor
from tournament.archive.store import export_event, import_event
from tournament.forms.fields import option_field
from tournament.models import Event, Game
from tournament.queries.rules import rulebook
from tournament.queries.score_workbooks import blank_boards, board_cells
from tournament.queries.sheet import sheet_games, sheet_now
from tournament.queries.standings import standings
from tournament.reports.pdf.sheet_table import sheet_table
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
    return fresh(event)


@pytest.mark.long
def test_an_evening_of_every_sheet_stands_up(evening: Event, dana: User) -> None:
    check_standings(evening)
    check_round_trip(evening, dana)


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["partnership", "all"])
def test_an_evening_of_three_teams_of_two_at_a_table(sheet: str, dana: User) -> None:
    event = played(dana, f"back_alley/{sheet}", 6, {"players": 6, "sides": 3})
    assert {len(sheet_now(game).document["sides"]) for game in sheet_games().filter(round__event=event)} == {3}
    check_standings(event)
    check_round_trip(event, dana)


def check_standings(event: Event) -> None:
    """Games and points are those of the documents, scored again from the command line's own entry."""
    won: dict[str, int] = {}
    points: dict[str, int] = {}
    for game in sheet_games().filter(round__event=event):
        document = sheet_now(game).document
        scored = print_score(document)
        assert (scored["over"], scored["problems"]) == (True, [])
        for side, name in enumerate(document["sides"]):
            won[name] = won.get(name, 0) + (scored["winner"] == side)
            points[name] = points.get(name, 0) + scored["points"][side]
    table = standings(event)
    assert {line.team: (line.won, line.points) for line in table.lines} == {
        name: (won[name], points[name]) for name in won
    }
    by_points = is_single(event.sheet) or event.sheet.startswith(("okinawa/standard", "spades/four-hand-tournament"))
    assert table.order.startswith("points, then games won" if by_points else "games won, then points")
    keys = [(line.points, line.won) if by_points else (line.won, line.points) for line in table.lines]
    assert keys == sorted(keys, reverse=True)


def check_round_trip(event: Event, dana: User) -> None:
    again = import_event(Actor(dana), json.loads(json.dumps(export_event(event))))
    assert table_of(again) == table_of(event)
    assert sheets_of(again) == sheets_of(event)


# The rules page says what a hand is worth, who chooses, and nothing that the sheet does not have.
def said(dana: User, sheet: str, **options: object) -> dict[str, str]:
    book = rulebook(make_event(director=dana, sheet=sheet, options=options, slug=f"e-{Event.objects.count()}"))
    return {option.title: option.words for _, group in book.groups for option in group}


@pytest.mark.parametrize(
    ("sheet", "title", "words"),
    [
        ("back_alley/partnership", "Boards", "10, 20, 30 and 40 for each card"),
        ("back_alley/partnership", "A bid that is made scores", "5 points for each trick bid and 1 for each more"),
        ("back_alley/individual", "A bid that is made scores", "3 points for each trick bid and 1 for each more"),
        ("back_alley/all", "A bid of “all” wins or loses", "25 points"),
        ("back_alley/oh-hell-18", "A bid of “board” wins or loses", "6 points for each card, and 10 more"),
        (
            "back_alley/oh-hell-18",
            "On the deals of one card",
            "a board wins or loses 13 points, and a pass scores nothing",
        ),
        ("back_alley/oh-hell-18", "A rainbow with 8 cards scores", "10 points"),
        (
            "back_alley/high-two",
            "On the deals of one card",
            "1 is 10 points, board 20, double board 30, triple board 40, won or lost",
        ),
        ("bid_whist/no-kitty-2021", "Sets that lose the game:", "2"),
        ("bid_whist/no-kitty-2021", "Points of the side that lost", "its final score, even below zero"),
    ],
)
def test_the_prices_of_a_sheet_are_said(sheet: str, title: str, words: str, dana: User) -> None:
    assert said(dana, sheet)[title] == words


def test_a_sheet_without_a_bonus_says_nothing_of_one_and_the_club_that_takes_it_away_says_so(dana: User) -> None:
    title = "Odd, sets, renege, backdoor and awarded games add"
    assert title not in said(dana, "bid_whist/standard")
    assert said(dana, "bid_whist/no-kitty-2021")[title] == "5 points for the winner"
    assert said(dana, "bid_whist/no-kitty-2021", bonus_points=0)[title] == "0 points for the winner"


def test_blind_deals_burn_the_blooper_in_one_voice(dana: User) -> None:
    words = said(dana, "back_alley/partnership", blind=True)
    assert "A blooper turned up" not in words
    assert "a blooper turned up goes under the pack" in words["The deals halfway down and up"]


@pytest.mark.parametrize(
    ("sheet", "options", "labels"),
    [
        ("spades/new-york", {}, ["Sets in a row so far"]),
        ("spades/overtime", {}, ["Sets in all", "Sets in a row so far"]),
        ("spades/standard", {}, ["Sets in all"]),
        ("okinawa/standard", {}, ["Sets in all"]),
        ("bid_whist/no-kitty-2021", {}, ["Sets in all"]),
        ("bid_whist/no-kitty-2021", {"sets_consecutive": True}, ["Sets in a row so far"]),
    ],
)
def test_totals_from_paper_ask_for_the_sets_that_count(
    sheet: str, options: dict[str, object], labels: list[str], dana: User, desk: Client
) -> None:
    game = make_game(dana, sheet=sheet, options=options)
    page = desk.get(f"/desk/columbus-open/games/{game.pk}/").content.decode()
    assert re.findall(r'aria-label="(Sets [^:]+): Aces"', page) == labels


# The help texts below the numbers in the rule sheet's form: what is counted, the limits, what an empty field means.
SHEETS = {sheet.key: sheet.rules for _, sheet in all_sheets()}


@pytest.mark.parametrize(
    ("sheet", "key", "words"),
    [
        (
            "spades/standard",
            "game_at",
            "Points, 50 to 10000 (if both sides get there, the higher score wins). If left empty: no score.",
        ),
        ("spades/standard", "over_limit", "That many or more, 1 to 13. If left empty: none; any number may be taken."),
        ("bid_whist/standard", "lose_at", "Points, −500 to −1. If left empty: no score, however low."),
        (
            "back_alley/partnership",
            "sides",
            "Sides, 2 to 5 (four players: 2 or 4; six players: 2 or 3; three or five: as many as players).",
        ),
        (
            "back_alley/partnership",
            "one_card_deals",
            "1 to 2 (13 cards to 13 cards: 26 deals with 2, 25 with 1).",
        ),
    ],
)
def test_a_number_says_what_it_counts_and_how_far(sheet: str, key: str, words: str) -> None:
    rules = SHEETS[sheet]
    [option] = [described for described in describe(rules) if described.key == key]
    assert option_field(option).help_text == words


# Every field of a hand, of every rule sheet, has its place in the form, on paper and on the score board.
EVERY_SHEET: list[tuple[str, int, dict[str, Any]]] = [("back_alley/partnership", 2, {"first_six": True})]
EVERY_SHEET += [(sheet.key, game.seating(sheet.rules).sides, {}) for game, sheet in all_sheets()]


@pytest.mark.parametrize(("key", "sides", "options"), EVERY_SHEET)
def test_every_field_has_its_place(dana: User, key: str, sides: int, options: dict[str, Any]) -> None:
    tablet, game = table(dana, key, sides, **options)
    sheet = sheet_now(game)
    seats = {"seat": len(sheet.seats), "side": sides}
    page = html.unescape(tablet.get(reverse("tablet")).content.decode())
    assert sheet.next is not None
    for field in sheet.next.fields:
        name = field.name or field.key
        names = [f"{name}-{seat}" for seat in range(seats[field.of])] if field.everybody else [name]
        assert all(f'name="{name_of_field}"' in page for name_of_field in names), field.key
    fields = sheet.rules.columns
    columns = {column.key for column in sheet_table(sheet.rules).columns}
    asked = [field for field in fields if field.layout != "given"]
    assert {field.key for field in asked if not field.everybody} <= columns
    own = {f"{field.key}-{index}" for field in asked if field.everybody for index in range(seats[field.of])}
    assert own <= columns
    workbook = blank_boards(game.round.event)
    typed = [cell.field.key for cell in board_cells(workbook) if cell.field is not None]
    assert Counter(typed) == Counter(
        name_of_field.key for name_of_field in fields for _ in range(workbook.places(name_of_field) or 1)
    )
    counted = [cell.of for cell in board_cells(workbook)]
    counters = sheet.rules.game.counters(sheet.rules.rules)
    assert [counted.count(counter.key) for counter in counters] == [workbook.sides] * len(counters)
