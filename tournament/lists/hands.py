"""Every line of every sheet as a list, one row per side, with the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tournament.lists.column import NUMBER, POINTS, SIDES, STARS, Listing, Value, in_order, where
from tournament.models import Event
from tournament.phrases import clause
from tournament.queries.sheetfacts import GameSheet

# A row is a side of a line, a value for each column.
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
    ("side", "Side"),
    ("name", "Name"),
    ("against", "Against"),
    ("outcome", "Outcome"),
    ("points", "Points", POINTS),
    ("score", "Score", POINTS),
    ("bags", "Bags", NUMBER),
    ("bostons", "Bostons", STARS),
    ("why", "Why"),
)
# Columns of games that ask for more, or count it; elsewhere nothing stands in them.
SELDOM = ("more", "bags", "bostons")
FILED = ("side", "against", "outcome", "bags", "bostons")


def hands_list(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """One row per line and side of a sheet."""
    rows = [one for sheet in sheets for one in _told(sheet)]
    columns = tuple(
        replace(column, filed=column.key in FILED)
        for column in in_order(*HEADS)
        if column.key not in SELDOM or any(map(column.value, rows))
    )
    return Listing("hands", "Hands", event, columns, rows, where(event), empty="No hand is written yet.")


def _told(sheet: GameSheet) -> Iterable[tuple[Value, ...]]:
    for row in sheet.rows:
        written = row.written
        # One number stays one, to be averaged.
        took = " | ".join(map(str, written.tricks)) or written.took
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
            outcome = written.words[at] if written.words else ""
            figures = row.deltas[at], row.scores[at], row.bags[at], int(row.boston == at)
            who = SIDES[at], side.name, sheet.opponents(at)
            yield *head, written.offender, *who, outcome, *figures, why or written.text
