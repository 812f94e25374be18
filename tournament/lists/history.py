"""The log as a list, from `queries/history.py`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from tournament.lists.column import TIME, Column, Hall, Listing
from tournament.phrases import ACTS, in_words
from tournament.queries.history import Act

# A file has room for what was before and after in full.
LONGEST = 30_000


def log_list(event: Hall, acts: Sequence[Act]) -> Listing:
    """One row per act, the newest first; before and after in full."""
    under = "Who did what, when and from where, the newest first"
    return Listing("log", "Log", event, columns(), acts, under, empty="Nothing yet.")


def columns() -> tuple[Column, ...]:
    return (
        Column("at", "When", attrgetter("at"), TIME),
        Column("by", "Who", attrgetter("by")),
        Column("address", "From", attrgetter("address")),
        Column("action", "Action", lambda act: ACTS.get(act.action, act.action)),
        Column("text", "What", attrgetter("text")),
        Column("before", "Before", lambda act: in_words(act.before, LONGEST)),
        Column("after", "After", lambda act: in_words(act.after, LONGEST)),
    )
