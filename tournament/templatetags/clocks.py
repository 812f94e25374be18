"""Template tag of a round's clock where a table sits: `{% times_at sheet as times %}`."""

from __future__ import annotations

from django import template

from tournament.models import Round
from tournament.queries.clocks import RoundTimes, round_times
from tournament.queries.rules import ruleset_of
from tournament.queries.sheet import GameSheet

register = template.Library()


@register.simple_tag
def times_at(sheet: GameSheet | None) -> RoundTimes | None:
    """The times of the round that a table plays; None where nothing is played."""
    if sheet is None or sheet.state == "final":
        return None
    round_ = Round.objects.select_related("event").filter(games=sheet.pk, state="running").first()
    return round_times(round_, ruleset_of(round_.event).rules.round_minutes) if round_ else None
