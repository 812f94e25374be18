"""Back Alley in all its forms. RULES.md lists the clauses; GAME is what the registry shows to the rest."""

from scoring.back_alley.score import GAME

__all__ = ["GAME"]
