"""Template filters of the site: numbers, money and rules as they are written on a score sheet."""

from __future__ import annotations

from typing import Any

from django import template

from tournament import phrases
from tournament.models import Event
from tournament.queries.rules import ruleset_of

register = template.Library()
register.filter("signed", phrases.signed)
register.filter("minus", phrases.minus)
register.filter("money", phrases.money)
register.filter("rule", phrases.rule)


@register.filter
def at(values: Any, index: int) -> Any:
    """The value of a side: `scores|at:0`; nothing where there is none."""
    try:
        return values[index]
    except (IndexError, KeyError, TypeError):
        return ""


@register.filter
def side_name(index: int | None, sides: Any) -> str:
    """The name of the team on a side of the table."""
    return sides[index].name if index is not None and 0 <= index < len(sides) else ""


@register.filter
def unit(event: Event, ending: str = "") -> str:
    """“team”, or “player” where everybody plays alone: `event|unit`, `event|unit:"s"`."""
    return f"{ruleset_of(event).unit}{ending}"
