"""The Boston pot at the desk."""

from __future__ import annotations

from django.http import HttpResponse

from tournament.lists.pot import pot_list
from tournament.queries.cash import cash
from tournament.queries.pot import pot
from tournament.request import Request
from tournament.tables import page_table
from tournament.views.pages import find_event, nothing_new, page_or_part


def pot_page(request: Request, event: str) -> HttpResponse:
    """Who is in the pot, who leads or won it and why, and the shares."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    stakes = pot(found)
    table = page_table(pot_list(found, stakes), request)
    context = {"event": found, "tab": "pot", "pot": stakes, "table": table, "books": cash(found)}
    return page_or_part(request, "desk/pot.html", "desk/_pot.html", context)
