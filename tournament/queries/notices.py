"""Notices that teams have not read yet, and the public list of corrections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tournament.access import Actor
from tournament.models import Event, Game, Journal, Notice, Team
from tournament.queries.authors import author


@dataclass(frozen=True, slots=True)
class Correction:
    """A correction of a final game, as the public list shows it."""

    game: int
    text: str
    at: datetime
    by: str


def unread_notices(teams: Iterable[int]) -> list[Notice]:
    """The notices that these teams have still to read, oldest first."""
    return list(Notice.objects.filter(team__in=list(teams), seen_at=None).select_related("team"))


def notices_by_team(event: Event) -> dict[int, list[Notice]]:
    """The unread notices of every team, by team key."""
    unread: dict[int, list[Notice]] = defaultdict(list)
    for notice in Notice.objects.filter(team__event=event, seen_at=None).select_related("team"):
        unread[notice.team_id].append(notice)
    return unread


def corrections_of(event: Event) -> tuple[Correction, ...]:
    """Every correction of a final game of an event, the newest first."""
    found = Journal.objects.filter(event=event, action="correct-final", noun="game").select_related("user")
    return tuple(
        Correction(int(one.key), one.text, one.at, author(one.by, one.user)) for one in found if one.key.isdecimal()
    )


def table_of(actor: Actor, team: Team) -> Game | None:
    """The game that a team plays now at the table of this tablet; None where it sits elsewhere."""
    if actor.device is None:
        return None
    games = Game.objects.select_related("round__event").filter(sides__team=team, round__state="running")
    return games.filter(table=actor.device.table, round__event=actor.device.event_id).first()
