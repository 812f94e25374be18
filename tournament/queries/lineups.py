"""Who sat for a team in a game: the one place that says it for a season, a person's page and head to head."""

from __future__ import annotations

from tournament.models import Event, Player, Substitution, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.scored import seated
from tournament.queries.wording import BY_DEFAULT


def who_sat(event: Event, team: Team, number: int) -> list[Player | Substitution]:
    """Who sat for a team in a round, its players and substitutions loaded.

    Where a team has more players than seats, the first so many sat, and a substitute in the place that it takes: who
    else came on was never said. In a game without partners the only player is the team itself.
    """
    return (seated(team, number) or list(team.players.all()))[: seats_of(event)]


def was_there(how: str | None, hands: int, *, won: bool) -> bool:
    """Whether a side sat in a game that is over, or was there when it was given to it: by how it ended, and its hands.

    Who lost by default before a hand was recorded was not.
    """
    return how not in BY_DEFAULT or won or hands > 0


def seats_of(event: Event) -> int:
    """How many seats a team has at a table of the event's game."""
    seating = ruleset_of(event).seating
    return seating.seats // seating.sides
