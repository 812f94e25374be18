"""Who runs an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tournament.models import Event
from tournament.queries.authors import author


@dataclass(frozen=True, slots=True)
class OfficialFacts:
    """A person with an office. `pk` is the account."""

    pk: int
    username: str
    role: str
    role_words: str


def officials_of(event: Event) -> list[OfficialFacts]:
    """The officials of an event: directors first, then by name."""
    rows = event.officials.select_related("user").order_by("role", "user__username")
    return [OfficialFacts(row.user_id, row.user.get_username(), row.role, row.get_role_display()) for row in rows]


def officials_named(event: Event, name: Callable[[str, Any], str] = author) -> list[list[str]]:
    """Who runs the event, as [name, role]: those with an account, and those whom only its file names."""
    offices = list(event.officials.select_related("user"))
    accounts = {one.user.get_username() for one in offices}
    told = [[name("", one.user), one.role] for one in offices]
    return sorted([*told, *(one for one in event.ran_by if one[0] not in accounts)], key=lambda one: (one[1], one[0]))
