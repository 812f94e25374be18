"""A team that goes in the middle of a game: the game is forfeited, and so are all that remain (rules 46 and 47)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from tournament.access import Actor
from tournament.models import Event, Game, Team
from tournament.phrases import DONE
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import DISORDER, LEAVING, known_rule
from tournament.services.entries import record_entry
from tournament.services.signatures import sign_for_all
from tournament.services.teams import withdraw_team
from tournament.services.transactions import writing


def leave(actor: Actor, event: Event, number: int, after_round: int, *, disqualified: bool = False) -> Team:
    """A team leaves after a round: a game of a later round that is in play goes to its opponents at once."""
    with writing(event) as event:
        team = withdraw_team(actor, event, number, after_round, disqualified=disqualified)
        rules = ruleset_of(event)
        rule = (known_rule(rules, DISORDER) if disqualified else "") or known_rule(rules, LEAVING) or LEAVING[-1]
        for game in _running(team).filter(round__number__gt=after_round):
            _forfeit(actor, game, team, rule)
    return team


def announce_leaving(
    actor: Actor, event: Event, number: int, after_round: int, *, disqualified: bool = False
) -> tuple[str, ...]:
    """The games in play that would go to the opponents, each as a sentence; nothing is stored."""
    with transaction.atomic():
        team = leave(actor, event, number, after_round, disqualified=disqualified)
        games = Game.objects.filter(sides__team=team, round__state="running", round__number__gt=after_round)
        found = [_said(game) for game in games.select_related("round", "result").prefetch_related("sides__team")]
        transaction.set_rollback(True)
    return tuple(text for text in found if text)


def send_away(actor: Actor, event: Event, game: Game, side: int, rule: str) -> Team:
    """Mark the team of a side as left or disqualified and forfeit what it still has to play.

    A game of another round in play is given to its opponents now; games of later rounds when their round starts,
    so that a new draw can seat the opponents against somebody else instead.
    """
    team = game.sides.select_related("team").get(index=side).team
    if team.status == "playing":
        withdraw_team(actor, event, team.number, game.round.number, disqualified=rule in DISORDER)
    for other in _running(team).exclude(pk=game.pk):
        _forfeit(actor, other, team, rule)
    return team


def _running(team: Team) -> QuerySet[Game]:
    games = Game.objects.filter(sides__team=team, round__state="running").exclude(state__in=DONE)
    return games.select_related("round__event").prefetch_related("sides")


def _forfeit(actor: Actor, game: Game, team: Team, rule: str) -> None:
    result = getattr(game, "result", None)
    if result is not None and result.over:
        # It was played to its end before the team went: what is missing are signatures.
        return
    side = next(one.index for one in game.sides.all() if one.team_id == team.pk)
    others = [one.index for one in game.sides.all() if one.index != side]
    to = others[0] if len(others) == 1 else None
    record_entry(actor, game, {"entry": "award", "rule": rule, "to": to}, source="desk")
    sign_for_all(actor, game, "A side left the event")


def _said(game: Game) -> str:
    if game.state not in DONE:
        return ""
    sides = sorted(game.sides.all(), key=lambda side: side.index)
    winner = next((side.team.name for side in sides if side.index == game.result.winner), "nobody")
    rule = f" (rule {game.result.rule})" if game.result.rule[:1].isdigit() else ""
    return f"{game.round}, table {game.table}: the game goes to {winner}{rule}."
