"""Who has come: teams that checked in before game 1, those that have not, and those that were left out for it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, Q, QuerySet

from tournament.models import Event, Side, Team
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import LATE, known_rule


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The teams at the door. `started` says that game 1 was started, so that nobody is left out any more."""

    absent: tuple[Team, ...]
    here: tuple[Team, ...]
    left_out: tuple[Team, ...]
    started: bool


def check_in(event: Event) -> CheckIn:
    """Two queries, however many teams there are. Left out is who was withdrawn before game 1."""
    teams = list(event.teams.prefetch_related("players"))
    playing = [team for team in teams if team.status == "playing"]
    return CheckIn(
        tuple(team for team in playing if team.here_at is None),
        tuple(team for team in playing if team.here_at is not None),
        tuple(team for team in teams if team.status == "left" and team.left_after == 0),
        has_started(event),
    )


def absent_teams(event: Event) -> QuerySet[Team]:
    """Who plays and has not checked in; nobody where teams do not check in."""
    teams = event.teams.filter(status="playing", here_at=None)
    return teams if event.checks_in else teams.none()


def has_started(event: Event) -> bool:
    return event.rounds.exclude(state="planned").exists()


def closed_to(event: Event) -> str:
    """Why players cannot check in by themselves any more; nothing while they can."""
    if event.stage == "over":
        return "This event is over."
    return "Game 1 has started. Please go to the desk: it seats latecomers." if has_started(event) else ""


def no_shows(event: Event) -> tuple[int, list[Team]]:
    """Who lost the latest game for not being there and has not been seen since it began, until the next one starts.

    Gives the number of that game with them.
    """
    if event.stage != "playing" or not event.checks_in:
        return 0, []
    begun = list(event.rounds.exclude(state="planned").order_by("number"))
    if not begun or any(round_.state == "running" for round_ in begun):
        return 0, []
    last, rule = begun[-1], known_rule(ruleset_of(event), LATE)
    late = Side.objects.filter(round=last, game__result__rule=rule).exclude(game__result__winner=F("index"))
    unseen = Q(here_at=None)
    if last.started_at is not None:
        unseen |= Q(here_at__lt=last.started_at)
    return last.number, list(event.teams.filter(unseen, status="playing", pk__in=late.values("team")))
