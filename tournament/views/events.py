"""The home page: what this is, and the events of the club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament import access
from tournament.queries.home import example, home_events


def event_list(request: HttpRequest) -> HttpResponse:
    """What this is in one sentence and one picture; then every event of the club, the newest first."""
    context = {
        "home": home_events(request.actor),
        "example": example(),
        "may_create": access.may(request.actor, "create-event"),
    }
    return render(request, "events.html", context)
