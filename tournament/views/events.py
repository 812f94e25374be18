"""The list of events."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament import access
from tournament.queries.events import listed_events


def event_list(request: HttpRequest) -> HttpResponse:
    """Every event of the club, the newest first."""
    context = {
        "events": listed_events(request.actor),
        "may_create": access.may(request.actor, "create-event"),
    }
    return render(request, "events.html", context)
