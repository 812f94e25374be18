"""The log as a list, from `queries/history.py`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from django.utils.html import format_html

from tournament.lists.column import TIME, Column, Listing
from tournament.models import Event
from tournament.phrases import ACTS, in_words
from tournament.queries.history import Act

# A file has room for what was before and after in full.
LONGEST = 30_000


def log_list(event: Event, acts: Sequence[Act]) -> Listing:
    """One row per act, the newest first; files have before and after in full."""
    under = "Who did what, when and from where, the newest first"
    return Listing("log", "Log", event, columns(), acts, under, empty="Nothing yet.")


def columns() -> tuple[Column, ...]:
    def below(text: str) -> str:
        return format_html('<div class="why">{}</div>', text) if text else ""

    def action(act: Act) -> str:
        return ACTS.get(act.action, act.action)

    return (
        Column("at", "When", attrgetter("at"), TIME),
        Column("by", "Who", attrgetter("by"), html=lambda act: act.by or "—"),
        Column("address", "From", attrgetter("address"), within="by", html=lambda act: below(act.address)),
        Column("action", "Action", action, within="text", html=lambda act: below(action(act))),
        Column("text", "What", attrgetter("text")),
        Column("before", "Before", lambda act: in_words(act.before, LONGEST), html=lambda act: in_words(act.before)),
        Column("after", "After", lambda act: in_words(act.after, LONGEST), html=lambda act: in_words(act.after)),
    )
