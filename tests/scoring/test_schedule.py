"""Games of a fixed number of deals end after the last one, or with one hand more."""

from __future__ import annotations

from scoring.ledger import BySide, Carry, Verdict, start
from scoring.tricks import close_schedule, decide

ENDED = "{side 1} had the highest total after the last hand: 9."
LEVEL = "The totals were tied after the last hand: a draw."
DECIDED = "Tied when time ran out: {side 1} won the deciding hand."


def after(hands: int, *scores: int) -> Carry:
    return start(len(scores))._replace(hands=hands, scores=BySide(scores))


def test_schedule_before_the_last_deal_ends_nothing() -> None:
    assert close_schedule(after(12, 9, 4), deals=13, rule="r", one_more=False) == after(12, 9, 4)


def test_schedule_after_the_last_deal_gives_the_game_to_the_highest_total() -> None:
    carry = close_schedule(after(13, 4, 9, 9 - 1), deals=13, rule="r", one_more=True)
    assert carry.verdict == Verdict(1, "schedule", "r", ENDED)
    assert close_schedule(carry, deals=13, rule="r", one_more=True) == carry


def test_level_schedule_is_a_draw_or_is_decided() -> None:
    drawn = close_schedule(after(13, 9, 9), deals=13, rule="r", one_more=False)
    assert drawn.verdict == Verdict(None, "schedule", "r", LEVEL)
    more = close_schedule(after(13, 9, 9), deals=13, rule="r", one_more=True)
    assert more == after(13, 9, 9)._replace(deciding=True)
    assert close_schedule(more, deals=13, rule="r", one_more=True) == more


def test_deciding_hand_is_won_among_the_leaders_only() -> None:
    carry = after(13, 9, 9, 4)._replace(deciding=True)
    decided = decide(carry, BySide((1, 2, 30)), tied="time", rule="time")
    assert decided == carry._replace(verdict=Verdict(1, "deciding-hand", "time", DECIDED))


def test_deciding_hand_that_is_level_decides_nothing() -> None:
    carry = after(13, 9, 9, 4)._replace(deciding=True)
    assert decide(carry, BySide((2, 2, 30)), tied="time", rule="time") == carry
