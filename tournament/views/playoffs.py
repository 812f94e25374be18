"""The playoffs at the desk: the cut, teams that are level at it, the bracket round by round, the champion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournament.access import Actor
from tournament.forms.playoffs import CutForm, PlacingForm, TieForm
from tournament.models import Event
from tournament.queries.playoffs import playoffs
from tournament.refusals import Refusal
from tournament.services.playoffs import decide_placing, finish_event, make_cut, start_playoff_round
from tournament.services.tiebreaks import start_tie_round, start_tiebreak
from tournament.views.pages import find_event, need_password, nothing_new

DECIDED_AT_ONCE = frozenset({"lots", "head-to-head"})


def playoffs_page(request: HttpRequest, event: str) -> HttpResponse:
    """What stands, and the one thing that comes next."""
    found = find_event(request, event, "see-desk")
    if nothing_new(request, found.version):
        return HttpResponse(status=204)
    return _page(request, found)


@require_POST
def cut(request: HttpRequest, event: str) -> HttpResponse:
    """Make the cut."""
    found = find_event(request, event, "run-playoffs")
    form = CutForm(request.POST)
    if not form.is_valid():
        return _page(request, found, cut_form=form, status=422)
    try:
        make_cut(request.actor, found, form.cleaned_data.pop("size"), **form.cleaned_data)
    except Refusal as refusal:
        return _page(request, found, cut_form=_with(form, refusal), status=refusal.status)
    messages.success(request, "The cut is made.")
    return redirect("desk-playoffs", found.slug)


@require_POST
def tiebreak(request: HttpRequest, event: str) -> HttpResponse:
    """Put the teams that are level at the cut in order."""
    found = find_event(request, event, "run-playoffs")
    form = TieForm(request.POST)
    if not form.is_valid():
        return _page(request, found, tie_form=form, status=422)
    try:
        method = form.cleaned_data.pop("method")
        start_tiebreak(request.actor, found, method, **form.cleaned_data)
    except Refusal as refusal:
        return _page(request, found, tie_form=_with(form, refusal), status=refusal.status)
    decided = "Recorded. The standings show what was decided, and why."
    messages.success(request, decided if method in DECIDED_AT_ONCE else "The tie-break is in play.")
    return redirect("desk-playoffs", found.slug)


@require_POST
def tie_round(request: HttpRequest, event: str) -> HttpResponse:
    """The next game of a tie-break with byes."""
    return _act(request, find_event(request, event, "run-playoffs"), start_tie_round, "{} is in play.")


@require_POST
def placing(request: HttpRequest, event: str) -> HttpResponse:
    """After a correction: keep what was played, or replay it."""
    found = find_event(request, event, "run-playoffs")
    form = PlacingForm(request.POST)
    if not form.is_valid():
        return _page(request, found, placing_form=form, status=422)
    try:
        decide_placing(request.actor, found, **form.cleaned_data)
    except Refusal as refusal:
        return _page(request, found, faults=refusal.faults, status=refusal.status)
    messages.success(request, "It is decided and recorded.")
    return redirect("desk-playoffs", found.slug)


@require_POST
def bracket_round(request: HttpRequest, event: str) -> HttpResponse:
    """Start the bracket's next round."""
    return _act(request, find_event(request, event, "run-playoffs"), start_playoff_round, "{} is in play.")


@require_POST
def ending(request: HttpRequest, event: str) -> HttpResponse:
    """Finish the event."""
    found = find_event(request, event, "run-playoffs")
    need_password(request, "You are about to finish the event.")
    return _act(request, found, finish_event, "The event is finished.")


def _act(request: HttpRequest, event: Event, act: Callable[[Actor, Event], object], done: str) -> HttpResponse:
    """One button without a form: do it, or say on the page why it cannot be done."""
    try:
        made = act(request.actor, event)
    except Refusal as refusal:
        return _page(request, event, faults=refusal.faults, status=refusal.status)
    messages.success(request, done.format(made))
    return redirect("desk-playoffs", event.slug)


def _page(request: HttpRequest, event: Event, status: int = 200, **given: Any) -> HttpResponse:
    event.refresh_from_db()
    facts = playoffs(event)
    names = {line.number: line.team for line in facts.table.lines}
    context = {"event": event, "tab": "playoffs", "facts": facts, "names": names, "tie_form": TieForm(), **given}
    context.setdefault("cut_form", CutForm.of(event))
    return render(request, "desk/playoffs.html", context, status=status)


def _with(form: Form, refusal: Refusal) -> Form:
    """The form with what was refused, at the field that it concerns."""
    for fault in refusal.faults:
        form.add_error(fault.field if fault.field in form.fields else None, fault.text)
    return form
