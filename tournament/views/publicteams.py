"""The public list of teams, and a team's own page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from tournament.lists.teams import teams_list
from tournament.models import Team
from tournament.queries.finale import shown_finale
from tournament.queries.standings import shown_standings
from tournament.queries.team import team_facts, team_rows
from tournament.queries.visibility import visibility
from tournament.request import Request
from tournament.tables import page_table
from tournament.views.pages import find_event, page_or_part


def teams_page(request: Request, event: str) -> HttpResponse:
    """Every team with its players."""
    found = find_event(request, event, "see-event")
    seen = visibility(found, request.actor)
    rows = team_rows(found, shown_standings(found, request.actor), shown_finale(found, seen).places)
    table = page_table(teams_list(found, rows), request)
    return render(request, "public/teams.html", {"event": found, "tab": "teams", "table": table})


def team_page(request: Request, event: str, number: int) -> HttpResponse:
    """Where a team sits next, its games so far, its place and why."""
    found = find_event(request, event, "see-event")
    team = get_object_or_404(Team, event=found, number=min(number, 99999))
    seen = visibility(found, request.actor)
    facts = team_facts(found, team, shown_standings(found, request.actor), shown_finale(found, seen).places, seen)
    context = {"event": found, "tab": "teams", "team": facts, "seen": seen}
    return page_or_part(request, "public/team.html", "public/_team.html", context)
