"""The rule sheet of an event as a list: every option in words, and which of them the club chose."""

from __future__ import annotations

from tournament.lists.column import Column, Listing
from tournament.models import Event
from tournament.queries.rules import ruleset_of


def rules_list(event: Event) -> Listing:
    """One row per option."""
    rules = ruleset_of(event)
    return Listing(
        name="rules",
        title="Rules",
        event=event,
        columns=(
            Column("rule", "Rule", lambda option: option.title.rstrip(":")),
            Column("words", "How it is played", lambda option: option.words),
            Column("chosen", "Chosen", lambda option: "by the club" if option.value != option.default else ""),
        ),
        rows=rules.said,
        under=rules.sheet.title,
    )
