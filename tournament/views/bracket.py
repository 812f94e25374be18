"""The public bracket."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tournament.queries.bracket import bracket
from tournament.queries.standings import full_standings
from tournament.views.pages import find_event, nothing_new, page_or_part


def bracket_page(request: HttpRequest, event: str) -> HttpResponse:
    """The playoffs as they stand."""
    found = find_event(request, event, "see-event")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    context = {"event": found, "tab": "bracket", "drawn": bracket(found, full_standings(found))}
    return page_or_part(request, "public/bracket.html", "public/_bracket.html", context)
