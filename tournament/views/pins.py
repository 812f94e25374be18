"""PINs at the desk: a new one for a team in one tap, and team slips that have them printed."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST, require_safe

from tournament.lists.pins import pins_list
from tournament.models import Event, Team
from tournament.queries.pins import given_at, pin_teams
from tournament.queries.slips import team_slips
from tournament.reports.download import download
from tournament.reports.pdf.paper import paper_of
from tournament.reports.pdf.slips import draw_team_slips
from tournament.request import Request
from tournament.services.pins import give_pins
from tournament.tables import cell_from, page_table
from tournament.views.pages import find_event, site_of


@require_safe
def pin_list(request: Request, event: str) -> HttpResponse:
    """Every team, and whether it has a PIN."""
    return _page(request, find_event(request, event, "give-pins"))


@require_POST
def pin(request: Request, event: str, number: int) -> HttpResponse:
    """A new PIN for a team. It stands in this answer and nowhere else: not even in a message for the next page."""
    found = find_event(request, event, "give-pins")
    team = get_object_or_404(Team, event=found, number=number)
    given = give_pins(request.actor, found, [number])
    return _page(request, found, {"team": team, "pin": given[number]})


@require_POST
def slips(request: Request, event: str) -> HttpResponse:
    """The team slips with new PINs: of all teams, or of those that have none yet."""
    found = find_event(request, event, "give-pins")
    everybody = request.POST.get("teams") == "all"
    numbers = {team.number for team in pin_teams(found) if everybody or given_at(team) is None}
    pins = give_pins(request.actor, found, numbers)
    slips = [slip for slip in team_slips(found) if slip.number in pins]
    content = paper_of(found, "slips", lambda papers: draw_team_slips(papers, found, slips, pins), site_of(request))
    return download(content, f"{found.name} slips with PINs", "pdf", inline=True)


def _page(request: Request, event: Event, given: dict[str, Any] | None = None) -> HttpResponse:
    teams = pin_teams(event)
    table = page_table(pins_list(event, teams, cell_from("desk/_new_pin.html", request, event)), request)
    without = sum(given_at(team) is None for team in teams)
    context = {"event": event, "tab": "tablets", "table": table, "without": without, **(given or {})}
    return render(request, "desk/pins.html", context)
