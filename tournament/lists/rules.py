"""The rule sheet of an event as a list: every option in words, and which of them the club chose."""

from __future__ import annotations

from tournament.lists.column import Column, Listing
from tournament.queries.book import EventFacts


def rules_list(event: EventFacts) -> Listing:
    """One row per option."""
    return Listing(
        name="rules",
        title=event.sheet_title,
        event=event,
        columns=(
            Column("rule", "Rule", lambda option: option[1]),
            Column("words", "How it is played", lambda option: option[2]),
            Column("chosen", "Chosen", lambda option: "by the club" if option[3] else ""),
        ),
        rows=event.options,
        under=event.game,
    )
