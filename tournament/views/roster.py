"""The secretary's list: looked through first, then entered, all of it or nothing."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from tournament.forms.upload import RosterForm
from tournament.models import Event
from tournament.queries.rules import ruleset_of
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services.teams import enter_roster
from tournament.views.pages import find_event

ACCEPT = "accept"


@require_http_methods(["GET", "HEAD", "POST"])
def roster(request: Request, event: str) -> HttpResponse:
    """Paste or upload; look through; accept."""
    found = find_event(request, event, "change-teams")
    if request.method != "POST":
        return _page(request, found, RosterForm(found), 200)
    form = RosterForm(found, request.POST, request.FILES)
    if not form.is_valid() or form.roster.faults:
        return _page(request, found, form, 422)
    if ACCEPT not in request.POST or request.FILES:
        return _page(request, found, form, 200)
    return _enter(request, found, form)


def _enter(request: Request, event: Event, form: RosterForm) -> HttpResponse:
    try:
        replace = form.cleaned_data.get("replace", False)
        teams = enter_roster(request.actor, event, form.roster.rows, replace=replace)
    except Refusal as refusal:
        form.roster.faults += refusal.faults
        return _page(request, event, form, refusal.status)
    unit = ruleset_of(event).unit
    messages.success(request, f"1 {unit} is entered." if len(teams) == 1 else f"{len(teams)} {unit}s are entered.")
    return redirect("desk-teams", event.slug)


def _page(request: Request, event: Event, form: RosterForm, status: int) -> HttpResponse:
    context = {"event": event, "tab": "teams", "form": form, "roster": form.roster}
    return render(request, "desk/roster.html", context, status=status)
