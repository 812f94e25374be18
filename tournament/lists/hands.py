"""Every line of every sheet as a list, one row per side, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from tournament.lists.column import NUMBER, POINTS, Column, Listing, where
from tournament.models import Event
from tournament.phrases import clause
from tournament.queries.sheetfacts import GameSheet


class Told(NamedTuple):
    """A side of a line, without its sheet: memory must not grow with the hands."""

    round: str
    table: int
    line: int
    hand: int | None
    dealer: str
    bidder: str
    bid: str
    took: str
    more: str
    offender: str
    name: str
    points: int
    score: int
    why: str


def hands_list(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """One row per line and side of a sheet."""
    rows = [one for sheet in sheets for one in _told(sheet)]
    return Listing(
        "hands",
        "Hands",
        event,
        columns(more=any(one.more for one in rows)),
        rows,
        where(event),
        empty="No hand is written yet.",
    )


def columns(*, more: bool = False) -> tuple[Column, ...]:
    return (
        Column("round", "Round", attrgetter("round")),
        Column("table", "Table", attrgetter("table"), NUMBER),
        Column("line", "Line", attrgetter("line"), NUMBER),
        Column("hand", "Hand", attrgetter("hand"), NUMBER),
        Column("dealer", "Dealer", attrgetter("dealer")),
        Column("bidder", "Bid by", attrgetter("bidder")),
        Column("bid", "Bid", attrgetter("bid")),
        Column("took", "Took", attrgetter("took")),
        Column("more", "Also", attrgetter("more"), shown=more),
        Column("offender", "Offender", attrgetter("offender")),
        Column("name", "Name", attrgetter("name")),
        Column("points", "Points", attrgetter("points"), POINTS),
        Column("score", "Score", attrgetter("score"), POINTS),
        Column("why", "Why", attrgetter("why")),
    )


def _told(sheet: GameSheet) -> Iterable[Told]:
    for row in sheet.rows:
        written = row.written
        took = " | ".join(str(one) for one in written.tricks or (written.took,) if one is not None)
        bid = " | ".join(written.bids) or written.bid
        # What a game asks for beside bids and tricks.
        others = [field for field in sheet.rules.columns if field.key not in ("bids", "tricks")]
        said = ((field.heading, written.answers.get(field.key, ())) for field in others)
        more = "; ".join(f"{heading}: {' | '.join(answers)}" for heading, answers in said if answers)
        dealer = row.dealer.name if row.dealer else ""
        head = sheet.round, sheet.table, row.position, row.number, dealer, written.who_name, bid, took, more
        for side in sheet.sides:
            at = side.index
            lines = [line for line in row.lines if line.side == at]
            why = "; ".join(f"{line.text} ({clause(line.rule)})" if clause(line.rule) else line.text for line in lines)
            yield Told(*head, written.offender, side.name, row.deltas[at], row.scores[at], why or written.text)
