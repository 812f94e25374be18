"""Games of a fixed number of deals: the last deal ends them, and a tied game may need one hand more."""

from __future__ import annotations

from scoring.decisions import Scored, leader, score_adjustment, stop_by_clock
from scoring.entries import Adjustment
from scoring.ledger import BySide, Carry, Line
from scoring.verdict import Verdict
from scoring.words import number, side_name, signed

# How a game ended that one more hand decided.
DECIDED = "deciding-hand"


def close_schedule(carry: Carry, *, deals: int, rule: str, one_more: bool) -> Carry:
    """End a game whose `deals` deals are all scored: the highest total wins, a tie is a draw.

    With `one_more` a tied game is not drawn: the next hand decides it. Before the last deal nothing changes.
    """
    if carry.verdict is not None or carry.deciding or carry.hands < deals:
        return carry
    winner = leader(carry.scores)
    if winner is None and one_more:
        return carry._replace(deciding=True)
    text = "The totals were tied after the last hand: a draw."
    if winner is not None:
        text = f"{side_name(winner)} had the highest total after the last hand: {number(carry.scores[winner])}."
    return carry._replace(verdict=Verdict(winner, "schedule", rule, text))


def decide(carry: Carry, points: BySide[int], *, tied: str, rule: str) -> Carry:
    """Let a hand worth `points` per side decide a tied game; it is not added to the totals.

    Only the sides that share the lead can win. Tied again, the game stays open for another hand. `tied` says when the
    game was: "time" or "schedule".
    """
    best = max(carry.scores)
    tied_best = [side for side, score in enumerate(carry.scores) if score == best]
    most = max(points[side] for side in tied_best)
    winners = [side for side in tied_best if points[side] == most]
    if len(winners) > 1:
        return carry
    return carry._replace(verdict=decided(winners[0], tied, rule))


def decided(winner: int, tied: str, rule: str) -> Verdict:
    """Return the end of a game that was tied when time ran out ("time"), or after its last hand."""
    when = "when time ran out" if tied == "time" else "after the last hand"
    return Verdict(winner, DECIDED, rule, f"Tied {when}: {side_name(winner)} won the deciding hand.")


def adjust_schedule(before: Carry, adjustment: Adjustment, *, deals: int) -> Scored:
    """Score an adjustment, which may break a tie that a hand more was to decide.

    When time ran out, the leader wins at once; after the last of the `deals`, the game is over as always.
    """
    lines, after = score_adjustment(before, adjustment)
    in_time = before.deciding and before.hands < deals
    return lines, stop_by_clock(after) if in_time else after._replace(deciding=False)


def not_scored(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return the lines of a deciding hand: they say what it was worth, and that counts nothing."""
    return tuple(
        line._replace(
            points=0, text=f"deciding hand, worth {signed(line.points)} but not scored: {line.text}", short=""
        )
        if line.points
        else line
        for line in lines
    )
