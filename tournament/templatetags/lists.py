"""Template tags of lists: the columns that the projector has room for, and their cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join

from tournament.lists.column import Column, Listing
from tournament.lists.standings import places_list, standings_list
from tournament.models import Event
from tournament.queries.playoffs import Finale
from tournament.queries.standings import Standings

LONG_NAME = 26
register = template.Library()


@register.inclusion_tag("board/_table.html")
def standings_on_wall(event: Event, table: Standings, rows: Sequence[Any], title: str = "") -> dict[str, object]:
    """These lines of the standings: `{% standings_on_wall event board.table slide.lines %}`."""
    return _on_wall(standings_list(event, table), rows, title)


@register.inclusion_tag("board/_table.html")
def places_on_wall(event: Event, end: Finale, rows: Sequence[Any]) -> dict[str, object]:
    """These lines of the final places: `{% places_on_wall event board.finale slide.places %}`."""
    return _on_wall(places_list(event, end), rows)


def _on_wall(listing: Listing, rows: Sequence[Any], title: str = "") -> dict[str, object]:
    """Only what the wall has room for. Nobody taps a projector: there a name is no link."""
    columns = [column for column in listing.on_paper if not column.within]

    def said(column: Column, row: Any) -> str:
        return column.html(row) if column.html and column.key != "name" else listing.said(column, row)

    def cell(column: Column, row: Any) -> str:
        text = said(column, row)
        beside = [(said(one, row),) for one in listing.on_paper if one.within == column.key]
        small = format_html_join("", "<small>{}</small>", (one for one in beside if one[0]))
        long = "long" if column.key == "name" and len(text) > LONG_NAME else ""
        return format_html('<span class="{}">{}</span>{}', long, text, small)

    classes = [f"num {column.key}" if column.is_number else column.key for column in columns]
    lines = [
        (listing.mark(row).get("class", ""), list(zip(classes, [cell(one, row) for one in columns], strict=True)))
        for row in rows
    ]
    heads = zip(classes, (column.heading for column in columns), strict=True)
    return {"name": listing.name, "title": title, "heads": heads, "lines": lines}
