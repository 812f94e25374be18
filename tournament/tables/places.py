"""The columns of the final places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html

from tournament.phrases import minus, money
from tournament.queries.finale import Finale
from tournament.queries.places import PlaceLine
from tournament.tables.listing import Listing

NUMBERS = {"th": {"class": "num"}}


class PlacesTable(Listing):
    """One line per team, the champion first. It is not sorted otherwise: below it the standings are."""

    label = tables.Column(verbose_name="Place", attrs={"td": {"class": "rank"}}, empty_values=(), orderable=False)
    team = tables.Column(verbose_name="Team", attrs={"td": {"class": "name"}}, orderable=False)
    how = tables.Column(verbose_name="How", attrs={"td": {"class": "how"}}, orderable=False)
    qualifying = tables.Column(
        verbose_name="Qualifying", empty_values=(), orderable=False, attrs=NUMBERS | {"td": {"class": "num qualifying"}}
    )
    won = tables.Column(
        verbose_name="Won", empty_values=(), orderable=False, attrs=NUMBERS | {"td": {"class": "num won"}}
    )
    points = tables.Column(
        verbose_name="Points", empty_values=(), orderable=False, attrs=NUMBERS | {"td": {"class": "num points"}}
    )
    prize = tables.Column(
        verbose_name="Prize", empty_values=(), orderable=False, attrs=NUMBERS | {"td": {"class": "num prize"}}
    )

    class Meta:
        attrs = {"class": "list places"}
        row_attrs = {"class": lambda record: "" if record.place else "is-out"}

    def __init__(self, finale: Finale, slug: str, currency: str, **options: Any) -> None:
        places = finale.places
        shown = {
            "qualifying": not places.hidden and places.after_playoffs,
            "won": not places.hidden and places.after_playoffs,
            "points": not places.hidden and places.after_playoffs,
            "prize": bool(finale.prizes),
        }
        left_out = tuple(name for name, is_shown in shown.items() if not is_shown)
        super().__init__(places.lines, exclude=left_out, prefix="place-", **options)
        self.slug, self.currency = slug, currency
        self.prizes: Mapping[int, int] = finale.prizes
        self.columns["team"].column.verbose_name = places.unit.capitalize()
        self.caption = places.hidden or f"{len(places.lines)} {places.unit}{'' if len(places.lines) == 1 else 's'}"

    def render_label(self, record: PlaceLine) -> str:
        return record.label or "–"

    def render_team(self, record: PlaceLine) -> str:
        address = reverse("team", args=[self.slug, record.number])
        players = format_html('<span class="players muted">{}</span>', ", ".join(record.players))
        return format_html('<a href="{}">{}</a>{}', address, record.team, players if record.players else "")

    def render_qualifying(self, record: PlaceLine) -> str:
        return record.line.label if record.line else ""

    def render_won(self, record: PlaceLine) -> str:
        return str(record.line.won) if record.line else ""

    def render_points(self, record: PlaceLine) -> str:
        return minus(record.line.points) if record.line else ""

    def render_prize(self, record: PlaceLine) -> str:
        cents = self.prizes.get(record.number)
        return money(cents, self.currency) if cents else ""
