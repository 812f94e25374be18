"""Tables of three to five single players."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.field import entrants, history, most_byes, rematches, said, seated
from tournament.pairing.draw import DrawOptions, Entrant, draw_all, draw_round
from tournament.pairing.plan import NOTHING_PLAYED
from tournament.pairing.swiss import table_sizes

FOUR_OR_THREE = DrawOptions(table_size=4, smallest_table=3)


@pytest.mark.parametrize(
    ("players", "size", "smallest", "expected"),
    [
        (16, 4, None, (4, 4, 4, 4)),
        (18, 4, None, (4, 4, 4, 4)),
        (18, 4, 3, (4, 4, 4, 3, 3)),
        (9, 5, 4, (5, 4)),
        (9, 4, 3, (3, 3, 3)),
        (5, 4, 3, (4,)),
        (2, 4, 3, ()),
    ],
)
def test_table_sizes_seat_as_many_as_possible(
    players: int, size: int, smallest: int | None, expected: tuple[int, ...]
) -> None:
    if (players, size, smallest) == (9, 5, 4):
        assert table_sizes(players, size, smallest) == expected
    assert sum(table_sizes(players, size, smallest)) == sum(expected)
    assert table_sizes(players, size, smallest) == expected


@pytest.mark.parametrize(("size", "smallest"), [(4, 1), (3, 4)])
def test_impossible_table_sizes_are_refused(size: int, smallest: int) -> None:
    with pytest.raises(ValueError, match="at least two seats"):
        table_sizes(12, size, smallest)


def test_twenty_players_at_five_tables_meet_no_one_twice_in_five_rounds() -> None:
    draws = draw_all("groups", entrants(20), 5, seed=1)
    assert rematches(draws) == 0
    assert [len(draw.tables) for draw in draws] == [5] * 5


def test_more_rounds_than_tables_turn_are_drawn_one_by_one() -> None:
    draws = draw_all("groups", entrants(12), 5, seed=1)
    assert [seated(draw) for draw in draws] == [list(range(1, 13))] * 5
    again = [rematches([draw], history(draws[:number])) for number, draw in enumerate(draws)]
    assert [bool(draw.notes) for draw in draws] == [bool(count) for count in again]
    assert again[0] == 0 and sum(again) > 0


def test_tables_of_three_fill_up_a_field_of_nineteen() -> None:
    draws = draw_all("groups", entrants(19), 5, options=FOUR_OR_THREE)
    assert {sorted(map(len, draw.tables))[0] for draw in draws} == {3}
    assert rematches(draws) == 0


def test_players_without_a_seat_have_a_bye_in_turn() -> None:
    draws = draw_all("groups", entrants(9), 4, seed=1)
    assert [len(draw.byes) for draw in draws] == [1] * 4
    assert most_byes(draws) == 1


def test_repeated_meetings_are_noted() -> None:
    draws = draw_all("groups", entrants(4), 2)
    assert said(draws[1])[0] == "Team 1 and Team 2 meet again in round 2; they met in round 1."
    assert len(draws[1].notes) == 6


def test_too_few_players_for_a_table_all_have_a_bye() -> None:
    assert draw_round("groups", entrants(3)).byes == (1, 2, 3)


def test_next_round_knows_the_rounds_before() -> None:
    first = draw_all("groups", entrants(16), 1, seed=4)
    second = draw_round("groups", entrants(16), NOTHING_PLAYED.after(first[0]), seed=4)
    assert rematches((*first, second)) == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(3, 30), st.integers(3, 5), st.integers(1, 4), st.integers(0, 99))
def test_groups_seat_everybody_once_and_share_the_byes(players: int, size: int, rounds: int, seed: int) -> None:
    options = DrawOptions(table_size=size, smallest_table=3)
    draws = draw_all(
        "groups", [Entrant(number) for number in range(1, players + 1)], rounds, seed=seed, options=options
    )
    assert all(seated(draw) == list(range(1, players + 1)) for draw in draws)
    assert all(3 <= len(table) <= size for draw in draws for table in draw.tables)
    byes = [sum(team in draw.byes for draw in draws) for team in range(1, players + 1)]
    assert max(byes) - min(byes) <= 1
    assert draws == draw_all(
        "groups", [Entrant(number) for number in range(1, players + 1)], rounds, seed=seed, options=options
    )
