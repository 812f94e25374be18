"""Starting and closing a round, its clock; the buttons stand on the desk's Round page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from tournament.forms.clock import set_clock
from tournament.refusals import Refusal
from tournament.services import rounds
from tournament.services.clock import call_time
from tournament.views.pages import find_event


@require_POST
def start(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """Start a round that is drawn."""
    found = find_event(request, event, "run-rounds")
    try:
        started = rounds.start_round(request.actor, found, number)
    except Refusal as refusal:
        return _refused(request, found, "The round was not started", refusal)
    messages.success(request, f"{started} is in play.")
    return redirect("desk", found.slug)


@require_POST
def take_back(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """The start of a round is taken back, as long as nothing is written in it."""
    found = find_event(request, event, "run-rounds")
    try:
        waiting = rounds.take_start_back(request.actor, found, number)
    except Refusal as refusal:
        return _refused(request, found, "The start was not undone", refusal)
    messages.success(request, f"{waiting} has not started: its tables are drawn and wait.")
    return redirect("desk", found.slug)


@require_POST
def close(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """Close a round that is played out."""
    found = find_event(request, event, "run-rounds")
    try:
        closed = rounds.close_round(request.actor, found, number)
    except Refusal as refusal:
        return _refused(request, found, f"Round {number} cannot be closed yet", refusal)
    messages.success(request, f"{closed} is closed.")
    return redirect("desk", found.slug)


@require_POST
def clock(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """The clock of a round: pause, continue, extend."""
    found = find_event(request, event, "run-rounds")
    try:
        said = set_clock(request.actor, found, number, request.POST)
    except Refusal as refusal:
        return _refused(request, found, "The clock was not changed", refusal)
    messages.success(request, said)
    return redirect("desk", found.slug)


@require_POST
def time(request: HttpRequest, event: str, number: int) -> HttpResponse:
    """Time is up: every table is told."""
    found = find_event(request, event, "run-rounds")
    try:
        count = call_time(request.actor, found, number)
    except Refusal as refusal:
        return _refused(request, found, "Time was not called", refusal)
    messages.success(request, f"Time is called at {count} table{'' if count == 1 else 's'}.")
    return redirect("desk", found.slug)


def _refused(request: HttpRequest, event: object, title: str, refusal: Refusal) -> HttpResponse:
    """What is missing, with the way to mend it. htmx asks from within a page and gets that page's way of saying it."""
    context = {"event": event, "tab": "round", "title": title, "faults": refusal.faults}
    return render(request, "desk/round_refused.html", context, status=refusal.status)
