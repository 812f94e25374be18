"""PINs at the desk: a new one for a team in one tap, and team slips that have them printed."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from tournament.models import Event, Team
from tournament.queries.book import event_facts
from tournament.queries.pins import pin_rows
from tournament.queries.slips import team_slips
from tournament.reports.download import download
from tournament.reports.pdf.slips import team_slips_paper
from tournament.services.pins import give_pins
from tournament.views.pages import find_event


@require_safe
def pin_list(request: HttpRequest, event: str) -> HttpResponse:
    """Every team, and whether it has a PIN."""
    return _page(request, find_event(request, event, "give-pins"))


@require_POST
def pin(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """A new PIN for a team. It stands in this answer and nowhere else: not even in a message for the next page."""
    found = find_event(request, event, "give-pins")
    team = get_object_or_404(Team, event=found, number=number)
    given = give_pins(request.actor, found, [number])
    return _page(request, found, {"team": team, "pin": given[number]})


@require_POST
def slips(request: HttpRequest, event: str) -> HttpResponse:
    """The team slips with new PINs: of all teams, or of those that have none yet."""
    found = find_event(request, event, "give-pins")
    everybody = request.POST.get("teams") == "all"
    numbers = {row.number for row in pin_rows(found) if everybody or row.given_at is None}
    pins = give_pins(request.actor, found, numbers)
    slips = [slip for slip in team_slips(found) if slip.number in pins]
    return download(
        team_slips_paper(event_facts(found), slips, pins), f"{found.name} slips with PINs", "pdf", inline=True
    )


def _page(request: HttpRequest, event: Event, given: dict[str, Any] | None = None) -> HttpResponse:
    rows = pin_rows(event)
    without = sum(row.given_at is None for row in rows)
    context = {"event": event, "tab": "tablets", "rows": rows, "without": without, **(given or {})}
    return render(request, "desk/pins.html", context)
