"""The content of sheets as lists: every line with its reasons, corrections, rulings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter

from django.urls import reverse
from django.utils.html import format_html, format_html_join

from tournament.lists.column import NUMBER, POINTS, SIDES, STARS, TIME, Column, Listing, Value, in_order, nothing, where
from tournament.models import Event
from tournament.queries.rulings import RulingLine
from tournament.queries.sheetfacts import GameSheet, Line, Row, Struck
from tournament.words.phrases import clause

# A row is a side of a line, a value for each column.
HEADS = (
    ("round", "Game"),
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
# Columns of games that ask for more, or count it; elsewhere they are empty.
SELDOM = ("more", "bags", "bostons")
FILED = ("hand", "side", "against", "outcome", "bags", "bostons")
# What both sides of a line have in common.
SHARED = ("round", "table", "line", "dealer", "bidder", "bid", "took", "more", "offender")


def hands_list(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """One row per line and side of a sheet."""
    rows = [row for sheet in sheets for row in _told(sheet)]
    columns = tuple(
        replace(
            column,
            filed=column.key in FILED,
            shared=column.key in SHARED,
            shown=column.key not in SELDOM or any(map(column.value, rows)),
        )
        for column in in_order(*HEADS)
    )
    return Listing("hands", "Hands", event, columns, rows, where(event), empty="No hand is written yet.")


# On paper a row is a line, with the points of all its sides.
LINE_HEADS = (
    ("round", "Game"),
    ("table", "Table", NUMBER),
    ("line", "Line", NUMBER),
    ("numbers", "No."),
    ("dealer", "Dealer"),
    ("bidder", "Bid by"),
    ("bid", "Bid"),
    ("took", "Took"),
    ("more", "Also"),
    ("offender", "Offender"),
    ("points", "Points"),
    ("score", "Score"),
    ("why", "Why"),
)


def hands_by_line(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """One row per line of a sheet; points and scores are in the order of the sides, preceded by their numbers."""
    rows = [row for sheet in sheets for row in _lines(sheet)]
    columns = tuple(
        column for column in in_order(*LINE_HEADS) if column.key not in SELDOM or any(map(column.value, rows))
    )
    return Listing("hands", "Hands", event, columns, rows, where(event), empty="No hand is written yet.")


def _lines(sheet: GameSheet) -> Iterable[tuple[Value, ...]]:
    """The rows of all sides of a line in one."""
    told, count = list(_told(sheet)), len(sheet.sides)
    numbers = tuple(side.number for side in sheet.sides)
    for index, row in enumerate(sheet.rows):
        sides = told[index * count : (index + 1) * count]
        facts = dict(zip((head[0] for head in HEADS), sides[0], strict=True))
        facts |= {"numbers": numbers, "points": tuple(row.deltas), "score": tuple(row.scores), "why": _why(row, count)}
        yield tuple(facts[head[0]] for head in LINE_HEADS)


def _why(row: Row, sides: int) -> str:
    """The reasons of a line; each preceded by the letter of its side if several sides have some."""
    reasons = [[_reason(line) for line in row.lines if line.side == side] for side in range(sides)]
    told = [(SIDES[side], "; ".join(dict.fromkeys(lines))) for side, lines in enumerate(reasons) if lines]
    if len(told) == 1:
        return told[0][1]
    return "; ".join(f"{letter} {why}" for letter, why in told) or row.written.text


def _told(sheet: GameSheet) -> Iterable[tuple[Value, ...]]:
    for row in sheet.rows:
        written = row.written
        # A single number stays a number, so that it can be averaged.
        took = " | ".join(map(str, written.tricks)) or written.took
        bid = " | ".join(written.bids) or written.bid
        # What a game asks for besides bids and tricks.
        others = [field for field in sheet.rules.columns if field.key not in ("bids", "tricks")]
        answered = ((field.heading, written.answers.get(field.key, ())) for field in others)
        more = "; ".join(f"{heading}: {' | '.join(answers)}" for heading, answers in answered if answers)
        dealer = row.dealer.name if row.dealer else ""
        head = str(sheet.round), sheet.game.table, row.position, row.number, dealer, written.who_name, bid, took, more
        for side in sheet.sides:
            index = side.index
            lines = [line for line in row.lines if line.side == index]
            why = "; ".join(map(_reason, lines))
            outcome = written.words[index] if written.words else ""
            figures = row.deltas[index], row.scores[index], row.bags[index], int(row.boston == index)
            who = SIDES[index], side.name, sheet.opponents(index)
            yield *head, written.offender, *who, outcome, *figures, why or written.text


def _reason(line: Line) -> str:
    """Why a side has its points, with the clause."""
    return f"{line.text} ({clause(line.rule)})" if clause(line.rule) else line.text


# Corrections as a list: every line that was struck. A row is a value for each column.
CORRECTION_HEADS = (
    ("at", "Time", TIME),
    ("round", "Game"),
    ("table", "Table", NUMBER),
    ("line", "Line", NUMBER),
    ("before", "It said"),
    ("after", "It says now"),
    ("reason", "Why"),
    ("by", "By"),
)


def corrections_list(event: Event, sheets: Iterable[GameSheet]) -> Listing:
    """Every line that was struck, by round and table."""
    columns, rows = in_order(*CORRECTION_HEADS), [row for sheet in sheets for row in _struck(sheet)]
    return Listing("corrections", "Corrections", event, columns, rows, where(event), empty="Nothing was corrected.")


def _struck(sheet: GameSheet) -> Iterable[tuple[Value, ...]]:
    def values(old: Struck, position: int, after: str) -> tuple[Value, ...]:
        where_it_stood = old.struck_at, str(sheet.round), sheet.game.table, position
        return *where_it_stood, old.written.text, after, old.struck_reason, old.struck_by

    for row in sheet.rows:
        texts = [*(later.written.text for later in row.struck[1:]), row.written.text]
        for old, after in zip(row.struck, texts, strict=False):
            yield values(old, row.position, after)
    for old in sheet.removed:
        yield values(old, old.position, "removed from the sheet")


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
        mark=lambda ruling: {"class": "muted" if ruling.withdrawn else ""},
    )


def ruling_columns(rows: Sequence[RulingLine], slug: str) -> tuple[Column, ...]:
    def game(ruling: RulingLine) -> str:
        sheet = ruling.sheet
        to = reverse("desk-game", args=[slug, sheet.game.pk])
        return format_html('<a href="{}">{}, table {}</a>', to, sheet.round, sheet.game.table)

    def bid(ruling: RulingLine) -> str:
        words = ruling.line.written.bid
        return format_html('<span class="muted">, bid {}</span>', words) if words else ""

    return (
        Column("at", "Time", attrgetter("line.at"), TIME),
        Column("round", "Game", lambda ruling: str(ruling.sheet.round), html=game),
        Column("table", "Table", attrgetter("sheet.game.table"), NUMBER, within="round", html=nothing),
        Column("line", "Line", lambda ruling: ruling.position or None, NUMBER, within="round", html=nothing),
        Column("rule", "Rule", lambda ruling: clause(ruling.line.written.rule)),
        Column("text", "Ruling", attrgetter("line.written.text"), html=_text),
        Column("side", "Side", attrgetter("line.written.about"), within="text", html=nothing),
        Column("bid", "Bid", attrgetter("line.written.bid"), within="text", html=bid,
               shown=any(ruling.line.written.bid for ruling in rows)),
        Column("effect", "Effect", lambda ruling: "; ".join(ruling.effect) or _no_effect(ruling), html=_effect),
        Column("director", "Director", attrgetter("line.by")),
        Column("reason", "Reason", attrgetter("reason"), shown=any(ruling.reason for ruling in rows), within="text",
               html=lambda ruling: _below("", ruling.reason)),
        Column("withdrawn", "Withdrawn", attrgetter("withdrawn"), shown=any(ruling.withdrawn for ruling in rows),
               within="text", html=lambda ruling: _below("struck through: ", ruling.withdrawn)),
    )  # fmt: skip


def _no_effect(ruling: RulingLine) -> str:
    return "withdrawn" if ruling.withdrawn else "no points"


def _text(ruling: RulingLine) -> str:
    return format_html("<s>{}</s>", ruling.line.written.text) if ruling.withdrawn else ruling.line.written.text


def _below(before: str, text: str) -> str:
    return format_html('<div class="why">{}{}</div>', before, text) if text else ""


def _effect(ruling: RulingLine) -> str:
    if not ruling.effect:
        return format_html('<span class="chip plain">{}</span>', _no_effect(ruling))
    *others, last = ruling.effect
    return format_html_join("", "<div>{}</div>", ((text,) for text in (*(f"{text};" for text in others), last)))
