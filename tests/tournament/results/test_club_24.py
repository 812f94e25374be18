"""The Autumn Open of 24 teams: three teams, the pot and the champion, worked out by hand from the sheets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from tests.remembered import remembered
from tests.sure import sure
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.models import Event
from tournament.queries.bracket import bracket, champion_of
from tournament.queries.records import pot
from tournament.queries.standings import StandingsLine, standings

FILE = Path(__file__).parents[3] / "fixtures" / "demo" / "autumn-open.json"


@pytest.fixture
@remembered
def autumn(dana: User) -> Event:
    return import_event(Actor(dana), json.loads(FILE.read_text(encoding="utf-8")))


def totals(line: StandingsLine) -> tuple[str, int, int, int, int, list[int]]:
    return line.label, line.won, line.points, line.bostons, line.sets, [sure(mark).points for mark in line.marks]


def test_blind_board_kings_came_first(autumn: Event) -> None:
    # 1: made 4, the others went odd: 4 + 5. 2: 3 with 13: 7 and a Boston. 3: 5 with 12: 6. 4: their second set by
    # ruling: 0 + 5. 5: 4 and 2. 6: 2-No set: −4, then 5; the others made 7.
    line = standings(autumn).by_number[15]
    assert totals(line) == ("1", 5, 34, 1, 1, [9, 7, 6, 5, 6, 1])
    assert line.ties == ("Blind Board Kings and Table Talk both won 5 games; Blind Board Kings: 34 points to 30.",)


def test_uptown_two_came_third(autumn: Event) -> None:
    # 1: 3, then 4 set: −1. 2: the others went odd: 0 + 5. 3: 3, their second set: + 5. 4: nothing.
    # 5: 5-No with 13: 14 and a Boston. 6: −4 + 4, their second set: + 5.
    line = standings(autumn).by_number[1]
    assert totals(line) == ("3", 4, 31, 1, 2, [-1, 5, 8, 0, 14, 5])


def test_aces_wild_left_after_game_4_and_came_last(autumn: Event) -> None:
    # 1: 1, then odd: 0. 2: 5-Special set on the first hand: −5, backdoor. 3: odd: −1. 4: set by ruling −3, set −2: the
    # second. 5 and 6: forfeited.
    line = standings(autumn).by_number[3]
    assert totals(line) == ("24", 0, -11, 0, 5, [0, -5, -1, -5, 0, 0])
    assert (line.gone, line.chance) == ("Left", "")


def test_the_pot_is_shared_by_the_four_teams_with_a_boston_in_games_1_to_4(autumn: Event) -> None:
    facts = pot(autumn)
    assert (facts.cents, facts.entered, facts.settled) == (21000, 21, True)
    assert {team.number: team.cents for team in facts.teams if team.cents} == dict.fromkeys((6, 15, 17, 23), 5250)


def test_the_first_eight_play_off_and_blind_board_kings_are_the_champions(autumn: Event) -> None:
    table = standings(autumn)
    assert sure(table.cut).advance == (15, 24, 1, 20, 22, 23, 17, 4)
    drawn = sure(bracket(autumn, table))
    assert [(match.key, match.teams) for match in drawn.matches] == [
        ("M1", (15, 4)),
        ("M2", (20, 22)),
        ("M3", (24, 17)),
        ("M4", (1, 23)),
        ("M5", (15, 22)),
        ("M6", (17, 23)),
        ("M7", (15, 23)),
    ]
    # The final: 3, then set: 0; 2-No with 9 books: 6.
    assert (drawn.stale, champion_of(autumn)) == ((), (15, "Blind Board Kings"))
