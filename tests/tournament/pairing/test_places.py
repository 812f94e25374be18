"""Final places from a bracket in which sides are gone, and from the qualifying order behind it."""

from __future__ import annotations

from tournament.pairing.bracket import NOBODY, MatchGame, Placed, build_bracket, final_places, follow

EIGHT = build_bracket(range(1, 9), third_place=True)


def won(winner: int, loser: int) -> MatchGame:
    return MatchGame((winner, loser), winner)


def nobody(one: int, other: int) -> MatchGame:
    return MatchGame((one, other), None)


def test_two_that_are_gone_are_both_out_and_the_next_goes_on_without_a_game() -> None:
    games = {"M1": [nobody(1, 8)], "M2": [won(4, 5)], "M3": [won(2, 7)], "M4": [won(3, 6)], "M6": [won(2, 3)]}
    assert follow(EIGHT, games, gone={1}).state("M1").both_out is False
    progress = follow(EIGHT, games, gone={1, 8})
    assert (progress.state("M1").went_out, progress.state("M5").teams) == ((1, 8), (NOBODY, 4))
    assert (progress.state("M5").through, progress.state("M5").loser) == (4, None)
    # Nobody lost to 4 in the semifinal, so 3 is third without a game.
    assert (progress.state("M3P").teams, progress.state("M3P").winner) == ((NOBODY, 3), 3)
    done = follow(EIGHT, games | {"M7": [won(4, 2)]}, gone={1, 8})
    assert [(one.team, one.place, one.shared, one.ending, one.match) for one in final_places(done, [])] == [
        (4, 1, False, "won-final", "M7"),
        (2, 2, False, "lost-final", "M7"),
        (3, 3, False, "won-third", "M3P"),
        (1, 4, True, "went-out", "M1"),
        (5, 4, True, "went-out", "M2"),
        (6, 4, True, "went-out", "M4"),
        (7, 4, True, "went-out", "M3"),
        (8, 4, True, "went-out", "M1"),
    ]


def test_where_four_are_gone_nobody_comes_to_a_whole_half() -> None:
    games = {"M1": [nobody(1, 8)], "M2": [nobody(4, 5)], "M3": [won(2, 7)], "M4": [won(3, 6)], "M6": [won(2, 3)]}
    progress = follow(EIGHT, games, gone={1, 4, 5, 8})
    assert (progress.state("M5").teams, progress.state("M5").both_out) == ((NOBODY, NOBODY), True)
    assert (progress.champion, progress.state("M3P").through) == (2, 3)


def test_both_finalists_gone_leave_no_champion_and_no_places() -> None:
    two = build_bracket((1, 2))
    assert final_places(follow(two, {"M1": [nobody(1, 2)]}, gone={1, 2}), [(1,), (2,), (3,)]) == ()


def test_without_playoffs_the_qualifying_order_is_the_places() -> None:
    assert final_places(None, [(2,), (1, 4), (3,)], {1}) == (
        Placed(2, 1, False, "qualified"),
        Placed(4, 2, False, "qualified"),
        Placed(3, 3, False, "qualified"),
        Placed(1, None, False, "disqualified"),
    )
