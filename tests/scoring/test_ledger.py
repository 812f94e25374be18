"""The words all games share: a value per side, the fold, game points."""

from __future__ import annotations

import pytest

from scoring.ledger import BySide, Verdict, said, start
from scoring.options import EventRules
from scoring.tricks import game_points


def test_by_side_is_changed_by_copy() -> None:
    zero = BySide.each(3, 0)
    assert (zero, zero.put(1, 4)) == ((0, 0, 0), (0, 4, 0))
    assert isinstance(zero.put(1, 4), BySide)
    with pytest.raises(IndexError):
        zero.put(3, 1)


def test_what_an_entry_must_have_said() -> None:
    assert said(0) == 0
    with pytest.raises(ValueError, match="cannot be scored"):
        said(None)


@pytest.mark.parametrize(
    ("loser_points", "verdict", "points"),
    [
        ("signed", None, (5, -2, 1)),
        ("winners-only", None, (5, -2, 1)),
        ("signed", Verdict(0, "points", "6", ""), (5, -2, 1)),
        ("zero-at-least", Verdict(0, "points", "6", ""), (5, 0, 1)),
        ("winners-only", Verdict(0, "points", "6", ""), (5, 0, 0)),
        ("zero-at-least", Verdict(1, "two-sets", "8", ""), (5, -2, 1)),
        ("winners-only", Verdict(1, "two-sets", "8", ""), (0, -2, 0)),
        ("winners-only", Verdict(None, "agreed-stop", "43", ""), (5, -2, 1)),
        ("signed", Verdict(None, "no-game", "13", ""), (0, 0, 0)),
    ],
)
def test_game_points_follow_the_option(loser_points: str, verdict: Verdict | None, points: tuple[int, ...]) -> None:
    carry = start(3)._replace(scores=BySide((5, -2, 1)), verdict=verdict)
    assert game_points(EventRules(loser_points=loser_points), carry) == points
