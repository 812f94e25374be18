"""Who runs an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournament.models import Event, Official
from tournament.queries.authors import author


def officials_of(event: Event) -> QuerySet[Official]:
    """The officials of an event: directors first, then by name."""
    return event.officials.select_related("user").order_by("role", "user__username")


def open_directors(event: Event) -> QuerySet[Official]:
    """Who can act as its director: a closed account cannot."""
    return event.officials.filter(role="director", user__is_active=True)


def undirected(user: User) -> list[str]:
    """The names of a person's events that are not over and that no director can act in."""
    theirs = Event.objects.filter(officials__user=user, officials__role="director").exclude(stage="over")
    return [event.name for event in theirs if not open_directors(event).exists()]


def officials_named(event: Event, name: Callable[[str, Any], str] = author) -> list[list[str]]:
    """Who runs the event, as [name, role]: those with an account, and those whom only its file names."""
    offices = list(event.officials.select_related("user"))
    accounts = {one.user.get_username() for one in offices}
    told = [[name("", one.user), one.role] for one in offices]
    return sorted([*told, *(one for one in event.ran_by if one[0] not in accounts)], key=lambda one: (one[1], one[0]))
