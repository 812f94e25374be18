"""Who sat for a team in a round: the one place that says it for a season, a person's page and head to head."""

from __future__ import annotations

from tournament.models import Event, Player, Substitution, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import seated


def who_sat(event: Event, team: Team, number: int) -> list[Player | Substitution]:
    """Who sat for a team in a round, its players and substitutions loaded.

    Where a team has more players than seats, the first so many sat, and a substitute in the place that it takes: who
    else came on was never said. In a game without partners the only player is the team itself.
    """
    return (seated(team, number) or list(team.players.all()))[: seats_of(event)]


def seats_of(event: Event) -> int:
    """How many seats a team has at a table of the event's game."""
    seating = ruleset_of(event).seating
    return seating.seats // seating.sides
