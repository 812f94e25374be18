"""Telling both teams of a table what an official changed, and noting that they have read it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from tournament.access import Actor
from tournament.models import Event, Game, Notice
from tournament.services.journal import note
from tournament.services.transactions import Shown, writing


def tell_teams(event: Event, game: Game, code: str, facts: dict[str, Any]) -> list[Notice]:
    """Leave a notice for every team of a game, within the transaction of what it tells about."""
    sides = game.sides.all()
    return Notice.objects.bulk_create(Notice(team_id=one.team_id, game=game, code=code, facts=facts) for one in sides)


def acknowledge_notice(actor: Actor, notice: Notice) -> Notice:
    """Note that a team has read a notice; the first reading stays."""
    with writing(notice.team.event_id, Shown.PUBLIC) as event:
        notice = Notice.objects.select_related("team").get(pk=notice.pk)
        if notice.seen_at is None:
            notice.seen_at = timezone.now()
            notice.seen_by = actor.person
            notice.seen_on = actor.device if actor.person is None else None
            notice.save(update_fields=["seen_at", "seen_by", "seen_on"])
            told = {"team": notice.team.name, "notice": {"said": notice.code} | notice.facts}
            note(actor, event, "read", "notice", notice.pk, "notice", told)
    return notice
