"""What tablets sent and the sheet could not take: the desk sees it with its reason, and decides."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_GET, require_POST

from tournament.access import allowed_actions
from tournament.models import Event, Submission
from tournament.queries.attention import needs_of
from tournament.queries.desk import desk_round
from tournament.queries.parked import parked
from tournament.queries.rules import ruleset_of
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.submissions import decide
from tournament.views.pages import find_event, nothing_new, page_or_part


@require_GET
def parked_list(request: Request, event: str) -> HttpResponse:
    """Everything that waits for a decision."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    return _page(request, found)


@require_POST
def decision(request: Request, event: str, pk: int) -> HttpResponse:
    """Apply it, put it in a line's place, or discard it."""
    found = find_event(request, event, "correct")
    submission = get_object_or_404(Submission, pk=pk, event=found)
    choice, reason = request.POST.get("choice", ""), request.POST.get("reason", "")
    try:
        decided = decide(request.actor, submission, choice, reason)
    except Refusal as refusal:
        return _page(request, found, {"faults": refusal.faults, "at": pk, "typed": reason}, refusal.status)
    messages.success(request, f"Table {decided.device.table}: {decided.get_status_display().lower()}.")
    return redirect("desk-parked", found.slug)


def _page(request: Request, event: Event, more: dict[str, Any] | None = None, status: int = 200) -> HttpResponse:
    context = {"event": event, "tab": "parked", "parked": parked(event), "version": event.version, **(more or {})}
    shown = desk_round(event)
    context["may_do"] = allowed_actions(request.actor, event)
    context["needs"] = needs_of(event, shown, ruleset_of(event)) if shown else ()
    return page_or_part(request, "desk/parked.html", "desk/_parked.html", context, status)
