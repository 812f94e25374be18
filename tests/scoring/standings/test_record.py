import pytest

from scoring.ledger import counted, listed, number
from scoring.standings.tiebreaks import GameRecord, Record, by_number, money, ordinal, team_name
from tests.scoring.standings.cast import ACES, BOOKS, NAMES, record

PLAYOFF = GameRecord(1, (BOOKS,), True, 9, bostons=1, sets=1, stage="playoff")
BYE = GameRecord(2, (), True, 5, bye=True)
LOST = GameRecord(3, (BOOKS,), False, -3, bostons=1, sets=2)


def test_record_sums_qualifying_games_only() -> None:
    aces = Record(ACES, (PLAYOFF, BYE, LOST))
    assert (aces.played, aces.won, aces.lost, aces.points, aces.bostons, aces.sets) == (2, 1, 1, 2, 1, 2)
    assert aces.qualifying == (BYE, LOST)
    assert aces.byes == 1
    assert Record(ACES, (PLAYOFF, BYE, LOST, LOST)).opponents == (BOOKS, BOOKS)


def test_record_counts_bostons_in_the_window() -> None:
    aces = Record(ACES, (PLAYOFF, BYE, LOST))
    assert [aces.bostons_in(window) for window in (2, 3, None)] == [0, 1, 1]


def test_records_of_one_team_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="team 1 has two records"):
        by_number([record(ACES), record(BOOKS), record(ACES)])


def test_words_read_as_players_write_them() -> None:
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 112, 113)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "113th",
    ]  # fmt: skip
    assert [number(value) for value in (-3, 0, 4)] == ["−3", "0", "4"]
    assert [counted(value, "point") for value in (-2, -1, 0, 1, 2)] == [
        "−2 points", "−1 point", "0 points", "1 point", "2 points",
    ]  # fmt: skip
    assert [listed(["Aces"]), listed(["Aces", "Books"]), listed("ABC")] == ["Aces", "Aces and Books", "A, B and C"]
    assert [money(5), money(123456), money(250, "$"), money(24000, "$")] == ["0.05", "1,234.56", "$2.50", "$240"]
    assert [team_name(NAMES, ACES), team_name(NAMES, 77)] == ["Aces", "Team 77"]
