"""What the preview of a shared link says of an event."""

from __future__ import annotations

from django import template

from tournament.models import Event
from tournament.queries.share import Share, share

register = template.Library()


@register.simple_tag
def shared(event: Event) -> Share:
    """The event as a stranger may see it: `{% shared event as share %}`."""
    return share(event)
