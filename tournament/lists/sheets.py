"""What stands on sheets as lists: every line with its reasons, corrections, rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from django.urls import reverse
from django.utils.html import format_html, format_html_join

from tournament.lists.column import NUMBER, POINTS, SIDES, STARS, TIME, Column, Listing, Value, in_order, nothing, where
from tournament.models import Event
from tournament.phrases import clause
from tournament.queries.pictures import StruckLine
from tournament.queries.rulings import RulingLine
from tournament.queries.sheetfacts import GameSheet

# Every line of every sheet as a list, one row per side, with the reasons.


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


# Corrections as a list: every line that was struck, from `queries/pictures.py`.


def corrections_list(event: Event, struck: Sequence[StruckLine]) -> Listing:
    """Every line that was struck, by round and table."""
    return Listing(
        "corrections", "Corrections", event, correction_columns(), struck, where(event), empty="Nothing was corrected."
    )


def correction_columns() -> tuple[Column, ...]:
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


# Rulings as a list, from `queries/rulings.py`.


def rulings_list(event: Event, rulings: Sequence[RulingLine]) -> Listing:
    """Every ruling in the order of games and tables."""
    return Listing(
        "rulings",
        "Rulings",
        event,
        ruling_columns(rulings, event.slug),
        rulings,
        where(event),
        empty="No ruling was made.",
        mark=lambda one: {"class": "withdrawn" if one.withdrawn else ""},
    )


def ruling_columns(rows: Sequence[RulingLine], slug: str) -> tuple[Column, ...]:
    def game(one: RulingLine) -> str:
        return format_html(
            '<a href="{}">{}, table {}</a>', reverse("desk-game", args=[slug, one.game]), one.round, one.table
        )

    return (
        Column("at", "Time", attrgetter("at"), TIME),
        Column("round", "Round", attrgetter("round"), html=game),
        Column("table", "Table", attrgetter("table"), NUMBER, within="round", html=nothing),
        Column("line", "Line", lambda one: one.position or None, NUMBER, within="round", html=nothing),
        Column("rule", "Rule", lambda one: clause(one.rule)),
        Column("text", "Ruling", attrgetter("text"), html=_text),
        Column("side", "Side", attrgetter("side"), within="text", html=nothing),
        Column("bid", "Bid", attrgetter("bid"), shown=any(one.bid for one in rows), within="text",
               html=lambda one: format_html('<span class="muted">, bid {}</span>', one.bid) if one.bid else ""),
        Column("effect", "Effect", lambda one: "; ".join(one.effect) or _no_effect(one), html=_effect),
        Column("director", "Director", attrgetter("director")),
        Column("reason", "Reason", attrgetter("reason"), shown=any(one.reason for one in rows), within="text",
               html=lambda one: _below("", one.reason)),
        Column("withdrawn", "Withdrawn", attrgetter("withdrawn"), shown=any(one.withdrawn for one in rows),
               within="text", html=lambda one: _below("struck through: ", one.withdrawn)),
    )  # fmt: skip


def _no_effect(one: RulingLine) -> str:
    return "withdrawn" if one.withdrawn else "no points"


def _text(one: RulingLine) -> str:
    return format_html("<s>{}</s>", one.text) if one.withdrawn else one.text


def _below(before: str, text: str) -> str:
    return format_html('<div class="why">{}{}</div>', before, text) if text else ""


def _effect(one: RulingLine) -> str:
    if not one.effect:
        return format_html('<span class="chip plain">{}</span>', _no_effect(one))
    *others, last = one.effect
    return format_html_join("", "<div>{}</div>", ((text,) for text in (*(f"{text};" for text in others), last)))
