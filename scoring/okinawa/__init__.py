"""Okinawa, the thirteen-hand cousin of Back Alley. RULES.md lists the clauses; GAME is what the registry shows."""

from scoring.okinawa.score import GAME

__all__ = ["GAME"]
