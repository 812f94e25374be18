"""Who plays for a team in a round: the players as entered, with the substitutes who sit in for them."""

from __future__ import annotations

from collections import defaultdict

from tournament.models import Event, Substitution, Team
from tournament.queries.authors import shown_author


def lineup(team: Team, number: int) -> tuple[str, ...]:
    """The players of a team in a round, in seat order; the latest substitution of a place counts."""
    players = [player.name for player in team.players.all()]
    for one in sorted(team.substitutions.all(), key=lambda one: one.pk):
        if one.from_round <= number and (one.to_round is None or number <= one.to_round):
            players[one.position : one.position + 1] = [one.into]
    return tuple(players)


def substitutions_of(team: Team) -> tuple[str, ...]:
    """Every substitution of a team as a sentence, in the order in which they were approved."""
    return tuple(_said(one) for one in team.substitutions.select_related("approved_by"))


def substitutions_by_team(event: Event) -> dict[int, list[str]]:
    """The same of every team, by team key."""
    said: dict[int, list[str]] = defaultdict(list)
    for one in Substitution.objects.filter(team__event=event).select_related("approved_by"):
        said[one.team_id].append(_said(one))
    return said


def open_rounds(event: Event) -> list[tuple[int, str]]:
    """The rounds from which on a substitute may play: the one in play and all that follow."""
    rounds = list(event.rounds.order_by("number"))
    closed = max((one.number for one in rounds if one.state == "closed"), default=0)
    titles = {one.number: str(one) for one in rounds}
    last = max([closed + 1, event.rounds_planned, *titles])
    return [(number, titles.get(number, f"Game {number}")) for number in range(closed + 1, last + 1)]


def first_open_round(event: Event) -> int:
    return open_rounds(event)[0][0]


def _said(one: Substitution) -> str:
    when = f"in game {one.from_round} only" if one.to_round == one.from_round else f"from game {one.from_round} on"
    name = shown_author(one.by, one.approved_by)
    by = f", approved by {name}" if name else ""
    why = f": {one.reason}" if one.reason else ""
    return f"{one.into} for {one.out} {when}{by}{why}"
