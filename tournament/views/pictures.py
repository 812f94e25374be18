"""The pictures of an event: the race for the top, points per game, bids made and set."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.queries.pictures import pictures
from tournament.queries.standings import shown_standings
from tournament.queries.visibility import visibility
from tournament.reports.pictures import wide_and_narrow
from tournament.views.pages import find_event


def pictures_page(request: HttpRequest, event: str) -> HttpResponse:
    """All pictures that may be seen."""
    found = find_event(request, event, "see-event")
    table = shown_standings(found, request.actor)
    drawn = wide_and_narrow(pictures(found, table, visibility(found, request.actor)))
    context = {"event": found, "tab": "pictures", "pictures": drawn, "hidden": table.hidden}
    return render(request, "public/pictures.html", context)
