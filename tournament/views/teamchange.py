"""Teams that change while the event goes on: what it does to the draw is shown first, then done in one act."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from tournament.forms.fields import show_faults
from tournament.forms.team import MergeForm, SubstituteForm, SwapForm, TeamForm, WithdrawalForm
from tournament.models import Event, Round, Team
from tournament.queries.lineup import substitutions_of
from tournament.queries.registration import row_of
from tournament.refusals import Refusal
from tournament.request import Request
from tournament.services import merging, substitutions, swaps, teams, withdrawals
from tournament.services.reseating import announce_change, change_and_reseat, has_rounds_to_reseat
from tournament.views.pages import confirmed, find_event, need_password

# What stands in a form of the preview and is not what was typed.
OWN = frozenset({"csrfmiddlewaretoken", "announced", "seating"})


@require_POST
def withdrawal(request: Request, event: str, number: int) -> HttpResponse:
    """A team leaves, or is sent away."""
    found = find_event(request, event, "change-teams")
    team = get_object_or_404(Team, event=found, number=number)
    form = WithdrawalForm(request.POST)
    if not form.is_valid():
        return team_page(request, team, 422, leaving=form)
    try:
        act = partial(withdrawals.leave, request.actor, found, number, **form.cleaned_data)
        awards = withdrawals.announce_leaving(request.actor, found, number, **form.cleaned_data)
        if form.cleaned_data["disqualified"]:
            need_password(request, f"You are about to disqualify {team.name}.")
        done = f"Withdrawn: {team.name}. “Back in play” on the team’s page undoes that."
        return changed(request, found, act, f"Withdraw {team.name}", done, "Withdraw", awards=awards)
    except Refusal as refusal:
        return team_page(request, team, show_faults(form, refusal), leaving=form)


@require_POST
def comeback(request: Request, event: str, number: int) -> HttpResponse:
    """A team that had left plays on."""
    found = find_event(request, event, "change-teams")
    team = get_object_or_404(Team, event=found, number=number)
    act = partial(teams.return_team, request.actor, found, number)
    return changed(request, found, act, f"Bring back {team.name}", f"Back in play: {team.name}.", "Bring back")


@require_POST
def merge(request: Request, event: str, number: int) -> HttpResponse:
    """Another entry's players join this team."""
    found = find_event(request, event, "change-teams")
    team = get_object_or_404(Team, event=found, number=number)
    form = MergeForm(team, request.POST)
    if not form.is_valid():
        return team_page(request, team, 422, merging=form)
    other, name = form.cleaned_data["other"], form.cleaned_data["new_name"]
    try:
        act = partial(merging.merge_teams, request.actor, found, number, other, name)
        return changed(
            request, found, act, f"Merge No. {other} into {team.name}", "The two entries were merged.", "Merge"
        )
    except Refusal as refusal:
        return team_page(request, team, show_faults(form, refusal), merging=form)


@require_POST
def substitute(request: Request, event: str, number: int) -> HttpResponse:
    """A substitute plays in a player's place."""
    found = find_event(request, event, "change-teams")
    team = get_object_or_404(Team, event=found, number=number)
    form = SubstituteForm(team, request.POST)
    if not form.is_valid():
        return team_page(request, team, 422, substituting=form)
    try:
        made = substitutions.substitute(request.actor, found, number, **form.cleaned_data)
    except Refusal as refusal:
        return team_page(request, team, show_faults(form, refusal), substituting=form)
    messages.success(request, f"{made.into} plays for {made.out}.")
    return redirect("desk-team", found.slug, number)


@require_http_methods(["GET", "POST"])
def swap(request: Request, event: str, number: int) -> HttpResponse:
    """Two teams of a round sat in each other's place."""
    found = find_event(request, event, "draw")
    round_ = get_object_or_404(Round, event=found, number=number)
    form = SwapForm(round_, request.POST or None, initial=request.GET.dict())
    if not form.is_valid():
        return _swap_page(request, round_, form, 422 if form.is_bound else 200)
    said = {"number": number, **form.cleaned_data}
    try:
        impact = swaps.announce_swap(request.actor, found, **said)
        if not confirmed(request, impact.key, "You are about to change who played at which table."):
            return _swap_page(request, round_, form, impact=impact, values=_typed(request))
        swaps.swap_teams(request.actor, found, **said)
    except Refusal as refusal:
        return _swap_page(request, round_, form, show_faults(form, refusal))
    messages.success(request, "The two have changed places; every hand stays at the table where it was recorded.")
    return redirect(f"{reverse('desk', args=[found.slug])}?round={number}")


def changed(
    request: Request,
    event: Event,
    act: Callable[[], Any],
    title: str,
    done: str,
    verb: str = "Save",
    back: str = "",
    awards: tuple[str, ...] = (),
) -> HttpResponse:
    """Show what an act does to the draw, and do it when that was confirmed; at once where no draw stands.

    `verb` names the act on its button, `awards` are games in play that end with it: they are shown in any case. `back`
    is the page that one came from, where one also goes afterwards; the list of teams, if none is named.
    """
    back = back or reverse("desk-teams", args=[event.slug])
    if has_rounds_to_reseat(event) or awards:
        keep = request.POST.get("seating") == "keep"
        reseating = None if keep else replace(announce_change(request.actor, event, act), awards=awards)
        if reseating is not None and request.POST.get("announced") != reseating.key:
            context = {"event": event, "tab": "teams", "title": title, "reseating": reseating, "back": back}
            context |= {"verb": verb, "here": request.path, "values": _typed(request)}
            return render(request, "desk/reseating.html", context)
        change_and_reseat(request.actor, event, act, redraw=not keep)
    else:
        act()
    messages.success(request, done)
    return redirect(back)


def team_page(request: Request, team: Team, status: int = 200, **forms: Any) -> HttpResponse:
    """One team at the desk with all that can happen to it; a form that was refused comes with what was typed."""
    event = team.event
    begun = event.rounds.exclude(state="planned").count()
    context: dict[str, Any] = {
        "event": event,
        "tab": "teams",
        "team": team,
        "form": TeamForm(event, None, row_of(team)),
        "leaving": WithdrawalForm(initial={"after_round": begun}),
        "substituting": SubstituteForm(team),
        "merging": MergeForm(team),
        "substitutions": substitutions_of(team),
        "open": next(iter(forms), ""),
    }
    return render(request, "desk/team.html", context | forms, status=status)


def _swap_page(request: Request, round_: Round, form: SwapForm, status: int = 200, **extra: Any) -> HttpResponse:
    context = {"event": round_.event, "tab": "round", "round": round_, "form": form, **extra}
    return render(request, "desk/swap.html", context, status=status)


def _typed(request: Request) -> dict[str, str]:
    return {name: request.POST.get(name, "") for name in request.POST if name not in OWN}
