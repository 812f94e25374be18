"""The public bracket."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tournament.queries.bracket import bracket
from tournament.queries.standings import full_standings
from tournament.views.pages import find_event, page_or_part


def bracket_page(request: HttpRequest, event: str) -> HttpResponse:
    """The playoffs as they stand."""
    found = find_event(request, event, "see-event")
    context = {"event": found, "tab": "bracket", "drawn": bracket(found, full_standings(found))}
    return page_or_part(request, "public/bracket.html", "public/_bracket.html", context)
