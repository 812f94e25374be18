"""Template tags of notices: what the teams at a table, or one team, have still to read."""

from __future__ import annotations

from django import template

from tournament.models import Event, Team
from tournament.queries.notices import NoticeFacts, unread_notices
from tournament.queries.sheet import GameSheet

register = template.Library()


@register.simple_tag
def notices_at(sheet: GameSheet | None) -> tuple[NoticeFacts, ...]:
    """The unread notices of both sides of a table: `{% notices_at sheet as notices %}`."""
    return unread_notices(side.team for side in sheet.sides) if sheet else ()


@register.simple_tag
def notices_of(event: Event, number: int) -> tuple[NoticeFacts, ...]:
    """The unread notices of a team: `{% notices_of event team.number as notices %}`."""
    return unread_notices(Team.objects.filter(event=event, number=number).values_list("pk", flat=True))
