"""Corrections as a list: every line that was struck, from `queries/eventbook.py`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from tournament.lists.column import NUMBER, TIME, Column, Listing, where
from tournament.models import Event
from tournament.queries.eventbook import StruckLine


def corrections_list(event: Event, struck: Sequence[StruckLine]) -> Listing:
    """Every line that was struck, by round and table."""
    return Listing("corrections", "Corrections", event, columns(), struck, where(event), empty="Nothing was corrected.")


def columns() -> tuple[Column, ...]:
    return (
        Column("at", "Time", attrgetter("at"), TIME),
        Column("round", "Round", attrgetter("round")),
        Column("table", "Table", attrgetter("table"), NUMBER),
        Column("line", "Line", attrgetter("position"), NUMBER),
        Column("before", "It said", attrgetter("before")),
        Column("after", "It says now", attrgetter("after")),
        Column("reason", "Why", attrgetter("reason")),
        Column("by", "By", attrgetter("by")),
    )
