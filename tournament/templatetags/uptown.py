"""Template filters of the site: numbers, money, rules and times as they are written on a score sheet."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django import template

from tournament import PROGRAM, phrases, times
from tournament.models import Event
from tournament.queries.pictures import Share, share
from tournament.queries.rules import ruleset_of

register = template.Library()
register.filter("signed", phrases.signed)
register.filter("minus", phrases.minus)
register.filter("money", phrases.money)
register.filter("rule", phrases.rule)


@register.simple_tag
def program() -> str:
    """The program's name and version."""
    return PROGRAM


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
    return times.clock_time(moment, event.time_zone) if moment else ""


@register.filter
def day_time(moment: datetime | None, event: Event) -> str:
    """Nov 21, 8:07 p.m., where the event is held: `{{ row.at|day_time:event }}`."""
    return times.day_time(moment, event.time_zone) if moment else ""


@register.filter
def unit(event: Event, ending: str = "") -> str:
    """“team”, or “player” where everybody plays alone: `event|unit`, `event|unit:"s"`."""
    return f"{ruleset_of(event).unit}{ending}"


@register.filter
def by_rule(event: Event, rules: str) -> str:
    """“ (rule 45)” behind a sentence, where the event's own sheet numbers its rules: `event|by_rule:"45"`."""
    return ruleset_of(event).cited(rules)


@register.simple_tag
def shared(event: Event) -> Share:
    """The event as a stranger may see it: `{% shared event as share %}`."""
    return share(event)


@register.simple_tag
def fresh_key() -> str:
    """A key for one press of one button: pressed twice, it counts once."""
    return str(uuid.uuid4())


@register.filter
def amount(cents: int) -> str:
    """A sum as it is typed into a form."""
    return f"{cents // 100}.{cents % 100:02d}"
