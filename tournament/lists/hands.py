"""Every line of every sheet as a list, one row per side, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.lists.column import NUMBER, POINTS, Listing, Value, in_order, where
from tournament.models import Event
from tournament.phrases import clause
from tournament.queries.sheetfacts import GameSheet

# A row is a side of a line, a value for each column, without its sheet: memory must not grow with the hands.
HEADS = (
    ("round", "Round"),
    ("table", "Table", NUMBER),
    ("line", "Line", NUMBER),
    ("hand", "Hand", NUMBER),
    ("dealer", "Dealer"),
    ("bidder", "Bid by"),
    ("bid", "Bid"),
    ("took", "Took"),
    ("more", "Also"),
    ("offender", "Offender"),
    ("name", "Name"),
    ("points", "Points", POINTS),
    ("score", "Score", POINTS),
    ("why", "Why"),
)


def hands_list(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """One row per line and side of a sheet."""
    rows = [one for sheet in sheets for one in _told(sheet)]
    columns = (one for one in in_order(*HEADS) if one.key != "more" or any(map(one.value, rows)))
    return Listing("hands", "Hands", event, tuple(columns), rows, where(event), empty="No hand is written yet.")


def _told(sheet: GameSheet) -> Iterable[tuple[Value, ...]]:
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
            yield *head, written.offender, side.name, row.deltas[at], row.scores[at], why or written.text
