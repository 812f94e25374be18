"""The home page: what this is, and the events of the club."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournament import access
from tournament.queries.checklist import example, home_events
from tournament.request import Request


def event_list(request: Request) -> HttpResponse:
    """What this is in one sentence and one picture; then every event of the club, the newest first."""
    context = {
        "home": home_events(request.actor),
        "example": example(),
        "may_create": access.may(request.actor, "create-event"),
    }
    return render(request, "events.html", context)
