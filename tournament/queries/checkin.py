"""Who has come: teams that checked in before game 1, those that have not, and those left out because of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import F, Q, QuerySet

from tournament.models import Event, Side, Team
from tournament.queries.ledger import accounts_of
from tournament.queries.roster import look_up
from tournament.queries.rules import ruleset_of
from tournament.queries.rulings import LATE, known_rule
from tournament.words.phrases import money


def absent_teams(event: Event) -> QuerySet[Team]:
    """The teams that play and have not checked in; none if the event has no check-in."""
    teams = event.teams.filter(status="playing", here_at=None)
    return teams if event.checks_in else teams.none()


def absences(event: Event, teams: Iterable[Team]) -> tuple[str, ...]:
    """The teams to leave out, as officials read it: “5 Full Deck”, “19 Reds: $25 goes back”."""
    by_key = {team.pk: team for team in teams}
    paid = {pk: account.paid for pk, account in accounts_of(event, list(by_key)).items()}
    return tuple(
        f"{team.in_full}: {money(paid[pk], event.currency)} goes back" if paid[pk] > 0 else team.in_full
        for pk, team in by_key.items()
    )


def has_started(event: Event) -> bool:
    return event.rounds.exclude(state="planned").exists()


def closed_to(event: Event) -> str:
    """Why players can no longer check in themselves; empty while they can."""
    if event.stage == "over":
        return "This event is over."
    return "Game 1 has started. Please go to the desk: it seats latecomers." if has_started(event) else ""


def no_shows(event: Event) -> tuple[int, list[Team]]:
    """The teams that lost the latest game by not coming and were not seen since, until the next game starts.

    Returns them with the number of that game.
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


class Seat(NamedTuple):
    """Where a team plays next: “Game 1”, “Table 3” or “Bye”."""

    round: str
    place: str


def seat_of(event: Event, team: Team) -> Seat | None:
    """Where a team plays, as everybody reads it; empty before it is drawn."""
    [found] = look_up(event, str(team.number))
    return Seat(found.round, found.place) if found.place else None
