"""Games of a fixed number of deals: the last deal ends them, and a level game may need one hand more."""

from __future__ import annotations

from scoring.decisions import leader
from scoring.ledger import BySide, Carry
from scoring.verdict import Verdict


def close_schedule(carry: Carry, *, deals: int, rule: str, one_more: bool) -> Carry:
    """This function will end a game whose `deals` deals are all scored: the highest total wins, level is a draw.

    With `one_more` a level game is not drawn: the next hand decides it. Before the last deal nothing changes.
    """
    if carry.verdict is not None or carry.deciding or carry.hands < deals:
        return carry
    winner = leader(carry.scores)
    if winner is None and one_more:
        return carry._replace(deciding=True)
    text = "The last deal is played, and the totals are level: a draw."
    if winner is not None:
        best = f"{carry.scores[winner]}".replace("-", "−")
        text = f"The last deal is played: {best} points are the highest total."
    return carry._replace(verdict=Verdict(winner, "schedule", rule, text))


def decide(carry: Carry, points: BySide[int], *, how: str, rule: str) -> Carry:
    """This function will let a hand worth `points` per side decide a level game; it is not added to the totals.

    Only the sides that share the lead can win. Level again, the game stays open for another hand.
    """
    best = max(carry.scores)
    level = [side for side, score in enumerate(carry.scores) if score == best]
    most = max(points[side] for side in level)
    winners = [side for side in level if points[side] == most]
    if len(winners) > 1:
        return carry
    text = "The totals were level: this hand decided the game and scored nothing."
    return carry._replace(verdict=Verdict(winners[0], how, rule, text))
