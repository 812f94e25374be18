"""What the hall's board shows."""

from __future__ import annotations

from tournament.access import Actor
from tournament.models import Event
from tournament.services.journal import note
from tournament.services.transactions import writing


def show_on_board(actor: Actor, event: Event, section: str) -> Event:
    """Put one section on the board, or everything in turn. The board asks for it within seconds."""
    with writing(event) as event:
        if event.board_shows != section:
            event.board_shows = section
            event.save(update_fields=["board_shows"])
            note(
                actor, event, "board", "event", event.pk, f"On the projector: {event.get_board_shows_display().lower()}"
            )
    return event
