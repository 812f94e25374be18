"""Template filters of the site: numbers, money, rules and times as they are written on a score sheet."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.utils.html import format_html, format_html_join

from tournament import PROGRAM, phrases
from tournament.lists.column import Column, Listing
from tournament.lists.standings import places_list, standings_list
from tournament.models import Event
from tournament.polling import AT_ONCE, CALMLY, every
from tournament.queries.playoffs import Finale
from tournament.queries.rules import ruleset_of
from tournament.queries.standings import Standings

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
    """What the site is called: the club's name, or the program's where none was set."""
    return settings.CLUB or "Uptown"


@register.simple_tag
def poll_at_once() -> str:
    """How often desk, projector and a table in play ask for news."""
    return every(AT_ONCE)


@register.simple_tag
def poll_calmly() -> str:
    """How often a phone and a tablet that waits ask for news."""
    return every(CALMLY)


@register.filter
def at(values: Any, index: int) -> Any:
    """The value of a side: `scores|at:0`; nothing where there is none."""
    try:
        return values[index]
    except (IndexError, KeyError, TypeError):
        return ""


@register.filter
def named(numbers: Iterable[int], names: Mapping[int, str]) -> list[str]:
    """What some teams are called: `{{ game.teams|named:names|join:" – " }}`."""
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
    """“team”, or “player” where everybody plays alone: `event|unit`, `event|unit:"s"`."""
    return f"{ruleset_of(event).unit}{ending}"


@register.filter
def by_rule(event: Event, rules: str) -> str:
    """“ (rule 45)” behind a sentence, where the event's own sheet numbers its rules: `event|by_rule:"45"`."""
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
    return _on_wall(standings_list(event, table), rows)


@register.inclusion_tag("board/_table.html")
def places_on_wall(event: Event, end: Finale, rows: Sequence[Any]) -> dict[str, object]:
    """A table of some final places: `{% places_on_wall event board.finale slide.places %}`."""
    return _on_wall(places_list(event, end), rows)


def _on_wall(listing: Listing, rows: Sequence[Any]) -> dict[str, object]:
    """Only what the wall has room for. Nobody taps a projector: there a name is no link."""
    columns = [column for column in listing.on_paper if not column.within]
    # A column in which no row has anything takes room from the names.
    columns = [column for column in columns if any(listing.said(column, row) for row in rows)]

    def text_of(column: Column, row: Any) -> str:
        return column.html(row) if column.html and column.key != "name" else listing.said(column, row)

    def cell(column: Column, row: Any) -> str:
        text = text_of(column, row)
        extras = [(text_of(extra, row),) for extra in listing.on_paper if extra.within == column.key]
        small = format_html_join("", "<small>{}</small>", (column for column in extras if column[0]))
        return format_html("<span>{}</span>{}", text, small)

    classes = [f"num {column.key}" if column.is_number else column.key for column in columns]
    lines = [
        (listing.mark(row).get("class", ""), list(zip(classes, [cell(column, row) for column in columns], strict=True)))
        for row in rows
    ]
    heads = zip(classes, (column.heading for column in columns), strict=True)
    return {"name": listing.name, "heads": heads, "lines": lines}
