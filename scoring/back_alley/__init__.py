"""Back Alley in all its forms. RULES.md lists the clauses."""
