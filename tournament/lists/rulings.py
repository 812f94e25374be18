"""Rulings as a list, from `queries/rulings.py`."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from django.urls import reverse
from django.utils.html import format_html, format_html_join

from tournament.lists.column import NUMBER, TIME, Column, Listing, nothing, where
from tournament.models import Event
from tournament.phrases import clause
from tournament.queries.rulings import RulingLine


def rulings_list(event: Event, rulings: Sequence[RulingLine]) -> Listing:
    """Every ruling in the order of games and tables."""
    return Listing(
        "rulings",
        "Rulings",
        event,
        columns(rulings, event.slug),
        rulings,
        where(event),
        empty="No ruling was made.",
        mark=lambda one: {"class": "withdrawn" if one.withdrawn else ""},
    )


def columns(rows: Sequence[RulingLine], slug: str) -> tuple[Column, ...]:
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
