"""The Boston pot at the desk."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from tournament.queries.cash import cash
from tournament.queries.pot import pot
from tournament.views.pages import find_event, nothing_new, page_or_part


def pot_page(request: HttpRequest, event: str) -> HttpResponse:
    """Who is in the pot, who leads or won it and why, and the shares."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    context = {"event": found, "tab": "pot", "pot": pot(found), "books": cash(found)}
    return page_or_part(request, "desk/pot.html", "desk/_pot.html", context)
