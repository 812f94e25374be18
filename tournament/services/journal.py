"""Writing the journal: every act with who, when, from where, before and after."""

from __future__ import annotations

from typing import Any

from tournament.access import Actor
from tournament.models import Event, Journal


def note(
    actor: Actor,
    event: Event,
    action: str,
    noun: str,
    key: object,
    text: str,
    *,
    before: Any = None,
    after: Any = None,
) -> Journal:
    """Add a line to the event's journal. It belongs into the transaction of the act itself."""
    return Journal.objects.create(
        event=event,
        user=actor.person,
        device=actor.device,
        address=actor.address,
        action=action,
        noun=noun,
        key=str(key),
        text=text[:300],
        before=before,
        after=after,
    )
