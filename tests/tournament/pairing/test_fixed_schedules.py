"""Moving teams and all-play-all: whole schedules, and what is left of them when teams come late or leave."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournament.pairing.field import entrants, history, most_byes, rematches, said, seated
from tournament.pairing.draw import Draw, DrawOptions, Entrant, History, Played, draw_all, draw_round
from tournament.pairing.plan import NOTHING_PLAYED, RE_SEATED, Note
from tournament.pairing.swiss import table_sizes

FIRST_THREE_OF_24 = (
    tuple((team, team + 12) for team in range(1, 13)),
    ((1, 24), *((team, team + 11) for team in range(2, 13))),
    ((1, 23), (2, 24), *((team, team + 10) for team in range(3, 13))),
)


def test_24_moving_teams_go_up_one_table() -> None:
    draws = draw_all("moving", entrants(24), 6)
    assert tuple(draw.tables for draw in draws[:3]) == FIRST_THREE_OF_24
    assert draws[5].tables[:4] == ((1, 20), (2, 21), (3, 22), (4, 23))
    assert [(draw.byes, draw.notes) for draw in draws] == [((), ())] * 6


def test_odd_field_sits_out_at_the_last_table_in_turn() -> None:
    draws = draw_all("moving", entrants(5), 3)
    assert draws == (
        Draw(((1, 3), (2, 4)), (5,)),
        Draw(((1, 5), (2, 3)), (4,)),
        Draw(((1, 4), (2, 5)), (3,)),
    )


def test_seed_draws_the_seats_and_repeats_them() -> None:
    seeded = draw_all("moving", entrants(24), 6, seed=7)
    assert seeded == draw_all("moving", list(reversed(entrants(24))), 6, seed=7)
    assert seeded != draw_all("moving", entrants(24), 6, seed=8)


def test_small_field_plays_all_play_all_instead() -> None:
    draws = draw_all("moving", entrants(6), 5)
    assert said(draws[0]) == ("With 3 tables moving teams would meet again in game 4: a round robin is drawn instead.",)
    assert (rematches(draws), most_byes(draws)) == (0, 0)
    two = draw_all("moving", entrants(2), 2)
    assert said(two[0]) == ("With one table moving teams would meet again in game 2: a round robin is drawn instead.",)


def test_rematch_that_cannot_be_avoided_names_pair_and_round() -> None:
    draws = draw_all("round-robin", [Entrant(1, name="Aces"), Entrant(2, name="Books"), Entrant(3, name="Crowns")], 7)
    assert said(draws[3]) == (
        "Aces and Books meet again in game 4; they met in game 1.",
        "Another bye for Crowns in game 4: no other way was found.",
    )
    assert said(draws[6])[0].endswith("they met in games 1, 4.")


def test_all_play_all_of_four_is_the_circle() -> None:
    assert draw_all("round-robin", entrants(4), 3) == (
        Draw(((1, 4), (2, 3))),
        Draw(((3, 1), (4, 2))),
        Draw(((1, 2), (3, 4))),
    )


@pytest.mark.parametrize("method", ["moving", "round-robin"])
@pytest.mark.parametrize("size", range(2, 14))
def test_nobody_meets_twice_while_that_can_be_avoided(method: str, size: int) -> None:
    for rounds in range(1, size + size % 2):
        draws = draw_all(method, entrants(size), rounds, seed=rounds)
        assert all(seated(draw) == list(range(1, size + 1)) for draw in draws)
        assert (rematches(draws), most_byes(draws) <= 1) == (0, True)
        assert {len(draw.byes) for draw in draws} == {size % 2}


@pytest.mark.parametrize("method", ["moving", "round-robin"])
def test_fields_of_nobody_and_one(method: str) -> None:
    assert draw_all(method, [], 2) == (Draw(()), Draw(()))
    assert [draw.byes for draw in draw_all(method, entrants(1), 1)] == [(1,)]


@pytest.mark.parametrize("method", ["moving", "round-robin"])
@pytest.mark.parametrize("size", [9, 12])
def test_one_round_at_a_time_is_the_whole_schedule(method: str, size: int) -> None:
    whole = draw_all(method, entrants(size), 4)
    schedule = History()
    for draw in whole:
        assert draw_round(method, entrants(size), schedule) == draw
        schedule = schedule.after(draw)
    assert draw_all(method, entrants(size), 0, schedule) == ()


def test_team_that_left_leaves_an_empty_seat() -> None:
    left = [entrant for entrant in entrants(24) if entrant.number != 5]
    draws = draw_all("moving", left, 4, history(draw_all("moving", entrants(24), 2)))
    assert [draw.byes for draw in draws] == [(15,), (14,), (13,), (24,)]
    assert draws[0].tables == tuple(pair for pair in FIRST_THREE_OF_24[2] if pair[0] != 5)


def test_two_that_would_have_met_leave_no_bye_behind() -> None:
    left = [entrant for entrant in entrants(24) if entrant.number not in (1, 23)]
    (draw,) = draw_all("moving", left, 1, history(draw_all("moving", entrants(24), 2)))
    assert draw == Draw(FIRST_THREE_OF_24[2][1:])


def test_late_team_takes_the_empty_seat_and_the_next_opens_a_table() -> None:
    before = history(draw_all("moving", entrants(5), 1))
    one_late = draw_all("moving", entrants(6), 2, before)
    assert one_late == (Draw(((1, 5), (2, 3), (6, 4))), Draw(((1, 4), (2, 5), (6, 3))))
    assert draw_all("moving", [*entrants(6), Entrant(7)], 1, before) == (Draw(((1, 5), (2, 3), (6, 4)), (7,)),)


def test_seats_are_drawn_anew_where_the_movement_cannot_go_on() -> None:
    left = [entrant for entrant in entrants(24) if entrant.number not in (3, 4)]
    before = history(draw_all("moving", entrants(24), 2))
    draws = draw_all("moving", left, 4, before, seed=1)
    assert (rematches(draws, before), most_byes(draws)) == (0, 0)
    assert [draw.notes for draw in draws] == [(Note(RE_SEATED),), (), (), ()]


def test_circle_goes_on_with_a_late_team_in_the_empty_seat() -> None:
    before = history(draw_all("round-robin", entrants(5), 2))
    draws = draw_all("round-robin", entrants(6), 3, before)
    assert rematches(draws, before) == 0
    assert draws[0].notes == ()


def test_all_play_all_after_a_history_plays_what_is_left() -> None:
    before = history(draw_all("round-robin", entrants(6), 2))
    assert draw_round("round-robin", entrants(6), before) == draw_all("round-robin", entrants(6), 3)[2]


@pytest.mark.parametrize("method", ["moving", "round-robin"])
def test_history_of_another_kind_is_re_seated(method: str) -> None:
    before = History((Played(((1, 2, 3, 4),)),))
    assert draw_all(method, entrants(4), 1, before)[0].notes[0] == Note(RE_SEATED)
    nobody_played = History((Played((), (1, 2)),))
    assert draw_all(method, entrants(2), 1, nobody_played)[0].tables in {((1, 2),), ((2, 1),)}


def test_rematches_stay_planned_where_matching_finds_no_better() -> None:
    before = history(draw_all("round-robin", entrants(4), 3))
    draws = draw_all("round-robin", entrants(4), 1, before)
    assert draws[0].tables == draw_all("round-robin", entrants(4), 1)[0].tables or rematches(draws, before) == 2
    assert Note(RE_SEATED) not in draws[0].notes


def test_cities_are_kept_apart_where_the_seats_allow_it() -> None:
    cities = [Entrant(number, city=("Dayton", "Toledo", "dayton ", "")[number % 4]) for number in range(1, 17)]
    apart = DrawOptions(apart=("city",))
    by_number = draw_all("moving", cities, 3)
    assert draw_all("moving", cities, 3, options=apart) != by_number
    assert [draw.notes for draw in draw_all("moving", cities, 3, options=apart)] == [()] * 3


def test_cities_that_must_meet_are_named() -> None:
    cities = [Entrant(1, "Dayton", "Kings"), Entrant(2, "Dayton", "Kings"), Entrant(3, "Toledo"), Entrant(4, "Dayton")]
    draws = draw_all("round-robin", cities, 3, options=DrawOptions(apart=("city", "club")))
    notes = [note for draw in draws for note in said(draw)]
    assert len(notes) == 4
    assert sum(note.startswith("Team 1 and Team 2, both of Kings, meet in game") for note in notes) == 1


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["moving", "round-robin", "random"]),
    st.integers(8, 26),
    st.integers(1, 2),
    st.sets(st.integers(1, 26), max_size=3),
    st.integers(0, 3),
    st.integers(0, 99),
)
def test_changed_field_meets_nobody_twice_with_room_to_spare(
    method: str, size: int, played: int, gone: set[int], late: int, seed: int
) -> None:
    before = history(draw_all(method, entrants(size), played, seed=seed))
    now = [entrant for entrant in entrants(size + late) if entrant.number not in gone]
    rounds = 2
    draws = draw_all(method, now, rounds, before, seed=seed)
    assert all(seated(draw) == [entrant.number for entrant in now] for draw in draws)
    assert {len(draw.byes) for draw in draws} == {len(now) % 2}
    byes = [team for draw in draws for team in draw.byes] + [team for past in before.rounds for team in past.byes]
    assert len(byes) == len(set(byes))
    if len(now) >= 2 * (played + rounds):
        assert rematches(draws, before) == 0


# Tables of three to five single players.
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
    # At six tables columns would come together again after three rounds; one by one they need not.
    assert rematches(draw_all("groups", entrants(24), 4, seed=1)) == 0


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
    assert said(draws[1])[0] == "Team 1 and Team 2 meet again in game 2; they met in game 1."
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
    draws = draw_all("groups", entrants(players), rounds, seed=seed, options=options)
    assert all(seated(draw) == list(range(1, players + 1)) for draw in draws)
    assert all(3 <= len(table) <= size for draw in draws for table in draw.tables)
    byes = [sum(team in draw.byes for draw in draws) for team in range(1, players + 1)]
    assert max(byes) - min(byes) <= 1
    assert draws == draw_all("groups", entrants(players), rounds, seed=seed, options=options)
