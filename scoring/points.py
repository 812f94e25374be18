"""Game points: what a finished (or running) game brings each side for the standings."""

from __future__ import annotations

from scoring.event_rules import EventRules
from scoring.ledger import BySide, Carry

NO_GAME = "no-game"


def game_points(rules: EventRules, carry: Carry) -> BySide[int]:
    """Return each side's points: its final score, the losers' as the `loser_points` option says.

    Nobody gets anything for a game that never was (both sides late). A running game shows its scores.
    """
    verdict = carry.verdict
    if verdict is None:
        return carry.scores
    if verdict.how == NO_GAME:
        return BySide.each(len(carry.scores), 0)
    if verdict.winner is None or rules.loser_points == "signed":
        return carry.scores
    keep_losers = rules.loser_points == "zero-at-least"
    return BySide(
        score if side == verdict.winner else max(0, score) if keep_losers else 0
        for side, score in enumerate(carry.scores)
    )
