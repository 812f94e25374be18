"""Rulings of the games whose books print no prices."""

from __future__ import annotations

import pytest

from scoring.game import Adjustment, Award, Ruling
from scoring.ledger import BySide, Carry, start
from scoring.tricks import decision_problems, score_decision


def standing(*scores: int) -> Carry:
    return start(len(scores))._replace(scores=BySide(scores))


@pytest.mark.parametrize(
    ("ruling", "winner", "how"),
    [
        (Ruling("late", "award", 0), 1, "late"),
        (Ruling("late", "game", 1), 0, "late"),
        (Ruling("late", "Both late"), None, "no-game"),
        (Ruling("forfeit", "", 1), 0, "forfeit"),
    ],
)
def test_ruling_that_ends_a_game_of_two_sides(ruling: Ruling, winner: int | None, how: str) -> None:
    lines, after = score_decision(standing(5, 80), ruling)
    assert (lines, after.scores) == ((), (5, 80))
    assert after.verdict is not None
    assert (after.verdict.winner, after.verdict.how, after.verdict.rule) == (winner, how, ruling.rule)


@pytest.mark.parametrize(("scores", "winner"), [((50, 7, 8, 3), 2), ((50, 8, 8, 3), None), ((50, 3, 2, 8), 3)])
def test_forfeit_at_a_table_of_four_is_won_by_the_best_of_the_others(
    scores: tuple[int, ...], winner: int | None
) -> None:
    verdict = score_decision(standing(*scores), Ruling("forfeit", "forfeit", 0))[1].verdict
    assert verdict is not None and (verdict.winner, verdict.how) == (winner, "forfeit")


@pytest.mark.parametrize("ruling", [Ruling("misdeal", ""), Ruling("late", "wait", 0), Ruling("17", "warning", 0)])
def test_ruling_without_a_price_changes_nothing(ruling: Ruling) -> None:
    assert decision_problems(standing(1, 2), ruling) == ()
    assert score_decision(standing(1, 2), ruling) == ((), standing(1, 2))


@pytest.mark.parametrize(
    ("ruling", "field"),
    [
        (Ruling(" ", "warning", 0), "rule"),
        (Ruling("late", "void"), "choice"),
        (Ruling("other", "adjustment", 0), "choice"),
        (Ruling("late", "award"), "side"),
        (Ruling("late", "award", 2), "side"),
        (Ruling("misdeal", "void", -1), "side"),
    ],
)
def test_ruling_that_cannot_be_applied_says_what_is_missing(ruling: Ruling, field: str) -> None:
    assert [problem.field for problem in decision_problems(standing(1, 2), ruling)] == [field]


def test_award_adds_no_points() -> None:
    after = score_decision(standing(1, 2), Award("9", 0))[1]
    assert after.scores == (1, 2)
    assert after.verdict is not None and (after.verdict.winner, after.verdict.how) == (0, "award")


def test_adjustment_adds_its_points_and_sets() -> None:
    lines, after = score_decision(standing(1, 2), Adjustment((3, 0), (1, 0), reason="played out of turn"))
    assert [(line.rule, line.side, line.points) for line in lines] == [("adjustment", 0, 3)]
    assert (after.scores, after.sets, after.verdict) == ((4, 2), (1, 0), None)
