"""The teams of an event at the desk: the list with fees and pot, one team, numbers; the secretary's list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from tournament.forms.fields import show_faults
from tournament.forms.teams import TeamForm
from tournament.forms.uploads import RosterForm
from tournament.lists.teams import teams_list
from tournament.models import Event, Team
from tournament.queries.checklist import shared_players
from tournament.queries.ledger import cash
from tournament.queries.roster import registration, row_of
from tournament.queries.rules import ruleset_of
from tournament.refusals import Invalid, Refusal
from tournament.request import Request
from tournament.services import ledger as marks
from tournament.services import teams
from tournament.services.teams import enter_roster
from tournament.tables import page_table, team_switch
from tournament.views.pages import done, find_event, page_or_part, sent
from tournament.views.teamchange import changed, team_page

ACCEPT = "accept"


@require_http_methods(["GET", "HEAD", "POST"])
def team_list(request: Request, event: str) -> HttpResponse:
    """All teams, and a form for one more."""
    found = find_event(request, event, "change-teams")
    form = TeamForm(found, sent(request))
    if form.is_valid():
        try:
            act, name = partial(teams.add_team, request.actor, found, form.row), form.row.name or form.row.players[0]
            return changed(request, found, act, f"Enter {name}", f"Entered: {name}.", "Enter")
        except Refusal as refusal:
            return _list(request, found, form, show_faults(form, refusal))
    return _list(request, found, form, 422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def one_team(request: Request, event: str, number: int) -> HttpResponse:
    """One team: change it, or take it off the list."""
    found = find_event(request, event, "change-teams")
    shown = get_object_or_404(Team, event=found, number=number)
    form = TeamForm(found, sent(request), row_of(shown))
    if form.is_valid():
        try:
            team = teams.change_team(request.actor, found, number, form.row, marks=form.changed_data)
        except Refusal as refusal:
            return team_page(request, shown, show_faults(form, refusal), form=form)
        return done(request, f"Saved: {team}.", "desk-teams", found.slug)
    return team_page(request, shown, 422 if form.is_bound else 200, form=form)


@require_POST
def paid(request: Request, event: str, number: int) -> HttpResponse:
    """A fee is paid, or is not."""
    found = find_event(request, event, "pay")
    return _mark(request, found, number, "paid", marks.set_paid)


@require_POST
def pot(request: Request, event: str, number: int) -> HttpResponse:
    """A team joins the Boston pot, or leaves it."""
    found = find_event(request, event, "pay")
    return _mark(request, found, number, "pot", marks.set_pot)


@require_POST
def removal(request: Request, event: str, number: int) -> HttpResponse:
    """A team is taken off the list before the event opens."""
    found = find_event(request, event, "change-teams")
    name = teams.remove_team(request.actor, found, number)
    return done(request, f"Removed from the list: {name}.", "desk-teams", found.slug)


@require_POST
def numbers(request: Request, event: str) -> HttpResponse:
    """Team numbers are drawn by lot."""
    found = find_event(request, event, "change-teams")
    count = teams.draw_numbers(request.actor, found)
    return done(request, f"Numbers 1 to {count} are drawn.", "desk-teams", found.slug)


def _mark(request: Request, event: Event, number: int, what: str, act: Callable[..., Team]) -> HttpResponse:
    """Set a mark of the list; where games have been played, what takes money back is asked about first."""
    team, on = get_object_or_404(Team, event=event, number=number), request.POST.get("on") == "yes"
    reason = request.POST.get("reason", "")
    try:
        act(request.actor, event, number, on, reason)
    except Refusal as refusal:
        if event.frozen_at is None:
            raise
        faults = refusal.faults if "reason" in request.POST or not isinstance(refusal, Invalid) else ()
        context = {"event": event, "tab": "teams", "team": team, "what": what, "on": on, "here": request.path}
        context |= {"account": cash(event).account(number), "faults": faults, "reason": reason}
        return render(request, "desk/mark.html", context, status=refusal.status)
    return _list(request, event) if request.htmx else redirect("desk-teams", event.slug)


def _list(request: Request, event: Event, form: TeamForm | None = None, status: int = 200) -> HttpResponse:
    listed = registration(event)
    rows = teams_list(event, listed.teams, team_switch(request, event))
    table = page_table(rows, request)
    context: dict[str, Any] = {"event": event, "tab": "teams", "listed": listed, "table": table}
    context |= {"form": form or TeamForm(event), "twice": shared_players(event), "drawn": event.rounds.exists()}
    return page_or_part(request, "desk/teams.html", "desk/_teams.html", context, status)


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
