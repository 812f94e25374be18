"""Bid Whist in all its forms. RULES.md lists the clauses."""
