"""Notices that teams have read, and the public list of corrections."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from tournament import access
from tournament.models import Notice
from tournament.queries.signatures import corrections_of, table_of
from tournament.request import Request
from tournament.services.corrections import acknowledge_notice
from tournament.views.pages import find_event


@require_POST
def read(request: Request, pk: int) -> HttpResponse:
    """Acknowledge a notice at the table where the team sits now, or at the desk."""
    notice = get_object_or_404(Notice.objects.select_related("team__event", "game__round"), pk=pk)
    here = table_of(request.actor, notice.team)
    access.require(request.actor, "see-table", notice.team.event, here or notice.game)
    acknowledge_notice(request.actor, notice)
    if request.actor.person is None:
        return redirect("tablet")
    return redirect("desk-game", notice.team.event.slug, notice.game_id)


@require_GET
def corrections(request: Request, event: str) -> HttpResponse:
    """Every final game that an official corrected, with the reason: for everybody."""
    found = find_event(request, event, "see-event")
    return render(request, "public/corrections.html", {"event": found, "corrections": corrections_of(found)})
