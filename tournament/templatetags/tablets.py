"""Template tags about tablets: what waits for the desk."""

from __future__ import annotations

from django import template

from tournament.models import Event
from tournament.queries.submissions import parked_count

register = template.Library()


@register.simple_tag
def parked_here(event: Event) -> int:
    """How much of what tablets sent waits for a decision: `{% parked_here event as waiting %}`."""
    return parked_count(event)
