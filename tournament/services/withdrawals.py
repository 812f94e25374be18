"""A team that goes in the middle of a game: the game is forfeited, and so are all that remain (rules 46 and 47)."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Event, Game, Team
from tournament.queries.rulingtable import DISORDER
from tournament.services.entries import record_entry
from tournament.services.signatures import sign_for_all
from tournament.services.teams import withdraw_team


def send_away(actor: Actor, event: Event, game: Game, side: int, rule: str) -> Team:
    """Mark the team of a side as left or disqualified and forfeit what it still has to play.

    A game of another round in play is given to its opponents now; games of later rounds when their round starts,
    so that a new draw can seat the opponents against somebody else instead.
    """
    team = game.sides.select_related("team").get(index=side).team
    if team.status == "playing":
        withdraw_team(actor, event, team.number, game.round.number, disqualified=rule in DISORDER)
    running = Game.objects.filter(sides__team=team, round__state="running").exclude(state="final").exclude(pk=game.pk)
    for other in running.select_related("round__event").prefetch_related("sides"):
        _forfeit(actor, other, team, rule)
    return team


def _forfeit(actor: Actor, game: Game, team: Team, rule: str) -> None:
    side = next(one.index for one in game.sides.all() if one.team_id == team.pk)
    others = [one.index for one in game.sides.all() if one.index != side]
    to = others[0] if len(others) == 1 else None
    record_entry(actor, game, {"entry": "award", "rule": rule, "to": to}, source="desk")
    sign_for_all(actor, game, "A side has left the event")
