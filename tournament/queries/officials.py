"""Who runs an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from tournament.models import Event, Official
from tournament.queries.authors import author


def officials_of(event: Event) -> QuerySet[Official]:
    """The officials of an event: directors first, then by name."""
    return event.officials.select_related("user").order_by("role", "user__username")


def officials_named(event: Event, name: Callable[[str, Any], str] = author) -> list[list[str]]:
    """Who runs the event, as [name, role]: those with an account, and those whom only its file names."""
    offices = list(event.officials.select_related("user"))
    accounts = {one.user.get_username() for one in offices}
    told = [[name("", one.user), one.role] for one in offices]
    return sorted([*told, *(one for one in event.ran_by if one[0] not in accounts)], key=lambda one: (one[1], one[0]))
