"""The standings at the desk: live whatever the public may see."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tournament import access
from tournament.lists.standings import standings_list
from tournament.phrases import BOARD_SECTIONS
from tournament.queries.standings import shown_standings
from tournament.queries.visibility import hall_notice
from tournament.tables import page_table
from tournament.views.pages import find_event, nothing_new, page_or_part


def standings_page(request: HttpRequest, event: str) -> HttpResponse:
    """The standings with every tie explained, and what the public sees of them now."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    table = shown_standings(found, request.actor)
    if request.htmx and request.GET.get("code") == table.code:
        return HttpResponse(status=204)
    context = {
        "event": found,
        "tab": "standings",
        "standings": table,
        "table": page_table(standings_list(found, table), request),
        "notice": hall_notice(found),
        "board_sections": BOARD_SECTIONS.items() if access.may(request.actor, "run-rounds", found) else (),
    }
    return page_or_part(request, "desk/standings.html", "desk/_standings.html", context)
