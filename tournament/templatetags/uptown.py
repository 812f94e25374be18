"""Template filters of the site: numbers, money, rules and times as they are written on a score sheet."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.utils.safestring import SafeString

from tournament import PROGRAM
from tournament.lists.column import Column, Listing, filled
from tournament.lists.standings import places_list, standings_list
from tournament.models import Event
from tournament.queries.playoffs import Finale
from tournament.queries.rules import ruleset_of
from tournament.queries.standings import Standings
from tournament.site.polling import AT_ONCE, CALMLY, every
from tournament.words import phrases

register = template.Library()
register.filter("signed", phrases.signed)
register.filter("minus", phrases.minus)
register.filter("money", phrases.money)
register.filter("rule", phrases.rule)


@register.simple_tag
def program() -> str:
    """The program's name and version."""
    return PROGRAM


@register.simple_tag
def club() -> str:
    """The name of the site: the club's name, or the program's if none was set."""
    return settings.CLUB or "Uptown"


@register.simple_tag
def poll_at_once() -> str:
    """How often desk, projector, and a table in play ask for news."""
    return every(AT_ONCE)


@register.simple_tag
def poll_calmly() -> str:
    """How often a phone and a tablet that waits ask for news."""
    return every(CALMLY)


@register.filter
def at(values: Any, index: int) -> Any:
    """The value of a side: `scores|at:0`; empty if there is none."""
    try:
        return values[index]
    except (IndexError, KeyError, TypeError):
        return ""


@register.filter
def named(numbers: Iterable[int], names: Mapping[int, str]) -> list[str]:
    """The names of some teams: `{{ game.teams|named:names|join:" – " }}`."""
    return [names[number] for number in numbers]


@register.filter
def side_name(index: int | None, sides: Any) -> str:
    """The name of the team on a side of the table."""
    return sides[index].name if index is not None and 0 <= index < len(sides) else ""


@register.filter
def clock_time(moment: datetime | None, event: Event) -> str:
    """8:07 p.m., where the event is held: `{{ row.at|clock_time:event }}`."""
    return phrases.clock_time(moment, event.time_zone) if moment else ""


@register.filter
def day_time(moment: datetime | None, event: Event) -> str:
    """Nov 21, 8:07 p.m., where the event is held: `{{ row.at|day_time:event }}`."""
    return phrases.day_time(moment, event.time_zone) if moment else ""


@register.filter
def unit(event: Event, ending: str = "") -> str:
    """“team”, or “player” if everybody plays alone: `event|unit`, `event|unit:"s"`."""
    return f"{ruleset_of(event).unit}{ending}"


@register.filter
def by_rule(event: Event, rules: str) -> str:
    """“ (rule 45)” after a sentence, if the event's own sheet numbers its rules: `event|by_rule:"45"`."""
    return ruleset_of(event).cited(rules)


@register.simple_tag
def fresh_key() -> str:
    """A key for one press of one button: pressed twice, it counts once."""
    return str(uuid.uuid4())


@register.filter
def amount(cents: int) -> str:
    """A sum as it is typed into a form."""
    return f"{cents // 100}.{cents % 100:02d}"


# Template tags of lists: the columns that the projector has room for, and their cells.


@register.inclusion_tag("board/_table.html")
def standings_on_wall(event: Event, table: Standings, rows: Sequence[Any]) -> dict[str, object]:
    """A table of some lines of the standings: `{% standings_on_wall event board.table slide.lines %}`."""
    return wall_table(replace(standings_list(event, table), rows=rows))


@register.inclusion_tag("board/_table.html")
def places_on_wall(event: Event, end: Finale, rows: Sequence[Any]) -> dict[str, object]:
    """A table of some final places: `{% places_on_wall event board.finale slide.places %}`."""
    return wall_table(replace(places_list(event, end), rows=rows))


def wall_table(listing: Listing) -> dict[str, object]:
    """Only what the wall has room for. A column that is empty in every row would take room from the names."""
    columns = listing.pick_paper_columns()
    shown = [column for column in columns if not column.within]
    classes = [f"num {column.key}" if column.is_number else column.key for column in shown]
    cells = [
        _wall_cell(listing, column, [extra for extra in columns if extra.within == column.key]) for column in shown
    ]
    row_form = '<tr class="{}">' + "".join(f'<td class="{name}">{{}}</td>' for name in classes) + "</tr>"
    rows = [
        filled(row_form, listing.mark(row).get("class", ""), *[write(row) for write in cells]) for row in listing.rows
    ]
    heads = zip(classes, (column.heading for column in shown), strict=True)
    return {"name": listing.name, "heads": heads, "rows": SafeString("\n".join(rows))}


def _wall_cell(listing: Listing, column: Column, within: Sequence[Column]) -> Callable[[Any], str]:
    """Returns what writes a cell: the column's text, and in smaller type the columns shown within it."""

    def write(row: Any) -> str:
        smaller = [_wall_text(listing, extra, row) for extra in within]
        parts = [filled("<small>{}</small>", text) for text in smaller if text]
        return filled("<span>{}</span>{}", _wall_text(listing, column, row), SafeString("".join(parts)))

    return write


def _wall_text(listing: Listing, column: Column, row: Any) -> str:
    """Nobody taps a projector: names there are not links."""
    return column.html(row) if column.html and column.key != "name" else listing.said(column, row)
