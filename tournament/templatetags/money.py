"""What the money pages need: a key for each button, a sum as it is typed."""

from __future__ import annotations

import uuid

from django import template

register = template.Library()


@register.simple_tag
def fresh_key() -> str:
    """A key for one press of one button: pressed twice, it counts once."""
    return str(uuid.uuid4())


@register.filter
def amount(cents: int) -> str:
    """A sum as it is typed into a form."""
    return f"{cents // 100}.{cents % 100:02d}"
