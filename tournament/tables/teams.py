"""The columns of the list of teams."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html

from tournament.queries.team import TeamRow
from tournament.tables.listing import Listing


class TeamsTable(Listing):
    """One line per team, in order of number."""

    number = tables.Column(verbose_name="No.", attrs={"th": {"class": "num"}, "td": {"class": "num no"}})
    team = tables.Column(verbose_name="Team", attrs={"td": {"class": "name"}})
    players = tables.Column(verbose_name="Players", attrs={"td": {"class": "players"}})
    city = tables.Column(verbose_name="City", attrs={"td": {"class": "city"}})
    order = tables.Column(verbose_name="Place", attrs={"td": {"class": "rank"}}, empty_values=())

    class Meta:
        attrs = {"class": "list teams"}
        row_attrs = {"id": lambda record: f"team-{record.number}"}

    def __init__(self, rows: list[TeamRow], slug: str, unit: str = "team", **options: Any) -> None:
        placed = any(row.place for row in rows)
        hidden = ("order",) if not placed else ()
        if unit == "player" and not any(row.players for row in rows):
            hidden = (*hidden, "players")
        super().__init__(rows, exclude=hidden, **options)
        self.slug = slug
        self.columns["team"].column.verbose_name = unit.capitalize()
        self.caption = f"{len(rows)} {unit}{'' if len(rows) == 1 else 's'}"
        self.empty = f"No {unit}s yet."

    def render_team(self, record: TeamRow) -> str:
        link = format_html('<a href="{}">{}</a>', reverse("team", args=[self.slug, record.number]), record.team)
        return format_html('{} <span class="chip plain">{}</span>', link, record.status) if record.status else link

    def render_order(self, record: TeamRow) -> str:
        return record.place
