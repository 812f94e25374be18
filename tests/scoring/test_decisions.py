"""Awards, adjustments, the clock and an agreed stop, as every game has them."""

from __future__ import annotations

import pytest

from scoring.decisions import (
    DECISIONS,
    Adjustment,
    Award,
    Decision,
    Ruling,
    Scored,
    Time,
    add_adjustment,
    adjustment_problems,
    award_problems,
    cited,
    give_game,
    leader,
    stop_by_agreement,
    stop_by_clock,
)
from scoring.document import find_sheet
from scoring.ledger import BySide, Carry, Line, Problem, Verdict, start
from scoring.okinawa.score import GAME


def score_decision(carry: Carry, entry: Decision) -> Scored:
    """As the games score it that have no prices of their own."""
    return DECISIONS[type(entry)].score(None, carry, entry)


def decision_problems(carry: Carry, entry: Decision) -> tuple[Problem, ...]:
    return tuple(DECISIONS[type(entry)].problems(None, carry, entry))


def at(*scores: int) -> Carry:
    return start(len(scores))._replace(scores=BySide(scores))


def test_award_gives_the_game_and_its_bonus() -> None:
    lines, carry, _ = give_game(at(3, 0), Award("13", 1), "late", 5)
    assert lines == (Line("13", 1, 5, "{side 0} late: game to {side 1}", "award"),)
    assert carry.scores == (3, 5)
    assert carry.verdict == Verdict(1, "late", "13", "{side 0} late: game to {side 1}.")


def test_award_cites_the_bonus_where_it_is_printed() -> None:
    lines, carry, _ = give_game(at(0, 0), Award("41", 0), "renege", 5, "7")
    assert [line.rule for line in lines] == ["7"]
    assert carry.verdict is not None and carry.verdict.rule == "41"


def test_award_without_a_bonus_has_no_line() -> None:
    lines, carry, _ = give_game(at(3, 0), Award("late", 1), "late", 0)
    assert (lines, carry.scores) == ((), (3, 0))
    assert carry.verdict == Verdict(1, "late", "late", "{side 0} late: game to {side 1}.")
    carry = give_game(at(3, 0), Award("director", 1), "award", 0).carry
    assert carry.verdict == Verdict(1, "award", "director", "The director awarded the game to {side 1}.")


def test_award_to_nobody_is_no_game() -> None:
    lines, carry, _ = give_game(at(3, 0), Award("13", None), "late", 5)
    assert (lines, carry.verdict) == ((), Verdict(None, "no-game", "13", "Late: nobody won."))


@pytest.mark.parametrize(
    ("award", "fields"),
    [
        (Award("13", 0), []),
        (Award("13", None), []),
        (Award("13", 2), ["to"]),
        (Award("13", 2, named="side"), ["side"]),
        (Award("13", -1), ["to"]),
        (Award("", 2), ["to", "rule"]),
    ],
)
def test_award_is_refused_for_a_side_that_is_not_there(award: Award, fields: list[str]) -> None:
    assert [problem.field for problem in award_problems(None, at(0, 0), award)] == fields


def test_adjustment_adds_points_and_sets() -> None:
    carry = at(3, 0)._replace(sets=BySide((1, 1)), sets_running=BySide((0, 1)))
    lines, after, _ = add_adjustment(carry, Adjustment((-1, 0), (1, -1), "20", "talked"))
    assert lines == (Line("20", 0, -1, "talked", "adjustment"),)
    assert (after.scores, after.sets, after.sets_running) == ((2, 0), (2, 0), (1, 0))


def test_adjustment_without_rule_or_sets_cites_itself() -> None:
    lines, after, _ = add_adjustment(at(0, 0), Adjustment((0, 2)))
    assert lines == (Line("adjustment", 1, 2, "adjusted by the director", "adjustment"),)
    assert after.sets == (0, 0)


def test_adjustment_is_refused_with_every_fault() -> None:
    carry = at(0, 0)
    assert adjustment_problems(None, carry, Adjustment((1, 0), (0, 1), "", "recounted")) == ()
    faults = adjustment_problems(None, carry, Adjustment((1,), (-1,), "20", " "))
    assert [(fault.field, fault.rule) for fault in faults] == [(f, "20") for f in ("points", "sets", "sets", "reason")]


