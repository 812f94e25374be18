"""Standings: games of all teams in; places, explained ties, the cut, the Boston pot and payouts out."""
