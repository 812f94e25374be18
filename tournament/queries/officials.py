"""Who runs an event."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.models import Event


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


def officials_named(event: Event) -> list[list[str]]:
    """Who runs the event, as [name, role]: those with an account, and those whom only its file names."""
    told = [[one.user.get_username(), one.role] for one in event.officials.select_related("user")]
    names = {name for name, _ in told}
    return sorted([*told, *(one for one in event.ran_by if one[0] not in names)], key=lambda one: (one[1], one[0]))
