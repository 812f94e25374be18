"""How a game of Okinawa ends: after thirteen hands the higher total wins."""

from __future__ import annotations

from scoring.ledger import BySide, Carry
from scoring.okinawa.rules import HANDS, Rules
from scoring.schedule import close_schedule, decide

RULE = "ok.schedule"


def close_hands(rules: Rules, carry: Carry) -> Carry:
    """End the game when its thirteen hands are scored; tied is a draw, or one hand decides."""
    return close_schedule(carry, deals=HANDS, rule=RULE, one_more=rules.level_at_end == "one-more")


def decide_hand(before: Carry, after: Carry, points: BySide[int]) -> Carry:
    """Let a hand worth `points` decide a game that was tied, at the end or when time ran out."""
    tied, rule = ("schedule", RULE) if before.hands >= HANDS else ("time", "time")
    return decide(after, points, tied=tied, rule=rule)
