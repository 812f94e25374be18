"""The Autumn Open of 24 teams: three teams, the pot and the champion, worked out by hand from the sheets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from django.contrib.auth.models import User

from tests.quick import remembered
from tests.sure import sure
from tournament.access import Actor
from tournament.archive.store import import_event
from tournament.models import Event, Game
from tournament.queries.bracket import bracket, champion_of
from tournament.queries.game_results import Mark
from tournament.queries.pot import pot
from tournament.queries.sheet import sheet_now
from tournament.queries.standings import StandingsLine, standings

FILE = Path(__file__).parents[3] / "fixtures" / "demo" / "autumn-open.json"


@pytest.fixture
@remembered
def autumn(dana: User) -> Event:
    return import_event(Actor(dana), json.loads(FILE.read_text(encoding="utf-8")))


def totals(line: StandingsLine) -> tuple[str, int, int, int, int, list[int]]:
    return line.label, line.won, line.points, line.bostons, line.sets, [sure(mark).points for mark in line.marks]


STANDINGS = {
    # 1: made 4, the others went odd: 4 + 5. 2: 3 with 13: 7 and a Boston. 3: 5 with 12: 6. 4: their second set by
    # ruling: 0 + 5. 5: 4 and 2. 6: 2-No set: −4, then 5; the others made 7.
    15: ("1", 5, 34, 1, 1, [9, 7, 6, 5, 6, 1]),
    # 1: 3, then 4 set: −1. 2: the others went odd: 0 + 5. 3: 3, their second set: + 5. 4: nothing.
    # 5: 5-No with 13: 14 and a Boston. 6: −4 + 4, their second set: + 5.
    1: ("3", 4, 31, 1, 2, [-1, 5, 8, 0, 14, 5]),
    # 1: 1, then odd: 0. 2: 5-Special set on the first hand: −5, backdoor. 3: odd: −1. 4: set by ruling −3, set −2: the
    # second. 5 and 6: forfeited.
    3: ("24", 0, -11, 0, 5, [0, -5, -1, -5, 0, 0]),
}


def test_the_first_the_third_and_the_last_stand_where_their_sheets_put_them(autumn: Event) -> None:
    lines = standings(autumn).index_lines()
    assert {number: totals(lines[number]) for number in STANDINGS} == STANDINGS
    ties = "Blind Board Kings and Table Talk both won 5 games; Blind Board Kings: 34 points to 30."
    assert (lines[15].ties, lines[3].gone, lines[3].chance) == ((ties,), "Left", "")


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


# Three teams of the Autumn Open followed by hand, game by game, with the rule for each; the tie between two of them;
# the pot and the champion. The numbers were worked out with pencil and paper from the hands in the event file.
class Played(NamedTuple):
    """One game of one team: against whom, W or L, own points, by which rule it ended."""

    opponent: int
    sign: str
    points: int
    rule: str


TABLE_TALK = {
    # 3-special with 8: set, −3. The Eagles set by ruling (rule 34), then set on a 2: their second set. −3 + 5.
    1: Played(12, "W", 2, "8"),
    # 1-special with 6 books: an odd. −1.
    2: Played(1, "L", -1, "7"),
    # The others set; 3 with 9: 3; 3 with 11: 5. 3 + 5.
    3: Played(2, "W", 8, "6"),
    # Aces Wild set by ruling (rule 32), then set on a 2-special: their second set. 0 + 5.
    4: Played(3, "W", 5, "8"),
    # The others set by ruling. 4 with 10: 4; 2 with 7: −2; 4 with 12: 6.
    5: Played(4, "W", 8, "6"),
    # 2 with 9: 3; 5 with 11: 5.
    6: Played(5, "W", 8, "6"),
}
FIVE_OR_BETTER = {
    # 3-No with 10: four above six, doubled.
    1: Played(10, "W", 8, "6"),
    # 2 with 8: 2. The others: 4, set on a 3, set on a 6: their second set. 2 + 5.
    2: Played(11, "W", 7, "8"),
    # 4 with 10: 4; set on a 3: −3; set on a 3-No: −6, the second set. 4 − 3 − 6.
    3: Played(12, "L", -5, "8"),
    # Set on a 2: −2; 3 with 11: 5; 2-No with 9: 6.
    4: Played(1, "W", 9, "6"),
    # 1 with 8: 2; set on a 3: −3; set on a 2: −2, the second set.
    5: Played(2, "L", -3, "8"),
    # Aces Wild have left: the game and 5 points.
    6: Played(3, "W", 5, "46"),
}
RISE_AND_FLY = {
    # The spoken bid is played on (rule 25). 2 with 9: 3; 3 with all 13: 7, a Boston.
    1: Played(11, "W", 10, "6"),
    # The others set on a 2. 4 with 11: 5.
    2: Played(12, "W", 5, "6"),
    # Set on a 3: −3; set on a 4: −4, the second set.
    3: Played(1, "L", -7, "8"),
    # The others set twice. 0 + 5.
    4: Played(2, "W", 5, "8"),
    # Aces Wild have left.
    5: Played(3, "W", 5, "46"),
    # 3 with 9: 3. The others make 3-No: 6.
    6: Played(4, "L", 3, "6"),
}


def played(mark: Mark) -> Played:
    (opponent,) = mark.opponents
    return Played(opponent, mark.sign, mark.points, mark.rule)


@pytest.mark.parametrize(
    ("number", "games", "place", "won", "points", "bostons", "sets"),
    [
        # 2 − 1 + 8 + 5 + 8 + 8
        (24, TABLE_TALK, "2", 5, 30, 0, 3),
        # 8 + 7 − 5 + 9 − 3 + 5
        (22, FIVE_OR_BETTER, "5=", 4, 21, 0, 5),
        # 10 + 5 − 7 + 5 + 5 + 3
        (23, RISE_AND_FLY, "5=", 4, 21, 1, 2),
    ],
    ids=["Table Talk", "Five or Better", "Rise and Fly"],
)
def test_team_stands_where_the_hand_count_puts_it(
    autumn: Event, number: int, games: dict[int, Played], place: str, won: int, points: int, bostons: int, sets: int
) -> None:
    line = standings(autumn).index_lines()[number]
    assert {mark.round: played(mark) for mark in map(sure, line.marks)} == games
    assert (line.label, line.won, line.points, line.bostons, line.sets) == (place, won, points, bostons, sets)


def test_two_of_them_share_fifth_place_and_the_page_says_why(autumn: Event) -> None:
    table = standings(autumn)
    level = (
        # The event is over: nobody plays this off.
        "Five or Better and Rise and Fly both won 4 games and have 21 points; still tied: they share the place."
    )
    assert table.index_lines()[22].ties == (
        "The O'Neals and Five or Better both won 4 games; The O'Neals: 25 points to 21.",
        level,
    )
    assert table.index_lines()[23].ties == (
        level,
        "Rise and Fly and No Trump Nation both won 4 games; Rise and Fly: 21 points to 19.",
    )


def test_every_boston_of_games_1_to_4_is_one_in_which_the_hand_ended_the_game(autumn: Event) -> None:
    # No Trump Nation: 4 with 13 after 4 for the others. Rise and Fly: 3 with 13 on top of 3. Blind Board Kings: 3 with
    # 13 at once. Trump Tight: 4-special with 13 at once. Four teams, $210 of 21 teams that paid in: $52.50 each.
    facts = pot(autumn)
    assert [(team.number, team.bostons, team.cents) for team in facts.teams if team.leads] == [
        (15, 1, 5250),
        (17, 1, 5250),
        (23, 1, 5250),
        (6, 1, 5250),
    ]
    assert (facts.cents, sum(team.cents for team in facts.teams), facts.entered, facts.settled) == (
        21000,
        21000,
        21,
        True,
    )


def test_final_is_won_hand_by_hand(autumn: Event) -> None:
    # 3 with 9; 4 with 10; set on a 3; set on a 3; 2-No with 9: 3 − 3 + 6 against 4 − 3.
    final = sheet_now(Game.objects.get(round__event=autumn, match="M7"))
    assert [row.scores for row in final.rows] == [(3, 0), (3, 4), (0, 4), (0, 1), (6, 1)]
    assert (sure(final.winner_side).name, final.points, final.rule) == ("Blind Board Kings", (6, 1), "6")
    assert champion_of(autumn) == (15, "Blind Board Kings")
