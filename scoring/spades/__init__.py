"""Spades in all its forms. RULES.md lists the clauses."""
