"""Okinawa, the thirteen-hand cousin of Back Alley. RULES.md lists the clauses."""