def test_clock_gives_the_game_to_the_leader_or_lets_a_hand_decide() -> None:
    assert stop_by_clock(at(2, 3)).verdict == Verdict(1, "time", "time", "Time was up with {side 1} ahead.")
    level = stop_by_clock(at(3, 3, 1))
    assert (level.verdict, level.deciding) == (None, True)


def test_agreed_stop_gives_the_game_to_the_leader_or_nobody() -> None:
    assert stop_by_agreement(at(2, 3), "43").carry.verdict == Verdict(
        1, "agreed-stop", "43", "All players agreed to stop with {side 1} ahead."
    )
    assert stop_by_agreement(at(3, 3), "43").carry.verdict == Verdict(
        None, "agreed-stop", "43", "All players agreed to stop with the score tied: nobody won."
    )


def test_rubber_is_led_by_games_before_points() -> None:
    carry = at(0, 9)._replace(games=BySide((1, 0)))
    for ended in (stop_by_clock(carry), stop_by_agreement(carry, "43").carry):
        assert ended.verdict is not None and ended.verdict.winner == 0


def test_leader_is_the_only_side_at_the_top() -> None:
    assert [leader(BySide(scores)) for scores in ((1, 2), (2, 1), (2, 2), (0, 3, 3))] == [1, 0, None, None]


def test_game_that_is_over_takes_nothing_more_and_time_runs_out_once() -> None:
    rules = find_sheet("okinawa/standard").rules
    over = at(5, 0)._replace(verdict=Verdict(0, "points", "6", "5 points: game."))
    assert GAME.problems(rules, over, Time()) == (Problem("entry", "6", "The game is over: nothing can be added."),)
    assert GAME.problems(rules, at(0, 0), Time()) == ()
    assert [problem.field for problem in GAME.problems(rules, at(0, 0)._replace(deciding=True), Time())] == ["entry"]


def test_rule_is_named_in_a_sentence() -> None:
    assert (cited("13"), cited("late")) == ("rule 13", "late")


# Rulings of the games whose books print no prices.


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
    lines, after, _ = score_decision(at(5, 80), ruling)
    assert (lines, after.scores) == ((), (5, 80))
    assert after.verdict is not None
    assert (after.verdict.winner, after.verdict.how, after.verdict.rule) == (winner, how, ruling.rule)


@pytest.mark.parametrize(("scores", "winner"), [((50, 7, 8, 3), 2), ((50, 8, 8, 3), None), ((50, 3, 2, 8), 3)])
def test_forfeit_at_a_table_of_four_is_won_by_the_best_of_the_others(
    scores: tuple[int, ...], winner: int | None
) -> None:
    verdict = score_decision(at(*scores), Ruling("forfeit", "forfeit", 0))[1].verdict
    assert verdict is not None and (verdict.winner, verdict.how) == (winner, "forfeit")


@pytest.mark.parametrize("ruling", [Ruling("misdeal", ""), Ruling("late", "wait", 0), Ruling("17", "warning", 0)])
def test_ruling_without_a_price_changes_nothing(ruling: Ruling) -> None:
    assert decision_problems(at(1, 2), ruling) == ()
    assert score_decision(at(1, 2), ruling) == ((), at(1, 2), None)


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
    assert [problem.field for problem in decision_problems(at(1, 2), ruling)] == [field]


def test_award_adds_no_points() -> None:
    after = score_decision(at(1, 2), Award("9", 0))[1]
    assert after.scores == (1, 2)
    assert after.verdict is not None and (after.verdict.winner, after.verdict.how) == (0, "award")


def test_adjustment_adds_its_points_and_sets() -> None:
    lines, after, _ = score_decision(at(1, 2), Adjustment((3, 0), (1, 0), reason="played out of turn"))
    assert [(line.rule, line.side, line.points) for line in lines] == [("adjustment", 0, 3)]
    assert (after.scores, after.sets, after.verdict) == ((4, 2), (1, 0), None)
