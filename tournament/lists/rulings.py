"""Rulings as a list, from `queries/rulings.py`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from tournament.lists.column import NUMBER, TIME, Column, Hall, Listing, where
from tournament.phrases import clause
from tournament.queries.rulings import RulingLine


def rulings_list(event: Hall, rulings: Sequence[RulingLine]) -> Listing:
    """Every ruling in the order in which they were made."""
    rows = rulings[::-1]
    return Listing("rulings", "Rulings", event, columns(rows), rows, where(event), empty="No ruling was made.")


def columns(rows: Sequence[RulingLine]) -> tuple[Column, ...]:
    return (
        Column("at", "Time", attrgetter("at"), TIME),
        Column("round", "Round", attrgetter("round")),
        Column("table", "Table", attrgetter("table"), NUMBER),
        Column("line", "Line", lambda one: one.position or None, NUMBER),
        Column("rule", "Rule", lambda one: clause(one.rule)),
        Column("text", "Ruling", attrgetter("text")),
        Column("side", "Side", attrgetter("side")),
        Column("bid", "Bid", attrgetter("bid"), shown=any(one.bid for one in rows)),
        Column("effect", "Effect", lambda one: "; ".join(one.effect) or "no points"),
        Column("director", "Director", attrgetter("director")),
        Column("reason", "Reason", attrgetter("reason"), shown=any(one.reason for one in rows)),
        Column("withdrawn", "Withdrawn", attrgetter("withdrawn"), shown=any(one.withdrawn for one in rows)),
    )
