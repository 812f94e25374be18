import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.standings.ranking import Chance, Cut, can_still, cut, rank
from scoring.standings.tiebreaks import GameRecord, Record
from tests.scoring.standings.cast import ACES, BOOKS, CROWNS, DEUCES, NAMES, SHEET_ORDER, record

FIELD = [record(ACES, 5, 5), record(BOOKS, 5, 2), record(CROWNS, 5, 2), record(DEUCES, 0, 0)]
PLACES = rank(FIELD, SHEET_ORDER, names=NAMES)


def test_cut_between_places_is_clear() -> None:
    assert cut(PLACES, 3, NAMES) == Cut(
        (ACES, BOOKS, CROWNS), (), 0, (DEUCES,), "3 advance; nobody is tied at the cut."
    )
    assert cut(PLACES, 1).text == "One advances."


def test_cut_through_a_shared_place_names_who_plays_off() -> None:
    text = "One advances. Books and Crowns are tied for the last place: a one-game playoff decides (rule 10)."
    assert cut(PLACES, 2, NAMES) == Cut((ACES,), (BOOKS, CROWNS), 1, (DEUCES,), text)


def test_cut_through_a_place_shared_by_all() -> None:
    places = rank([record(team, 5) for team in NAMES], SHEET_ORDER)
    text = "Aces, Books, Crowns and Deuces are tied for the last 3 places: the director decides how they play off"
    assert cut(places, 3, NAMES) == Cut((), (ACES, BOOKS, CROWNS, DEUCES), 3, (), f"{text} (rule 10).")


def test_cut_with_several_ahead_of_the_level_teams() -> None:
    places = rank([record(ACES, 9), record(BOOKS, 8), record(CROWNS, 5), record(DEUCES, 5)], SHEET_ORDER)
    assert cut(places, 3, NAMES).text.startswith("2 advance. Crowns and Deuces are tied for the last place")


def test_cut_waits_for_a_playoff_before_a_later_key() -> None:
    places = rank([record(ACES, 5), record(BOOKS, 5, bostons=1)], (*SHEET_ORDER, "bostons"), names=NAMES)
    made = cut(places, 1, NAMES)
    assert (made.advance, made.level, made.seats) == ((), (BOOKS, ACES), 1)


def test_cut_below_two_who_wait_for_their_playoff_is_clear() -> None:
    level = [record(ACES, 5), record(BOOKS, 5, bostons=1), record(CROWNS, 2)]
    places = rank(level, (*SHEET_ORDER, "bostons"), names=NAMES)
    assert cut(places, 2, NAMES) == Cut((BOOKS, ACES), (), 0, (CROWNS,), "2 advance; nobody is tied at the cut.")


def test_cut_of_as_many_as_there_are_lets_all_go_on() -> None:
    assert cut(PLACES, 4) == Cut((ACES, BOOKS, CROWNS, DEUCES), (), 0, (), "All 4 advance.")


def test_cut_of_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        cut(PLACES, 0)


def test_chances_with_one_game_left() -> None:
    left = dict.fromkeys(NAMES, 1)
    assert can_still(PLACES, 2, left) == {
        ACES: Chance.OPEN, BOOKS: Chance.OPEN, CROWNS: Chance.OPEN, DEUCES: Chance.OPEN,
    }  # fmt: skip
    assert can_still(PLACES, 1, left)[DEUCES] == Chance.OUT
    assert can_still(PLACES, 3, left)[ACES] == Chance.IN


def test_chances_are_weighed_where_the_order_was_read_from_a_row() -> None:
    """Its words are no objects of the program's."""
    order = ["".join(list("games-won"))]
    assert can_still(PLACES, 1, dict.fromkeys(NAMES, 1), order)[DEUCES] == Chance.OUT


def test_chances_after_the_last_game_are_the_cut() -> None:
    expected = {ACES: Chance.IN, BOOKS: Chance.OPEN, CROWNS: Chance.OPEN, DEUCES: Chance.OUT}
    assert can_still(PLACES, 2, {}) == expected


def test_chances_are_open_where_points_come_first() -> None:
    for first in ("points", "bostons"):
        assert set(can_still(PLACES, 2, {ACES: 1}, (first, "games-won")).values()) == {Chance.OPEN}


@given(st.lists(st.integers(0, 3), min_size=2, max_size=4), st.lists(st.integers(0, 2), min_size=4, max_size=4),
       st.integers(1, 4))  # fmt: skip
def test_certain_chances_hold_however_the_games_end(won: list[int], games: list[int], advance: int) -> None:
    def team(number: int, wins: int) -> Record:
        return Record(number, tuple(GameRecord(game, (), True, 0) for game in range(wins)))

    left = {number: games[number - 1] for number in range(1, len(won) + 1)}
    told = can_still(rank([team(n, w) for n, w in enumerate(won, start=1)], ("games-won",)), advance, left)
    for more in itertools.product(*(range(left[number] + 1) for number in left)):
        places = rank([team(n, w + more[n - 1]) for n, w in enumerate(won, start=1)], ("games-won",))
        made = cut(places, advance)
        assert all(told[number] != Chance.OUT for number in made.advance)
        assert all(told[number] != Chance.IN for number in made.out)
        assert all(told[number] == Chance.OPEN for number in made.level)
