"""Single players at tables of three to five: sizes, byes, different opponents, and who leaves in between."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from django.contrib.auth.models import User

from tests.tournament.games.play import set_up
from tournament.access import Actor
from tournament.models import Event, Game
from tournament.queries.checklist import checklist
from tournament.queries.draws import draw_overview, movement_words
from tournament.queries.sheet import game_sheet, sheet_games
from tournament.refusals import Invalid
from tournament.services.draws import draw_by_hand, draw_rounds
from tournament.services.rounds import start_round

INDIVIDUAL = "back_alley/individual"


def sizes(event: Event) -> list[tuple[int, ...]]:
    """The sizes of the tables, and at the end how many sit out, round by round."""
    return [
        (*(len(table.teams) for table in round_.tables), -len(round_.byes)) for round_ in draw_overview(event).rounds
    ]


@pytest.mark.parametrize(
    ("players", "tables", "said"),
    [
        (3, (3, 0), "3 players"),
        (4, (4, 0), "4 players"),
        (5, (4, -1), "5 players: one player sits out each round"),
        (6, (3, 3, 0), "6 players"),
        (7, (4, 3, 0), "7 players"),
        (11, (4, 4, 3, 0), "11 players"),
    ],
)
def test_every_number_of_players_finds_tables(dana: User, players: int, tables: tuple[int, ...], said: str) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, players)
    draw_rounds(Actor(dana), event, seed=1)
    assert sizes(event) == [tables, tables]
    assert said in [item.text for item in checklist(event).items]
    assert movement_words(event) == "Everybody meets different players"


@pytest.mark.parametrize(("players", "most"), [(12, 2), (20, 1)])
def test_players_meet_as_many_others_as_they_can(dana: User, players: int, most: int) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, players, rounds=3)
    draw_rounds(Actor(dana), event, seed=1)
    tables = [table.teams for round_ in draw_overview(event).rounds for table in round_.tables]
    met = Counter(pair for table in tables for pair in combinations(sorted(number for number, _ in table), 2))
    assert (len(tables), max(met.values())) == (3 * players // 4, most)


def test_five_sit_at_a_table_where_the_option_says_so(dana: User) -> None:
    event = set_up(Actor(dana), "back_alley/partnership", 10, options={"players": 5})
    draw_rounds(Actor(dana), event, seed=1)
    assert sizes(event) == [(5, 5, 0)] * 2


@pytest.mark.parametrize(
    ("options", "sides", "tables", "said"),
    [
        ({"players": 6, "sides": 3}, 6, (3, 3, 0), "6 teams"),
        ({"players": 6, "sides": 3}, 7, (3, 3, -1), "7 teams: one team sits out each round"),
        ({"players": 6}, 4, (2, 2, 0), "4 teams"),
        ({"sides": 4}, 7, (4, 3, 0), "7 players"),
    ],
)
def test_sides_at_a_table_are_chosen_for_the_event(
    dana: User, options: dict[str, int], sides: int, tables: tuple[int, ...], said: str
) -> None:
    event = set_up(Actor(dana), "back_alley/partnership", sides, options=options)
    draw_rounds(Actor(dana), event, seed=1)
    assert sizes(event) == [tables, tables]
    assert said in [item.text for item in checklist(event).items]


@pytest.mark.parametrize(("options", "places"), [({"players": 6, "sides": 3}, 2), ({"players": 6}, 3)])
def test_six_players_sit_one_of_each_side_after_the_other(dana: User, options: dict[str, int], places: int) -> None:
    sides = 6 // places
    event = set_up(Actor(dana), "back_alley/partnership", sides, options=options)
    draw_rounds(Actor(dana), event, seed=1)
    start_round(Actor(dana), event, 1)
    sheet = game_sheet(sheet_games().get(round__event=event, round__number=1))
    assert {team.players.count() for team in event.teams.all()} == {places}
    assert [seat.side for seat in sheet.seats] == [*range(sides)] * places
    assert len({seat.name for seat in sheet.seats}) == 6


def test_two_players_are_too_few(dana: User) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, 2)
    with pytest.raises(Invalid, match="At least 3 players are needed; 2 can be drawn"):
        draw_rounds(Actor(dana), event)


def test_tables_of_two_sizes_may_be_drawn_by_hand(dana: User) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, 7)
    draw_by_hand(Actor(dana), event, 1, ((1, 2, 3), (4, 5, 6, 7)))
    assert sizes(event) == [(3, 4, 0)]
    with pytest.raises(Invalid, match=r"Table 1 has 5 instead of 2 or 3 or 4"):
        draw_by_hand(Actor(dana), event, 1, ((1, 2, 3, 4, 5), (6, 7)))


def test_a_table_of_four_plays_on_without_the_one_who_left(dana: User) -> None:
    event = set_up(Actor(dana), INDIVIDUAL, 4)
    draw_rounds(Actor(dana), event, seed=1)
    event.teams.filter(number=2).update(status="left", left_after=0)
    start_round(Actor(dana), event, 1)
    game = Game.objects.get(round__event=event, round__number=1)
    assert [(side.index, side.team.number == 2) for side in game.sides.all()] == [(0, False), (1, False), (2, False)]
    assert (game.state, game.result.scores) == ("playing", [0, 0, 0])
