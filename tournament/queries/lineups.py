"""Who plays for a team in a round: the players as entered, with the substitutes who sit in for them.

Sheets, seasons, people's pages, and head to head all use this module for it.
"""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Event, Game, Player, Substitution, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.wording import BY_DEFAULT


def who_sat(event: Event, team: Team, number: int) -> list[Player | Substitution]:
    """Who sat for a team in a round, with its players and substitutions loaded.

    If a team has more players than seats, the first ones sat, and a substitute in the seat it takes: later changes were
    never reported. In a game without partners the only player is the team itself.
    """
    return (seated(team, number) or list(team.players.all()))[: seats_of(event)]


def was_there(how: str | None, hands: int, *, won: bool) -> bool:
    """Whether a side sat in a finished game, or was there when it was awarded: by how it ended, and its hands.

    A side that lost by default before a hand was recorded was not there.
    """
    return how not in BY_DEFAULT or won or hands > 0


def seats_of(event: Event) -> int:
    """How many seats a team has at a table of the event's game."""
    seating = ruleset_of(event).seating
    return seating.seats // seating.sides


def lineup(team: Team, number: int, *, whole: bool = False) -> tuple[str, ...]:
    """The players of a team in a round, in seat order, as everybody reads them; the `whole` names for officials."""
    return tuple(row.full_name if whole else row.name for row in seated(team, number))


def seated(team: Team, number: int) -> list[Player | Substitution]:
    """Who plays for a team in a round, in seat order; the latest substitution of a seat counts."""
    players: list[Player | Substitution] = [*team.named]
    for substitution in sorted(team.substitutions.all(), key=lambda substitution: substitution.pk):
        if substitution.from_round <= number and (substitution.to_round is None or number <= substitution.to_round):
            players[substitution.position : substitution.position + 1] = [substitution]
    return players


def substitutions_of(team: Team) -> tuple[str, ...]:
    """Every substitution of a team as a sentence, in the order of approval."""
    return tuple(substitution.words for substitution in team.substitutions.select_related("approved_by"))


def open_rounds(event: Event) -> list[tuple[int, str]]:
    """The rounds from which a substitute may play: the one in play and all that follow."""
    rounds = list(event.rounds.order_by("number"))
    closed = max((round_.number for round_ in rounds if round_.state == "closed"), default=0)
    titles = {round_.number: str(round_) for round_ in rounds}
    last = max([closed + 1, event.rounds_planned, *titles])
    return [(number, titles.get(number, f"Game {number}")) for number in range(closed + 1, last + 1)]


def first_open_round(event: Event) -> int:
    return open_rounds(event)[0][0]


def table_of(actor: Actor, team: Team) -> Game | None:
    """The game that a team plays now at the table of this tablet; None if it sits elsewhere."""
    if actor.device is None:
        return None
    games = Game.objects.select_related("round__event").filter(sides__team=team, round__state="running")
    return games.filter(table=actor.device.table, round__event=actor.device.event_id).first()
