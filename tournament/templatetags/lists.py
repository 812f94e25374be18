"""Template tags of lists: the columns that the projector has room for, and their cells."""

from __future__ import annotations

from typing import Any

from django import template

from tournament.lists.column import Column
from tournament.lists.standings import standings_list
from tournament.models import Event
from tournament.queries.standings import Standings

register = template.Library()


@register.simple_tag
def standings_on_wall(event: Event, table: Standings) -> list[tuple[Column, str]]:
    """The columns of the wall, each with its class: `{% standings_on_wall event board.table as columns %}`."""
    columns = standings_list(event, table).on_paper
    return [(column, f"num {column.key}" if column.is_number else column.key) for column in columns]


@register.filter
def cell(column: Column, row: Any) -> str:
    """A cell as the page has it: `{{ column|cell:line }}`. Nobody taps a projector: there a name is no link."""
    if column.html and column.key != "name":
        return column.html(row)
    return str(column.value(row))
